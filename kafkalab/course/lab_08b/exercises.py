"""The exercises of lab 08b: shares by range and by turns, the load of members, who stops, and a storm to calm."""

from __future__ import annotations

import random
import time
from typing import Any

from kafkalab.course.lab_08b.watched import Watched
from kafkalab.errors import KafkalabError
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, listed, mapping, whole_number
from kafkalab.exercises.topics import passing_topic, publish
from kafkalab.waiting import wait_until

#: The settings of Pavel's group.
_PAVELS: dict[str, Any] = {"max_poll_interval_ms": 2000, "max_poll_records": 500}
_RETURNS = "What your function returns"


def largest(answer: Any) -> str:
    """Judge 08b.1 where it's easily wrong, and on random sizes."""
    cases = [(3, 12, 4), (2, 9, 9), (2, 7, 3), (2, 10, 3), (4, 3, 8)]
    cases += [(random.randint(2, 6), random.randint(1, 30), random.randint(2, 9)) for _ in range(12)]
    for topics, partitions, members in cases:
        got, right = whole_number(call(answer, topics, partitions, members), "It"), topics * -(-partitions // members)
        if got != right:
            even = "`range` shares out each topic on its own." if got == -(-topics * partitions // members) else ""
            facts = f"{topics} topics of {partitions} partitions, {members} members"
            raise Wrong(f"{facts}: you say {got}, and the first member gets {right}. {even}".strip())
    return f"Right for {len(cases)} groups: what is left over in each topic adds up."


def deal(answer: Any) -> str:
    """Judge 08b.2 on random topics, also with more members than partitions."""
    for spare in (-2, 1, -3, -4):
        topics = {name: random.choice((1, 3, 5)) for name in random.sample(["gps", "fuel", "stops", "alarms"], 3)}
        row = [(topic, number) for topic, size in topics.items() for number in range(size)]
        members = [f"C{n}" for n in range(1, max(2, len(row) + spare) + 1)]
        got = mapping(call(answer, dict(topics), list(members)), _RETURNS)
        for place, member in enumerate(members):
            facts = f"Topics {topics} for {len(members)} members: {member}"
            share = listed(got.get(member), f"The share of {member}, even if it's empty,")
            mine = [tuple(one) if isinstance(one, list) else one for one in share]
            if mine != (right := row[place :: len(members)]):
                raise Wrong(f"{facts} has {mine}, and should have {right}: go on in the row where a topic ends.")
    return "Right, also where there are more members than partitions."


def loads(cluster: Any, answer: Any) -> str:
    """Judge 08b.3 on a group of one member, and then of three, of which one is idle."""
    function_needed(answer)
    with passing_topic(cluster, "lab08b-check", 2) as topic:
        names, members = [f"bus-{n}" for n in random.sample(range(10, 99), 3)], Watched(cluster, topic, topic)
        try:
            for joining in (names[:1], names[1:]):
                members.join(*joining)
                held = {name: len(partitions) for name, partitions in members.settled().items()}
                got = mapping(call(answer, cluster.bootstrap_servers, topic), _RETURNS)
                if got != held:
                    why = "An idle member has 0" if set(got) < set(held) else "Count partitions, by client id"
                    raise Wrong(f"{why}. The members have {held}, and you say {got}.")
        finally:
            members.leave()
    return "Right for one member, and for three of which one is idle."


def without_reader(answer: Any) -> str:
    """Judge 08b.4 on random joins, in which a partition is new."""
    for kind in ("eager", "cooperative") * 3:
        row, new = random.sample(range(40), random.randint(6, 9)), f"C{random.randint(3, 9)}"
        before = {"C1": row[::2], "C2": row[1::2]}
        moving = {random.choice(row[::2]): new, random.choice(row[1::2]): random.choice([new, "C1"])}
        after = {name: [p for p in held if p not in moving] for name, held in (*before.items(), (new, []))}
        for p, owner in (*moving.items(), (99, new)):
            after[owner].insert(random.randint(0, len(after[owner])), p)
        right = set(row) if kind == "eager" else set(moving)
        got = set(listed(call(answer, before, after, kind == "cooperative"), _RETURNS, int))
        facts = f"Before {before}, after {after}, {kind}:"
        if got != right:
            why = "every member gives up all, even what it gets back" if kind == "eager" else "only what moves stops"
            raise Wrong(f"{facts} {why}, and you say {sorted(got)}. (P99 is new: it had no reader to lose.)")
    return "Right for eager and for cooperative groups."


def calmed(cluster: Any, answer: Any) -> str:
    """Judge 08b.5 by running Pavel's group with these settings: no member may leave, and each alarm comes once."""
    given, _ = mapping(answer, "The answer"), cluster.snapshot()  # a cluster that is down says so first
    if other := [str(name) for name in given if name not in _PAVELS]:
        raise Wrong(f"{other[0][:40]} doesn't help: the members are alive. They only poll too seldom.")
    settings = {**_PAVELS, **{name: whole_number(value, name) for name, value in given.items()}}
    batch, interval = settings["max_poll_records"] * 100, settings["max_poll_interval_ms"]
    if not (0 < batch < 10**9 and 1000 <= interval < 10**9):
        raise Wrong("A batch has at least one record, and an interval at least a second; a billion is too much.")
    if not _stays(cluster, settings) and batch <= interval / 2 and not _stays(cluster, settings):
        raise KafkalabError("A member left: this machine is too busy to tell.", do="Run the cell again a little later.")
    if batch > interval / 2:
        raise Wrong(f"A full batch takes {batch:,} ms, more than half of {interval:,}: a member leaves, or is lucky.")
    return "No member left, and each alarm was handled once."


def _stays(cluster: Any, settings: Any) -> bool:
    """Run a group until its alarms are done, or a member has left; return whether all have stayed."""
    with passing_topic(cluster, "lab08b-check", 2) as topic:
        members = Watched(cluster, topic, topic, reports=False, pace=0.1, **settings)
        try:
            members.join("C1", "C2")
            began, ids = time.time(), [f"A{n}" for n in random.sample(range(1000), 60)]
            publish(cluster.bootstrap_servers, topic, [(None, id.encode(), n % 2) for n, id in enumerate(ids)])
            wait_until(lambda: members.left(began) or members.committed() == 60, 120, "all alarms to be done")
            left, handled = members.left(began), [value for read in members.read().values() for _, _, value in read]
        finally:
            members.leave()
    if not left and sorted(handled) != sorted(ids):
        raise Wrong(f"{len(handled)} alarms were handled, and there were {len(ids)}.")
    return not left


def exercises(cluster: Any) -> tuple[Exercise, ...]:
    """Return the five exercises, judged on this cluster."""
    return (
        Exercise("08b.1", "The largest share", 1,
            "Write `largest(topics, partitions, members)`: all members of a group read `topics` topics with "
            "`partitions` partitions each. How many partitions does the first member get by `range`?", largest, (
                "How many of one topic's partitions does the first member get?",
                "It gets its share of a topic, rounded up. It gets that in each topic.",
                "`-(-a // b)` is a division that rounds up. Multiply it by the number of topics.")),
        Exercise("08b.2", "Deal them out", 2,
            "Write `deal(topics, members)`: deal out all partitions in turn, in the order in which you get them. "
            "`topics` is a dict, name → number of partitions. Return a dict: member → list of `(topic, partition)`.",
            deal, (
                "First make one row of all partitions, topic after topic.",
                "With three members, the first one gets the places 0, 3, 6 … of the row.",
                "`row[place::len(members)]` is each such share; `enumerate(members)` gives place and member.")),
        Exercise("08b.3", "Who has how many?", 2,
            "Write `loads(bootstrap_servers, group)`: it returns a dict: client id → how many partitions it has.",
            lambda answer: loads(cluster, answer), ("The function `shares` above has all that you need.",
                "Each member has a list of topics, and each of these a list of `partitions`. Count the partitions.",
                '`sum(len(one["partitions"]) for one in member["member_assignment"]["assigned_partitions"])`')),
        Exercise("08b.4", "Without a reader", 2,
            "Write `without_reader(before, after, cooperative)`. The first two are dicts, member → list of partitions, "
            "the last is False if eager. Return those that lose their reader for a moment.", without_reader, (
                "In an eager rebalance, all members give up all that they had before.",
                "In a cooperative one, go through `before`, and keep the partitions that another member has `after`.",
                "A partition `p` of `member` moves if `p not in after[member]`.")),
        Exercise("08b.5", "Calm the storm", 3,
            "Write the `settings` of the members as a dict: `max_poll_records`, `max_poll_interval_ms`, or both. A "
            "full batch must take at most half of the interval. The check runs such a group with fresh alarms.",
            lambda answer: calmed(cluster, answer), ("An alarm takes 0.1 s. How long does a batch of 500 take?",
                "Fewer records for each poll, or more time until the next one.",
                "With 2000 ms, half of the interval is one second. How many alarms fit into that?")),
    )  # fmt: skip
