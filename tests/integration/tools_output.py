"""What Kafka's own tools print, read back into data."""

from __future__ import annotations

import json
import re
from typing import Any

#: partition → (leader, replicas, ISR)
Described = dict[int, tuple[int | None, list[int], list[int]]]


def described_topics(text: str) -> dict[str, Described]:
    """``kafka-topics --describe``: topic → its partitions."""
    topics: dict[str, Described] = {}
    for line in text.splitlines():
        fields = dict(re.findall(r"(\w+): *([^\t]*)", line))
        if "PartitionCount" in fields:
            topics[fields["Topic"].strip()] = {}
        elif "Partition" in fields:
            leader = fields["Leader"].strip()
            topics[fields["Topic"].strip()][int(fields["Partition"])] = (
                None if leader == "none" else int(leader),
                _numbers(fields["Replicas"]),
                _numbers(fields["Isr"]),
            )
    return topics


def table(text: str) -> list[dict[str, str]]:
    """The rows of the tables ``kafka-consumer-groups`` prints, by column name; an empty cell is an empty string."""
    rows: list[dict[str, str]] = []
    columns: list[tuple[str, int, int | None]] = []
    for line in text.splitlines():
        if line.startswith("GROUP "):
            heads = list(re.finditer(r"\S+(?: \(ID\))?", line))
            ends = [head.start() for head in heads[1:]]
            columns = [(h.group(), h.start(), end) for h, end in zip(heads, [*ends, None], strict=True)]
        elif not line.strip():
            columns = []
        elif columns:
            rows.append({name: line[start:end].strip() for name, start, end in columns})
    return rows


def offsets(text: str) -> dict[tuple[str, int], int | None]:
    """``kafka-get-offsets``: (topic, partition) → offset; None where it prints none."""
    found: dict[tuple[str, int], int | None] = {}
    for line in text.split():
        topic, partition, offset = line.rsplit(":", 2)
        found[topic, int(partition)] = int(offset) if offset else None
    return found


def assignment(cell: str) -> set[tuple[str, int]]:
    """A cell of CURRENT-ASSIGNMENT as Kafka 4 prints it: ``shared:0;wide:0,1``, or ``-``."""
    parts = [] if cell in ("", "-") else [part.rsplit(":", 1) for part in cell.split(";")]
    return {(topic, number) for topic, numbers in parts for number in _numbers(numbers)}


def assignment_without_topics(cell: str) -> list[list[int]]:
    """A cell of ASSIGNMENT as Kafka 3.9 prints it: ``(0), (0,1)``, a list a topic, whose names it leaves out."""
    return sorted(_numbers(numbers) for numbers in re.findall(r"\(([\d,]*)\)", cell))


def pairs(text: str) -> dict[str, str]:
    """``Name:    value`` lines, as ``kafka-metadata-quorum describe --status`` prints them."""
    return {name: value.strip() for name, value in re.findall(r"^(\w[\w ]*): *(.*)$", text, re.MULTILINE)}


def last_json(text: str) -> Any:
    """The JSON object in the last line that is one: what ``zookeeper-shell get`` prints after its chatter."""
    return json.loads([line for line in text.splitlines() if line.startswith("{")][-1])


def _numbers(text: str) -> list[int]:
    return [int(n) for n in text.strip().split(",") if n]
