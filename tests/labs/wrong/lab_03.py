"""Lab 03: what people answer, and the word that the check has for it."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
from kafka import KafkaProducer

from kafkalab.course.lab_03.exercises import OLD
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


FIELDS = OLD["fields"]
FUEL = {"name": "fuel_l", "type": "double", "default": -1.0}
SPEED = {"name": "speed", "type": "double", "default": 0.0, "aliases": ["speed_kmh"]}


def schema(*added: Report, name: str = "Report", fields: Any = FIELDS[:6]) -> Report:
    """The old fields but the last, then these."""
    return {"type": "record", "name": name, "fields": [*fields, *added]}


def instead(name: str, new: Report) -> Report:
    return schema(FUEL, fields=[new if field["name"] == name else field for field in FIELDS[:6]])


ALONE = {
    "03.1": Answers(
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
        [lambda r: bytearray(encoded(clean, ensure_ascii=False)(r))],
    ),
    "03.4": Answers(
        {
            "No default value for field fuel_l": schema({"name": "fuel_l", "type": "double"}),
            "no field 'fuel_l'": schema(),
            "Every old field is still there": schema(FUEL, fields=FIELDS),
            "No default value for field speed_kmh": schema(FUEL, fields=[*FIELDS[:5], FIELDS[6]]),
            "cannot be read: Schema mismatch": instead("speed_kmh", {"name": "speed_kmh", "type": "string"}),
            "to a new reader": instead("time", {"name": "time", "type": "double"}),
            "No default value for field speed in": instead("speed_kmh", {"name": "speed", "type": "double"}),
            "With the old schema a new record cannot be read": instead("speed_kmh", SPEED),
            "another name is another thing": schema(FUEL, name="ReportV2"),
            "Is it a double?": schema(FUEL | {"type": "float"}),
            "does not take this schema": schema(FUEL | {"type": "number"}),
            "Which of the old fields": schema(FUEL | {"aliases": ["heading_deg"]}),
        },
        [
            schema({"name": "fuel_l", "type": ["null", "double"], "default": None}),
            {**schema(), "fields": [FUEL, *reversed(FIELDS[:6])]},
            schema(FUEL | {"default": -1}),
            schema(FUEL, {"name": "driver", "type": "string", "default": "?"}),
        ],
    ),
}
CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
ON_CLUSTER = {
    # What else is told apart is in tests/unit/course/test_lab_03.py.
    "03.2": Answers(
        {"'base_offset' is missing": lambda raw: {}},
        [
            lambda raw: {
                "base_offset": np.frombuffer(raw[:8], ">i8")[0],
                "records": np.frombuffer(raw[57:61], ">i4")[0],
                "codec": np.str_(CODECS[raw[22] & 7]),
            }
        ],
    ),
    "03.3": Answers(
        {
            "nothing is compressed": lambda *given: send(*given, compression_type=None),
            "1.0 records in a batch": lambda *given: send(*given, batch_size=0),
            "0 of 500 records had arrived": lambda *given: None,
        }
    ),
}
