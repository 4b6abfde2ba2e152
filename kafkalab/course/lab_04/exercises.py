"""The exercises of lab 04, keys and order: work out partitions, find keys that move, choose a key, cool a hot key."""

from __future__ import annotations

import random
import uuid
import zlib
from collections import Counter
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Final

from kafkalab.cluster import topics
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, kind_of, listed, whole_number
from kafkalab.exercises.topics import passing_topic, publish, read_all
from kafkalab.state.log.murmur2 import murmur2

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

# --- Judges of lab 04 for the choice of a key: they send records with it, and look into which partitions they went.


Record = dict[str, str]

_TOPIC_PARTITIONS: Final = 6
#: Minimum number of the six partitions that must be used; twenty different keys use that many, one key does not.
_USED: Final = 3
#: Maximum share of the records that one partition may hold.
_MOST: Final = 2 / 3


def one_list(cluster: Cluster, answer: Any) -> str:
    """Judge 04.3: each customer's records must be in one partition, and enough partitions must be used."""
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
        idle = _TOPIC_PARTITIONS - len(counts)
        raise Wrong(
            f"The order is kept. But P{fullest} holds {held} of {len(records)} records, and {idle} of "
            f"{_TOPIC_PARTITIONS} partitions have nothing to do: one consumer would have all the work."
        )
    customers = len({record["customer"] for record in records})
    return f"{customers} customers, each with one list in order, over {len(counts)} partitions."


def hot_key(cluster: Cluster, answer: Any) -> str:
    """Judge 04.4: each door's records must be in one partition, and no partition may hold too many of all records."""
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
    """Return the records of the parcels of twenty customers, interleaved; each customer has two to four parcels."""
    trucks = [_name("T") for _ in range(4)]
    stories: list[list[Record]] = []
    for customer in (_name("C") for _ in range(20)):
        for parcel in (_name("P") for _ in range(random.randint(2, 4))):
            steps = ("packed", "loaded", "delivered")
            stories.append([{"customer": customer, "parcel": parcel, "what": step} for step in steps])
    records = _by_turns(stories)
    return [{"id": f"r{n:03}", **record, "truck": random.choice(trucks)} for n, record in enumerate(records)]


def _doors() -> list[Record]:
    """Return the records of doors that open and close, interleaved: a ferry with 24 doors, 12 trucks with one each."""
    ferry = _name("F")
    stories = [_door(ferry, _name("d"), 8) for _ in range(24)]
    stories += [_door(_name("T"), _name("d"), 4) for _ in range(12)]
    return [{"id": f"r{n:03}", **record} for n, record in enumerate(_by_turns(stories))]


def _door(vehicle: str, door: str, events: int) -> list[Record]:
    return [{"vehicle": vehicle, "door": door, "what": ("opened", "closed")[n % 2]} for n in range(events)]


def _by_turns(stories: list[list[Record]]) -> list[Record]:
    """Interleave several stories at random into one list; each story keeps its own order."""
    turns = [story for story in stories for _ in story]
    random.shuffle(turns)
    rest = {id(story): iter(story) for story in stories}
    return [next(rest[id(story)]) for story in turns]


def _name(letter: str) -> str:
    return f"{letter}{uuid.uuid4().hex[:8]}"  # with fewer digits, two of sixty names would sometimes be the same


