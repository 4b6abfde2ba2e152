"""Lab 03a: what people answer, and the word that the check has for it."""

from __future__ import annotations

import json
import pickle
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
from kafka import KafkaProducer

from kafkalab import read_all
from tests.support.answers import Answers

Report = dict[str, Any]


def clean(report: Report) -> Report:
    return {name: None if value != value else value for name, value in report.items()}


def encoded(change: Callable[[Report], Any], encoding: str = "utf-8", **how: Any) -> Callable[[Report], bytes]:
    return lambda report: json.dumps(change(report), **how).encode(encoding)


def send(servers: str, topic: str, records: list[tuple[bytes, bytes]], **settings: Any) -> None:
    settings = {"linger_ms": 1000, "batch_size": 65_536, "compression_type": "gzip"} | settings
    with KafkaProducer(bootstrap_servers=servers, **settings) as producer:
        for key, value in records:
            producer.send(topic, value, key)


def passed(servers: str, begin: str, end: str, headers: Callable[[list[Any]], list[Any]], **values: Any) -> None:
    with KafkaProducer(bootstrap_servers=servers) as producer:
        for record in read_all(servers, begin):
            sent = {"key": record.key, "value": record.value} | values
            producer.send(end, headers=headers(list(record.headers)), **sent)


NOTE = ("passed", b"geocoder")


def one_by_one(servers: str, begin: str, end: str) -> None:
    with KafkaProducer(bootstrap_servers=servers, linger_ms=5) as producer:
        for r in read_all(servers, begin):
            producer.send(end, r.value, r.key, [*r.headers, NOTE]).get(timeout=60)


ALONE = {
    "03a.1": Answers(
        {
            "returned text": str,
            "bytes of a number": lambda speed: np.float64(speed).tobytes(),
            "quotes have become part": lambda speed: repr(str(speed).encode()).encode(),
            "and not": lambda speed: b"%d" % int(speed),
            "should return bytes": lambda speed: [str(speed).encode()],
        },
        [lambda speed: bytearray(str(speed).encode()), lambda speed: f"{speed}".encode("ascii")],
    ),
    "03a.2": Answers(
        {
            "returned text": lambda r: json.dumps(clean(r)),
            "how Python prints a dict": lambda r: str(r).encode(),
            "is a pickle": pickle.dumps,
            "stops at byte 0": encoded(clean, "utf-16"),
            "In which encoding": encoded(clean, "latin-1", ensure_ascii=False),
            "JSON has no such thing": encoded(lambda r: r),
            "is gone": encoded(lambda r: {k: v for k, v in clean(r).items() if v is not None}),
            "came back as '": encoded(lambda r: {k: str(v) for k, v in r.items()}),
            "odometer_mm went in as": encoded(
                lambda r: {k: float(v) if type(v) is int else v for k, v in clean(r).items()}
            ),
            "should travel as null": encoded(lambda r: {k: 0.0 if v != v else v for k, v in r.items()}),
            "a field that was not in it": encoded(lambda r: {**clean(r), "by": "me"}),
        },
        [lambda r: bytearray(encoded(clean, ensure_ascii=False)(r)), encoded(clean, indent=1)],
    ),
}


def facts(raw: bytes) -> dict[str, Any]:
    base, count = struct.unpack(">q49xi", raw[:61])
    return {"base_offset": base, "records": count, "codec": CODECS[raw[22] & 7]}


CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
ON_CLUSTER = {
    "03a.3": Answers(
        {
            "lacks the header passed": lambda s, a, b: passed(s, a, b, list),
            "lost some of them": lambda s, a, b: passed(s, a, b, lambda headers: [NOTE]),
            "is asked for": lambda s, a, b: passed(s, a, b, lambda headers: [NOTE, *headers, ("by", b"me")]),
            "The key at offset": lambda s, a, b: passed(s, a, b, lambda headers: [*headers, NOTE], key=None),
            "0 of 9 records had arrived": lambda s, a, b: None,
        },
        [lambda s, a, b: passed(s, a, b, lambda headers: [*headers, NOTE]), one_by_one],
    ),
    # What else is told apart is in tests/unit/course/test_lab_03a.py.
    "03a.4": Answers(
        {
            "'base_offset' is missing": lambda raw: {},
            "highest byte first": lambda raw: facts(raw) | {"records": int.from_bytes(raw[57:61], "little")},
            "is the codec's number": lambda raw: facts(raw) | {"codec": raw[22] & 7},
            "A dict is asked for": lambda raw: tuple(facts(raw).values()),
        },
        [
            lambda raw: facts(raw) | {"size": len(raw)},
            lambda raw: {
                "base_offset": np.frombuffer(raw[:8], ">i8")[0],
                "records": np.frombuffer(raw[57:61], ">i4")[0],
                "codec": np.str_(CODECS[raw[22] & 7]),
            },
        ],
    ),
    "03a.5": Answers(
        {
            "nothing is compressed": lambda *given: send(*given, compression_type=None),
            "1.0 records in a batch": lambda *given: send(*given, batch_size=0),
            "0 of 500 records had arrived": lambda *given: None,
        },
        [
            lambda *given: send(*given),
            lambda *given: send(*given, compression_type="zstd", batch_size=1_000_000, linger_ms=5_000),
        ],
    ),
}
