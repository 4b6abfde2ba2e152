"""The exercises of lab 04: a key, its partition, keys that move, two keys to choose, and a torn topic to repair."""

from __future__ import annotations

import random
import uuid
import zlib
from collections import Counter
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Final

from kafkalab.cluster import topics
from kafkalab.errors import KafkalabError
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, kind_of, listed, text, whole_number
from kafkalab.exercises.topics import passing_topic, publish, read_all, soon
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
    """Judge 04.4: each customer's records must be in one partition, and enough partitions must be used."""
    records = _parcels()
    keys = _keys(answer, records)
    lies = _sent(cluster, "lab04-exercise-4", records, keys)
    split = _split(records, lies, lambda record: record["customer"])
    if split is not None:
        first, later = split
        raise Wrong(
            f"Customer {first['customer']} has {first['id']} in P{lies[first['id']]} and, after it, {later['id']} in "
            f"P{lies[later['id']]}: a reader may get either of the two first.{_why(records, keys)}"
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
    """Judge 04.5: each door's records must be in one partition, and no partition may hold too many of all records."""
    records = _doors()
    keys = _keys(answer, records)
    lies = _sent(cluster, "lab04-exercise-5", records, keys)
    split = _split(records, lies, lambda record: (record["vehicle"], record["door"]))
    if split is not None:
        first, later = split
        raise Wrong(
            f"Door {first['door']} of {first['vehicle']} has {first['id']} ({first['what']}) in P{lies[first['id']]} "
            f"and, after it, {later['id']} ({later['what']}) in P{lies[later['id']]}: a reader may get either of the "
            f"two first.{_why(records, keys)}"
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


def exercises(cluster: Cluster) -> tuple[Exercise, ...]:
    """Return the six exercises, judged on this cluster."""
    return (
        Exercise(
            "04.1",
            "The truck, as bytes",
            1,
            "An event's value is bytes, for example `b'T0005-003 opened'`. Write `key_of_event(value)`: it returns the "
            "truck as bytes, here `b'T0005'`. Other fleets have longer and shorter names.",
            key_of_event,
            (
                "Which character follows the truck's name?",
                "Bytes have `.split`, as text has: `b'a-b'.split(b'-')` is a list of two.",
                "`return value.split(b'-')[0]`",
            ),
        ),
        Exercise(
            "04.2",
            "From key to partition",
            2,
            "Write `partition_of(key, partitions)`: it returns the number of the partition to which our producer "
            "(kafka-python's) sends a record with that key (bytes), in a topic with that many partitions.",
            lambda answer: places(cluster, answer),
            (
                "The cell with `murmur2` works it out for T0005 and three partitions.",
                "Kafka takes the sign away before it divides: of the 32 bits of the hash, 31 count.",
                "`murmur2(key) & 0x7FFFFFFF` is the hash without its sign; the remainder of the division by "
                "`partitions` (`%`) is the answer.",
            ),
        ),
        Exercise(
            "04.3",
            "Which keys move?",
            2,
            "A topic grows from `before` to `after` partitions. Write `moved(keys, before, after)`: it returns a list "
            "of those keys (bytes) whose new records go to another partition than their old ones.",
            lambda answer: who_moved(cluster, answer),
            (
                "Records that are written don't move. Ask for each key where it went, and where it will go.",
                "A key moves when the two partitions differ. Whether one of them is new doesn't matter.",
                "`(murmur2(key) & 0x7FFFFFFF) % before`, the same with `after`: keep a key if they differ.",
            ),
        ),
        Exercise(
            "04.4",
            "Choose the key",
            1,
            "Records about parcels are dicts of text: `id`, `customer`, `parcel`, `truck`, `what`. A customer's page "
            "shows one list of what happens to all of their parcels, in order. The warehouse looks at one parcel at a "
            "time, in order. All 6 partitions should have work. Write `key_of(record)`: it returns the key, as bytes.",
            lambda answer: one_list(cluster, answer),
            (
                "Records that must stay in order with one another need the same partition, so the same key.",
                "A parcel belongs to one customer. What's in order for the customer is in order for each parcel.",
                "One field of the record is the key. Text becomes bytes by `.encode()`.",
            ),
        ),
        Exercise(
            "04.5",
            "Cool a hot key",
            2,
            "In a topic with 6 partitions, four in five records come from one ferry with 24 doors. Records are "
            "dicts of text: `id`, `vehicle`, `door`, `what`. The alarm program needs what happens to *one door of one "
            "vehicle* in order, and nothing more. Write `key_for(record)`, which returns the key as bytes, so that no "
            "partition gets more than two thirds of the records.",
            lambda answer: hot_key(cluster, answer),
            (
                "With the vehicle as the key, the ferry is one key, and one key is one partition.",
                "What is the smallest thing that must stay in order? Give each of these a key of its own.",
                "Put two fields into the key, with a character between them that's in neither, and `.encode()` it.",
            ),
        ),
        Exercise(
            "04.6",
            "Put the doors in order",
            3,
            f"Create a topic with 6 partitions whose name begins with `lab04-`, and fill it from `{DOCK}`: each of its "
            "events once, each truck's events in one partition and in the order in which they were sent, with the "
            "truck as the key. Answer with the topic's name.",
            lambda answer: dock_repaired(cluster, answer),
            (
                "Read everything first. Which value of a record says when it was sent?",
                "`sorted(records, key=lambda record: record.timestamp)` puts them in the order of sending.",
                f"`cluster.create_topic(…, partitions=6)`; for each record of `read_all(…, {DOCK!r})`, sorted, "
                "`producer.send(topic, key=record.key, value=record.value)`; then `producer.flush()`.",
            ),
        ),
    )


#: The topic of the finale, to which two families of clients have sent.
DOCK: Final = "lab04-dock"


def key_of_event(answer: Any) -> str:
    """Judge 04.1 on trucks with short and long names."""
    function_needed(answer)
    for name in ("T0005", f"T{random.randrange(10**6)}", f"Ferry{random.randrange(100)}", "X"):
        value = f"{name}-{random.randrange(1000):03} {random.choice(('opened', 'closed'))}".encode()
        said = call(answer, value, within=20)
        if isinstance(said, str):
            raise Wrong(f"It returned text, {said[:40]!r}. A key is bytes.")
        if not isinstance(said, bytes):
            raise Wrong(f"It should return bytes, and returned {kind_of(said)}.")
        if said == value:
            raise Wrong("It returned the whole value: then every event has a key of its own.")
        if said != name.encode():
            raise Wrong(f"Of {value!r} it returned {said[:40]!r}, and the truck is {name.encode()!r}.")
    return "Also for names that are shorter or longer."


def dock_repaired(cluster: Cluster, answer: Any) -> str:
    """Judge 04.6: the new topic has each event once, and each truck's in one partition and in order."""
    name = text(answer, "A topic's name")
    snapshot = soon(cluster, lambda s: s.topic(name))
    topic, torn = snapshot.topic(name), snapshot.topic(DOCK)
    if torn is None:
        raise KafkalabError(f"There is no topic {DOCK}.", do="Run the cells of part 5, which create it.")
    if topic is None:
        raise Wrong(f"There is no topic {name!r}.")
    if name == DOCK:
        raise Wrong(f"{DOCK} stays torn: nothing that is written can change its place. Fill a new topic.")
    if not name.startswith("lab04-"):
        raise Wrong(f"{name} does not begin with lab04-: the clean-up of this lab would not find it.")
    if len(topic.partitions) != _TOPIC_PARTITIONS:
        raise Wrong(f"{name} has {len(topic.partitions)} partitions, not {_TOPIC_PARTITIONS}.")
    return _in_order(read_all(cluster.bootstrap_servers, name), read_all(cluster.bootstrap_servers, DOCK))


def _in_order(records: list[Any], torn: list[Any]) -> str:
    wanted, there = Counter(r.value for r in torn), Counter(r.value for r in records)
    if missing := wanted - there:
        raise Wrong(f"{missing.total()} of the {wanted.total()} events are missing. Did it wait with `flush()`?")
    if extra := there - wanted:
        raise Wrong(f"{extra.total()} events are there twice, or were never at the dock. A topic keeps what was sent.")
    places: dict[bytes, set[int]] = {}
    newest: dict[bytes, bytes] = {}
    for record in sorted(records, key=lambda r: (r.partition, r.offset)):
        truck = record.value.split(b"-")[0]
        if record.key != truck:
            raise Wrong(f"The event {record.value.decode()} has the key {record.key!r}, not {truck!r}.")
        places.setdefault(truck, set()).add(record.partition)
        if len(places[truck]) > 1:
            raise Wrong(f"{truck.decode()} is in the partitions {sorted(places[truck])}: one producer, one hash.")
        if record.value < newest.get(truck, b""):
            raise Wrong(
                f"{record.value.decode()} comes after {newest[truck].decode()}. In which order did you send them?"
            )
        newest[truck] = record.value
    return f"{len(records)} events of {len(places)} trucks, each truck in one partition and in order."


def places(cluster: Cluster, answer: Any) -> str:
    """Judge 04.2 by the partitions into which a producer really put records with random keys."""
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
                "do not take turns: the same key gives the same partition every time."
            )
    with passing_topic(cluster, "lab04-exercise-2", partitions) as topic:
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
    """Judge 04.3 by growing two topics, and comparing the partitions of the same keys before and after."""
    function_needed(answer)
    return " ".join(_moved(cluster, answer, *growth) for growth in random.sample(_GROWTHS, 2))


def _moved(cluster: Cluster, answer: Any, before: int, after: int) -> str:
    keys = [b"T%04d" % number for number in random.sample(range(10_000), 60)]
    given = listed(call(answer, list(keys), before, after), "What moved returns", bytes)
    if strange := set(given) - set(keys):
        raise Wrong(f"{_shown(min(strange))} is none of the keys it was given.")
    with passing_topic(cluster, "lab04-exercise-3", before) as topic:
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
