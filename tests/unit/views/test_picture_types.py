"""What picture.py says of a picture's types is true of what is drawn: the page's modules rely on the same types."""

from __future__ import annotations

import types
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from kafkalab import Geofence, MetadataView, views
from kafkalab.exercises.predict.prediction import Prediction
from tests.browser import samples
from tests.browser.cluster_page import state as cluster
from tests.browser.samples import Drawn
from tests.unit.views.cluster_samples import WITHOUT_102, nodes
from tests.unit.views.log_samples import drawn_logs, record, windows
from tests.unit.views.metadata_samples import kraft, zookeeper
from tests.unit.views.recorded_samples import Tape


def metadata_of(tape: Tape) -> Callable[[], Drawn]:
    """Draw the end of a recording, when it is called."""
    return lambda: {**MetadataView(tape.recording).drawn_at(tape.recording.at(20.0))}


DRAWN: dict[str, list[Callable[[], Drawn]]] = {
    "cluster": [cluster, lambda: cluster(WITHOUT_102, nodes=nodes(broker_102="stopped"), error="gone")],
    "durability": [samples.durability],
    "group": [samples.group],
    "ledger": [samples.ledger, lambda: samples.ledger(moving=True)],
    "log": [drawn_logs, lambda: drawn_logs(found=windows(p0_30=record(0, 30, key=None)), positions={"C1": {0: 20}})],
    "map": [
        samples.recorded_map,
        lambda: {**samples.fleet_map(geofences=[Geofence.circle("Berlin", 52.5, 13.4, 60)]).state},
    ],
    "metadata": [samples.zookeeper, samples.kraft, metadata_of(zookeeper()), metadata_of(kraft())],
    "partitioner": [lambda: samples.partitioner(samples.TRUCKS[:40])],
    "predict": [samples.predict, lambda: samples.predict(compared()), lambda: samples.predict(compared("ms"))],
    "progress": [lambda: samples.progress("right"), lambda: samples.progress(course=True)],
    "record": [samples.record, lambda: samples.record(43, codec=4)],
    "stream": [samples.stream, lambda: samples.stream("copy")],
    "timeline": [samples.timeline, lambda: samples.timeline(30.0)],
}


def compared(unit: str = "") -> Prediction:
    """A prediction, by choice or by number, after the comparison."""
    asked = Prediction.number("?", unit=unit, within=1) if unit else Prediction("?", ["1", "2"])
    asked.lock(1)
    asked.compare(2)
    return asked


def faults(value: Any, hint: Any, at: str = "picture") -> list[str]:
    """Where a value is not what its type says."""
    kind, args = get_origin(hint), get_args(hint)
    if kind is NotRequired:
        return faults(value, args[0], at)
    if is_typeddict(hint):
        hints = get_type_hints(hint, include_extras=True)
        if not isinstance(value, dict):
            return [f"{at} is {value!r}"]
        needed = {key for key, of in hints.items() if get_origin(of) is not NotRequired}
        found = [f"{at}.{key} is missing" for key in needed - value.keys()]
        return found + [f for key, of in hints.items() if key in value for f in faults(value[key], of, f"{at}.{key}")]
    if kind in (Union, types.UnionType):
        return [] if any(not faults(value, one, at) for one in args) else [f"{at} is {value!r}"]
    if kind is Literal:
        return [] if value in args else [f"{at} is {value!r}"]
    if kind in (list, tuple, dict) and not isinstance(value, dict if kind is dict else list | tuple):
        return [f"{at} is {value!r}"]
    if kind is list:
        return [f for i, one in enumerate(value) for f in faults(one, args[0], f"{at}[{i}]")]
    if kind is tuple:
        found = [f for i, (one, of) in enumerate(zip(value, args, strict=False)) for f in faults(one, of, f"{at}[{i}]")]
        return found if len(value) == len(args) else [f"{at} is {value!r}"]
    if kind is dict:
        return [
            f for key, one in value.items() for f in (*faults(key, args[0], at), *faults(one, args[1], f"{at}.{key}"))
        ]
    plain = (int, float) if hint is float else hint
    return [] if isinstance(value, plain) and (hint is bool or value is not True) else [f"{at} is {value!r}"]


@pytest.mark.parametrize("name", DRAWN)
def test_what_is_drawn_is_what_its_types_say(name: str) -> None:
    picture = import_module(f"kafkalab.views.{name}.picture").Picture
    for drawn in DRAWN[name]:
        found = drawn()
        assert faults(found, picture) == []
        wrong = {**found, next(iter(get_type_hints(picture))): object()}
        assert faults(wrong, picture) != []


def test_every_typed_picture_is_in_the_table() -> None:
    files = Path(views.__file__).parent.glob("*/picture.py")
    typed = {file.parent.name for file in files if "class Picture(" in file.read_text(encoding="utf-8")}
    assert typed == set(DRAWN)
