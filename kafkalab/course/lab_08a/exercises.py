"""The exercises of lab 08a: readers counted, who owns what, a clean goodbye, the lag, two services to separate."""

import random
import uuid
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import Any, Final

from kafkalab.course.members import Members
from kafkalab.errors import KafkalabError, WaitTimeout
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, listed, mapping, patience, whole_number
from kafkalab.exercises.topics import passing_topic, publish, read_all, soon

_CHECK: Final = "lab08a-check"
ALERTS: Final = "lab08a-alerts"
_RETURNS: Final = "What your function returns"


def exercises(cluster: Any) -> tuple[Exercise, ...]:
    """Return the five exercises, judged on this cluster."""

    return (
        Exercise(
            "08a.1", "How many in all?", 1, "Write `together(records, readers)`: the number of records that this many "
            "readers without a group get altogether, if each reads a topic with that many records.", together,
            ("What did C1's reading leave for C2?", "Each of them gets everything.", "All `records`, per reader."),
        ),
        Exercise(
            "08a.2", "Who owns what?", 2, "Write `owners(bootstrap_servers, group)`: for a group that reads one topic, "
            'a dict with the list of partitions for each client id, such as `{"C1": [0, 1], "C2": []}`.',
            partial(owners, cluster),
            ("The cell with `describe_groups` prints it for one member after the other.", "If a member stands by, its "
             "`assigned_partitions` are empty.", "`{}`, and for each member a list: `[p for topic in "
             'member["member_assignment"]["assigned_partitions"] for p in topic["partitions"]]`.'),
        ),
        Exercise(
            "08a.3", "A clean goodbye", 2, "Write `shift(bootstrap_servers, topic, group_id)`: it joins the group, "
            "reads the topic to its end, leaves so that the next member can take over at once, and returns the values "
            "as a list of text.", partial(shift, cluster),
            ("Which of the two ways to go did the group notice at once?", "Subscribe like `reader`, use `read_on`.",
             "Call `consumer.close()` before `return`: it commits, and tells the coordinator."),
        ),
        Exercise(
            "08a.4", "How much waits?", 2, "Write `lag(bootstrap_servers, group, topic)`: the number of the topic's "
            "records that the group still has to read. Where it has no committed offset, all records wait.",
            partial(lag, cluster),
            ("Each partition's end, less the committed offset.", "Not every partition has an offset, and the group may "
             "have some in other topics.", "Sum up `end - (done[place].offset if place in done else 0)`."),
        ),
        Exercise(
            "08a.5", "Repair the two services", 3, f"Repair it: both services see every alert in `{ALERTS}` once, and "
            'go on running. Answer with `{"pager": …, "archive": …}`: the values that each has seen.',
            partial(repaired, cluster),
            ("To Kafka, what makes the two programs one reader?", "Each needs a group id of its own. At which offsets "
             "would the old one go on?", 'For each: `.close()` the old `services["pager"]`, put `Members(cluster, '
             'topic, group)` there, with a new group, `.start("pager")`, and ask what it `saw`.'),
        ),
    )  # fmt: skip


def together(answer: Any) -> str:
    """Judge 08a.1 on random numbers."""
    for _ in range(9):
        records, readers = random.randint(10, 99), random.randint(3, 9)
        got = whole_number(call(answer, records, readers), _RETURNS)
        if got != records * readers:
            why = "that would be so if reading removed a record" if got == records else "each of them reads on its own"
            raise Wrong(f"{readers} readers of {records} records, and you say {got}: {why}.")
    return "Each reader gets every record."


def owners(cluster: Any, answer: Any) -> str:
    """Judge 08a.2 on a group with a member that stands by."""
    function_needed(answer)
    names = [f"M{uuid.uuid4().hex[:4]}" for _ in range(3)]
    with passing_topic(cluster, _CHECK, 2) as topic:
        members = Members(cluster, topic, topic)
        try:
            members.start(*names)
            there = members.settled()
            got = mapping(call(answer, cluster.bootstrap_servers, topic), _RETURNS)
        finally:
            members.close()
    for name in there.keys() | got.keys():
        why = "" if there.get(name) else " A member that stands by is a member, too."
        if name not in there or name not in got:
            raise Wrong(f"The client ids are {[*there]}, and in your dict {[*map(str, got)][:5]}.{why}")
        if sorted(listed(got[name], "What a member has", int)) != there[name]:
            raise Wrong(f"{name} has the partitions {there[name]}, and your dict says {got[name]}.")
    return "Two members read, and one stands by."


