"""Judges of lab 04 for a choice of key: records are really sent with it, and it is looked where they came to lie."""

from __future__ import annotations

import random
import uuid
from collections import Counter
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Final

from kafkalab.checks.judging import Wrong, call, kind_of
from kafkalab.checks.topics import passing_topic, publish, read_all

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

Record = dict[str, str]

_PARTITIONS: Final = 6
#: Of six partitions at least so many must be used, which twenty different keys do and one key cannot.
_USED: Final = 3
#: The share that one partition may carry at most.
_MOST: Final = 2 / 3


def one_list(cluster: Cluster, answer: Any) -> str:
    """Judge 04.3: all records of a customer in one partition, in the order of sending, and work for the others too."""
    records = _parcels()
    keys = _keys(answer, records)
    lies = _sent(cluster, "lab04-exercise-3", records, keys)
    split = _split(records, lies, lambda record: record["customer"])
    if split is not None:
        first, later = split
        raise Wrong(
            f"Customer {first['customer']} has {first['id']} in P{lies[first['id']]} and, after it, {later['id']} in "
            f"P{lies[later['id']]}: nobody promises which of the two is read first.{_why(records, keys)}"
        )
    counts = Counter(lies.values())
    if len(counts) < _USED:
        (fullest, held), *_ = counts.most_common()
        idle = _PARTITIONS - len(counts)
        raise Wrong(
            f"The order is kept. But P{fullest} holds {held} of {len(records)} records, and {idle} of {_PARTITIONS} "
            "partitions have nothing to do: one consumer would have all the work."
        )
    customers = len({record["customer"] for record in records})
    return f"{customers} customers, each with one list in order, over {len(counts)} partitions."


def hot_key(cluster: Cluster, answer: Any) -> str:
    """Judge 04.4: what happens to a door lies in one partition, and no partition carries most of it all."""
    records = _doors()
    keys = _keys(answer, records)
    lies = _sent(cluster, "lab04-exercise-4", records, keys)
    split = _split(records, lies, lambda record: (record["vehicle"], record["door"]))
    if split is not None:
        first, later = split
        raise Wrong(
            f"Door {first['door']} of {first['vehicle']} has {first['id']} ({first['what']}) in P{lies[first['id']]} "
            f"and, after it, {later['id']} ({later['what']}) in P{lies[later['id']]}: nobody promises which of the two "
            f"is read first.{_why(records, keys)}"
        )
    counts = Counter(lies.values())
    (fullest, held), *_ = counts.most_common()
    share = f"{held / len(records):.0%}".replace("%", " %")
    if held > _MOST * len(records):
        by_vehicle = len(set(keys)) == len({record["vehicle"] for record in records})
        cause = " All that the ferry sends has one key." if by_vehicle else ""
        raise Wrong(f"Every door is in order, but P{fullest} carries {share} of all records.{cause}")
    doors = len({(record["vehicle"], record["door"]) for record in records})
    return f"{doors} doors, each in order, and the fullest partition carries {share} of the records."


def _parcels() -> list[Record]:
    """What happens to the parcels of twenty customers, by turns; each customer has several parcels under way."""
    trucks = [_name("T") for _ in range(4)]
    stories: list[list[Record]] = []
    for customer in (_name("C") for _ in range(20)):
        for parcel in (_name("P") for _ in range(random.randint(2, 4))):
            steps = ("packed", "loaded", "delivered")
            stories.append([{"customer": customer, "parcel": parcel, "what": step} for step in steps])
    records = _by_turns(stories)
    return [{"id": f"r{n:03}", **record, "truck": random.choice(trucks)} for n, record in enumerate(records)]


def _doors() -> list[Record]:
    """Doors that open and close, by turns: a ferry with two dozen, and a dozen trucks with one each."""
    ferry = _name("F")
    stories = [_door(ferry, _name("d"), 8) for _ in range(24)]
    stories += [_door(_name("T"), _name("d"), 4) for _ in range(12)]
    return [{"id": f"r{n:03}", **record} for n, record in enumerate(_by_turns(stories))]


def _door(vehicle: str, door: str, events: int) -> list[Record]:
    return [{"vehicle": vehicle, "door": door, "what": ("opened", "closed")[n % 2]} for n in range(events)]


def _by_turns(stories: list[list[Record]]) -> list[Record]:
    """One sequence of several, each of which keeps its own order."""
    turns = [story for story in stories for _ in story]
    random.shuffle(turns)
    rest = {id(story): iter(story) for story in stories}
    return [next(rest[id(story)]) for story in turns]


def _name(letter: str) -> str:
    return f"{letter}{uuid.uuid4().hex[:8]}"  # with fewer digits two of sixty are the same now and then


def _keys(answer: Any, records: list[Record]) -> list[bytes | None]:
    """The key that the answer gives each record.

    :raises Wrong: one is neither bytes nor None.
    """
    keys: list[bytes | None] = []
    for record in records:
        key = call(answer, dict(record), within=20, returns=False)
        if isinstance(key, str):
            raise Wrong(f"The key is text, {key[:40]!r}; Kafka carries bytes. Text has `.encode()`.")
        if key is not None and not isinstance(key, bytes):
            raise Wrong(f"A key is bytes, and this is {kind_of(key)}.")
        keys.append(key)
    return keys


def _sent(cluster: Cluster, stem: str, records: list[Record], keys: list[bytes | None]) -> dict[str, int]:
    """Send the records with these keys to a topic of their own: the partition of each, by its id."""
    with passing_topic(cluster, stem, _PARTITIONS) as topic:
        rows = [(key, record["id"].encode(), None) for key, record in zip(keys, records, strict=True)]
        publish(cluster.bootstrap_servers, topic, rows)
        return {record.value.decode(): record.partition for record in read_all(cluster.bootstrap_servers, topic)}


def _split(
    records: list[Record], lies: dict[str, int], of: Callable[[Record], Hashable]
) -> tuple[Record, Record] | None:
    """Two records, one after the other, of something whose records lie in different partitions; None if all is well."""
    last: dict[Hashable, Record] = {}
    for record in records:
        before = last.get(of(record))
        if before is not None and lies[before["id"]] != lies[record["id"]]:
            return before, record
        last[of(record)] = record
    return None


def _why(records: list[Record], keys: list[bytes | None]) -> str:
    """What it is about these keys that tears records apart; empty when that is not plain."""
    if None in keys:
        return " A record without a key goes to any partition. Does your function end with `return`?"
    if len(set(keys)) == len(records):
        return " Every record has a key of its own, so no two belong together."
    for field, words in (
        ("parcel", " Each parcel is in order by itself; a customer's list is made of several."),
        ("truck", " A truck carries parcels of many customers, and a customer's parcels are on many trucks."),
        ("what", " The key says what happened, and not to whom."),
    ):
        groups = {(key, record.get(field)) for key, record in zip(keys, records, strict=True)}
        if field in records[0] and len(groups) == len(set(keys)) == len({record[field] for record in records}):
            return words
    return ""
