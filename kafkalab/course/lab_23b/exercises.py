"""The exercises of lab 23b: a join with a table, a time range, each order once, the moment of a null, and a repair."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, Final

from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.frames import active_session, answer_frame, columns_of, of_day, rows_of_streams, timed_table
from kafkalab.exercises.judging import Wrong, call, function_needed
from kafkalab.sources.fleet import START

_ORDERS: Final = "order_id string, truck_id string, time timestamp, latitude double, longitude double, km double"
_SEEN: Final = "truck string, seen timestamp, lat double, lon double"
#: Orders and reports that arrive together.
Batch = tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]


def _order(id: str, truck: str, minute: float) -> tuple[Any, ...]:
    return id, truck, START + round(minute * 60_000), 48.0, 16.0, 2.0


def _report(truck: str, minute: float, away: float = 0) -> tuple[Any, ...]:
    """Return a report from the place of all orders, or from so many degrees (111 km each) north of it."""
    return truck, START + round(minute * 60_000), 48.0 + away, 16.0


def _names(count: int) -> list[str]:
    return [f"T{number:04}" for number in random.sample(range(10_000), count)]


def _on_streams(answer: Any, story: list[Batch], *args: Any) -> tuple[Counter[str], list[Any], int]:
    """Run the answer on streams: 20 more trucks that miss their orders, the story, and one order hours later.

    Return how often it gives each order, its rows, and how many rows its state keeps.
    """
    names = _names(20)
    orders = [_order(f"x{n}", name, 3 + n % 9) for n, name in enumerate(names)]
    batches = [(orders, [_report(name, 1 + n % 9, 0.2) for n, name in enumerate(names)]), *story]
    batches.append(([_order("later", "T-later", 300)], [_report("T-later", 300, 0.2)]))
    spark = active_session()
    handed, state = rows_of_streams(spark, lambda o, s: answer_frame(answer, o, s, *args), batches, (_ORDERS, _SEEN))
    rows = [row for batch in handed for row in batch]
    if rows and "order_id" not in rows[0]:
        raise Wrong(f"There should be a column order_id; the columns are {', '.join(rows[0].asDict())}.")
    return Counter(row["order_id"] for row in rows), rows, state


def _bounded(state: int) -> None:
    if state > 12:
        raise Wrong(
            f"The rows are right, but hours later {state} old rows are still in the state. What lets Spark forget them?"
        )


def with_depot(answer: Any) -> str:
    """Judge 23b.1 on random tables: some trucks have no depot, and some that have one don't report."""
    trucks, spark = _names(6), active_session()
    homes = {truck: random.choice(("Graz", "Lyon", "Bari")) for truck in trucks[2:]}
    sent = [*random.choices(trucks[:2], k=3), *random.choices(trucks[:5], k=9)]
    rows = [(truck, f"r{n}") for n, truck in enumerate(sent)]
    depots = spark.createDataFrame(list(homes.items()), "truck_id string, depot string")
    frame = answer_frame(answer, spark.createDataFrame(rows, "truck_id string, record_id string"), depots)
    columns_of(frame, ("truck_id", "record_id", "depot"))
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
        (one, other), given = _names(2), random.randint(5, 20)
        orders = [_order("o1", one, given), _order("o2", other, given + 40)]
        right = {given, given + 2, given + minutes}
        strange = {given - 1: "from before the order", given + minutes + 1: "that is too late"}
        sent = [_report(one, minute) for minute in (*right, *strange)]
        sent += [_report(other, given + 3), _report(one, given + 4, 0.2)]
        random.shuffle(sent)
        pair = (timed_table(active_session(), *table) for table in ((orders, _ORDERS), (sent, _SEEN)))
        frame = answer_frame(answer, *pair, minutes)
        columns_of(frame, ("order_id", "seen"))
        rows = [(row["order_id"], row["seen"]) for row in frame.collect()]
        if any(seen is None for _, seen in rows):
            raise Wrong("There's a row without a report. Here, an order that wasn't reached has no row.")
        got = Counter((id, round((seen.timestamp() - START / 1000) / 60)) for id, seen in rows)
        said = f"The order is of {of_day(given)}, with {minutes} minutes:"
        for (id, minute), count in sorted(got.items()):
            if id == "o2" or minute in (given + 3, given + 4):
                raise Wrong(f"{said} you count a report of another truck, or one from 22 km away.")
            if minute in strange or count > 1:
                why = strange.get(minute, f"{count} times")
                raise Wrong(f"{said} you count a report of {of_day(minute)} {why}.")
        if missing := right - {minute for _, minute in got}:
            raise Wrong(f"{said} a report of {of_day(min(missing))} counts, and it's missing.")
    return "The right truck, at the right place, in time; both ends of the time count."