def _keys(answer: Any, records: list[Record]) -> list[bytes | None]:
    """Return the key that the answer gives to each record.

    :raises Wrong: a key is neither bytes nor None.
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
    """Send the records with these keys to a topic of their own; return record id → partition."""
    with passing_topic(cluster, stem, _TOPIC_PARTITIONS) as topic:
        rows = [(key, record["id"].encode(), None) for key, record in zip(keys, records, strict=True)]
        publish(cluster.bootstrap_servers, topic, rows)
        return {record.value.decode(): record.partition for record in read_all(cluster.bootstrap_servers, topic)}


def _split(
    records: list[Record], lies: dict[str, int], of: Callable[[Record], Hashable]
) -> tuple[Record, Record] | None:
    """Return two successive records of one thing that went to different partitions; None if there are none.

    :param of: returns the thing that a record is about, such as the customer.
    """
    last: dict[Hashable, Record] = {}
    for record in records:
        before = last.get(of(record))
        if before is not None and lies[before["id"]] != lies[record["id"]]:
            return before, record
        last[of(record)] = record
    return None


def _why(records: list[Record], keys: list[bytes | None]) -> str:
    """Return why these keys put records into different partitions; empty if the reason is not known."""
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


#: Numbers of partitions. None is a power of two: modulo such a number, the hash's sign bit makes no difference.
_PARTITIONS: Final = (5, 6, 7, 9)
#: Numbers of partitions before and after. None is doubled: then keys move to new partitions only, and an answer that
#: looks for those would be right by chance.
_GROWTHS: Final = ((3, 4), (3, 5), (4, 6), (5, 7))


def exercises(cluster: Cluster) -> tuple[Exercise, Exercise, Exercise, Exercise]:
    """Return the four exercises, judged on this cluster."""
    return (
        Exercise(
            "04.1",
            "From key to partition",
            2,
            "Write `partition_of(key, partitions)`: the number of the partition in which a Kafka producer puts a "
            "record with that key (bytes), in a topic of so many partitions. `murmur2(key)` is there to be used.",
            lambda answer: places(cluster, answer),
            (
                "The cell in which T0005 was worked out by hand has the two lines you need, at its end.",
                "Kafka takes the sign away before it divides: of the 32 bits of the hash, 31 count.",
                "`murmur2(key) & 0x7FFFFFFF` is the hash without its sign; the rest of the division by "
                "`partitions` (`%`) is the answer.",
            ),
        ),
        Exercise(
            "04.2",
            "Who has to move?",
            2,
            "Write `moved(keys, before, after)`: it returns a list of those keys (bytes) whose new records go to "
            "another partition than their old ones, once a topic of `before` partitions was given `after`.",
            lambda answer: who_moved(cluster, answer),
            (
                "Nothing already written moves. Ask of each key where it went, and where it will go.",
                "A key moves when the two partitions differ. That one of them is new is not the question.",
                "`place(key, before)` and `place(key, after)`: keep the keys for which they are not equal.",
            ),
        ),
        Exercise(
            "04.3",
            "Choose the key",
            1,
            "Records about parcels are dicts of text: `id`, `customer`, `parcel`, `truck`, `what`. A customer's page "
            "shows one list of everything that happens to all of their parcels, in order; the warehouse looks at one "
            "parcel at a time, in order. The topic has 6 partitions, and all should have work. Write `key_of(record)`: "
            "it returns the key, as bytes.",
            lambda answer: one_list(cluster, answer),
            (
                "What must stay in order with one another must lie in one partition, so it must have one key.",
                "A parcel belongs to one customer. What is in order for the customer is in order for each parcel.",
                "One field of the record is the key. Text becomes bytes by `.encode()`.",
            ),
        ),
        Exercise(
            "04.4",
            "Cool a hot key",
            2,
            "A ferry has two dozen doors and sends four records in five of a topic with 6 partitions; its records are "
            "dicts of text: `id`, `vehicle`, `door`, `what`. The alarm needs what happens to *one door of one vehicle* "
            "in order, and nothing more. Write `key_for(record)` so that no partition carries more than two thirds "
            "of the records. The key is bytes.",
            lambda answer: hot_key(cluster, answer),
            (
                "With the vehicle as the key, the ferry is one key, and one key is one partition.",
                "What is the smallest thing that must stay in order? Give each of these a key of its own.",
                "Put two fields into the key, with a sign between them that neither holds, and `.encode()` the text.",
            ),
        ),
    )


def places(cluster: Cluster, answer: Any) -> str:
    """Judge 04.1 by the partitions into which a producer really put records with random keys."""
    function_needed(answer)
    first, second = random.sample(_PARTITIONS, 2)
    _placed(cluster, answer, first)
    count = _placed(cluster, answer, second)
    return f"{count} keys over {first} partitions, and {count} over {second}: each where the producer put it."


def _placed(cluster: Cluster, answer: Any, partitions: int) -> int:
    """Compare an answer's partitions of random keys with those a producer chooses; return the number of keys."""
    keys = sorted({random.randbytes(random.randint(1, 11)).hex().encode()[:-1] for _ in range(30)})
    given = {key: _place(answer, key, partitions) for key in keys}
    for key in (keys[0], keys[0], keys[1]):  # one twice in a row, to catch taking turns
        again = _place(answer, key, partitions)
        if again != given[key]:
            raise Wrong(
                f"Asked twice about the key {_shown(key)}, it said {given[key]} and then {again}. Records with a key "
                "do not take turns: the same key gives the same partition, whoever asks and whenever."
            )
    with passing_topic(cluster, "lab04-exercise-1", partitions) as topic:
        publish(cluster.bootstrap_servers, topic, [(key, b"", None) for key in keys])
        lies = {record.key: record.partition for record in read_all(cluster.bootstrap_servers, topic)}
    if given == lies:
        return len(keys)
    hit = sum(given[key] == lies[key] for key in keys)
    key = next(key for key in keys if given[key] != lies[key])
    raise Wrong(
        f"Of {len(keys)} keys in a topic of {partitions} partitions, {hit} are where yours says. The key {_shown(key)} "
        f"went to partition {lies[key]}, and yours says {given[key]}.{_instead(given, partitions)}"
    )


