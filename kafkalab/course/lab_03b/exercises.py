"""The exercises of lab 03b: numbers in text, the writer's schema, a schema that grows, and a dashboard to repair."""

from __future__ import annotations

import copy
import io
import json
from random import Random
from typing import TYPE_CHECKING, Any, Final

from kafkalab.course.lab_03a.exercises import unseen
from kafkalab.errors import KafkalabError
from kafkalab.exercises.exercise import Exercise
from kafkalab.exercises.judging import Wrong, call, kind_of
from kafkalab.exercises.topics import read_all

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster

PREFIX: Final = "lab03b-"
#: The topic of the finale, the group that is stuck in it, and the topic of dead letters.
FLEET, GROUP, LETTERS = f"{PREFIX}fleet", f"{PREFIX}dashboard", f"{PREFIX}dead-letters"
#: The offset of the first record that the group cannot read.
STUCK: Final = 7

Schema = dict[str, Any]

#: The schema in use when the exercise begins; the lab's notebook shows it.
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
    """Judge 03b.3 by writing random reports with each schema and reading them with the other."""
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
        raise Wrong("Every old field is still there, and one has to go. Which one do old readers not miss?")
    return f"Old records read with the new schema, new ones with the old; {gone[0]} is gone, {_ADDED} is there."


def _schema(answer: Any) -> Schema:
    import fastavro

    if not isinstance(answer, dict):
        raise Wrong(f"A schema is a dict here, and this is {kind_of(answer)}.")
    if answer.get("type") != "record" or not isinstance(answer.get("fields"), list):
        raise Wrong('A schema of reports is a dict with `"type": "record"`, a name, and a list of fields.')
    try:
        fastavro.parse_schema(copy.deepcopy(answer))
    except Exception as error:  # any error here is caused by the answer
        raise Wrong(f"Avro doesn't take this schema: {type(error).__name__}: {_first_line(error)}") from None
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
    """Judge the fuel that a new reader finds in an old record: it must be the field's default, and a number."""
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


def fastest(answer: Any) -> str:
    """Judge 03b.1 on values with speeds as numbers and as text, whose order as text is another one."""
    random = Random()
    for _ in range(3):
        speeds = [random.uniform(2, 9.9), random.uniform(20, 60), random.uniform(100, 130)]
        speeds = [round(speed, 1) for speed in random.sample(speeds, 3)]
        quoted = random.choice([[True] * 3, [True, False, True], [False, True, True]])
        values = [
            json.dumps({"truck_id": f"T{n:04}", "speed_kmh": str(speed) if text else speed}).encode()
            for n, (speed, text) in enumerate(zip(speeds, quoted, strict=True))
        ]
        said = call(answer, list(values))
        if isinstance(said, str):
            raise Wrong(f"It returned the text {said[:20]!r}. A number is asked for, and numbers compare as numbers.")
        if isinstance(said, bool) or not isinstance(said, int | float):
            raise Wrong(f"It should return a number, and returned {kind_of(said)}.")
        if said != max(speeds):
            raise Wrong(f"Of the speeds {', '.join(map(str, speeds))} it returned {said}.")
    return "Numbers in quotes and without, and 9.5 is less than 88.5."


def position(answer: Any) -> str:
    """Judge 03b.2 on random reports, written with schemas that have their fields in different orders."""
    random = Random()
    for report in unseen(6, random):
        schema = {**OLD, "fields": random.sample(OLD["fields"], len(OLD["fields"]))}
        wanted = (report["latitude"], report["longitude"])
        said = call(answer, _write(report, schema), copy.deepcopy(schema))
        if not isinstance(said, tuple | list) or len(said) != 2:
            raise Wrong(f"It should return latitude and longitude, and returned {kind_of(said)}.")
        if tuple(said) == wanted[::-1]:
            raise Wrong("Latitude and longitude are swapped: the latitude comes first.")
        if tuple(said) != wanted:
            raise Wrong(
                f"The truck is at {wanted[0]}, {wanted[1]}, and you put it at {str(said[0])[:20]}, "
                f"{str(said[1])[:20]}. With which schema did you read the value?"
            )
    return "Six trucks, each written with a schema of its own, and all of them where they are."


