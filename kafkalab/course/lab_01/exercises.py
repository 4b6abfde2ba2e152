"""The exercises of lab 01, why Kafka: count the wires, add a seventh target, write a service that reads and writes."""

from __future__ import annotations

import json
import random
import uuid
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kafkalab.cluster.topics import asking
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, kind_of, listed, whole_number
from kafkalab.exercises.topics import passing_topic, publish, read_all
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

# --- Judges exercise 01.3 of lab 01: a service reads rides from one topic and writes their prices to another.


_RIDES: Final = 30
Ride = dict[str, Any]


def price_of(ride: Ride) -> int:
    """Return the price of a ride."""
    return int((3 + 2 * ride["km"]) * (2 if ride["waiting"] > ride["free"] else 1))


def service(cluster: Cluster, answer: Any) -> str:
    """Judge 01.3 by the records in the second topic afterwards, for random rides."""
    function_needed(answer)
    servers = cluster.bootstrap_servers
    rides = _rides()
    with passing_topic(cluster, "lab01-asked", 2) as source, passing_topic(cluster, "lab01-told", 1) as target:
        publish(servers, source, [(None, json.dumps(ride).encode(), n % 2) for n, ride in enumerate(rides)])
        call(answer, servers, source, target, within=90, returns=False)
        there, told = len(read_all(servers, source)), read_all(servers, target)
    if there != len(rides):
        raise Wrong(f"{there - len(rides)} records were written to the topic it reads from; prices go to the other.")
    if not told:
        raise Wrong(
            "There is nothing in the second topic. Does it begin with the oldest ride, and does it wait until what it "
            "has handed to the producer was sent?"
        )
    _compare([_read(record.value) for record in told], {ride["ride"]: ride for ride in rides})
    return f"{len(rides)} rides in, {len(told)} prices out; it was a consumer and a producer."


def _rides() -> list[Ride]:
    """Return random rides of three sorts: with fewer, more, and as many people waiting as drivers are free."""
    made = []
    for n in range(_RIDES):
        free = random.randrange(0, 9)
        waiting = free + (0, random.randrange(1, 5), -random.randrange(0, free + 1))[n % 3]
        made.append(
            {"ride": f"r-{uuid.uuid4().hex[:8]}", "zone": random.choice(("harbour", "airport")),
             "km": random.randrange(1, 60), "waiting": waiting, "free": free}
        )  # fmt: skip
    return made


def _read(value: bytes | None) -> Ride:
    try:
        told = json.loads(value or b"")
    except ValueError:
        shown = repr((value or b"")[:60])[1:]
        raise Wrong(
            f"What is in the second topic is not JSON: {shown}. `json.dumps(…)` makes JSON of a dict."
        ) from None
    if not isinstance(told, dict) or not {"ride", "price"} <= told.keys():
        raise Wrong(f"A record of the second topic should have `ride` and `price`, and one is {json.dumps(told)[:80]}.")
    return told


def _compare(told: list[Ride], rides: dict[str, Ride]) -> None:
    ids = Counter(str(one["ride"]) for one in told)
    strange = [ride for ride in ids if ride not in rides]
    if strange:
        raise Wrong(f"There is a price for the ride {strange[0][:30]!r}, which nobody asked for.")
    missing = [ride for ride in rides if ride not in ids]
    if missing:
        raise Wrong(
            f"{len(missing)} of {len(rides)} rides have no price. Both partitions read, from the oldest record on? "
            "And is everything sent before it returns?"
        )
    twice = [ride for ride, count in ids.items() if count > 1]
    if twice:
        raise Wrong(f"{len(twice)} rides have more than one price; one record for each ride is asked for.")
    for one in told:
        ride = rides[str(one["ride"])]
        wanted = price_of(ride)
        if isinstance(one["price"], bool) or not isinstance(one["price"], int | float):
            raise Wrong(f"A price is a number, and one of them is {kind_of(one['price'])}.")
        if one["price"] != wanted:
            raise Wrong(_why_not_served(ride, one["price"], wanted))


