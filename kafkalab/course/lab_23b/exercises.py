"""The exercises of lab 23b: a join with a table, a time range, each order once, the moment of a null, and a repair."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, Final

from kafkalab.exercises import frames
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.frames import active_session, answer_frame, of_day, rows_of_streams, timed_table
from kafkalab.exercises.judging import Wrong, call, function_needed
from kafkalab.sources.fleet import START

_ORDERS: Final = "order_id string, truck_id string, time timestamp, latitude double, longitude double, km double"
_SEEN: Final = "truck string, seen timestamp, lat double, lon double"


def _order(id: str, truck: str, minute: float) -> tuple[Any, ...]:
    return id, truck, START + round(minute * 60_000), 48.0, 16.0, 2.0


def _report(truck: str, minute: float, away: float = 0) -> tuple[Any, ...]:
    """Return a report from the place of all orders, or from so many degrees (111 km each) north of it."""
    return truck, START + round(minute * 60_000), 48.0 + away, 16.0


#: What the truck of an order does, and whether it reaches the place in time.
_STORIES: Final = {
    "quick": (True, "reports three times from the place, first in the batch of the order"),
    "slow": (True, "reports from the place a batch after the order"),
    "early": (True, "is in time, but the order comes a batch later, almost as late as an order may be"),
    "jam": (False, "is 22 km away all the time"),
    "passed": (False, "was there ten minutes *before* the order, and not after it"),
    "behind": (False, "is there eleven minutes after the order"),
    "silent": (False, "sends no report at all"),
    "later": (None, "still has time"),
}


def _listed(answer: Any, reached: bool, columns: set[str], late: int, *args: Any) -> None:
    """Judge an answer that lists orders of streams: those that were reached, or those that were not.

    20 more trucks miss their orders, and hours later one more order comes. Records may be ``late`` minutes late.
    """
    quick, slow, early, jam, passed, behind, silent, later, *others = frames.truck_names(28)
    orders = [_order(f"x{n}", truck, 3 + n % 9) for n, truck in enumerate(others)]
    sent = [_report(truck, 1 + n % 9, 0.2) for n, truck in enumerate(others)]
    orders += [_order("quick", quick, 10), _order("slow", slow, 10), _order("jam", jam, 10)]
    orders += [_order("passed", passed, 12), _order("behind", behind, 11)]
    sent += [_report(quick, 12), _report(quick, 13), _report(early, 14), _report(passed, 2)]
    sent += [_report(jam, 11, 0.2), _report(jam, 15, 0.2)]
    more = [_report(slow, 17), _report(quick, 14), _report(behind, 22), _report(passed, 18, 0.2)]
    # What is too late is known by the watermark of the batch before: so there is one between those of "early".
    batches = [(orders[1:], sent[1:]), (orders[:1], sent[:1])]
    batches.append(([_order("early", early, 12.5 - late), _order("silent", silent, 13)], more))
    batches.append(([_order("later", later, 300)], [_report(later, 300, 0.2)]))
    spark = active_session()
    handed, state = rows_of_streams(spark, lambda o, s: answer_frame(answer, o, s, *args), batches, (_ORDERS, _SEEN))
    rows = [row.asDict() for batch in handed for row in batch]
    old = f"{state} rows stay in the state. Does each stream have a watermark, and the time two ends?"
    if not rows:
        raise Wrong(f"Hours later, your list is empty: {old if state > 12 else 'a step drops the nulls.'}")
    if rows[0].keys() != columns:
        raise Wrong(f"The columns should be {', '.join(sorted(columns))}; they are {', '.join(rows[0])}.")
    got = Counter(row["order_id"] for row in rows)
    for id, (was, story) in _STORIES.items():
        if (id in got) != (was == reached):
            raise Wrong(f"The truck of an order {story}, and your list {'has' if id in got else 'misses'} the order.")
        if got[id] > 1:
            raise Wrong(f"The truck of an order {story}, and your list has the order {got[id]} times.")
    if state > 12:
        raise Wrong(f"The list is right. But hours later, {old}")


def with_depot(answer: Any) -> str:
    """Judge 23b.1 on random tables: some trucks have no depot, and some that have one don't report."""
    trucks, spark = frames.truck_names(6), active_session()
    homes = {truck: random.choice(("Graz", "Lyon", "Bari")) for truck in trucks[2:]}
    sent = [*random.choices(trucks[:2], k=3), *random.choices(trucks[:5], k=9)]
    rows = [(truck, f"r{n}") for n, truck in enumerate(sent)]
    depots = spark.createDataFrame(list(homes.items()), "truck_id string, depot string")
    frame = answer_frame(
        answer,
        spark.createDataFrame(rows, "truck_id string, record_id string"),
        depots,
        columns=("truck_id", "record_id", "depot"),
    )
    got = Counter((row["truck_id"], row["record_id"], row["depot"]) for row in frame.collect())
    wanted = Counter((truck, record, homes.get(truck)) for truck, record in rows)
    if extra := [one for one in got if one[1] is None]:
        raise Wrong(f"There's a row for {extra[0][0]}, which hasn't reported. Which side should the join keep?")
    if lost := [one for one in wanted - got if one[2] is None]:
        raise Wrong(f"Truck {lost[0][0]} has no depot, and its report should come with a null. Which kind keeps it?")
    if got != wanted:
        raise Wrong(f"{len(rows)} reports should give {len(rows)} rows, each with its depot; yours are {got.total()}.")
    return "Each report has its row, also those of trucks without a depot."