def _place(answer: Any, key: bytes, partitions: int) -> int:
    place = whole_number(call(answer, key, partitions, within=20), "A partition")
    if not 0 <= place < partitions:
        raise Wrong(
            f"For the key {_shown(key)} and {partitions} partitions it said {place}. Partitions are numbered from 0 to "
            f"{partitions - 1}: no sign, and nothing beyond."
        )
    return place


def _instead(given: dict[bytes, int], partitions: int) -> str:
    """Return which known wrong rule gives these partitions; empty if there is none."""
    sums: tuple[tuple[Callable[[bytes], int], str], ...] = (
        (murmur2, " You divide the whole hash; Kafka takes its sign away first."),
        (sum, " That is the sum of the bytes, and keys of the same letters would all meet."),
        (zlib.crc32, " That is CRC-32, as librdkafka takes it unless it is told otherwise."),
        (hash, " That is Python's own hash(), which is another one in every process."),
        (len, " That is the length of the key."),
    )
    for total, words in sums:
        if all(total(key) % partitions == place for key, place in given.items()):
            return words
    if len(set(given.values())) == 1:
        return " It is the same partition for every key."
    return ""


def who_moved(cluster: Cluster, answer: Any) -> str:
    """Judge 04.2 by growing two topics, and comparing the partitions of the same keys before and after."""
    function_needed(answer)
    return " ".join(_moved(cluster, answer, *growth) for growth in random.sample(_GROWTHS, 2))


def _moved(cluster: Cluster, answer: Any, before: int, after: int) -> str:
    keys = [b"T%04d" % number for number in random.sample(range(10_000), 60)]
    given = listed(call(answer, list(keys), before, after), "What moved returns", bytes)
    if strange := set(given) - set(keys):
        raise Wrong(f"{_shown(min(strange))} is none of the keys it was given.")
    with passing_topic(cluster, "lab04-exercise-2", before) as topic:
        publish(cluster.bootstrap_servers, topic, [(key, b"before", None) for key in keys])
        topics.grow(cluster.bootstrap_servers, topic, after)
        publish(cluster.bootstrap_servers, topic, [(key, b"after", None) for key in keys])
        records = read_all(cluster.bootstrap_servers, topic)
    was = {record.key: record.partition for record in records if record.value == b"before"}
    now = {record.key: record.partition for record in records if record.value == b"after"}
    return _compare_moves(set(given), was, now, before, after)


def _compare_moves(given: set[bytes], was: dict[bytes, int], now: dict[bytes, int], before: int, after: int) -> str:
    moves = {key for key in was if was[key] != now[key]}
    if given == moves:
        return f"From {before} to {after} partitions, {len(moves)} of {len(was)} keys moved."
    if not given:
        key = min(moves)
        raise Wrong(
            f"It says that none moved. With {after} partitions in place of {before}, {_shown(key)} went to "
            f"P{now[key]}, and its older records lie in P{was[key]}."
        )
    if given == set(was) - moves:
        raise Wrong("These are the keys that stayed where they were.")
    if given == {key for key in was if now[key] >= before}:
        key = min(moves - given)
        raise Wrong(
            f"These are the keys that went to a new partition. Others moved as well: {_shown(key)} went from "
            f"P{was[key]} to P{now[key]}, and both were there before."
        )
    if extra := given - moves:
        key = min(extra)
        raise Wrong(f"{_shown(key)} did not move: it goes to P{now[key]}, as before.")
    key = min(moves - given)
    raise Wrong(f"{_shown(key)} is missing: it went from P{was[key]} to P{now[key]}.")


def _shown(key: bytes) -> str:
    return f"`{key.decode(errors='backslashreplace')}`"
