"""Sends records with clients of other families, and draws into which partitions records went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal

from kafkalab.course.drawing import Svg, on_partition, partition, text_width
from kafkalab.exercises.topics import read_all
from kafkalab.views.words import shorten

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

_CELL, _ROW, _TOP, _PAD = 13.0, 44.0, 40.0, 16.0
#: A client stays with a partition for a while if at most this share of its records change the partition.
_FEW: Final = 1 / 3


class Strips:
    """A strip for each client: one cell a record, with the number and the colour of its partition.

    :param strips: name → partitions of the records, in the order in which they were sent.
    :param told: the text under each strip. "counts": the number of records in each partition. "changes": also how often
        the partition changed from one record to the next. "agreement": also how many cells agree with the first strip.

    >>> print(Strips({"kafka-python": [0, 2, 1]}))
    kafka-python: 0 2 1
    """

    def __init__(
        self,
        strips: Mapping[str, Sequence[int]],
        title: str = "Which partition each record went to",
        *,
        told: Literal["counts", "changes", "agreement"] = "counts",
    ) -> None:
        self._title = title
        self._told = told
        self._strips = {str(name): [int(number) for number in strip] for name, strip in strips.items()}

    def to_svg(self) -> str:
        """Return the picture as the content of an SVG file."""
        left = _PAD + max((text_width(name, 13, bold=True) for name in self._strips), default=0) + 26
        longest = max(map(len, self._strips.values()), default=0)
        width = max(left + longest * _CELL + _PAD, 400.0)
        height = _TOP + _ROW * len(self._strips) + 14
        svg = Svg(width, height, self._title, shorten("; ".join(str(self).splitlines()), 1900))
        svg.text(_PAD, 24, f"{self._title}: the first on the left", fill="soft", size=12, limit=120)
        for row, (name, strip) in enumerate(self._strips.items()):
            y = _TOP + row * _ROW
            svg.text(_PAD, y + 15, name, bold=True, size=13)
            for at, number in enumerate(strip):
                x = left + at * _CELL
                svg.rect(x, y, _CELL - 1.5, 20, fill=partition(number), rx=2)
                svg.text(x + (_CELL - 1.5) / 2, y + 14, number, fill=on_partition(number), size=10, anchor="middle")
            svg.text(left, y + 34, self._words(strip), fill="soft", size=11, limit=120)
        return svg.to_string()

    def _words(self, strip: Sequence[int]) -> str:
        counts = Counter(strip)
        held = ", ".join(f"P{number}: {counts[number]}" for number in sorted(counts))
        if self._told == "changes":
            return f"{held} · partition changed from one record to the next: {_changes(strip)} times"
        if self._told == "agreement":
            against = next(iter(self._strips.values()))
            same = sum(one == other for one, other in zip(strip, against, strict=False))
            return held if strip is against else f"{held} · the same as in the first strip: {same} of {len(strip)}"
        return held

    def _repr_html_(self) -> str:
        return self.to_svg()

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {' '.join(map(str, strip))}" for name, strip in self._strips.items())


def habit(strip: Sequence[int]) -> str:
    """Return how a client chose partitions: ``"turn"`` (in turn), ``"stay"`` (one for a while) or ``"random"``."""
    used = len(set(strip))
    if used > 1 and all(len(set(strip[at : at + used])) == used for at in range(len(strip) - used + 1)):
        return "turn"
    return "stay" if _changes(strip) <= _FEW * len(strip) else "random"


def _changes(strip: Sequence[int]) -> int:
    return sum(one != other for one, other in pairwise(strip))


def by_java(cluster: Cluster, topic: str, records: Sequence[tuple[bytes | None, bytes]], *options: str) -> list[int]:
    """Send (key, value) records with Kafka's console producer, a Java program; return the partition of each.

    It prints no receipts, so the topic is read afterwards; values must be different.
    """
    keyed = any(key is not None for key, _ in records)
    lines = [(key + b":" + value if key is not None else value).decode() for key, value in records]
    how = ("--property", "parse.key=true", "--property", "key.separator=:") if keyed else ()
    text = "".join(f"{line}\n" for line in lines)
    cluster.tool("kafka-console-producer", "--topic", topic, *how, *options, input=text)
    lies = {record.value: record.partition for record in read_all(cluster.bootstrap_servers, topic)}
    return [lies[value] for _, value in records]


def by_librdkafka(
    cluster: Cluster, topic: str, records: Sequence[tuple[bytes | None, bytes]], **settings: Any
) -> list[int]:
    """Send (key, value) records with librdkafka, on which Go's, .NET's and many other clients stand; as above.

    :param settings: librdkafka's, with ``_`` for ``.``.
    """
    import confluent_kafka

    places: dict[int, int] = {}
    options = {name.replace("_", "."): value for name, value in settings.items()}
    sender = confluent_kafka.Producer({"bootstrap.servers": cluster.bootstrap_servers, **options})
    for number, (key, value) in enumerate(records):

        def note(error: Any, message: Any, number: int = number) -> None:
            places[number] = message.partition()

        sender.produce(topic, value, key, on_delivery=note)
        if number == 0:
            sender.flush(30)  # until it knows the topic's partitions, it picks at random
    sender.flush(30)
    return [places[number] for number in range(len(records))]