def came(answer: Any) -> str:
    """Judge 23b.2 on tables: reports on both ends of the time, just outside, from elsewhere, and of other trucks."""
    for minutes in random.sample((5, 8, 12), 2):
        (one, other), given = frames.truck_names(2), random.randint(5, 20)
        orders = [_order("o1", one, given), _order("o2", other, given + 40)]
        right = {given, given + 2, given + minutes}
        strange = {given - 1: "from before the order", given + minutes + 1: "that is too late"}
        sent = [_report(one, minute) for minute in (*right, *strange)]
        sent += [_report(other, given + 3), _report(one, given + 4, 0.2)]
        random.shuffle(sent)
        pair = (timed_table(active_session(), *table) for table in ((orders, _ORDERS), (sent, _SEEN)))
        frame = answer_frame(answer, *pair, minutes, columns=("order_id", "seen"))
        rows = [(row["order_id"], row["seen"]) for row in frame.collect()]
        if any(seen is None for _, seen in rows):
            raise Wrong("There's a row without a report. Here, an order that wasn't reached has no row.")
        got = Counter((id, round((seen.timestamp() - START / 1000) / 60)) for id, seen in rows)
        said = f"The order is of {of_day(given)}, with {minutes} minutes:"
        for (id, minute), count in sorted(got.items()):
            if id == "o2" or minute in (given + 3, given + 4):
                raise Wrong(f"{said} you count a report of another truck, or one from 22 km away.")
            if minute in strange or count > 1:
                raise Wrong(f"{said} you count a report of {of_day(minute)} {strange.get(minute, f'{count} times')}.")
        if missing := right - {minute for _, minute in got}:
            raise Wrong(f"{said} a report of {of_day(min(missing))} counts, and it's missing.")
    return "The right truck, at the right place, in time; both ends of the time count."


def done(answer: Any) -> str:
    """Judge 23b.3 on two streams."""
    _listed(answer, True, {"order_id"}, 6, "6 minutes")
    return "Each order once, in whatever order the records came, and the state stays small."


def decided(answer: Any) -> str:
    """Judge 23b.4 on random minutes, and on some by which each mistake can be told."""
    function_needed(answer)
    cases = [tuple(random.randint(*ends) for ends in ((0, 60), (20, 90), (20, 90), (0, 15))) for _ in range(20)]
    for t in random.sample(range(20), 3):
        cases += [(t, t + 18, t + 40, 8), (t, t + 40, t + 14, 5), (t, t + 15, t + 15, 5), (t, t + 12, t + 12, 5)]
        cases += [(t, t + 16, t + 19, 5), (t, t + 6, t + 6, 0)]
    for order, report, newest, late in cases:
        got, right = call(answer, order, report, newest, late), min(report, newest) - late > order + 10
        if got is not right:
            raise Wrong(
                f"decided({order}, {report}, {newest}, {late}) should be {right}: the two watermarks are at minute "
                f"{report - late} and {newest - late}, and the order's ten minutes end at {order + 10}."
            )
    return "The slower of the two watermarks must have passed the end of the time."


def repaired(answer: Any) -> str:
    """Judge 23b.5 on two streams."""
    _listed(answer, False, {"order_id", "truck_id"}, 5)
    return "Each missed order came once, when it was certain, and the state stays small."


def exercises(cluster: object) -> tuple[Exercise, ...]:
    """Return the five exercises, judged in the running Spark session."""
    return (
        Exercise("23b.1", "A depot, or none", 1,
            "Write `with_depot(reports, depots)`: each report gets the column `depot` of its truck. A truck that isn't "
            "in the table stays, and its `depot` is null.",
            with_depot, (
                "Which of the two sides must keep all its rows?",
                "The kinds are `inner`, `left`, `right` and more. The reports are on the left.",
                '`reports.join(depots, "truck_id", "left")`'), "kernel"),
        Exercise("23b.2", "In time", 1,
            "Write `came(orders, seen, minutes)`: the same inner join for orders that give the truck `minutes` "
            "(a whole number) instead of ten. Both ends count. The columns are `order_id` and `seen`.",
            came, (
                "Only the time range changes, and `there` stays as it is.",
                'An f-string puts the number into the text: `f"… interval {minutes} minutes"`.',
                '`sf.expr(f"seen between time and time + interval {minutes} minutes")`, then `select`.'), "kernel"),
        Exercise("23b.3", "Reached, once", 2,
            "Write `done(orders, seen, late)` for two *streams*: the `order_id` of each order that was reached within "
            "ten minutes, once. Both watermarks stay `late` (text, such as `6 minutes`) behind, and the state mustn't "
            "grow forever.",
            done, (
                "`with_watermarks` gives both streams their watermark.",
                "The condition is the one above: `there & in_time`. Only the kind of the join is new.",
                '`orders.join(seen, there & in_time, "leftsemi")`, after `with_watermarks`.'), "kernel"),
        Exercise("23b.4", "Is it certain?", 2,
            "Write `decided(order, report, newest_order, late)`, in plain Python. All are minutes: an order of minute "
            "`order` isn't reached, the newest report is of minute `report`, the newest order of `newest_order`, and "
            "both watermarks stay `late` behind. Return True if the order's null has come, otherwise False.",
            decided, (
                "Work out the watermark of the query first.",
                "It's the smaller of the two, and it must have *passed* the end of the ten minutes.",
                "`return min(report, newest_order) - late > order + 10`")),
        Exercise("23b.5", "The empty list", 3,
            "Write `repaired(orders, seen)` for two streams: `order_id` and `truck_id` of each order that wasn't "
            "reached within ten minutes, once, as soon as that's certain. Records may be five minutes late.",
            repaired, (
                "Three things are wrong: the place of one condition, half a time range, and one watermark.",
                "The whole condition belongs in the `join`. Take `there & in_time`, and both watermarks.",
                '`with_watermarks`; `orders.join(seen, there & in_time, "left").where("seen is null")`'), "kernel"),
    )  # fmt: skip
