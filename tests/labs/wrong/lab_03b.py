"""Lab 03b: what people answer, and the word that the check has for it."""

from __future__ import annotations

import io
import json
from functools import partial
from typing import Any

import fastavro
import numpy as np
from kafka import KafkaProducer

from kafkalab import Cluster, read_all
from kafkalab.course.lab_03b.exercises import FLEET, GROUP, LETTERS, OLD
from tests.support.answers import Answers, committed, refused

Report = dict[str, Any]
FIELDS = OLD["fields"]
FUEL = {"name": "fuel_l", "type": "double", "default": -1.0}
SPEED = {"name": "speed", "type": "double", "default": 0.0, "aliases": ["speed_kmh"]}


def schema(*added: Report, name: str = "Report", fields: Any = FIELDS[:6]) -> Report:
    """The old fields but the last, then these."""
    return {"type": "record", "name": name, "fields": [*fields, *added]}


def instead(name: str, new: Report) -> Report:
    return schema(FUEL, fields=[new if field["name"] == name else field for field in FIELDS[:6]])


def read(value: bytes, schema: Report) -> Any:
    return fastavro.schemaless_reader(io.BytesIO(value), schema, None)


def speeds(values: list[bytes]) -> list[Any]:
    return [json.loads(value)["speed_kmh"] for value in values]


def reader(**speed: Any) -> Report:
    """A schema for the dashboard, with this field in place of the speed."""
    return {**OLD, "fields": [speed if field["name"] == "speed_kmh" else field for field in FIELDS]}


KMH = {"name": "speed_kmh", "type": "double"}

ALONE = {
    "03b.1": Answers(
        {
            "returned the text": lambda values: max(map(str, speeds(values))),
            "Of the speeds": lambda values: min(map(float, speeds(values))),
            "should return a number": lambda values: sorted(map(float, speeds(values))),
        },
        [lambda values: np.max(np.array(speeds(values), float)), lambda values: sorted(map(float, speeds(values)))[-1]],
    ),
    "03b.2": Answers(
        {
            "With which schema": lambda value, schema: (1.0, 2.0),
            "are swapped": lambda value, schema: tuple(read(value, schema)[n] for n in ("longitude", "latitude")),
            "should return latitude": lambda value, schema: read(value, schema)["latitude"],
        },
        [
            lambda value, schema: np.array([read(value, schema)[n] for n in ("latitude", "longitude")]),
            lambda value, schema: [read(value, schema)[n] for n in ("latitude", "longitude")],
        ],
    ),
    "03b.3": Answers(
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
            "doesn't take this schema": schema(FUEL | {"type": "number"}),
            "Which of the old fields": schema(FUEL | {"aliases": ["heading_deg"]}),
        },
        [
            schema({"name": "fuel_l", "type": ["null", "double"], "default": None}),
            {**schema(), "fields": [FUEL, *reversed(FIELDS[:6])]},
            schema(FUEL | {"default": -1}),
            schema(FUEL, {"name": "driver", "type": "string", "default": "?"}),
        ],
    ),
    "03b.4": Answers(
        {
            "has none": reader(name="speed", type="double", aliases=["speed_kmh"]),
            "a record of the new software cannot be read": OLD,
            "A default hides the value": reader(**KMH, default=0.0),
            "doesn't take this schema": reader(**KMH, aliases="speed"),
            "is a dict": [KMH],
        },
        [
            reader(**KMH, aliases=["speed"]),
            {**OLD, "fields": [{**KMH, "aliases": ["v", "speed"], "default": -1}, *FIELDS[:5], FIELDS[6]]},
        ],
    ),
}


def freed(cluster: Cluster) -> Answers:
    """The group is at offset 7 of 12 when this is asked, and is put back there."""
    servers = cluster.bootstrap_servers
    records = read_all(servers, FLEET)
    shown = {n: read(records[n].value, OLD)["speed_kmh"] for n in (8, 10)}
    refused(cluster, "03b.5", shown, "no dead letter from lab03b-fleet/0/7")
    refused(cluster, "03b.5", {**shown, 7: 50.0}, "can't read it. Put it aside")
    with KafkaProducer(bootstrap_servers=servers) as producer:
        for record in records[7::2]:
            producer.send(LETTERS, record.value, record.key, headers=record.headers)
    refused(cluster, "03b.5", shown, "no letter names an address")
    letters = partial(put_aside, cluster, records)
    letters(schema=False)
    refused(cluster, "03b.5", shown, "has lost the header `schema`")
    letters(reason=b"")
    refused(cluster, "03b.5", shown, "no header `reason`")
    letters(value=b"unreadable")
    refused(cluster, "03b.5", shown, "the key and the bytes")
    letters()
    refused(cluster, "03b.5", shown, "lag is 5")
    committed(cluster, GROUP, FLEET, 12)

    def undo() -> None:
        cluster.delete_topic(LETTERS)
        cluster.create_topic(LETTERS, partitions=1)
        committed(cluster, GROUP, FLEET, 7)

    return Answers(
        {
            "can read offset 8": {10: shown[10]},
            "The speed at offset": shown | {8: -1.0},
            "should be a dict": list(shown.values()),
        },
        right=[{np.int64(n): np.float64(speed) for n, speed in shown.items()}, {n: shown[n] for n in (10, 8)}],
        undo=undo,
    )


def put_aside(
    cluster: Cluster, records: list[Any], *, schema: bool = True, reason: bytes = b"?", value: bytes | None = None
) -> None:
    with KafkaProducer(bootstrap_servers=cluster.bootstrap_servers) as producer:
        for record in records[7::2]:
            place = f"{FLEET}/0/{record.offset}".encode()
            headers = [*(record.headers if schema else ()), ("reason", reason), ("from", place)]
            producer.send(LETTERS, value or record.value, record.key, headers=headers)


ON_CLUSTER = {"03b.5": freed}