def shift(cluster: Any, answer: Any) -> str:
    """Judge 08a.3 by the values, and by what the group's coordinator says afterwards."""
    function_needed(answer)
    values = [f"report {uuid.uuid4().hex[:8]}" for _ in range(30)]
    with passing_topic(cluster, _CHECK, 3) as topic:
        publish(cluster.bootstrap_servers, topic, [(None, v.encode(), n % 3) for n, v in enumerate(values)])
        got = listed(call(answer, cluster.bootstrap_servers, topic, topic), _RETURNS, str)
        left = soon(cluster, lambda s: (found := s.group(topic)) and found.state == "Empty" and committed(found) >= 30)
        group = left.group(topic)
    if Counter(got) != Counter(values):
        other = next((f", and {one[:40]!r} isn't one of them" for one in got if one not in values), "")
        raise Wrong(f"It returned {len(got)} values; the topic has {len(values)} in 3 partitions, each once{other}.")
    if group is None:
        raise Wrong("There is no such group. Did your consumer have the `group_id`?")
    if group.state == "Unknown":
        raise KafkalabError("The group's coordinator doesn't answer just now.", do="Run the cell again.")
    if group.members:
        raise Wrong("The group still lists your member: the next one waits until its session has timed out.")
    if committed(group) < len(values):
        raise Wrong("It left without committing: the next member would read the same records again.")
    return "All records were read, and the group is empty: the next member can take over at once."


def committed(group: Any) -> int:
    """Return the sum of the offsets that a group has committed."""
    return sum(place.committed or 0 for place in group.offsets)


def lag(cluster: Any, answer: Any) -> str:
    """Judge 08a.4 on a group that read two partitions in part, one not at all, and another topic."""
    from kafka import KafkaConsumer, TopicPartition
    from kafka.structs import OffsetAndMetadata

    function_needed(answer)
    with passing_topic(cluster, _CHECK, 3) as topic, passing_topic(cluster, _CHECK, 1) as other:
        first, second, third = ends = random.sample(range(6, 20), 3)
        for name, number, end in ((topic, 0, first), (topic, 1, second), (topic, 2, third), (other, 0, 9)):
            publish(cluster.bootstrap_servers, name, [(None, b"x", number)] * end)
        at = {TopicPartition(topic, 0): 4, TopicPartition(topic, 2): 5, TopicPartition(other, 0): 2}
        consumer = KafkaConsumer(bootstrap_servers=cluster.bootstrap_servers, group_id=topic)
        consumer.assign(list(at))
        consumer.commit({place: OffsetAndMetadata(offset, "", -1) for place, offset in at.items()})
        consumer.close(autocommit=False)
        got = whole_number(call(answer, cluster.bootstrap_servers, topic, topic), _RETURNS)
    if got != sum(ends) - 9:
        facts = f"The partitions end at {ends}; the group committed 4 in P0, 5 in P2, and something in another topic."
        why = " Without a committed offset, all of P1 waits." if got == first + third - 9 else ""
        raise Wrong(f"{facts} Your function says {got}.{why}")
    return f"{got} records wait, {second} of them in a partition without a committed offset."


def repaired(cluster: Any, answer: Any) -> str:
    """Judge 08a.5 by the ids that each service saw, and by new alerts, which two groups must read."""
    given = mapping(answer, "The answer")
    alerts = {text for r in read_all(cluster.bootstrap_servers, ALERTS) if (text := r.value.decode()).startswith("A")}
    if not alerts:
        raise KafkalabError(f"There are no alerts in {ALERTS}.", do="Run the cells above, which send them.")
    if given.keys() != {"pager", "archive"}:
        raise Wrong("The answer has two keys: pager and archive.")
    for name, said in given.items():
        seen = Counter(value for value in listed(said, f"What the {name} has seen", str) if value in alerts)
        if missing := alerts - seen.keys():
            old = "" if seen else " If its group has read them before, it goes on behind them: take a new group id."
            some = f"The {name} has not seen {len(missing)} of {len(alerts)} alerts, {min(missing)} among them."
            raise Wrong(some + old)
        if twice := [value for value, times in seen.items() if times > 1]:
            raise Wrong(f"The {name} has seen {len(twice)} alerts twice, {min(twice)} among them.")
    publish(cluster.bootstrap_servers, ALERTS, [(None, b"check", 0), (None, b"check", 1)])

    def reading(snapshot: Any) -> list[str]:
        ends = {p.end for p in snapshot.topic(ALERTS).partitions}  # both partitions have as many records
        done = [(g, {o.committed for o in g.offsets if o.topic == ALERTS}) for g in snapshot.groups if g.members]
        return [group.group_id for group, offsets in done if offsets == ends]

    with suppress(WaitTimeout):
        cluster.wait_for(lambda s: len(reading(s)) >= 2, 10 * patience(), "both services to read it")
    if (groups := len(reading(cluster.snapshot()))) < 2:
        raise Wrong(f"{groups} group has read a new alert: do both services run, each in a group of its own?")
    return f"Each service saw all {len(alerts)} alerts once, and both read a new one: nothing was lost."
