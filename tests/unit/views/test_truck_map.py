"""TruckMap in the kernel: frames, throttling, threads, static forms; and the map under it."""

from __future__ import annotations

import base64
import re
import threading
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from kafkalab.errors import BadInput
from kafkalab.sources.fleet import Fleet
from kafkalab.views import marks, truck_map
from kafkalab.views.geography import geography
from kafkalab.views.map_figure import draw_map
from kafkalab.views.truck_map import TruckMap
from kafkalab.waiting import wait_until

STATIC = Path(truck_map.__file__).parent / "static"


def test_a_frame_and_the_ids_it_counts_by_go_together() -> None:
    seen: list[tuple[int, int]] = []
    shown = TruckMap()
    shown.observe(lambda change: seen.append((len(shown.truck_ids), len(change["new"]) // 18)), "frame")
    shown.update(["a", "b"], [50, 51], [10, 11], [0, 1])
    shown.clear()
    assert seen == [(2, 2), (0, 0)]


def test_many_updates_are_few_frames_and_the_last_one_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truck_map, "FRAME_SECONDS", 0.02)
    frames: list[bytes] = []
    shown = TruckMap()
    shown.observe(lambda change: frames.append(change["new"]), "frame")
    for i in range(2000):
        shown.update(["a"], [i / 100], [10], [0])
    wait_until(lambda: frames and frames[-1] == shown._table.pack(), 10, "the last frame")
    assert np.frombuffer(frames[-1], "<f4", count=1)[0] == np.float32(19.99)
    assert len(frames) < 1000


def test_within_the_pause_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truck_map, "FRAME_SECONDS", 3600.0)
    frames: list[bytes] = []
    shown = TruckMap()
    shown.observe(lambda change: frames.append(change["new"]), "frame")
    for i in range(50):
        shown.update(["a"], [i], [10], [0])
    assert len(frames) == 1
    shown.close()


def test_threads_may_update_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truck_map, "FRAME_SECONDS", 0.001)
    shown = TruckMap()

    def feed(name: str) -> None:
        for i in range(200):
            shown.update([f"{name}{i % 20}"], [i % 80], [i % 150], [i % 10])

    threads = [threading.Thread(target=feed, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_until(lambda: shown.frame == shown._table.pack(), 10, "the last frame")
    assert sorted(shown.truck_ids) == sorted(f"{n}{i}" for n in "abcd" for i in range(20))


def test_bad_columns_are_refused() -> None:
    with pytest.raises(BadInput):
        TruckMap().update(["a"], [1, 2], [3])


def test_an_outline_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadInput, match="atlantis"):
        TruckMap(outline="atlantis")


def test_text_says_what_the_map_shows() -> None:
    shown = TruckMap(title="trucks_gps")
    assert repr(shown) == "trucks_gps: No trucks yet."
    shown.update(["T1"], [50], [10], [3], speed=[80])
    assert repr(shown) == "trucks_gps: 1 truck in 1 partition; 1 moving, the fastest T1 at 80 km/h."


def test_the_static_form_is_a_picture_with_a_text_alternative_and_a_table() -> None:
    fleet = Fleet(40)
    at = fleet.at(0)
    shown = TruckMap()
    partition = [i % 3 for i in range(40)]
    shown.update(fleet.truck_ids, at.latitude, at.longitude, partition, at.speed_kmh, at.heading_deg)
    html = shown._repr_html_()
    assert 'alt="40 trucks in 3 partitions' in html
    assert html.count('<th scope="row"') == 3
    image = re.search(r"data:image/svg\+xml;base64,([^\"]+)", html)
    assert image
    root = ET.fromstring(base64.b64decode(image[1]))
    paths = [p.get("d", "") for p in root.iter("{http://www.w3.org/2000/svg}path")]
    assert sum(d.count("M") for d in paths[2:]) == 40  # after land and borders, one path a partition, one mark a truck


def test_what_came_from_a_topic_is_escaped() -> None:
    shown = TruckMap(title="<i>t</i>")
    shown.update(["<script>alert(1)</script>"], [50], [10], [0], speed=[50])
    html = shown._repr_html_()
    assert "<script>" not in html
    assert "<i>" not in html


def test_the_widget_carries_its_static_form() -> None:
    bundle = TruckMap()._repr_mimebundle_()
    assert bundle is not None
    data, _ = bundle
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "No trucks yet." in data["text/html"]
    assert data["text/plain"] == "Trucks: No trucks yet."


def test_the_projection_keeps_areas_and_puts_its_centre_in_the_middle() -> None:
    land = geography("europe")
    assert land.projection([50.0], [10.0]) == pytest.approx(np.zeros((1, 2)), abs=1e-9)
    # One degree squared at Lisbon and at Riga: on the sphere, and on the map, by the shoelace formula.
    for lat, lon in [(38.7, -9.1), (56.9, 24.1)]:
        steps = np.linspace(0, 1, 50)
        ring_lat = np.concatenate([lat + 0 * steps, lat + steps, lat + 1 + 0 * steps, lat + 1 - steps])
        ring_lon = np.concatenate([lon + steps, lon + 1 + 0 * steps, lon + 1 - steps, lon + 0 * steps])
        x, y = land.projection(ring_lat, ring_lon).T
        area = abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2
        exact = 6371.0088**2 * np.radians(1) * (np.sin(np.radians(lat + 1)) - np.sin(np.radians(lat)))
        assert area == pytest.approx(exact, rel=1e-3)


def test_every_city_and_so_every_truck_is_in_the_window() -> None:
    land = geography("europe")
    west, south, east, north = land.frame
    for _, _, (x, y) in land.cities:
        assert west < x < east
        assert south < y < north


def test_marks_are_the_same_in_python_and_in_the_browser() -> None:
    palette = re.search(r"const PALETTE = (\d+);", (STATIC / "shared.js").read_text())
    assert palette
    assert len(set(marks.HUES)) == len(marks.HUES) == int(palette[1])
    script = (STATIC / "map_marks.js").read_text()
    shapes = re.search(r"const SHAPES = \[(.*)\];", script)
    assert shapes
    assert tuple(re.findall(r'"(\w+)"', shapes[1])) == marks.SHAPES


def test_no_two_of_ten_partitions_share_a_shape() -> None:
    assert len({marks.shape(i) for i in range(10)}) == 10
    assert marks.shape_name(6) == "hollow square"


def test_the_map_is_drawn_as_a_png(tmp_path: Path) -> None:
    fleet = Fleet(30)
    at = fleet.at(0)
    path = draw_map(tmp_path / "a.png", at.latitude, at.longitude, [i % 10 for i in range(30)], "thirty")
    empty = draw_map(str(tmp_path / "b.png"), [], [], [])
    assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert path.stat().st_size > empty.stat().st_size > 10_000


def test_drawing_leaves_pyplot_alone(tmp_path: Path) -> None:
    import sys

    before = "matplotlib.pyplot" in sys.modules
    draw_map(tmp_path / "a.png", [50.0], [10.0], [0])
    assert ("matplotlib.pyplot" in sys.modules) == before


def test_a_map_that_cannot_be_drawn_or_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="one number for each"):
        draw_map(tmp_path / "a.png", [50.0, 51.0], [10.0], [0])
    with pytest.raises(BadInput, match="cannot be written"):
        draw_map(tmp_path / "no" / "such" / "a.png", [50.0], [10.0], [0])
