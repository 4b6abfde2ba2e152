"""TruckMap in the kernel: patches, throttling, threads, static forms; and the map under it."""

from __future__ import annotations

import re
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kafkalab import Fleet, TruckMap
from kafkalab.errors import BadInput
from kafkalab.views import words
from kafkalab.views.map import view as map_view
from kafkalab.views.map.geofences import Geofence
from kafkalab.views.map.picture import ROW
from kafkalab.views.map.still import draw_map
from kafkalab.waiting import wait_until

VIEWS = Path(map_view.__file__).parents[1]


def rows(state: Any) -> list[Any]:
    """The rows of a picture, as the page reads them: (place, speed, heading, partition, fence)."""
    found = np.frombuffer(b64decode(state["rows"]), ROW).tolist()
    return [
        ([int.from_bytes(three.tobytes(), "little", signed=True) for three in place], *rest) for place, *rest in found
    ]


def sent_by(shown: TruckMap) -> list[Any]:
    """The rows of every state that it draws from now on."""
    found: list[Any] = []
    shown.observe(lambda change: found.append(rows(change["new"])), "state")
    return found


def test_every_update_is_drawn_until_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(map_view, "FRAME_SECONDS", 0.0)
    shown = TruckMap()
    sent = sent_by(shown)
    shown.update(["a", "b"], [50, 51], [10, 11], [0, 1])
    assert shown.state["ids"] == ["a", "b"]
    shown.clear()
    for _ in range(2):
        shown.close()
    shown.update(["c"], [50], [10])
    assert [len(rows) for rows in sent] == [2, 0], "closed, it is silent"


def test_many_updates_are_few_frames_and_the_last_one_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(map_view, "FRAME_SECONDS", 0.02)
    shown = TruckMap()
    sent = sent_by(shown)

    def feed(name: str) -> None:
        for i in range(200):
            shown.update([f"{name}{i % 20}"], [i % 80], [i % 150], [i % 10])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(feed, "abcd"))
    shown.update(["a0"], [89.5], [10], [0])
    wait_until(lambda: ([895000, 100000], 65535, 255, 0, -1) in sent[-1], 20, "the last frame")
    assert sorted(shown.state["ids"]) == sorted(f"{n}{i}" for n in "abcd" for i in range(20))
    monkeypatch.setattr(map_view, "FRAME_SECONDS", 3600.0)
    before = len(sent)
    for i in range(50):
        shown.update(["a0"], [i], [10], [0])
    assert len(sent) == before, "within the pause nothing is sent"
    shown.close()


def test_new_geofences_are_drawn_at_once() -> None:
    shown = TruckMap()
    shown.update(["a"], [52.5], [13.4])
    assert shown.state["fences"] == []
    shown.geofences = (Geofence.circle("Berlin", 52.5, 13.4, 60),)
    assert [fence["letter"] for fence in shown.state["fences"]] == ["A"] and rows(shown.state)[0][-1] == 0
    assert shown.inside("Berlin") == ("a",)
    shown.close()


def test_the_static_form_says_what_the_marks_say() -> None:
    fleet = Fleet(40)
    at = fleet.at(0)
    shown = TruckMap(title="trucks_gps", geofences=[Geofence.circle("Berlin", 52.5, 13.4, 60)])
    shown.update(fleet.truck_ids, at.latitude, at.longitude, [i % 3 for i in range(40)], at.speed_kmh, at.heading_deg)
    for way, told in (("partition", "40 trucks in 3 partitions"), ("geofence", "outside")):
        shown.colour_by = way
        assert told in shown.to_html()
    assert shown._repr_mimebundle_()[0]["text/html"] == shown.to_html()  # type: ignore[index]


def test_marks_are_the_same_in_python_and_in_the_browser() -> None:
    palette = re.search(r"const PALETTE = (\d+);", (VIEWS / "shared.ts").read_text())
    shapes = re.search(r"const SHAPES = \[(.*)\];", (VIEWS / "map" / "looks.ts").read_text())
    assert palette and shapes
    assert len(set(words.HUES)) == len(words.HUES) == int(palette[1])
    assert tuple(re.findall(r'"(\w+)"', shapes[1])) == words.SHAPES
    assert len({words.shape(i) for i in range(10)}) == 10


def test_the_map_is_drawn_as_a_png(tmp_path: Path) -> None:
    at = Fleet(30).at(0)
    path = draw_map(tmp_path / "a.png", at.latitude, at.longitude, [i % 10 for i in range(30)], "thirty")
    empty = draw_map(str(tmp_path / "b.png"), [], [], [])
    assert path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size > empty.stat().st_size
    for path, latitude in ((tmp_path / "a.png", [50.0, 51.0]), (tmp_path / "no" / "such" / "a.png", [50.0])):
        with pytest.raises(BadInput):
            draw_map(path, latitude, [10.0], [0])
