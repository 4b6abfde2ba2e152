"""The exercises of lab 01: a format that changed, events to publish, a service, shares of brokers, a team to repair."""

from __future__ import annotations

import json
import random
import uuid
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kafkalab.cluster.topics import asking
from kafkalab.course.lab_01.company import NEW_FRAME
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, all_arrived, call, function_needed, kind_of, listed
from kafkalab.exercises.topics import passing_led_topic, passing_topic, publish, read_all
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

# --- Judges exercise 01.3 of lab 01: a service reads orders from one topic and writes their prices to another.


_ORDERS: Final = 30
Order = dict[str, Any]


def price_of(order: Order) -> int:
    """Return the price of an order."""
    return int((3 + 2 * order["km"]) * (2 if order["waiting"] > order["free"] else 1))


def service(cluster: Cluster, answer: Any) -> str:
    """Judge 01.3 by the records in the second topic afterwards, for random orders."""
    function_needed(answer)
    servers = cluster.bootstrap_servers
    orders = _orders()
    with passing_topic(cluster, "lab01-asked", 2) as source, passing_topic(cluster, "lab01-told", 1) as target:
        publish(servers, source, [(None, json.dumps(order).encode(), n % 2) for n, order in enumerate(orders)])
        call(answer, servers, source, target, within=90, returns=False)
        there, told = len(read_all(servers, source)), read_all(servers, target)
    if there != len(orders):
        raise Wrong(f"{there - len(orders)} records were written to the topic it reads from; prices go to the other.")
    if not told:
        raise Wrong(
            "There is nothing in the second topic. Does it begin with the oldest order, and does it wait until what it "
            "has handed to the producer was sent?"
        )
    _compare([_read(record.value) for record in told], {order["order"]: order for order in orders})
    return f"{len(orders)} orders in, {len(told)} prices out; it was a consumer and a producer."


def _orders() -> list[Order]:
    """Return random orders of three sorts: with fewer, more, and as many waiting in their zone as trucks are free."""
    made = []
    for n in range(_ORDERS):
        free = random.randrange(0, 9)
        waiting = free + (0, random.randrange(1, 5), -random.randrange(0, free + 1))[n % 3]
        made.append(
            {"order": f"o-{uuid.uuid4().hex[:8]}", "zone": random.choice(("harbour", "airport")),
             "km": random.randrange(1, 60), "waiting": waiting, "free": free}
        )  # fmt: skip
    return made


def _read(value: bytes | None) -> Order:
    try:
        told = json.loads(value or b"")
    except ValueError:
        shown = repr((value or b"")[:60])[1:]
        raise Wrong(
            f"What is in the second topic is not JSON: {shown}. `json.dumps(…)` makes JSON of a dict."
        ) from None
    if not isinstance(told, dict) or not {"order", "price"} <= told.keys():
        raise Wrong(
            f"A record of the second topic should have `order` and `price`, and one is {json.dumps(told)[:80]}."
        )
    return told


def _compare(told: list[Order], orders: dict[str, Order]) -> None:
    ids = Counter(str(one["order"]) for one in told)
    strange = [order for order in ids if order not in orders]
    if strange:
        raise Wrong(f"There is a price for the order {strange[0][:30]!r}, which is none of those that were given.")
    missing = [order for order in orders if order not in ids]
    if missing:
        raise Wrong(
            f"{len(missing)} of {len(orders)} orders have no price. Both partitions read, from the oldest record on? "
            "And is everything sent before it returns?"
        )
    twice = [order for order, count in ids.items() if count > 1]
    if twice:
        raise Wrong(f"{len(twice)} orders have more than one price; one record for each order is asked for.")
    for one in told:
        order = orders[str(one["order"])]
        wanted = price_of(order)
        if isinstance(one["price"], bool) or not isinstance(one["price"], int | float):
            raise Wrong(f"A price is a number, and one of them is {kind_of(one['price'])}.")
        if one["price"] != wanted:
            raise Wrong(_why_not_served(order, one["price"], wanted))


def _why_not_served(order: Order, price: float, wanted: int) -> str:
    asked = f"{order['km']} km, {order['waiting']} waiting, {order['free']} trucks free: it says {price}. "
    if order["waiting"] == order["free"]:
        return f"{asked}As many as are free is not more than are free."
    if price == 3 + 2 * order["km"]:
        return f"{asked}More orders are waiting than trucks are free, so it costs twice as much."
    if price == 2 * (3 + 2 * order["km"]):
        return f"{asked}There are enough trucks, so nothing is doubled."
    return f"{asked}3 to begin with, 2 for each km, and the sum twice where it is crowded."


