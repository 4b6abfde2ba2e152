"""TruckMap's front end in a real browser: what is drawn of the kernel's rows, what marks say, what keys do."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from kafkalab.views.map.geofences import Geofence
from kafkalab.views.map.picture import STILL, counts
from kafkalab.views.map.view import TruckMap
from tests.browser.accessibility import faint
from tests.browser.samples import fleet_map, traits_of
from tests.browser.view_page import Open, ViewPage, box

CANVAS = "canvas.kl-map-trucks"
FENCES = (
    Geofence.circle("Berlin", 52.5, 13.4, 90),
    Geofence.circle("<img src=x onerror=alert(1)>\u202e", 45.3, 10.2, 140),
)
MIDDLE = """() => {
  const at = document.querySelector('.kl-map-tip').style.transform.match(/[\\d.]+/g);
  const canvas = document.querySelector('.kl-map-trucks');
  return at && Math.hypot(at[0] - canvas.clientWidth / 2, at[1] - canvas.clientHeight / 2) < 2;
}"""
# How many pixels of a canvas are not empty, and how many are strong.
PAINTED = """() => {
  const c = document.querySelector("canvas.kl-map-trucks");
  const alphas = c.getContext("2d").getImageData(0, 0, c.width, c.height).data.filter((v, i) => i % 4 === 3);
  return [0, 200].map((least) => alphas.filter((v) => v > least).length);
}"""


@pytest.fixture
def show(open_view: Open) -> Open:
    """Opens plain pages with a map that is drawn."""

    def show(shown: TruckMap, **page: Any) -> ViewPage:
        view = open_view("map", traits_of(shown), height=760, **page)
        expect(view.page.locator(".kl-map-key")).not_to_have_count(0)
        return view

    return show


def give(view: ViewPage, shown: TruckMap) -> None:
    """Brings the page up to the kernel's state."""
    shown._draw_now()
    view.draw({**shown.state})


def trait(view: ViewPage, name: str) -> Any:
    return view.page.evaluate("(name) => model.get(name)", name)


def test_the_kernels_rows_become_trucks_counts_and_words(show: Open) -> None:
    shown = fleet_map()
    view = show(shown)
    moving = (shown._trucks.table["speed"] >= STILL).sum()
    expect(view.page.locator(CANVAS)).to_have_attribute(
        "aria-label", re.compile(rf"^100 trucks in 10 partitions, {moving} moving, the fastest T")
    )
    assert view.texts(".kl-map-key b") == [f"P{i}" for i in range(10)]
    assert view.texts(".kl-map-key .kl-map-count") == ["10"] * 10
    assert view.page.evaluate(PAINTED)[0] > 100 * 20
    assert "trucks_gps" in view.texts(".kl-map-bar")[0]
    # Trucks that go leave the map, and an empty one says so.
    shown.clear()
    give(view, shown)
    expect(view.page.locator(".kl-map-key")).to_have_count(0)
    expect(view.page.locator(CANVAS)).to_have_attribute("aria-label", "Map without trucks yet.")


def test_trucks_are_found_by_keys_by_id_and_by_a_click(show: Open) -> None:
    view = show(fleet_map())
    page, canvas, keys = view.page, view.page.locator(CANVAS), view.page.keyboard
    tip, told = page.locator(".kl-map-tip"), page.locator(".kl-map-truck")
    canvas.focus()
    keys.press("n")
    assert trait(view, "selected") == "T0000"
    for key in "npp":
        keys.press(key)
    assert trait(view, "selected") == "T0099"
    expect(told).to_contain_text("T0099")
    expect(tip).to_contain_text("T0099 · P9")
    before = tip.evaluate("e => e.style.transform")
    keys.press("+")
    page.wait_for_function("(before) => document.querySelector('.kl-map-tip').style.transform !== before", arg=before)
    keys.press("0")
    page.wait_for_function("(before) => document.querySelector('.kl-map-tip').style.transform === before", arg=before)
    keys.press("Escape")
    assert trait(view, "selected") == ""
    expect(tip).to_be_hidden()
    find = page.get_by_label("Truck id")
    find.fill("t0042")
    find.press("Enter")
    assert trait(view, "selected") == "T0042"
    expect(told).to_contain_text("P2")
    find.fill("nobody")
    find.press("Enter")
    expect(page.get_by_role("status")).to_have_text("no such truck")
    shown = TruckMap()
    shown.update(["a", "b"], [50.0, 40.0], [10.0, 20.0], [0, 1], [80, 0], [90, 0])
    view = show(shown)
    page, canvas, told = view.page, view.page.locator(CANVAS), view.page.locator(".kl-map-truck")
    at, (west, south, east, north) = box(canvas), shown.geography["frame"]
    scale = min(at["width"] / (east - west), at["height"] / (north - south))
    # 50° N 10° E is the projection's centre, 0 km east and north of itself.
    x = at["x"] + at["width"] / 2 - (west + east) / 2 * scale
    page.mouse.click(x, at["y"] + at["height"] / 2 + (south + north) / 2 * scale)
    assert trait(view, "selected") == "a"
    expect(told).to_contain_text("80 km/h")
    expect(told).to_contain_text("90° east")
    view.set("selected", "b")
    expect(told).to_contain_text("stands still")


