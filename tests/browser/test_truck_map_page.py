"""TruckMap's front end in a real browser: what is drawn of the kernel's bytes, what keys and presses do."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from kafkalab.sources.fleet import Fleet
from kafkalab.views.truck_map import TruckMap
from tests.browser.view_page import ViewPage

Open = Callable[..., ViewPage]
CANVAS = "canvas.kl-map-trucks"


@pytest.fixture
def show(open_view: Open) -> Open:
    """Opens plain pages with a map."""

    def show(shown: TruckMap, **page: Any) -> ViewPage:
        traits = {name: getattr(shown, name) for name in ("title", "selected", "geography", "unplaced")}
        view = open_view("truck_map", {**traits, "truck_ids": [], "frame": ""}, height=760, **page)
        view.page.evaluate("model.save_changes = () => { sent.push({ selected: model.get('selected') }); }")
        give(view, shown)
        return view

    return show


def give(view: ViewPage, shown: TruckMap) -> None:
    """What the kernel does when a frame goes out: the ids and the bytes, at an odd place in a larger buffer."""
    shown._push()
    view.page.evaluate(
        """([ids, text]) => {
          const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
          const wide = new Uint8Array(bytes.length + 3);
          wide.set(bytes, 3);
          model.state.truck_ids = ids;
          model.set("frame", new DataView(wide.buffer, 3));
        }""",
        [list(shown.truck_ids), base64.b64encode(shown.frame).decode()],
    )


def fleet_map(trucks: int = 100, t: float = 0.0) -> TruckMap:
    fleet = Fleet(trucks)
    shown = TruckMap(title="trucks_gps")
    feed(shown, fleet, t)
    return shown


def feed(shown: TruckMap, fleet: Fleet, t: float) -> None:
    at = fleet.at(t)
    partition = [i % 10 for i in range(fleet.trucks)]
    shown.update(fleet.truck_ids, at.latitude, at.longitude, partition, at.speed_kmh, at.heading_deg)


def painted(view: ViewPage, selector: str = CANVAS) -> int:
    """How many pixels of a canvas are not empty."""
    found: int = view.page.evaluate(
        """(selector) => {
          const canvas = document.querySelector(selector);
          const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
          return data.filter((v, i) => i % 4 === 3 && v > 0).length;
        }""",
        selector,
    )
    return found


def until(view: ViewPage, condition: str) -> None:
    view.page.wait_for_function(condition, timeout=10_000)


def label(view: ViewPage) -> str:
    return view.page.locator(CANVAS).get_attribute("aria-label") or ""


def test_the_kernels_bytes_become_trucks_counts_and_words(show: Open) -> None:
    shown = fleet_map()
    view = show(shown)
    expect(view.page.locator(CANVAS)).to_have_attribute(
        "aria-label",
        re.compile(rf"^100 trucks in 10 partitions, {int(shown._table.moving.sum())} moving, the fastest T"),
    )
    assert view.texts(".kl-map-key b") == [f"P{i}" for i in range(10)]
    assert view.texts(".kl-map-key .kl-map-count") == ["10"] * 10
    assert painted(view) > 100 * 20
    assert "trucks_gps" in view.texts(".kl-map-bar")[0]


def test_an_empty_map_says_so(show: Open) -> None:
    view = show(TruckMap())
    assert label(view) == "Map without trucks yet."
    assert view.texts(".kl-map-key") == []


def test_trucks_that_go_leave_the_map(show: Open) -> None:
    shown = fleet_map()
    view = show(shown)
    expect(view.page.locator(".kl-map-key")).to_have_count(10)
    shown.clear()
    give(view, shown)
    expect(view.page.locator(".kl-map-key")).to_have_count(0)
    expect(view.page.locator(CANVAS)).to_have_attribute("aria-label", "Map without trucks yet.")


def test_keys_zoom_move_and_go_from_truck_to_truck(show: Open) -> None:
    view = show(fleet_map())
    canvas, keys = view.page.locator(CANVAS), view.page.keyboard
    canvas.focus()
    keys.press("n")
    assert view.sent[-1] == {"selected": "T0000"}
    keys.press("n")
    keys.press("p")
    keys.press("p")
    assert view.sent[-1] == {"selected": "T0099"}
    expect(view.page.locator(".kl-map-truck")).to_contain_text("T0099")
    expect(view.page.locator(".kl-map-tip")).to_contain_text("T0099 · P9")
    before = view.page.locator(".kl-map-tip").evaluate("e => e.style.transform")
    keys.press("+")
    until(view, f"document.querySelector('.kl-map-tip').style.transform !== '{before}'")
    keys.press("0")
    until(view, f"document.querySelector('.kl-map-tip').style.transform === '{before}'")
    keys.press("Escape")
    assert view.sent[-1] == {"selected": ""}
    expect(view.page.locator(".kl-map-tip")).to_be_hidden()


def test_a_truck_is_found_by_its_id(show: Open) -> None:
    view = show(fleet_map())
    find = view.page.get_by_label("Truck id")
    find.fill("t0042")
    find.press("Enter")
    assert view.sent[-1] == {"selected": "T0042"}
    expect(view.page.locator(".kl-map-truck")).to_contain_text("P2")
    find.fill("nobody")
    find.press("Enter")
    expect(view.page.get_by_role("status")).to_have_text("no such truck")


def test_a_truck_is_selected_by_a_click_and_by_the_kernel(show: Open) -> None:
    shown = TruckMap()
    shown.update(["a", "b"], [50.0, 40.0], [10.0, 20.0], [0, 1], [80, 0], [90, 0])
    view = show(shown)
    box = view.page.locator(CANVAS).bounding_box()
    west, south, east, north = shown.geography["frame"]
    scale = min(box["width"] / (east - west), box["height"] / (north - south))
    # 50° N 10° E is the projection's centre, 0 km east and north of itself.
    x = box["x"] + box["width"] / 2 - (west + east) / 2 * scale
    y = box["y"] + box["height"] / 2 + (south + north) / 2 * scale
    view.page.mouse.click(x, y)
    assert view.sent[-1] == {"selected": "a"}
    expect(view.page.locator(".kl-map-truck")).to_contain_text("80 km/h")
    expect(view.page.locator(".kl-map-truck")).to_contain_text("90° east")
    view.set("selected", "b")
    expect(view.page.locator(".kl-map-truck")).to_contain_text("stands still")


def test_a_partition_pressed_is_seen_alone_until_pressed_again(show: Open) -> None:
    view = show(fleet_map())
    key = view.page.get_by_role("button", name="P3 (triangle) 10 trucks")
    strong = """() => {
      const c = document.querySelector('canvas.kl-map-trucks');
      const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
      return data.filter((v, i) => i % 4 === 3 && v > 200).length;
    }"""
    until(view, "document.querySelectorAll('.kl-map-key').length === 10")
    everyone = view.page.evaluate(strong)
    key.click()
    expect(key).to_have_attribute("aria-pressed", "true")
    until(view, f"({strong})() < {everyone} / 1.5")
    key.click()
    expect(key).to_have_attribute("aria-pressed", "false")
    until(view, f"({strong})() === {everyone}")


def test_the_table_says_what_the_map_shows(show: Open) -> None:
    shown = fleet_map()
    view = show(shown)
    view.page.locator(".kl-map-table summary").click()
    rows = [
        f"P{c.partition} {c.trucks} {c.moving} {'–' if c.mean_kmh is None else format(c.mean_kmh, '.0f')}"
        for c in shown._table.partitions()
    ]
    expect(view.page.locator(".kl-map-table tbody tr")).to_have_count(10)
    assert view.texts(".kl-map-table tbody tr") == rows


def test_trucks_glide_unless_motion_is_unwanted(show: Open) -> None:
    place = "document.querySelector('.kl-map-tip').style.transform"
    # Where the tip is, frame by frame, until it has stayed for a while.
    watch = f"""new Promise((done) => {{
      const seen = []; let still = 0;
      const look = () => {{ const now = {place}; still = now === seen.at(-1) ? still + 1 : 0; seen.push(now);
        if (still < 30) requestAnimationFrame(look); else done(new Set(seen.slice(1)).size); }};
      requestAnimationFrame(look); }})"""
    places = {}
    for motion in ("no-preference", "reduce"):
        shown = TruckMap()
        shown.update(["a"], [50.0], [10.0], [0])
        view = show(shown, reduced_motion=motion)
        view.set("selected", "a")
        expect(view.page.locator(".kl-map-tip")).to_be_visible()
        shown.update(["a"], [51.0], [11.0], [0])
        give(view, shown)
        places[motion] = view.page.evaluate(watch)
    assert places["reduce"] <= 2
    assert places["no-preference"] > 4


def test_names_from_a_topic_stay_text(show: Open) -> None:
    evil = "<img src=x onerror=alert(1)>\u202e"
    shown = TruckMap(title=evil)
    shown.update([evil], [50.0], [10.0], [0], [80.0])
    view = show(shown)
    view.set("selected", evil)
    expect(view.page.locator(".kl-map-tip")).to_contain_text("<img src=x")
    assert view.page.locator("img").count() == 0


@pytest.mark.parametrize("body, dark", [("data-jp-theme-light=true", False), ("data-jp-theme-light=false", True)])
def test_sea_land_and_words_follow_the_theme(show: Open, body: str, dark: bool) -> None:
    paper, ink = ("#111", "#eee") if dark else ("#fff", "#222")
    jupyter = f'{body} style="--jp-layout-color1:{paper};--jp-ui-font-color1:{ink}"'
    view = show(fleet_map(), body=jupyter)
    until(view, "document.querySelectorAll('.kl-map-key').length === 10")
    sea = view.page.evaluate(
        "[...document.querySelector('.kl-map-ground').getContext('2d').getImageData(12, 200, 1, 1).data]"
    )
    assert (max(sea[:3]) < 80) is dark
    assert (min(sea[:3]) > 220) is not dark
    found = view.contrasts(".kl-map-key b, .kl-map-count, .kl-map-bar .kl-pill, .kl-map-hint, .kl-map-table summary")
    assert len(found) > 20
    assert [row for row in found if row[1] < 4.5] == []


def test_a_fault_is_shown_under_the_map(browser: Browser) -> None:
    page = browser.new_page()
    view = ViewPage(page, "truck_map", {"title": "t", "selected": "", "geography": None, "truck_ids": [], "frame": ""})
    expect(page.get_by_role("alert")).to_contain_text("This view has a fault.")
    assert view.faults
    page.close()


def test_leaving_ends_the_drawing(show: Open) -> None:
    shown = fleet_map()
    view = show(shown)
    until(view, "document.querySelectorAll('.kl-map-key').length === 10")
    view.page.evaluate("leave()")
    assert view.page.evaluate("Object.values(model.listeners).flat().length") == 0
