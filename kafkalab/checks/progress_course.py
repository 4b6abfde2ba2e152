"""The labs of the course, in their order, and the exercises each one has."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from kafkalab.checks.exercise import Exercise
from kafkalab.checks.lab import exercises_of

log = logging.getLogger(__name__)

#: Number: the notebook, and what the lab is about.
LABS: Final[dict[str, tuple[str, str]]] = {
    "00": ("00_start_here.ipynb", "Start here"),
    "01": ("01_why_kafka.ipynb", "Why Kafka"),
    "02": ("02_topics_partitions_offsets.ipynb", "Topics, partitions, offsets"),
    "03": ("03_messages.ipynb", "Messages"),
    "04": ("04_keys_and_order.ipynb", "Keys and order"),
    "05": ("05_brokers_and_discovery.ipynb", "Brokers and discovery"),
    "21": ("21_first_stream.ipynb", "First stream"),
}


@dataclass(frozen=True, slots=True)
class CourseLab:
    """One lab: its number ("02"), its notebook's name, its title, and its exercises, which only can be read."""

    number: str
    notebook: str
    title: str
    exercises: tuple[Exercise, ...]


def course() -> tuple[CourseLab, ...]:
    """The labs that there are, first to last."""
    found = []
    for number, (notebook, title) in LABS.items():
        if find_spec(f"kafkalab.checks.lab_{number}") is None:
            continue
        try:
            exercises = tuple(exercises_of(number)(None))
        except Exception:
            # A lab that somebody is just writing must not take the others' progress away.
            log.debug("the exercises of lab %s cannot be read", number, exc_info=True)
            continue
        found.append(CourseLab(number, notebook, title, exercises))
    return tuple(found)
