"""DurabilityView: what is drawn of a result, and how it follows a run."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

from kafkalab.state.patch import diff
from kafkalab.views.durability.picture import Cell, blocks, drawn
from kafkalab.views.durability.view import DurabilityView
from kafkalab.views.static import to_html, to_text
from tests.unit.views.durability_samples import begun, result


def said(cell: Cell) -> str:
    return f"{cell['sign']} {cell['said']}"


def test_every_cell_has_a_verdict() -> None:
    picture = drawn(result().to_dict())
    cells = {"a1-m2-u3-k": "✗ 50 lost", "aall-m2-u3-k": "✓ 100 kept", "aall-m2-u1-d": "⊘ refused"}
    assert {name: said(picture["cells"][name]) for name in cells} == cells
    assert picture["summary"].startswith("54 cells run: 34 lost")
    half = drawn(begun())
    assert [said(half["cells"][name]) for name in ("a0-m1-u2-k", "a0-m1-u1-k")] == ["… running", "○ not run"]
    assert half["summary"] == "Running: 18 of 54 cells done."
    assert "2 of 3 brokers up: 100 records sent" in to_text(blocks(half))
    assert drawn({})["summary"] == "Not run yet."
    assert to_html(blocks(picture)).count("200 sent") == 54


def test_it_follows_a_run_rests_and_takes_orders() -> None:
    plain, rehearsal = begun(), Mock()
    listeners: list[Any] = []
    rehearsal.now = lambda: plain
    rehearsal.subscribe = lambda listener: listeners.append(listener) or (lambda: listeners.remove(listener))
    view = DurabilityView(rehearsal)
    before = drawn(plain)
    plain["progress"]["done"] = 12
    assert diff(before, drawn(plain)) == [["set", ["progress", "done"], 12]], "a step sends what changed"
    listeners[0]()
    assert view.state["progress"]["done"] == 12
    view._viewer_joined("eye", None)
    view._viewer_left("eye")
    assert listeners == []
    plain["running"] = False
    view._viewer_joined("eye", None)
    assert view.state["running"] is False and len(listeners) == 1
    view.do_run({})
    view.do_halt({})
    assert [call[0] for call in rehearsal.method_calls] == ["run", "halt"]
    view.close()
    assert listeners == []
