"""Judges lab 03's exercise on schemas: a new one that reads old records, and whose records old readers read."""

from __future__ import annotations

import copy
import io
from random import Random
from typing import Any, Final

from kafkalab.checks.judging import Wrong, kind_of
from kafkalab.checks.lab_03_reports import unseen

Schema = dict[str, Any]

#: The schema that is in use when the exercise begins; the lab writes it out.
OLD: Final[Schema] = {
    "type": "record",
    "name": "Report",
    "fields": [
        {"name": "record_id", "type": "string"},
        {"name": "truck_id", "type": "string"},
        {"name": "time", "type": "long"},
        {"name": "latitude", "type": "double"},
        {"name": "longitude", "type": "double"},
        {"name": "speed_kmh", "type": "double"},
        {"name": "heading_deg", "type": "double", "default": 0.0},
    ],
}
_ADDED: Final = "fuel_l"
_REPORTS: Final = 20


def evolved(answer: Any) -> str:
    """Judge 03.4 by writing and reading reports that nobody has seen, in both directions."""
    new = _schema(answer)
    fields = {field["name"] for field in new["fields"]}
    random = Random()
    reports = unseen(_REPORTS, random)
    for report in reports:
        _old_to_new(report, new)
    if _ADDED not in fields:
        raise Wrong(f"It has no field {_ADDED!r}.")
    for report in reports:
        _new_to_old({**report, _ADDED: round(random.uniform(1, 900), 3)}, new)
    gone = [field["name"] for field in OLD["fields"] if field["name"] not in fields]
    if not gone:
        raise Wrong("Every old field is still there, and one has to go. Which can, and old readers do not mind?")
    return f"Old records read with the new schema, new ones with the old; {gone[0]} is gone, {_ADDED} is there."


def _schema(answer: Any) -> Schema:
    import fastavro

    if not isinstance(answer, dict):
        raise Wrong(f"A schema is a dict here, and this is {kind_of(answer)}.")
    if answer.get("type") != "record" or not isinstance(answer.get("fields"), list):
        raise Wrong('A schema of reports is a dict with `"type": "record"`, a name, and a list of fields.')
    try:
        fastavro.parse_schema(copy.deepcopy(answer))
    except Exception as error:  # whatever it trips over lies in the answer
        raise Wrong(f"Avro does not take this schema: {type(error).__name__}: {_first_line(error)}") from None
    if answer.get("name") != OLD["name"]:
        raise Wrong(f"The record is called {answer.get('name')!r} now. To Avro another name is another thing.")
    return copy.deepcopy(answer)


def _old_to_new(report: dict[str, Any], new: Schema) -> None:
    try:
        back = _read(_write(report, OLD), OLD, new)
    except Exception as error:
        raise Wrong(
            f"With the new schema an old record cannot be read: {_first_line(error)}. What is a new reader to put "
            "where an old record has nothing?"
        ) from None
    for name, value in report.items():
        if name in back and (back[name] != value or type(back[name]) is not type(value)):
            raise Wrong(f"An old record's {name}, {value!r}, is {back[name]!r} to a new reader.")
    if _ADDED in back:
        _default(back[_ADDED], next(field for field in new["fields"] if field["name"] == _ADDED))


def _default(fuel: Any, field: Schema) -> None:
    """What a new reader finds as the fuel of an old record, which has none."""
    if fuel is not None and (isinstance(fuel, bool) or not isinstance(fuel, int | float)):
        raise Wrong(f"The default of {_ADDED} is {kind_of(fuel)}, and the default of a double is a number.")
    if fuel != field.get("default"):
        raise Wrong(
            f"An old record has no fuel, and a new reader finds {fuel!r} l in it. Which of the old fields does it take "
            "that from?"
        )


def _new_to_old(report: dict[str, Any], new: Schema) -> None:
    try:
        written = _write(report, new)
    except Exception as error:
        raise Wrong(f"A new report cannot be written with it: {_first_line(error)}.") from None
    if (fuel := _read(written, new, new)[_ADDED]) != report[_ADDED]:
        raise Wrong(f"{_ADDED} was written as {report[_ADDED]!r}, and read as {fuel!r}. Is it a double?")
    try:
        back = _read(written, new, OLD)
    except Exception as error:
        raise Wrong(
            f"With the old schema a new record cannot be read: {_first_line(error)}. An old reader knows no other "
            "names than its own, and has a default for one field only."
        ) from None
    kept = {field["name"] for field in new["fields"]}
    for field in OLD["fields"]:
        name = field["name"]
        if name in kept and back[name] != report[name]:
            raise Wrong(f"A new record's {name}, {report[name]!r}, is {back[name]!r} to an old reader.")


def _write(report: dict[str, Any], schema: Schema) -> bytes:
    from fastavro import schemaless_writer

    out = io.BytesIO()
    schemaless_writer(out, copy.deepcopy(schema), report)
    return out.getvalue()


def _read(written: bytes, writer: Schema, reader: Schema) -> dict[str, Any]:
    from fastavro import schemaless_reader

    back = schemaless_reader(io.BytesIO(written), copy.deepcopy(writer), copy.deepcopy(reader))
    assert isinstance(back, dict)
    return back


def _first_line(error: Exception) -> str:
    said = str(error).strip().splitlines()
    return said[0][:200] if said else type(error).__name__