def _why_not_served(ride: Ride, price: float, wanted: int) -> str:
    asked = f"{ride['km']} km, {ride['waiting']} waiting, {ride['free']} drivers free: it says {price}. "
    if ride["waiting"] == ride["free"]:
        return f"{asked}As many as are free is not more than are free."
    if price == 3 + 2 * ride["km"]:
        return f"{asked}More people are waiting than drivers are free, so it costs twice as much."
    if price == 2 * (3 + 2 * ride["km"]):
        return f"{asked}There are drivers enough, so nothing is doubled."
    return f"{asked}3 to begin with, 2 for each km, and the sum twice where it is crowded."


# --- Judges exercise 01.2 of lab 01: a new target gets all records, then the new ones, and no other team notices.


PREFIX: Final = "lab01-"
#: The teams of the lab; an answer must not change their committed offsets.
TEAMS: Final = ("dashboard", "alerts", "archive", "recommendations", "surge pricing", "spam")

_FIRST, _LATER = 24, 9
#: topic, partition → committed offset
Committed = dict[tuple[str, int], int]


def group_of(team: str) -> str:
    """Return the consumer group of a team of the lab."""
    return PREFIX + team.replace(" ", "-")


def target(cluster: Cluster, answer: Any) -> str:
    """Judge 01.2 on two temporary topics that the six teams of the lab have read to their ends."""
    function_needed(answer)
    servers = cluster.bootstrap_servers
    with passing_topic(cluster, f"{PREFIX}clicks", 3) as clicks, passing_topic(cluster, f"{PREFIX}calls", 2) as calls:
        topics = [clicks, calls]
        first = _publish(servers, topics, _FIRST)
        groups = [group_of(team) for team in TEAMS]
        _read_to_the_end(servers, groups, {clicks: (4, 4, 4), calls: (6, 6)})
        before = _committed(cluster, topics)
        got = _ask(answer, servers, topics)
        own = sorted(group for group in _committed(cluster, topics) if group not in groups)
        _all_of_them(got, first, own)
        later = _publish(servers, topics, _LATER)
        _only_the_new(_ask(answer, servers, topics), later, first, own, sorted(_committed(cluster, topics)))
        final = _committed(cluster, topics)
        moved = [group for group in groups if group in before and final.get(group) != before[group]]
        if moved:
            raise Wrong(f"It read as {moved[0]}, and that team will miss what you have read for it.")
        return f"All {_FIRST} records of both topics, then the {_LATER} new ones; the other teams are where they were."


def _ask(answer: Any, servers: str, topics: list[str]) -> list[str]:
    return listed(call(answer, servers, list(topics), within=90), "What your function returns", str)


def _all_of_them(got: list[str], wanted: dict[str, str], own: list[str]) -> None:
    """Judge the first call: it must return every value of both topics once.

    :param wanted: value → its topic.
    :param own: groups that the answer created.
    """
    missing, extra = Counter(list(wanted)) - Counter(got), Counter(got) - Counter(list(wanted))
    if not got and not own:
        raise Wrong(
            "It returned nothing. The other teams have read these topics to their ends: who joins one of their groups "
            "goes on there, and a reader without a group begins at the end, unless it is told otherwise."
        )
    if not got:
        raise Wrong(f"It returned nothing. Your group {own[0]} is new: where does a group begin that has no offsets?")
    gone = {wanted[value] for value in missing}
    left = set(wanted.values()) - gone
    if missing and len(gone) == 1 and not any(wanted.get(value) in gone for value in got):
        raise Wrong(f"Everything from {left.pop()} is there, and nothing from {gone.pop()}: a consumer can have both.")
    if missing:
        raise Wrong(f"{missing.total()} of {len(wanted)} records are missing. Each topic has several partitions.")
    if extra:
        raise Wrong(f"{extra.total()} values too many: some came twice, or were never in these topics.")


