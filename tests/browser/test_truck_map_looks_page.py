"""TruckMap's front end in a real browser: what marks say, geofences, following one truck, and a presenter's size."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from kafkalab.sources.fleet import Fleet
from kafkalab.views.truck_fences import Geofence
from kafkalab.views.truck_looks import counts
from kafkalab.views.truck_map import TruckMap
from tests.browser.accessibility import audit
from tests.browser.test_truck_map_page import give
from tests.browser.view_page import ViewPage

Open = Callable[..., ViewPage]
FENCES = (
    Geofence.circle("Berlin", 52.5, 13.4, 90),
    Geofence.circle("<img src=x onerror=alert(1)>\u202e", 45.3, 10.2, 140),
)
TRAITS = ("title", "selected", "following", "colour_by", "presenter", "geography", "fences", "unplaced")
MIDDLE = """() => {
  const [x, y] = document.querySelector('.kl-map-tip').style.transform.match(/[\\d.]+/g).map(Number);
  const canvas = document.querySelector('.kl-map-trucks');
  return Math.hypot(x - canvas.clientWidth / 2, y - canvas.clientHeight / 2) < 2;
}"""
# Counts the strokes on the trucks' canvas, and lets the page's clock be put forward instead of waited for.
WATCHED = """() => {
  const own = performance.now.bind(performance), line = CanvasRenderingContext2D.prototype.lineTo;
  window.ahead = window.lines = 0;
  performance.now = () => own() + window.ahead;
  CanvasRenderingContext2D.prototype.lineTo = function (...at) {
    if (this.canvas.className === "kl-map-trucks") window.lines += 1;
    return line.apply(this, at);
  };
}"""


@pytest.fixture
def show(open_view: Open) -> Open:
    """Opens plain pages with a map that is drawn."""

    def show(shown: TruckMap, **page: Any) -> ViewPage:
        traits = {name: getattr(shown, name) for name in TRAITS}
        view = open_view("truck_map", {**traits, "truck_ids": [], "frame": ""}, height=760, **page)
        view.page.evaluate("model.save_changes = () => {}")
        give(view, shown)
        expect(view.page.locator(".kl-map-key")).not_to_have_count(0)
        return view

    return show


def fleet_map(trucks: int = 300, **options: Any) -> TruckMap:
    fleet = Fleet(trucks)
    shown = TruckMap(geofences=FENCES, **options)
    at = fleet.at(3000)
    partition = [i % 10 for i in range(trucks)]
    shown.update(fleet.truck_ids, at.latitude, at.longitude, partition, at.speed_kmh, at.heading_deg)
    return shown


def trait(view: ViewPage, name: str) -> Any:
    return view.page.evaluate("(name) => model.get(name)", name)


def legend(view: ViewPage) -> list[int]:
    return [int(text) for text in view.texts(".kl-map-key .kl-map-count")]


@pytest.mark.parametrize("way", ["speed", "geofence"])
def test_the_legend_counts_what_the_kernel_counts(show: Open, way: str) -> None:
    shown = fleet_map(colour_by=way)
    view = show(shown)
    own = counts(shown._table, way, shown._fences)
    expect(view.page.locator(".kl-map-key")).to_have_count(len(own))
    assert legend(view) == [c.trucks for c in own]
    if way == "geofence":
        assert sum(legend(view)[:-1]) == len(shown.inside("Berlin")) + len(shown.inside(FENCES[1].name)) > 5
    view.page.locator(".kl-map-table summary").click()
    expect(view.page.locator(".kl-map-table tbody tr")).to_have_count(len(own))
    rows = [text.split()[-3:] for text in view.texts(".kl-map-table tbody tr")]
    mean = ["–" if c.mean_kmh is None else format(c.mean_kmh, ".0f") for c in own]
    assert rows == [[str(c.trucks), str(c.moving), m] for c, m in zip(own, mean, strict=True)]


def test_keys_change_what_the_marks_say(show: Open) -> None:
    view = show(fleet_map())
    radios = view.page.get_by_role("radio")
    expect(radios.nth(0)).to_have_attribute("aria-checked", "true")
    assert [radio.get_attribute("tabindex") for radio in radios.all()] == ["0", "-1", "-1"]
    radios.nth(0).focus()
    view.page.keyboard.press("ArrowRight")
    assert trait(view, "colour_by") == "speed"
    expect(radios.nth(1)).to_be_focused()
    expect(view.page.locator(".kl-map-trucks")).to_have_attribute("aria-label", re.compile("By speed: stands still"))
    view.page.locator(".kl-map-trucks").focus()
    view.page.keyboard.press("c")
    assert trait(view, "colour_by") == "geofence"
    expect(view.page.locator(".kl-map-trucks")).to_have_attribute("aria-label", re.compile(r"By geofence: Berlin \d+"))
    view.page.get_by_role("button", name=re.compile(r"^Berlin \(letter A\) \d+ trucks")).click()
    view.page.locator(".kl-map-trucks").focus()
    view.page.keyboard.press("n")
    expect(view.page.locator(".kl-map-truck")).to_contain_text("A Berlin")
    view.set("colour_by", "partition")
    expect(view.page.locator(".kl-map-key")).to_have_count(10)
    expect(view.page.locator(".kl-map-key[aria-pressed=true]")).to_have_count(0)


def test_without_fences_the_map_says_how_to_have_some_and_new_ones_are_drawn(show: Open) -> None:
    shown = TruckMap(colour_by="geofence")
    shown.update(["a"], [52.5], [13.4], [0])
    view = show(shown)
    expect(view.page.locator(".kl-map-nothing")).to_be_visible()
    shown.geofences = FENCES
    view.set("fences", shown.fences)
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
    stage = view.page.locator(".kl-map-stage").bounding_box()
    assert stage

    def centred() -> None:
        view.page.wait_for_function(MIDDLE, timeout=10_000)

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
    expect(view.page.locator(".kl-map-truck")).to_contain_text("way drawn")
    view.page.locator(".kl-map-trucks").focus()
    view.page.keyboard.press("Escape")
    assert trait(view, "following") == ""


def test_the_way_of_a_followed_truck_is_drawn(show: Open) -> None:
    shown = TruckMap()
    shown.update(["a"], [52.5], [13.4], [0])
    view = show(shown, reduced_motion="reduce")
    view.page.evaluate(WATCHED)
    for step in range(1, 6):
        view.page.evaluate("window.ahead += 1500")
        shown.update(["a"], [52.5 - 0.1 * step], [13.4 - 0.1 * step], [0])
        give(view, shown)
    before = view.page.evaluate("window.lines")
    view.set("following", "a")
    view.page.wait_for_function(f"window.lines >= {before} + 10", timeout=10_000)
    expect(view.page.locator(".kl-map-truck")).to_contain_text(re.compile(r"the last \d+ s"))


def test_a_presenter_sees_everything_larger(show: Open) -> None:
    small, large = show(fleet_map(), width=1300), show(fleet_map(presenter=True), width=1300)
    size = "parseFloat(getComputedStyle(document.querySelector('.kl-map-key')).fontSize)"
    assert large.page.evaluate(size) == pytest.approx(1.45 * small.page.evaluate(size))
    small.set("presenter", True)
    assert small.page.evaluate(size) == large.page.evaluate(size)
    for view in (small, large):
        assert view.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("way, dark", [("partition", False), ("speed", False), ("speed", True), ("geofence", True)])
def test_no_barrier_and_enough_contrast(show: Open, way: str, dark: bool) -> None:
    paper, ink = ("#111", "#e0e0e0") if dark else ("#fff", "#212121")
    look = f'style="--jp-layout-color1:{paper};--jp-ui-font-color1:{ink};background:{paper}"'
    view = show(fleet_map(colour_by=way), body=f"data-jp-theme-light={json.dumps(not dark)} {look}", width=700)
    assert view.page.locator("img").count() == 0
    assert "\u202e" not in view.page.locator("body").inner_text()
    found = view.contrasts(".kl-map-way, .kl-map-key b, .kl-map-count, .kl-pill, .kl-map-letter")
    assert len(found) > 8
    assert [row for row in found if row[1] < 4.5 and "letter" not in row[0]] == []
    assert [row for row in found if row[1] < 3] == []
    audit(view.page, ".kl-map")
