"""What happens in the company of lab 01: the same events on every machine, made from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, Final

#: An event is a plain dict, as JSON would have it.
Event = dict[str, Any]

_PAGES: Final = ("/", "/ride", "/ride/book", "/invoices", "/help", "/jobs")
_ZONES: Final = ("station", "harbour", "airport", "old town")
_LINES: Final = ("INFO ride booked", "INFO driver logged in", "WARN card was slow", "ERROR card was declined")
#: Two visitors who view far more pages than a person does.
_BOTS: Final = ("u66", "u99")


def page_views() -> Iterator[Event]:
    """Who looked at which page: activity."""
    dice = random.Random("page views")
    while True:
        user = dice.choice(_BOTS) if dice.random() < 0.4 else f"u{dice.randrange(10, 40)}"
        yield {"user": user, "page": dice.choice(_PAGES)}


def speeds() -> Iterator[Event]:
    """How fast a driver goes: metrics."""
    dice = random.Random("speeds")
    while True:
        yield {"driver": dice.randrange(200, 230), "km_h": dice.randrange(0, 120)}


def log_lines() -> Iterator[Event]:
    """What the payment service wrote: logs."""
    dice = random.Random("log lines")
    second = 0
    while True:
        second += dice.randrange(1, 9)
        clock = f"{8 + second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
        yield {"at": clock, "line": dice.choices(_LINES, (9, 5, 2, 1))[0]}


def rides() -> Iterator[Event]:
    """Rides asked for, and how many wait and how many drivers are free in that zone: changes of a database."""
    dice = random.Random("rides")
    number = 0
    while True:
        number += 1
        yield {
            "ride": f"r{number:03d}",
            "zone": dice.choice(_ZONES),
            "km": dice.randrange(1, 25),
            "waiting": dice.randrange(0, 9),
            "free": dice.randrange(0, 9),
        }


class Happening:
    """The events of one kind, in their order: those that were, and more when they happen."""

    def __init__(self, make: Callable[[], Iterator[Event]], first: int) -> None:
        self._coming = make()
        self.events: list[Event] = []
        self.more(first)

    def more(self, count: int) -> list[Event]:
        """So many events happen; they are returned, and stay in :attr:`events`."""
        new = [next(self._coming) for _ in range(count)]
        self.events.extend(new)
        return new