def _only_the_new(got: list[str], new: dict[str, str], old: dict[str, str], own: list[str], groups: list[str]) -> None:
    """Judge the second call: it must return the new values only."""
    again = sum(value in old for value in got)
    if again:
        raise Wrong(
            f"The second call returned {again} records that the first one had returned. {_why_not_told(own, groups)}"
        )
    if Counter(got) != Counter(list(new)):
        raise Wrong(f"Then {len(new)} new records came, and the second call returned {len(got)}. It goes on, not back.")


def _why_not_told(own: list[str], groups: list[str]) -> str:
    """Return why a reader began again, from its groups after the first call and all groups after the second."""
    if not own:
        return (
            "Nobody had written down how far you had come: that takes a group, and a commit (see what `close()` does)."
        )
    if len(set(groups) - {group_of(team) for team in TEAMS}) > len(own):
        return "Each call made a group of its own: a team keeps its name."
    return "It had written down how far it had come, and went back to the beginning all the same."


def _publish(servers: str, topics: list[str], count: int) -> dict[str, str]:
    """Write random values to all partitions of the topics; return value → topic."""
    sent = {f"event {uuid.uuid4().hex[:10]}": topics[n % 2] for n in range(count)}
    for at, topic in enumerate(topics):
        values = [value for value, where in sent.items() if where == topic]
        publish(servers, topic, [(None, value.encode(), n % (3 - at)) for n, value in enumerate(values)])
    return sent


def _read_to_the_end(servers: str, groups: list[str], ends: dict[str, tuple[int, ...]]) -> None:
    """Commit the end offsets of these topics for each group, as a member that has read them would.

    If a group has members at this moment, Kafka refuses the commit, and the group keeps its own offsets.
    """
    from kafka import OffsetAndMetadata, TopicPartition

    offsets = {
        TopicPartition(topic, number): OffsetAndMetadata(end, "", -1)
        for topic, some in ends.items()
        for number, end in enumerate(some)
    }

    def commit(admin: Any) -> None:
        for group in groups:
            # In a new cluster the first group must wait for its coordinator, while Kafka creates __consumer_offsets.
            wait_until(partial(_written, admin, group, offsets), 30, f"the offsets of {group} to be committed")

    asking(servers, commit)


def _written(admin: Any, group: str, offsets: Any) -> bool:
    """Return whether a group's offsets were written or refused for good."""
    from kafka.errors import KafkaError

    try:
        answers = admin.alter_group_offsets(group, offsets).values()
    except KafkaError as error:
        if error.retriable:
            return False
        raise
    return not any(answer.retriable for answer in answers)


def _committed(cluster: Cluster, topics: list[str]) -> dict[str, Committed]:
    """Return the committed offsets of each group for these topics, without the groups that have none."""
    found = {}
    for group in cluster.snapshot().groups:
        offsets = {(o.topic, o.partition): o.committed for o in group.offsets if o.topic in topics}
        known = {place: at for place, at in offsets.items() if at is not None}
        if known:
            found[group.group_id] = known
    return found


#: Number of companies that a check asks about, besides the one of the lab.
_CASES: Final = 12


