"""Lab 20: what people answer, and the word that the check has for it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from kafka import KafkaProducer

from kafkalab.state.log.murmur2 import partition_of
from tests.support.answers import Answers

Report = dict[str, Any]


def key(report: Report) -> bytes:
    return str(report["truck_id"]).encode()


def as_json(report: Report) -> bytes:
    return json.dumps(report).encode()


RECORD = Answers(
    {
        "takes both only as bytes": lambda report: (report["truck_id"], json.dumps(report)),
        "is a list, and this is bytes": as_json,
        "That's new for each report": lambda report: (report["record_id"].encode(), as_json(report)),
        "The key of this truck's reports is": lambda report: (b"T0005", as_json(report)),
        "isn't this report as JSON": lambda report: (key(report), str(report).encode()),
        "made with `json.dumps`": lambda report: (key(report), as_json({"time": report["time"]})),
    },
    [
        lambda report: [key(report), as_json(report)],
        lambda report: (bytes(report["truck_id"], "utf-8"), json.dumps(report, indent=1, sort_keys=True).encode()),
    ],
)


def sending(
    count: Callable[[list[Any]], Any] = len, *, key: Callable[[Report], bytes | None] = key,
    order: Callable[[list[Report]], Iterable[Report]] = list, each: bool = False, wait: bool = True,
    value: Callable[[Report], bytes] = as_json, **settings: Any,
) -> Callable[[str, str, list[Report]], Any]:  # fmt: skip
    """An answer that sends reports, and makes its value of the receipts."""

    def answer(servers: str, topic: str, reports: list[Report]) -> Any:
        sender = KafkaProducer(bootstrap_servers=servers, **settings)
        futures = []
        for report in order(reports):
            futures.append(sender.send(topic, key=key(report), value=value(report)))
            if each:
                futures[-1].get(timeout=60)
        found = count([future.get(timeout=60) for future in futures] if wait else futures)
        sender.close()
        return found

    return answer


def partitions(receipts: list[Any]) -> Counter[int]:
    return Counter(receipt.partition for receipt in receipts)


def calculated(servers: str, topic: str, reports: list[Report]) -> dict[int, int]:
    """Works the partitions out, where others look at the receipts."""
    known = sending(lambda receipts: 1 + max(r.partition for r in receipts))(servers, topic, reports)
    return dict(Counter(partition_of(key(report), known) for report in reports))


def for_each_a_producer(acks: Any) -> Callable[[str, str, list[Report]], int]:
    def answer(servers: str, topic: str, reports: list[Report]) -> int:
        for report in reports:
            sending(acks=acks)(servers, topic, [report])
        return len(reports)

    return answer


SPREAD = Answers(
    {
        "isn't the truck's id": sending(partitions, key=lambda report: None),
        "The key b'T": sending(partitions, key=lambda report: report["record_id"].encode()),
        "By their receipts": sending(lambda receipts: Counter(receipt.offset for receipt in receipts)),
        "and you say": sending(lambda receipts: {receipt.partition: receipt.offset for receipt in receipts}),
        "aren't its reports as JSON": sending(partitions, value=lambda report: str(report).encode()),
        "is a dict": sending(lambda receipts: [receipt.partition for receipt in receipts]),
        "had arrived": lambda servers, topic, reports: sending(partitions)(servers, topic, reports[:-1]),
    },
    [sending(partitions), sending(lambda receipts: {np.int64(p): n for p, n in partitions(receipts).items()})],
)


def kept(better: Callable[[Report, Report], bool]) -> Callable[[list[bytes]], dict[str, Report]]:
    def answer(values: list[bytes]) -> dict[str, Report]:
        found: dict[str, Report] = {}
        for report in map(json.loads, values):
            truck = report["truck_id"]
            if truck not in found or better(report, found[truck]):
                found[truck] = report
        return found

    return answer


NEWEST = Answers(
    {
        "read last": lambda values: {report["truck_id"]: report for report in map(json.loads, values)},
        "The newest report of": kept(lambda report, before: False),
        "and yours is": kept(lambda report, before: report["time"] < before["time"]),
        "and yours is None": lambda values: {report["record_id"]: report for report in map(json.loads, values)},
        "and yours is [": lambda values: {
            truck: [report] for truck, report in kept(lambda a, b: a["time"] > b["time"])(values).items()
        },
        "is a dict": lambda values: [json.loads(value) for value in values],
    },
    [
        kept(lambda report, before: report["time"] > before["time"]),
        kept(lambda report, before: report["record_id"] >= before["record_id"]),
        lambda values: {
            report["truck_id"]: report for report in sorted(map(json.loads, values), key=lambda report: report["time"])
        },
    ],
)


CATCH_UP = Answers(
    {
        "New reports come in while it reads": lambda lag, incoming, reading: (
            lag / reading if reading > incoming else None
        ),
        "never catches up": lambda lag, incoming, reading: lag / (reading - incoming) if reading - incoming else None,
        "raised ZeroDivisionError": lambda lag, incoming, reading: lag / (reading - incoming),
        "you return no number": lambda lag, incoming, reading: None,
        "nan seconds is wrong": lambda lag, incoming, reading: float("nan") if reading > incoming else None,
        "seconds is wrong": lambda lag, incoming, reading: lag // (reading - incoming) if reading > incoming else None,
    },
    [
        lambda lag, incoming, reading: None if reading <= incoming else lag / (reading - incoming),
        lambda lag, incoming, reading: np.float64(lag / (reading - incoming)) if reading > incoming else None,
    ],
    tries=20,
)

REPAIRED = Answers(
    {
        "isn't the truck's id": sending(key=lambda report: report["record_id"].encode(), linger_ms=50),
        "The key None": sending(key=lambda report: None, linger_ms=50),
        "Which `acks` is it": sending(acks=1, linger_ms=50),
        "isn't idempotent": sending(acks="all", enable_idempotence=False, linger_ms=50),
        "loses or repeats reports": sending(acks=0, linger_ms=50),
        "producers sent 120 reports": for_each_a_producer("all"),
        "A batch has 1.0 reports": sending(each=True),
        "in the order of sending": sending(order=lambda reports: reports[::-1], linger_ms=50),
        "and you return 0": sending(lambda receipts: 0, linger_ms=50),
        "is a whole number": sending(list, linger_ms=50),
        "returned nothing": sending(lambda receipts: None, linger_ms=50),
    },
    [
        sending(linger_ms=20, wait=False),
        sending(acks=-1, linger_ms=100, compression_type="gzip"),
        sending(acks="all", linger_ms=50, order=lambda reports: sorted(reports, key=key)),
    ],
)

ALONE = {"20.1": RECORD, "20.3": NEWEST, "20.4": CATCH_UP}
ON_CLUSTER = {"20.2": SPREAD, "20.5": REPAIRED}
