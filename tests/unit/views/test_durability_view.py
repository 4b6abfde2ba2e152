"""DurabilityView without a page: what is drawn of a result, its static forms, and how it follows a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

from kafkalab.state.patch import diff
from kafkalab.views.durability_drawn import drawn, said, strip
from kafkalab.views.durability_svg import to_svg
from kafkalab.views.durability_text import to_html, to_text
from kafkalab.views.durability_view import DurabilityView
from tests.unit.views.durability_samples import begun, result
from tests.unit.views_samples import HOSTILE


class Rehearsal:
    """An experiment that is only told about."""

    def __init__(self) -> None:
        self.plain = begun()
        self.listeners: list[Callable[[], None]] = []
        self.ran = self.halted = 0

    def now(self) -> dict[str, Any]:
        return self.plain

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def run(self) -> None:
        self.ran += 1

    def halt(self) -> None:
        self.halted += 1


def test_every_cell_has_a_verdict_in_a_sign_and_a_word() -> None:
    picture = drawn(result().to_dict())
    assert said(picture["cells"]["a1-m2-u3-k"]) == "✗ 50 lost"
    assert said(picture["cells"]["aall-m2-u3-k"]) == "✓ 100 kept"
    assert said(picture["cells"]["aall-m2-u1-d"]) == "⊘ refused"
    assert picture["summary"] == (
        "54 cells run: 34 lost acknowledged records, 14 kept all of them, 6 acknowledged none."
    )
    assert strip(picture["cells"]["a1-m2-u3-k"]) == [("kept", 100), ("lost", 50), ("refused", 50)]


def test_cells_that_were_not_run_say_so() -> None:
    picture = drawn(begun())
    assert [said(picture["cells"][name]) for name in ("a0-m1-u2-k", "a0-m1-u1-k")] == ["… running", "○ not run"]
    assert picture["summary"] == "Running: 18 of 54 cells done."
    assert "○ not run" in to_text(picture) and "2 of 3 brokers up: 100 records sent" in to_text(picture)
    assert drawn({})["summary"] == "Not run yet."


def test_a_part_has_the_panels_and_rows_it_was_asked_for() -> None:
    picture = drawn(result(acks=("1", "all"), brokers_up=1, fault="killed").to_dict())
    assert (picture["ups"], picture["faults"], len(picture["cells"])) == ([1], ["killed"], 6)
    for form in (to_text(picture), to_html(picture), to_svg(picture)):
        assert "1 of 3 brokers up" in form and "3 of 3 brokers up" not in form
        assert "acks=0" not in form and "acks=all" in form


def test_the_static_forms_hold_every_count_and_are_escaped() -> None:
    plain = result().to_dict()
    plain["cells"][0].update(error=HOSTILE, why=HOSTILE)
    picture = drawn(plain)
    html, svg = to_html(picture), to_svg(picture)
    assert html.count("200 sent") == 54 and html.count("<table>") == 6
    assert "NotEnoughReplicasError" in html
    assert "<img" not in html and "<img" not in svg
    assert ET.fromstring(svg).tag.endswith("svg")
    assert svg.count("50 lost") >= 18


def test_a_step_of_a_run_sends_what_changed() -> None:
    before = begun()
    after = json.loads(json.dumps(before))
    after["progress"]["done"] = 12
    assert diff(drawn(before), drawn(after)) == [["set", ["progress", "done"], 12]]


def test_it_follows_a_run_rests_when_nobody_looks_and_takes_orders() -> None:
    rehearsal = Rehearsal()
    view = DurabilityView(rehearsal)
    assert len(rehearsal.listeners) == 1
    rehearsal.plain = {**rehearsal.plain, "progress": {"done": 20, "of": 27, "step": "x"}}
    rehearsal.listeners[0]()
    assert view.state["progress"]["done"] == 20
    view._look_at("eye", None)
    view._look_away("eye")
    assert rehearsal.listeners == []
    rehearsal.plain = {**rehearsal.plain, "running": False}
    view._look_at("eye", None)
    assert view.state["running"] is False and len(rehearsal.listeners) == 1
    view.do_run({})
    view.do_halt({})
    assert (rehearsal.ran, rehearsal.halted) == (1, 1)
    view.close()
    assert rehearsal.listeners == []


def test_a_frozen_picture_takes_no_orders() -> None:
    for given in (result(), result().to_dict()):
        view = DurabilityView.of(given)
        assert view.live is False and "✗ 50 lost" in repr(view)
        view._do("run", {})
        assert "stands still" in view.state["fault"]
        view.close()