def exercises(cluster: Cluster) -> tuple[Exercise, Exercise, Exercise]:
    """Return the three exercises, judged on this cluster."""
    return (
        Exercise(
            "01.1",
            "Count the wires",
            1,
            "Write `integrations(sources, targets)`: it returns two numbers, how many programs a company has to write "
            "when every target is wired to every source, and how many when all of them go through Kafka. Every target "
            "wants every source.",
            counted,
            (
                "Wired one to one, each target needs a program for each source: how often does that happen?",
                "Through Kafka, a source needs one program that writes, whoever reads; a target needs one that reads, "
                "whoever wrote.",
                "`return a, b`, where the first is a product of the two numbers and the second is their sum.",
            ),
        ),
        Exercise(
            "01.2",
            "The next team",
            2,
            "A new team wants the events of some topics, *all* of them, also those from before it existed; and no "
            "other team may notice. Write `news(bootstrap_servers, topics)`: the first call returns the values of all "
            "records in all these topics, as a list of text in any order; each later call returns those that came "
            "since. Then it stops.",
            lambda answer: target(cluster, answer),
            (
                "A reader in a group continues where the group stopped. So whose group must your reader not use? And "
                "where does a group begin that has never read anything?",
                '`KafkaConsumer(*topics, …)` reads several topics. A `group_id` nobody has (it begins with "lab01-"), '
                '`auto_offset_reset="earliest"` and `consumer_timeout_ms=5000` are all that it needs.',
                "A list of `record.value.decode() for record in consumer`; then `consumer.close()`, which writes down "
                "how far the group has come, so that the next call goes on there; and return the list.",
            ),
        ),
        Exercise(
            "01.3",
            "Surge pricing",
            2,
            "Write `price(bootstrap_servers, source, target)`: it reads every ride in the topic `source` "
            '(`{"ride": "r001", "zone": "harbour", "km": 4, "waiting": 5, "free": 2}`, as JSON), writes one record '
            'for each to the topic `target` (`{"ride": "r001", "price": 22}`, as JSON), and ends. A ride costs 3, and '
            "2 for each km; twice that where more people are waiting than drivers are free.",
            lambda answer: service(cluster, answer),
            (
                "It is a consumer and a producer in one function: read, work out, write. The service for spam does the "
                "same two cells above.",
                "`json.loads(record.value)` makes a dict of bytes, `json.dumps(…).encode()` makes bytes of a dict. "
                "`send` returns before anything is sent.",
                '`(3 + 2 * ride["km"]) * (2 if ride["waiting"] > ride["free"] else 1)`; after the loop '
                "`producer.close()` sends what is left.",
            ),
        ),
    )


def counted(answer: Any) -> str:
    """Judge 01.1 on companies of many sizes; it needs no cluster."""
    function_needed(answer)
    for sources, targets in _companies():
        pair = listed(call(answer, sources, targets, within=20), "What integrations returns", most=10)
        if len(pair) != 2:
            raise Wrong(f"Two numbers are asked for, one to one and through Kafka; it returned {len(pair)}.")
        direct, through = (whole_number(one, "How many programs there are") for one in pair)
        if (direct, through) != (sources * targets, sources + targets):
            raise Wrong(_why(sources, targets, direct, through))
    return f"4 sources and 6 targets: 24 or 10. And so for {_CASES} other companies."


def _companies() -> Iterator[tuple[int, int]]:
    # 2 and 2 are left out, because their sum and their product are the same.
    yield 4, 6
    for sources in random.sample(range(3, 40), _CASES):
        yield sources, random.randrange(3, 60)


def _why(sources: int, targets: int, direct: int, through: int) -> str:
    asked = f"For {sources} sources and {targets} targets it says {direct} and {through}. "
    product, total = sources * targets, sources + targets
    if (direct, through) == (total, product):
        return f"{asked}The first number is one to one, the second through Kafka: is it better or worse with Kafka?"
    if direct != product:
        return f"{asked}One to one: draw the {targets} lines that end at the first source, then those of the next one."
    if through == product:
        return f"{asked}Through Kafka a program writes to a topic without knowing who reads: what does that save?"
    if through == total + 1:
        return f"{asked}The cluster between them is there already, and nobody in this company has to write it."
    if through == 2 * product or through > product:
        return f"{asked}Through Kafka no program has both a source and a target in it; count those that have one."
    if through in (sources, targets):
        whose = "sources" if through == sources else "targets"
        return f"{asked}Those are the programs of the {whose}. The others need one each as well: Kafka moves nothing."
    return f"{asked}Through Kafka: one program for each source that writes, and one for each target that reads."