def test_a_partition_pressed_is_seen_alone_until_pressed_again(show: Open) -> None:
    view = show(fleet_map())
    key = view.page.get_by_role("button", name="P3 (triangle) 10 trucks")
    expect(key).to_be_visible()
    everyone = view.page.evaluate(PAINTED)[1]
    key.click()
    expect(key).to_have_attribute("aria-pressed", "true")
    view.page.wait_for_function(f"({PAINTED})()[1] < {everyone} / 1.5")
    key.click()
    expect(key).to_have_attribute("aria-pressed", "false")
    view.page.wait_for_function(f"({PAINTED})()[1] === {everyone}")


@pytest.mark.deep
def test_trucks_glide_unless_motion_is_unwanted(show: Open) -> None:
    place = "document.querySelector('.kl-map-tip').style.transform"
    # In how many places the tip is from frame to frame, until it glides or has stood for some frames.
    watch = f"""new Promise((done) => {{
      const seen = new Set(); let still = 0;
      const look = () => {{ still = seen.has({place}) ? still + 1 : 0; seen.add({place});
        if (still < 10 && seen.size < 4) requestAnimationFrame(look); else done(seen.size); }};
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
    assert places["no-preference"] == 4


@pytest.mark.parametrize("way", [pytest.param("partition", marks=pytest.mark.deep), "geofence"])
def test_the_legend_counts_what_the_kernel_counts(show: Open, way: str) -> None:
    shown = fleet_map(300, 3000, geofences=FENCES, colour_by=way)
    view = show(shown)
    own = counts(shown._trucks, way, shown._fences)
    expect(view.page.locator(".kl-map-key")).to_have_count(len(own))
    legend = [int(text) for text in view.texts(".kl-map-key .kl-map-count")]
    assert legend == [c.trucks for c in own]
    if way == "geofence":
        assert sum(legend[:-1]) == len(shown.inside("Berlin")) + len(shown.inside(FENCES[1].name)) > 5
        # The letter of a geofence stands on its colour, large.
        assert [one for one in faint(view.page, "#root") if "letter" not in one] == []
        assert view.page.locator("img").count() == 0
        assert "\u202e" not in view.page.locator("body").inner_text()
    view.page.locator(".kl-map-table summary").click()
    expect(view.page.locator(".kl-map-table tbody tr")).to_have_count(len(own))
    rows = [text.split()[-3:] for text in view.texts(".kl-map-table tbody tr")]
    mean = ["–" if c.mean_kmh is None else format(c.mean_kmh, ".0f") for c in own]
    assert rows == [[str(c.trucks), str(c.moving), m] for c, m in zip(own, mean, strict=True)]


def test_keys_change_what_the_marks_say(show: Open) -> None:
    view = show(fleet_map(300, 3000, geofences=FENCES))
    radios = view.page.get_by_role("radio")
    expect(radios.nth(0)).to_be_checked()
    radios.nth(0).focus()
    view.page.keyboard.press("ArrowRight")
    assert trait(view, "colour_by") == "geofence"
    expect(radios.nth(1)).to_be_focused()
    expect(view.page.locator(".kl-map-trucks")).to_have_attribute("aria-label", re.compile(r"By geofence: Berlin \d+"))
    view.page.get_by_role("button", name=re.compile(r"^Berlin \(letter A\) \d+ trucks")).click()
    view.page.locator(".kl-map-trucks").focus()
    view.page.keyboard.press("n")
    expect(view.page.locator(".kl-map-truck")).to_contain_text("A Berlin")
    view.set("colour_by", "partition")
    expect(view.page.locator(".kl-map-key")).to_have_count(10)
    expect(view.page.locator(".kl-map-key[aria-pressed=true]")).to_have_count(0)


@pytest.mark.deep
def test_without_fences_the_map_says_how_to_have_some_and_new_ones_are_drawn(show: Open) -> None:
    shown = TruckMap(colour_by="geofence")
    shown.update(["a"], [52.5], [13.4], [0])
    view = show(shown)
    expect(view.page.locator(".kl-map-nothing")).to_be_visible()
    shown.geofences = FENCES
    give(view, shown)
    expect(view.page.locator(".kl-map-nothing")).to_be_hidden()
    assert view.texts(".kl-map-key b") == ["Berlin"]


def test_a_followed_truck_stays_in_the_middle_until_it_is_let_go(show: Open) -> None:
    shown = TruckMap()
    shown.update(["a", "b"], [52.5, 40.0], [13.4, -4.0], [0, 1], [80, 0], [90, 0])
    view = show(shown, reduced_motion="reduce")
    follow = view.page.get_by_role("button", name="follow")
    expect(follow).to_be_disabled()
    view.page.locator(".kl-map-trucks").focus()
    view.page.keyboard.press("n")
    view.page.keyboard.press("f")
    assert (trait(view, "selected"), trait(view, "following")) == ("a", "a")
    expect(follow).to_have_attribute("aria-pressed", "true")

    def centred() -> None:
        view.page.wait_for_function(MIDDLE)

    centred()
    shown.update(["a"], [51.0], [12.0], [0])
    give(view, shown)
    centred()
    view.page.keyboard.press("n")  # who follows one and goes on to the next follows that one
    assert trait(view, "following") == "b"
    centred()
    view.page.keyboard.press("ArrowLeft")
    assert (trait(view, "following"), trait(view, "selected")) == ("", "b")
    expect(follow).to_have_attribute("aria-pressed", "false")
    view.set("following", "a")  # the kernel may ask for it, too
    centred()
    view.page.locator(".kl-map-trucks").focus()
    view.page.keyboard.press("Escape")
    assert trait(view, "following") == ""