# --- Judges exercise 01.5 of lab 01: a new target gets all records, then the new ones, and no other team notices.


PREFIX: Final = "lab01-"
#: The teams of the lab; an answer must not change their committed offsets.
TEAMS: Final = ("dashboard", "alarms", "archive", "recommendations", "surge-pricing", "spam")

_FIRST, _LATER = 24, 9
#: topic, partition → committed offset
Committed = dict[tuple[str, int], int]


def group_of(team: str) -> str:
    """Return the consumer group of a team of the lab."""
    return PREFIX + team


def target(cluster: Cluster, answer: Any) -> str:
    """Judge 01.5 on two temporary topics that the six teams of the lab have read to their ends."""
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
            "It returned nothing. The other teams have read these topics to their ends: a reader in one of their "
            "groups goes on there, and a reader without a group begins at the end by default."
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
        return "Kafka doesn't know how far you had come: that takes a group, and a commit (see what `close()` does)."
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


def fixed(answer: Any) -> str:
    """Judge 01.1 on random frames, also on none."""
    function_needed(answer)
    for count in (3, 0, 17):
        frames = [(random.randrange(1, 2000), random.randrange(120), random.randrange(101)) for _ in range(count)]
        raw = b"".join(NEW_FRAME.pack(*frame) for frame in frames)
        said = [tuple(one) if isinstance(one, list | tuple) else one for one in listed(call(answer, raw), _WHAT)]
        if said == [frame[:2] for frame in frames]:
            continue
        if said == frames:
            raise Wrong("It returned three numbers for each frame. The battery's charge is not asked for.")
        if said == [frame[1::-1] for frame in frames]:
            raise Wrong("The truck comes first, then the speed.")
        if len(said) != count:
            raise Wrong(f"There are {count} frames of 4 bytes, and it returned {len(said)} items.")
        if all(isinstance(one, int) for one in said):
            raise Wrong("Each item should be a tuple: the truck and its speed.")
        raise Wrong(f"The first frame is truck {frames[0][0]} at {frames[0][1]} km/h, and it returned {said[0]!r}.")
    return "The new byte is skipped, and all else is as it was."


_WHAT: Final = "What your function returns"


def published(cluster: Cluster, answer: Any) -> str:
    """Judge 01.2 by what is in a temporary topic when the function has returned."""
    function_needed(answer)
    events = [{"at": n, "user": f"u{random.randrange(100)}", "page": uuid.uuid4().hex[:6]} for n in range(40)]
    with passing_topic(cluster, f"{PREFIX}asked", 2) as topic:
        call(answer, cluster.bootstrap_servers, topic, [dict(event) for event in events], within=60, returns=False)
        there = [record.value for record in read_all(cluster.bootstrap_servers, topic)]
    all_arrived(len(there), len(events), "events")
    found = [_json(value) for value in there]
    missing = [event for event in events if event not in found]
    if missing:
        raise Wrong(f"The event {json.dumps(missing[0])} is not in the topic as it was given.")
    return f"{len(events)} events, each a record of JSON, and all of them there when it returned."


def _json(value: bytes | None) -> Any:
    try:
        return json.loads(value or b"")
    except ValueError:
        shown = repr((value or b"")[:60])[1:]
        raise Wrong(f"What is in the topic is not JSON: {shown}. `json.dumps(…)` makes JSON of a dict.") from None


def shares(cluster: Cluster, answer: Any) -> str:
    """Judge 01.4 on two temporary topics whose leaders are drawn; not every broker leads."""
    function_needed(answer)
    brokers = [broker.id for broker in cluster.snapshot().brokers if broker.alive]
    for partitions in (5, 9):
        leading = [*random.choices(brokers[:2], k=partitions - 1), brokers[0]]
        wanted = dict(Counter(leading))
        with passing_led_topic(cluster, f"{PREFIX}asked", leading) as topic:
            said = call(answer, cluster.bootstrap_servers, topic)
        if not isinstance(said, dict):
            raise Wrong(f"{_WHAT} is a dict, and this is {kind_of(said)}.")
        said = {broker: count for broker, count in said.items() if count != 0 or broker not in brokers}
        if said != wanted:
            raise Wrong(_why_not_shares(said, wanted, dict(enumerate(leading)), brokers))
    return "For two topics, the shares of the brokers that lead."


