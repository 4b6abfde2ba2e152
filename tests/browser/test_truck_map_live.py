"""TruckMap in a real JupyterLab: a thousand trucks, ten frames a second, and what they cost the kernel."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.jupyter_page import LONG, Notebook
from tests.browser.studio import Studio
from tests.browser.test_stream_view_live import execute

# Thirty updates a second, as many as nobody needs: the map sends ten frames of them. Where the trucks are is computed
# beforehand, so that what the kernel spends is the map's.
SET_UP = """import json, threading, time

from kafkalab import Fleet
from kafkalab.views.truck_fences import Geofence
from kafkalab.views.truck_map import TruckMap

fleet = Fleet(1000)
scenes = [fleet.at(3000 + 6 * i) for i in range(240)]
partition = [i % 10 for i in range(1000)]
fences = [Geofence.circle("Berlin", 52.5, 13.4, 90), Geofence.circle("Po valley", 45.3, 10.2, 140)]
trucks = TruckMap(title="trucks_gps", geofences=fences)
frames, over = [], threading.Event()
trucks.observe(lambda change: frames.append(time.time()), "frame")


def feed():
    turn = 0
    while not over.wait(1 / 30):
        at = scenes[turn % 240]
        trucks.update(fleet.truck_ids, at.latitude, at.longitude, partition, at.speed_kmh, at.heading_deg)
        turn += 1


feeder = threading.Thread(target=feed, daemon=True)
feeder.start()"""

MEASURE = """begun, cpu, sent = time.time(), time.process_time(), len(frames)
threading.Event().wait(8)
print(json.dumps([time.time() - begun, time.process_time() - cpu, len(frames) - sent]))"""

# A frame drawn clears the trucks' canvas once; a frame that came changes the trait.
COUNTED = """() => {
  const clear = CanvasRenderingContext2D.prototype.clearRect;
  window.drawn = [];
  CanvasRenderingContext2D.prototype.clearRect = function (...at) {
    if (this.canvas.classList.contains("kl-map-trucks")) window.drawn.push(performance.now());
    return clear.apply(this, at);
  };
}"""


def best_second(notebook: Notebook) -> int:
    """The most pictures drawn in a second so far."""
    found: int = notebook.page.evaluate(
        "Math.max(0, ...window.drawn.map((t, i) => window.drawn.slice(i).findIndex((u) => u > t + 1000)))"
    )
    return found


@pytest.mark.timeout(400)
def test_a_thousand_trucks_at_ten_frames_a_second(studio: Studio, artifacts) -> None:
    notebook = studio(SET_UP, "trucks", "None")
    page, canvas = notebook.page, notebook.page.locator("canvas.kl-map-trucks")
    expect(canvas).to_have_attribute("aria-label", re.compile(r"^1.000 trucks in 10 partitions"), timeout=LONG)
    notebook.show(page.locator(".kl-map"))
    page.evaluate(COUNTED)
    seconds, cpu, sent = json.loads(execute(notebook, MEASURE))
    drawn = page.evaluate("window.drawn.length")
    each = cpu / sent
    print(f"kernel: {sent / seconds:.1f} frames/s, {100 * cpu / seconds:.1f} % of a core, {1000 * each:.2f} ms a frame")
    print(f"page: {drawn / seconds:.1f} pictures/s, at best {best_second(notebook)}")
    # Processor time of a frame is the same on a busy machine: at ten frames a second 25 ms are 25 % of a core.
    assert each < 0.025
    assert sent / seconds <= 10.5, "the map sends at most ten frames a second, however many updates come"
    # A page that could not keep up would never get there; one on a busy machine does after a while.
    wait_until(
        lambda: best_second(notebook) >= 10, 60, "ten pictures in a second", seen=lambda: str(best_second(notebook))
    )

    # By keyboard: what the marks say, a truck that is followed, and the kernel hears of both.
    canvas.focus()
    for key in ("c", "c", "n", "f"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="follow")).to_have_attribute("aria-pressed", "true")
    said = execute(notebook, "print(trucks.colour_by, trucks.selected, trucks.following)")
    assert said.split() == ["geofence", "T0000", "T0000"]
    inside = json.loads(
        execute(notebook, "over.set(); feeder.join(); trucks._push()\nprint(len(trucks.inside('Berlin')))")
    )
    expect(page.get_by_role("button", name=f"Berlin (letter A) {inside} trucks")).to_be_visible()
    notebook.show(page.locator(".kl-map"))
    notebook.screenshot(artifacts / "view-truck-map-light.png")
    audit(page, ".kl-map")
    canvas.focus()
    for key in ("Escape", "Escape", "0", "c", "c"):
        page.keyboard.press(key)
    notebook.theme("JupyterLab Dark")
    notebook.show(page.locator(".kl-map"))
    notebook.screenshot(artifacts / "view-truck-map-dark.png")
    audit(page, ".kl-map")
    notebook.theme("JupyterLab Light")
    execute(notebook, "trucks.close()")
    expect(canvas).to_have_count(0)
    assert notebook.errors == []