def done(answer: Any) -> str:
    """Judge 23b.3 on two streams: a report comes with its order, after it, before it, or more than once."""
    quick, slow, early, passed, never = _names(5)
    orders = [
        _order("quick", quick, 10),
        _order("slow", slow, 10),
        _order("passed", passed, 12),
        _order("never", never, 9),
    ]
    sent = [_report(quick, 12), _report(quick, 13), _report(early, 14), _report(passed, 2), _report(never, 11, 0.2)]
    more = [_report(slow, 17), _report(quick, 14), _report(slow, 18)]
    got, rows, state = _on_streams(answer, [(orders, sent), ([_order("early", early, 11)], more)], "6 minutes")
    if twice := [count for count in got.values() if count > 1]:
        raise Wrong(f"A truck sent more than one report from the place, and its order comes {twice[0]} times.")
    if "passed" in got:
        raise Wrong("A truck was at the place ten minutes *before* its order, and you say that it has reached it.")
    if got.keys() - {"quick", "slow", "early"}:
        raise Wrong("A truck was never nearer than 22 km, and you say that it has reached the place.")
    for id, what in {"quick": "in the same batch", "slow": "a batch later", "early": "a batch earlier"}.items():
        if id not in got:
            raise Wrong(f"An order is missing. The report from its place came {what}.")
    if rows[0].asDict().keys() != {"order_id"}:
        raise Wrong(f"The only column should be order_id; they are {', '.join(rows[0].asDict())}.")
    _bounded(state)
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
        if not isinstance(got, bool):
            raise Wrong(f"Return True or False, and not {got!r}.")
        if got != right:
            raise Wrong(
                f"decided({order}, {report}, {newest}, {late}) should be {right}: the two watermarks are at minute "
                f"{report - late} and {newest - late}, and the order's ten minutes end at {order + 10}."
            )
    return "The slower of the two watermarks must have passed the end of the time."


def repaired(answer: Any) -> str:
    """Judge 23b.5 on two streams: orders that were reached, and that were missed in several ways."""
    good, jam, passed, behind, silent = _names(5)
    orders = [
        _order("good", good, 10),
        _order("jam", jam, 10),
        _order("passed", passed, 12),
        _order("behind", behind, 11),
    ]
    sent = [_report(good, 12), _report(good, 13), _report(jam, 11, 0.2), _report(jam, 15, 0.2), _report(passed, 2)]
    more = [_report(good, 14), _report(behind, 22), _report(passed, 18, 0.2)]
    got, rows, state = _on_streams(answer, [(orders, sent), ([_order("silent", silent, 13)], more)])
    if not got and state > 12:
        raise Wrong(
            f"Hours later, your list is empty, and {state} old rows are still in the state. Does each stream have a "
            "watermark, and the time range two ends?"
        )
    if not got:
        raise Wrong("Hours later, your list is empty. Which step takes away the rows that have a null?")
    stories = {
        "good": (False, "was there after two minutes"),
        "later": (False, "still has time"),
        "jam": (True, "was 22 km away all the time"),
        "passed": (True, "was there ten minutes *before* the order, and not after it"),
        "behind": (True, "was there eleven minutes after the order"),
        "silent": (True, "sent no report at all"),
    }
    for id, (wanted, story) in stories.items():
        if (id in got) != wanted:
            verb = "misses it" if wanted else "has it"
            raise Wrong(f"An order's truck {story}, and your list {verb}.")
        if got[id] > 1:
            raise Wrong(f"An order's truck {story}, and your list has it {got[id]} times.")
    if rows[0].asDict().keys() != {"order_id", "truck_id"}:
        raise Wrong(f"The columns should be order_id, truck_id; they are {', '.join(rows[0].asDict())}.")
    _bounded(state)
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
                '`orders.join(seen, there & sf.expr(f"seen between time and time + interval {minutes} minutes"))`, and '
                "then `select`."), "kernel"),
        Exercise("23b.3", "Reached, once", 2,
            "Write `done(orders, seen, late)` for two *streams*: the `order_id` of each order that was reached within "
            "ten minutes, once. Both watermarks stay `late` (text, such as `6 minutes`) behind, and the state mustn't "
            "grow forever.",
            done, (
                "`with_watermarks` gives both streams their watermark.",
                "The condition is the one above: `there & in_time`. Only the kind of the join is new.",
                '`orders.join(seen, there & in_time, "leftsemi").select("order_id")`, after `with_watermarks`.'),
            "kernel"),
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
                "All of the condition belongs into the `join`. Take `there & in_time`, and both watermarks.",
                '`orders.join(seen, there & in_time, "left").where("seen is null")`, after `with_watermarks`.'),
            "kernel"),
    )  # fmt: skip
