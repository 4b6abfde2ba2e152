"""The exercises of lab 07: receipts, batches, what an acknowledgement is worth, copies, a producer to repair."""

from __future__ import annotations

import random
import uuid
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from kafkalab.course.lab_07.trouble import steadily, storm
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, function_needed, listed, mapping, text
from kafkalab.exercises.topics import passing_topic, publish, read_all, settings_of

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

PREFIX, ALARMS, _WHAT = "lab07-check", "lab07-alarms", "What your function returns"
_WHY: Final = {
    0: "No broker has confirmed anything, and the leader asks no other one.",
    1: "The leader acknowledges on its own: neither followers nor the floor play a part.",
    "refused": "Fewer are in sync than the floor allows.",
    "lost": "All that are in sync have it, and that's the leader alone.",
    "kept": "`all` means those in sync. The floor is reached, and one more of them has the record.",
}


def offsets(cluster: Cluster, answer: Any) -> str:
    """Judge 07.1 on a temporary topic that has some records already."""
    function_needed(answer)
    first, values = random.randint(3, 9), [uuid.uuid4().hex[:8].encode() for _ in range(30)]
    with passing_topic(cluster, PREFIX, partitions=1) as topic:
        publish(cluster.bootstrap_servers, topic, [(None, b"earlier", 0)] * first)
        said = listed(call(answer, cluster.bootstrap_servers, topic, values), _WHAT, int)
        there = {record.value: record.offset for record in read_all(cluster.bootstrap_servers, topic)}
    if said == list(range(len(values))):
        raise Wrong(f"The topic had {first} records before yours: only a receipt knows where a record really is.")
    if said != [there.get(value) for value in values]:
        raise Wrong(f"{len(there) - 1} of {len(values)} records are there, not at the offsets {str(said)[:80]}.")
    return f"{len(values)} records, each at the offset that its receipt names."


def few_requests(cluster: Cluster, answer: Any) -> str:
    """Judge 07.2 by sending a thousand records a second with those settings."""
    given = mapping(answer, "The answer")
    with passing_topic(cluster, PREFIX, partitions=1) as topic, _producer(cluster, given) as producer:
        if not 150 <= (linger := given.get("linger_ms", 0)) <= 500:
            why = "a record may wait for longer than 500 ms" if linger > 500 else f"only about {linger} records meet"
            raise Wrong(f"With linger_ms={linger} {why}.")
        for _ in steadily(900):
            producer.send(topic, value=b"x" * 400)
        producer.flush(timeout=60)
        together = producer.metrics()["producer-metrics"]["records-per-request-avg"]
    if together < 150:
        raise Wrong(f"{together:.0f} records in a request, on average: a batch leaves as soon as it's full.")
    return f"{together:.0f} records in a request, on average, and none waits for longer than {linger} ms."


def fate(answer: Any) -> str:
    """Judge 07.3 on every case, in a random order."""
    cases = [(acks, in_sync, least) for acks in (0, 1, "all") for in_sync in (1, 2, 3) for least in (1, 2, 3)]
    for acks, in_sync, least in random.sample(cases, len(cases)):
        right = "lost" if acks != "all" or least == in_sync == 1 else "refused" if in_sync < least else "kept"
        if (said := text(call(answer, acks, in_sync, least), "A fate")) != right:
            case = f"acks={acks}, {in_sync} in sync, min.insync.replicas={least}"
            raise Wrong(f"{case}: {said[:20]!r} is wrong. {_WHY[right if acks == 'all' else acks]}")
    return "All 27 cases."


def twice(cluster: Cluster, answer: Any) -> str:
    """Judge 07.4 on a temporary topic in which some ids are stored two or three times."""
    function_needed(answer)
    ids = [f"alert-{uuid.uuid4().hex[:6]}".encode() for _ in range(40)]
    again = random.sample(ids[:30], 8)
    records = [(random.choice([b"T0005", b"T0042"]), id, ids.index(id) % 2) for id in ids + again + again[:2]]
    with passing_topic(cluster, PREFIX, partitions=2) as topic:
        publish(cluster.bootstrap_servers, topic, records)
        said = listed(call(answer, cluster.bootstrap_servers, topic), _WHAT, bytes)
    if extra := set(said) - set(again):
        raise Wrong(f"{str(min(extra))[:40]} is in your list, and is not a value that is stored more than once.")
    if Counter(said) != Counter(again):
        which = f"Your list has {len(said)} items, {len(set(said))} of them different"
        raise Wrong(f"{which}, and 8 values have copies, which need not be neighbours.")
    return f"{len(again)} of {len(ids)} values are stored more than once, and you found them."