#: What the new software of the finale writes.
_RENAMED: Final[Schema] = {
    **OLD,
    "fields": [{"name": "speed", "type": "double"} if f["name"] == "speed_kmh" else f for f in OLD["fields"]],
}


def patient(answer: Any) -> str:
    """Judge 03b.4 by reading old records and renamed ones with it."""
    wanted = _schema(answer)
    names = {field["name"] for field in wanted["fields"]}
    if "speed_kmh" not in names:
        raise Wrong("The dashboard asks for a field `speed_kmh`, and this schema has none.")
    for report in unseen(5, Random()):
        for schema, kind in ((OLD, "an old record"), (_RENAMED, "a record of the new software")):
            try:
                back = _read(_write({**report, "speed": report["speed_kmh"]}, schema), schema, wanted)
            except Exception as error:
                raise Wrong(f"With it, {kind} cannot be read: {_first_line(error)}.") from None
            lost = [name for name in report if back.get(name) != report[name]]
            if lost:
                raise Wrong(
                    f"With it, {kind} has {lost[0]} = {back.get(lost[0])!r}, and {report[lost[0]]!r} was sent. A "
                    "default hides the value; which name does the value have there?"
                )
    return "It reads old records and those of the new software, each with its speed."


def freed(cluster: Cluster, answer: Any) -> str:
    """Judge 03b.5: what the dashboard shows, the dead letters, and the group's committed offset."""
    if not isinstance(answer, dict):
        raise Wrong(f"Your answer should be a dict, offset → speed, and this is {kind_of(answer)}.")
    snapshot = cluster.snapshot()
    group, there = snapshot.group(GROUP), snapshot.topic(FLEET)
    if group is None or there is None or snapshot.topic(LETTERS) is None:
        raise KafkalabError(
            "The topics or the group of this part are missing.", do="Run the cells above, from part 4 on."
        )
    records = read_all(cluster.bootstrap_servers, FLEET)[STUCK:]
    readable = {r.offset: _read(r.value, OLD, OLD)["speed_kmh"] for r in records if _is_old(r)}
    _shown(answer, readable, {record.offset for record in records})
    letters = {
        (dict(letter.headers).get("from") or b"").decode(errors="replace"): letter
        for letter in read_all(cluster.bootstrap_servers, LETTERS)
    }
    for record in records:
        if record.offset not in readable:
            _letter(letters.get(f"{FLEET}/0/{record.offset}"), record, len(letters.keys() - {""}))
    (lag,) = [one.lag for one in group.offsets if one.topic == FLEET] or [None]
    if lag:
        raise Wrong(
            f"All is in its place, but the group's lag is {lag}: it will read these records again. Commit them."
        )
    return f"{len(readable)} shown, {len(records) - len(readable)} put aside, nothing lost, and the lag is 0."


def _is_old(record: Any) -> bool:
    from kafkalab.course.lab_03b.props import Registry

    said: bytes = dict(record.headers).get("schema", b"")
    return said == Registry().add(OLD).encode()


def _shown(answer: dict[Any, Any], readable: dict[int, float], offsets: set[int]) -> None:
    missing = sorted(readable.keys() - answer.keys())
    if missing:
        raise Wrong(f"The dashboard can read offset {missing[0]}, and your dict doesn't have it.")
    unreadable = sorted((offsets & answer.keys()) - readable.keys())
    if unreadable:
        raise Wrong(f"Offset {unreadable[0]} is in your dict, but the dashboard's schema can't read it. Put it aside.")
    wrong = [offset for offset in readable if answer[offset] != readable[offset]]
    if wrong:
        raise Wrong(
            f"The speed at offset {wrong[0]} is {readable[wrong[0]]}, and you show {str(answer[wrong[0]])[:20]}."
        )