def _why_not_shares(said: dict[Any, Any], wanted: dict[int, int], leaders: dict[int, int], brokers: list[int]) -> str:
    if said == leaders:
        return "That says for each partition which broker leads it. Count the partitions of each broker."
    if any(isinstance(value, list | tuple) for value in said.values()):
        return "The values should be numbers of partitions, not lists of them."
    if set(said) - set(brokers):
        return f"{min(map(str, set(said) - set(brokers)))} is not the id of a broker."
    total = sum(value for value in said.values() if isinstance(value, int))
    if total > len(leaders):
        return f"Together that is {total}, and there are {len(leaders)} partitions: followers don't count."
    broker = next(b for b in brokers if said.get(b) != wanted.get(b))
    return f"Broker {broker} leads {wanted.get(broker, 0)} partitions, and your function says {said.get(broker, 0)}."


def exercises(cluster: Cluster) -> tuple[Exercise, ...]:
    """Return the five exercises, judged on this cluster."""
    return (
        Exercise(
            "01.1",
            "The same fix, six times",
            1,
            "Write `speeds(frames)`: it gets the bytes of the meters' new frames, each with the truck (2 bytes), its "
            "speed (1 byte) and the battery's charge (1 byte), and returns a list of (truck, speed).",
            fixed,
            (
                "`from_meters` above reads the old frames. What must change in it?",
                '`">HB"` means two bytes and one byte; `B` is one more byte.',
                '`[(truck, speed) for truck, speed, battery in struct.iter_unpack(">HBB", frames)]`',
            ),
        ),
        Exercise(
            "01.2",
            "Publish",
            1,
            "Write `publish(bootstrap_servers, topic, events)`: it sends each event of a list of dicts to the topic, "
            "as JSON, and returns when all have arrived.",
            lambda answer: published(cluster, answer),
            (
                "The cell that fills the four topics does the same.",
                "`json.dumps(event).encode()` makes bytes of a dict. `send` returns before anything is sent.",
                "Make a `KafkaProducer`, `send` each event, then `producer.flush()` and `producer.close()`.",
            ),
        ),
        Exercise(
            "01.3",
            "Surge pricing",
            2,
            "Write `price(bootstrap_servers, source, target)`: it reads every order in the topic `source` "
            '(`{"order": "o001", "zone": "harbour", "km": 4, "waiting": 5, "free": 2}`, as JSON), writes a record for '
            'each to the topic `target` (`{"order": "o001", "price": 22}`, as JSON), and ends. An order costs 3, plus '
            "2 for each km, and twice as much where more orders are waiting than trucks are free.",
            lambda answer: service(cluster, answer),
            (
                "It's a consumer and a producer in one function: read, work out, write. The service for robots does "
                "the same.",
                "`json.loads(record.value)` makes a dict of bytes. A consumer without a group, with "
                '`auto_offset_reset="earliest"` and `consumer_timeout_ms=3000`, reads all and ends.',
                '`(3 + 2 * order["km"]) * (2 if order["waiting"] > order["free"] else 1)`; after the loop '
                "`producer.close()` sends what is left.",
            ),
        ),
        Exercise(
            "01.4",
            "Which broker leads how many?",
            1,
            "Write `shares(bootstrap_servers, topic)`: it returns a dict, broker id → number of partitions of the "
            "topic that this broker leads.",
            lambda answer: shares(cluster, answer),
            (
                "In lab 00 you wrote `leaders`, which returns the leader of each partition. Count them.",
                "`admin.describe_topics([topic])` returns a list of one dict; each of its `partitions` has a "
                "`leader_id`.",
                '`leaders = [p["leader_id"] for p in found["partitions"]]`, then `{id: leaders.count(id) for id in '
                "leaders}`.",
            ),
        ),
        Exercise(
            "01.5",
            "The auditors",
            3,
            "Repair the auditors' code: write `audit(bootstrap_servers, topics)`. The first call returns the values of "
            "*all* records in these topics, as a list of text; each later call returns those that came since. No other "
            "team may notice.",
            lambda answer: target(cluster, answer),
            (
                "A reader in a group goes on where the group stopped. Whose group do the auditors use? And where "
                "does a group begin that has never read anything?",
                'Give them a `group_id` of their own that begins with "lab01-", and the right `auto_offset_reset`.',
                'In the code: `group_id="lab01-auditors"` and `auto_offset_reset="earliest"`. `consumer.close()` tells '
                "Kafka how far they have come.",
            ),
        ),
    )