def repaired(cluster: Cluster, answer: Any) -> str:
    """Judge 07.5: a leader dies while a producer with these settings sends to the topic."""
    given, floor = mapping(answer, "The answer"), "min.insync.replicas"
    least = int(settings_of(cluster, ALARMS, lambda found: found[floor] == "2")[floor])
    with _producer(cluster, given) as producer:
        idempotent = producer.config["enable_idempotence"]
    if least != 2:
        why = "a leader may acknowledge alone, and die." if least < 2 else "one broker down, and acks=all is refused."
        raise Wrong(f"{ALARMS} has {floor}={least}: {why}")
    told = storm(cluster, ALARMS, given).result()
    if told.lost:
        raise Wrong(f"{told.lost} of {told.acknowledged} acknowledged alarms are gone: only the dead leader had them.")
    if told.duplicated:
        raise Wrong(f"Nothing is lost, but alarms are stored twice, because they were sent again: {told.duplicated}.")
    if told.unacknowledged:
        raise Wrong(f"{told.unacknowledged} of {told.sent} alarms got no acknowledgement. Did your producer give up?")
    if not idempotent:
        raise Wrong("All came once, by luck: without idempotence, an alarm that is sent again may be stored twice.")
    return f"A leader died, and all {told.sent} alarms are there: nothing lost, nothing twice."


def _producer(cluster: Cluster, settings: dict[str, Any]) -> Any:
    from kafka import KafkaProducer
    from kafka.errors import KafkaConfigurationError

    try:
        return KafkaProducer(**{**settings, "bootstrap_servers": cluster.bootstrap_servers})
    except (KafkaConfigurationError, ValueError, TypeError, AssertionError) as error:
        raise Wrong(f"KafkaProducer does not take these settings: {str(error)[:200]}") from None


def exercises(cluster: Cluster) -> tuple[Exercise, ...]:
    """Return the five exercises, judged on this cluster."""
    return (
        Exercise("07.1", "Where are they?", 1,
            "Complete one line of `send_all(bootstrap_servers, topic, values)`: it sends all values and returns a list "
            "of their offsets, in the same order.",
            lambda answer: offsets(cluster, answer),
            ("The receipt of each record has its offset, and `futures` has a future for each record.",
             "`future.get(timeout=60)` waits for one receipt; do that for all of them in a list.",
             "`[future.get(timeout=60).offset for future in futures]`")),
        Exercise("07.2", "Fewer requests", 1,
            "1,000 positions of 400 bytes come in each second. Write producer settings, as a dict, so that a request "
            "carries at least 150 of them on average, and no record lingers for more than 500 ms.",
            lambda answer: few_requests(cluster, answer),
            ("A batch leaves when its time is up or when it's full. So there are two settings.",
             "150 positions take 150 ms to come in, and 60,000 bytes of room: leave some to spare.",
             '`{"linger_ms": 300, "batch_size": …}`; the default batch of 16,384 bytes is full after 40 of them.')),
        Exercise("07.3", "What can become of it?", 2,
            'Write `fate(acks, in_sync, min_insync)`. `acks` is `0`, `1` or `"all"`; `in_sync` counts the replicas in '
            "sync, the leader included. The leader's broker and disk are lost at the worst moment. Return "
            '`"refused"` if the leader takes no records, `"lost"` if one that counts as sent can be lost, or `"kept"`.',
            fate,
            ("In the matrix, choose *killed, and its disk is lost*. The upper half has 3 in sync, the lower half 1.",
             "Without `all`, the number in sync doesn't matter. With it there are three cases.",
             'First `if acks != "all"`; then `if in_sync < min_insync`; what is left depends on `in_sync == 1`.')),
        Exercise("07.4", "Find the copies", 2,
            "Write `twice(bootstrap_servers, topic)`: it returns a list of the values that are stored more than once, "
            "each named once, in any order.",
            lambda answer: twice(cluster, answer),
            ("`copies` above does the counting already.",
             "A `Counter` is a dict: value → how often it's there. `.items()` gives both.",
             "`[value for value, count in … .items() if count > 1]`")),
        Exercise("07.5", "Repair the alarms", 3,
            f"Set `min.insync.replicas` of `{ALARMS}`, and write settings for Pavel's producer as a dict, so that his "
            "alarms survive the loss of a broker: all accepted, nothing lost, nothing stored twice.",
            lambda answer: repaired(cluster, answer),
            ("There are three mistakes: one loses alarms, one stores them twice, one refuses them.",
             "Who must have an alarm before it's acknowledged? Who is left without a broker? Who recognises a retry?",
             f'`set_floor("{ALARMS}", …)`, and a dict with `acks` and `enable_idempotence`.')),
    )  # fmt: skip