def _letter(letter: Any, record: Any, count: int) -> None:
    """Judge the dead letter of a record; None if there is none with its address."""
    if letter is None:
        seen = f"{count} letters name other addresses" if count else "no letter names an address"
        raise Wrong(
            f"There's no dead letter from {FLEET}/0/{record.offset} in {LETTERS} ({seen}). Its header `from` names the "
            "topic, the partition and the offset, with `/` between."
        )
    if (letter.key, letter.value) != (record.key, record.value):
        raise Wrong(f"The dead letter of offset {record.offset} doesn't have the key and the bytes of the record.")
    headers = dict(letter.headers)
    if headers.get("schema") != dict(record.headers).get("schema"):
        raise Wrong(
            f"The dead letter of offset {record.offset} has lost the header `schema`, so no reader knows how to "
            "read it."
        )
    if not headers.get("reason"):
        raise Wrong(f"The dead letter of offset {record.offset} has no header `reason`.")


def exercises(cluster: Cluster) -> tuple[Exercise, ...]:
    """Return the five exercises, judged on this cluster."""
    return (
        Exercise(
            "03b.1",
            "The fastest of all",
            1,
            "Write `fastest(values)`: it gets a list of JSON values as bytes and returns the highest `speed_kmh` as a "
            "number, even if some speeds are in quotes.",
            fastest,
            (
                "The line with `max` above compares text. What makes a number of text?",
                '`float("9.5")` is 9.5, and `float(9.5)` is, too.',
                '`max(float(json.loads(value)["speed_kmh"]) for value in values)`',
            ),
        ),
        Exercise(
            "03b.2",
            "Where is it?",
            1,
            "Write `position(value, written_with)`: from the Avro bytes of a report and the schema they were written "
            "with, it returns the latitude and the longitude, as a tuple.",
            position,
            (
                "You have a function that reads Avro. Which schema does it need?",
                "`read_avro(value, written_with)` returns a dict of the fields.",
                '`fields = read_avro(value, written_with)`, then return `fields["latitude"], fields["longitude"]`',
            ),
        ),
        Exercise(
            "03b.3",
            "A schema that grows",
            2,
            "The depot wants to know how much fuel is left, and one old field has to go in exchange. "
            "Write `new_schema`, a dict like `V1`, with one more field `fuel_l` (a double), and without one of "
            "the old ones. It must be able to read old records, and readers that still have `V1` must be able to "
            "read new ones.",
            evolved,
            (
                "Look at it from both sides. What does a new reader do with an old record, which has no fuel? What "
                "does an old reader do with a new record, which lacks a field?",
                "A reader fills a missing field with its own default. So you can add a field if the new schema has a "
                "default for it, and remove one if the old schema has.",
                '`{"name": "fuel_l", "type": "double", "default": -1.0}` comes. In `V1` one field has a default: that '
                "one goes.",
            ),
        ),
        Exercise(
            "03b.4",
            "A patient reader",
            2,
            "Write `patient`, a schema for the dashboard: with it, old records and those of the new software can be "
            "read, and the speed is always in `speed_kmh`.",
            patient,
            (
                "Case E of the table: a reader's field can know another name.",
                "Keep the name `speed_kmh`, because that's what the dashboard asks for. Which name is the alias?",
                '`changed(speed_kmh={"name": "speed_kmh", "type": "double", "aliases": [...]})`',
            ),
        ),
        Exercise(
            "03b.5",
            "Free the dashboard",
            3,
            f"Read on as the group `{GROUP}`, to lag 0. Put the speed of each report that the dashboard can read (with "
            "`V1`) into the dict `shown`, under its offset. Send each of the others, with its key, value and headers, "
            f"to `{LETTERS}`, and add two headers: `reason`, and `from`, for example `b'{FLEET}/0/7'`.",
            lambda answer: freed(cluster, answer),
            (
                "The dashboard's loop is right; what's missing is what to do instead of dying.",
                "Inside the loop: `try` to decode; on a `SchemaResolutionError`, send the record on with "
                "`headers=[*record.headers, …]` and wait for the receipt; then, in both cases, `commit()`.",
                f"`reader = consumer_of({GROUP!r})`; `for record in reader:` with `try: shown[record.offset] = "
                'decode(record)["speed_kmh"]` and `except fastavro.read.SchemaResolutionError as error:` '
                "`producer.send(…).get(timeout=60)`; `reader.commit()`; `reader.close()` after the loop.",
            ),
        ),
    )
