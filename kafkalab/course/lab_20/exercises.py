"""The exercises of lab 20: a record, where reports went, the newest ones, catching up, a sender to repair."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, all_arrived, call, function_needed, listed, mapping, whole_number
from kafkalab.exercises.topics import passing_topic, read_all, soon
from kafkalab.sources.fleet import Fleet

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

PREFIX, _WHAT = "lab20-check", "What your function returns"


def _reports(trucks: int, each: int) -> list[dict[str, Any]]:
    """Return reports of random trucks, in the order of time; each truck reports so many times."""
    fleet, since = Fleet(trucks=99, seed=random.randrange(10**6)), 20 * random.randrange(9999)
    names = random.sample(fleet.truck_ids, trucks)
    return [r.to_dict() for r in fleet.reports(since, since + 20 * each) if r.truck_id in names]


def record_of(answer: Any) -> str:
    """Judge 20.1 on two random reports."""
    for report in _reports(2, 1):
        said = listed(call(answer, report), _WHAT)
        if len(said) != 2 or not all(isinstance(part, bytes) for part in said):
            raise Wrong("A record has a key and a value. Without a serializer, a producer takes both only as bytes.")
        if said[0] != (truck := report["truck_id"].encode()):
            why = " That's new for each report." if said[0] == report["record_id"].encode() else ""
            raise Wrong(f"The key of this truck's reports is {truck!r}, and yours is {str(said[0])[:40]}.{why}")
        if _read(said[1]) != report:
            raise Wrong(f"The value isn't this report as JSON: {str(said[1])[:60]}. Is it made with `json.dumps`?")
    return "The truck is the key, and the whole report is the value, as JSON."


def _read(value: Any) -> Any:
    try:
        return json.loads(value)
    except (ValueError, TypeError):
        return None


def spread(cluster: Cluster, answer: Any) -> str:
    """Judge 20.2 with hidden trucks, some of them twice as busy, and a random number of partitions."""
    function_needed(answer)
    found = _reports(30, 2) + _reports(5, 3)
    with passing_topic(cluster, PREFIX, random.randint(4, 6)) as topic:
        said = mapping(call(answer, cluster.bootstrap_servers, topic, found), _WHAT)
        there = read_all(cluster.bootstrap_servers, topic)
    _sent(there, found)
    if {p: n for p, n in said.items() if n} != (wanted := Counter(record.partition for record in there)):
        raise Wrong(f"By their receipts, the reports went to {dict(sorted(wanted.items()))}, and you say {said}.")
    return f"{len(found)} reports in {len(wanted)} partitions: {dict(sorted(wanted.items()))}."


def _sent(there: Sequence[Any], found: Sequence[dict[str, Any]]) -> None:
    """Raise :class:`Wrong` unless the records are these reports, each with its truck as the key, in order."""
    all_arrived(len(there), len(found), "reports")
    lanes: dict[bytes, list[Any]] = {report["truck_id"].encode(): [] for report in found}
    for record in there:
        if record.key not in lanes:
            raise Wrong(f"The key {record.key!r} isn't the truck's id, which all reports of a truck share.")
        lanes[record.key].append(_read(record.value))
    for truck, lane in lanes.items():
        if lane != [report for report in found if report["truck_id"].encode() == truck]:
            raise Wrong(f"{truck.decode()}'s values in the topic aren't its reports as JSON, in the order of sending.")


def newest(answer: Any) -> str:
    """Judge 20.3 on reports that are read in a random order."""
    found = _reports(8, 6)
    values = [json.dumps(report).encode() for report in random.sample(found, len(found))]
    said = mapping(call(answer, values), _WHAT)
    last = {report["truck_id"]: report for report in map(json.loads, values)}
    if said == last:
        raise Wrong("That's the report of each truck that was read last, which isn't always the newest.")
    for truck, wanted in {report["truck_id"]: report for report in found}.items():
        if said.get(truck) != wanted:
            raise Wrong(
                f"The newest report of {truck} is {wanted['record_id']}, and yours is {str(said.get(truck))[:40]}."
            )
    return "The newest report of each truck, in whatever order they came."


def catch_up(answer: Any) -> str:
    """Judge 20.4 on readers that are slower, as fast, and faster."""
    rates = [(n, round(n * more)) for n in random.sample(range(100, 999), 3) for more in (0.6, 1, 1.2, 5)]
    for incoming, reading in random.sample(rates, len(rates)):
        said = call(answer, lag := random.randrange(2000, 9000), incoming, reading, returns=False)
        case = f"With a lag of {lag}, {incoming} coming in and {reading} read each second"
        if reading <= incoming:
            if said is not None:
                raise Wrong(f"{case}, the reader never catches up: that's None.")
        elif isinstance(said, bool) or not isinstance(said, int | float):
            raise Wrong(f"{case}, you return no number.")
        elif not abs(said - lag / (reading - incoming)) <= 0.02:  # a NaN is neither
            why = ". New reports come in while it reads." if abs(said - lag / reading) < 0.02 else "."
            raise Wrong(f"{case}, {said:.1f} seconds is wrong{why}")
    return "The lag shrinks by the difference of the two rates, if there is one."


def repaired(cluster: Cluster, answer: Any) -> str:
    """Judge 20.5: let it send hidden reports, and look at the records, and at the batches in which they came."""
    function_needed(answer)
    found = _reports(6, 20)
    with passing_topic(cluster, PREFIX, partitions=4) as topic:
        said = call(answer, cluster.bootstrap_servers, topic, found)
        there = read_all(cluster.bootstrap_servers, topic)
        soon(cluster, lambda now: any(p.end for p in now.partitions() if p.topic == topic))  # acks=0 waits for nothing
        batches = _batches(cluster, topic)
    makers = {batch.producer_id for batch in batches}
    if -1 in makers:
        raise Wrong("This producer isn't idempotent, so a broker's death loses or repeats reports. Which `acks` is it?")
    _sent(there, found)
    if len(makers) > 1:
        raise Wrong(f"{len(makers)} producers sent {len(found)} reports. Each had to connect to the cluster first.")
    if (together := len(found) / len(batches)) < 5:
        raise Wrong(f"A batch has {together:.1f} reports, on average. Do they get the time to meet in one?")
    if whole_number(said, _WHAT) != len(found):
        raise Wrong(f"{len(found)} reports were acknowledged, and you return {said}.")
    return f"{len(found)} reports, each truck in order, one idempotent producer, {together:.0f} reports in a batch."


def _batches(cluster: Cluster, topic: str) -> list[Any]:
    """Return the headers of all batches in a topic, as the leaders send them."""
    from kafkalab.state.connections import Connections
    from kafkalab.state.log.batch import whole_batches
    from kafkalab.state.log.fetched import fetch, leaders

    connections = Connections(cluster.bootstrap_servers)
    try:
        led = leaders(connections, topic)
        raw = [fetch(connections, leader or 0, topic, {p: 0}, most=2**20)[p] for p, leader in led.items()]
        return [batch.header for data in raw for batch in whole_batches(data)]
    finally:
        connections.close()


def exercises(cluster: Cluster) -> tuple[Exercise, ...]:
    """Return the five exercises; two of them are judged on this cluster."""
    return (
        Exercise("20.1", "A report becomes a record", 1,
            "Write `record_of(report)`: from a report, which is a dict, it returns the record's key and value, both as "
            "bytes. The key is the truck's id, and the value is the whole report as JSON.",
            record_of, (
                "`return …, …` returns two things. The key is one field of the report.",
                '`json.dumps(report)` is text, and so is `report["truck_id"]`. Text has the method `.encode()`.',
                '`return report["truck_id"].encode(), json.dumps(report).encode()`')),
        Exercise("20.2", "Where did they go?", 2,
            "Write `spread(bootstrap_servers, topic, reports)`: it sends the reports as we did, and returns how many "
            "went to each partition, by their receipts: a dict, such as `{0: 51, 1: 49}`.",
            lambda answer: spread(cluster, answer), (
                "The cells above have all that you need: a producer, the loop, and the receipts.",
                "Each receipt has a `.partition`, and `Counter` counts them.",
                "Close your producer, then return `Counter(receipt.partition for receipt in receipts)`.")),
        Exercise("20.3", "Not fooled by the order", 2,
            "Write `newest(values)`. It gets the values of records, as bytes, in the order in which they were read, "
            "and returns a dict: each truck's id, and its report with the latest `time`.",
            newest, (
                "`json.loads(value)` makes a report of a value. Keep one report for each truck, in a dict.",
                "A report replaces the one that's kept only if its `time` is later, or if there's none yet.",
                '`if truck not in found or report["time"] > found[truck]["time"]: found[truck] = report`')),
        Exercise("20.4", "When has it caught up?", 1,
            "Write `catch_up(lag, incoming, reading)`: the seconds until a reader has caught up. It's `lag` reports "
            "behind, `incoming` reports come in each second, and it reads `reading` a second. Return `None` if never.",
            catch_up, (
                "By how many reports does the lag shrink in one second?", "By `reading - incoming`, or not at all.",
                "`return lag / (reading - incoming) if reading > incoming else None`")),
        Exercise("20.5", "Repair the sender", 3,
            "Write `send_reports(bootstrap_servers, topic, reports)`: one idempotent producer sends all, each truck "
            "stays in order, a batch has 5 or more reports on average, and the number of receipts is returned.",
            lambda answer: repaired(cluster, answer), (
                "There are four mistakes: the key, the acks, a producer for each report, and a wait for each report.",
                "Make the producer before the loop, with a little linger. Collect the futures in the loop.",
                'The producer gets `acks="all", linger_ms=50`. After the loop, `.get(timeout=60)` each future.')),
    )  # fmt: skip
