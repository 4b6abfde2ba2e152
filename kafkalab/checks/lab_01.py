"""The exercises of lab 01, why Kafka: counting wires, a seventh target, and a service that reads and writes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from kafkalab.checks.exercise import Exercise
from kafkalab.checks.judging import Wrong, call, function_needed, listed, whole_number
from kafkalab.checks.lab_01_service import service
from kafkalab.checks.lab_01_target import target

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

#: So many companies are asked about, besides the one of the lab.
_CASES: Final = 12


def exercises(cluster: Cluster) -> tuple[Exercise, Exercise, Exercise]:
    """The three exercises, judged on this cluster."""
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
                "Who reads in a group goes on where the group has come to. Whose group must it not be, then? And where "
                "does a group begin that has never read anything?",
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
    """Judge 01.1 on companies of many sizes; no cluster is needed."""
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
    # 2 and 2 are left out: there a sum and a product are the same.
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
