"""A prediction is locked once, in whatever way somebody tries again, and compared with the cluster's state."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from kafkalab.errors import BadInput
from kafkalab.exercises.predict.answers import leader_of
from kafkalab.exercises.predict.prediction import PREDICTION_MIME, Prediction
from kafkalab.views.predict.view import PredictView
from kafkalab.waiting import wait_until
from tests.unit.views.cluster_samples import HEALTHY


@dataclass(frozen=True)
class Case:
    """A kind of prediction: an answer, another one, what a page sends for the other, and what it may not send."""

    make: Callable[[], Prediction]
    answer: Any
    other: Any
    raw: Any
    happened: Any
    nonsense: tuple[Any, ...]


CASES = {
    "choice": Case(
        lambda: Prediction("Who leads P0 <now>?", [101, 102, "nobody"]),
        *(102, 101, 0, 102, (-1, 3, True, "102", None, [0], 1.5)),
    ),
    "number": Case(
        lambda: Prediction.number("How long?", unit="ms", within=500),
        *(800, 900, 900, 800, (None, True, "800", float("nan"), 1e300, [800])),
    ),
    "places": Case(
        lambda: Prediction.arrangement("Who leads what?", chips=["P0", "P1", "P2"], places=[101, 102, 103]),
        *({"P0": 101, "P1": [103]}, {"P2": 101}, [[], [], [0]], {"P0": 101, "P1": 103, "P2": None}),
        (None, [], [[0], [1]], [[0], [1], [3]], [[0, 1], [], []], [[True], [], []], "abc", [0, 1, 2], {"P0": 101}),
    ),
    "order": Case(
        lambda: Prediction.order("What comes first?", ["election", "expiry", "shrink"]),
        *(["expiry", "shrink", "election"], ["election", "expiry", "shrink"], [[0], [1], [2]]),
        *(["expiry", "shrink", "election"], ([[0], [1], []], [[0], [0], [1]], [[0, 1], [2], []])),
    ),
}
kinds = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def view_of(prediction: Prediction) -> PredictView:
    """The widget of a prediction, as a notebook shows it."""
    prediction._repr_mimebundle_()
    view = prediction.view
    assert isinstance(view, PredictView)
    return view


def lock_on_page(view: PredictView, raw: object, **more: object) -> str:
    """Lock from the page; returns what the view has against it."""
    view.fault("")
    phase = view.state["phase"]
    view._handle_custom_msg({"do": "lock", "guess": raw, **more}, [])
    wait_until(lambda: view.state["fault"] or view.state["phase"] != phase, 10, "an answer to the page")
    return str(view.state["fault"])


@kinds
def test_it_is_locked_once_however_somebody_tries_again(case: Case) -> None:
    prediction = case.make()
    view = view_of(prediction)
    prediction.lock(case.answer)
    kept = copy.deepcopy(prediction.to_dict())
    prediction.lock(case.answer)
    for try_again, other in ((prediction.lock, case.other), (prediction.heard, case.raw)):
        with pytest.raises(BadInput, match="has been locked since"):
            try_again(other)
    for name in ("guess", "locked_at"):
        with pytest.raises(AttributeError):
            setattr(prediction, name, case.other)
    for lent in (prediction.guess, prediction.to_dict()["guess"], prediction.drawn()["guess"]):
        if isinstance(lent, (dict, list)):
            lent.clear()
    for more in ({}, {"phase": "open", "locked": None}):
        assert "has been locked since" in lock_on_page(view, case.raw, **more)
    for forged in ({"do": "_lock", "guess": case.raw}, {"do": "drawn"}, {"guess": case.raw}, "lock", None):
        view._handle_custom_msg(forged, [])
    # A page could also write into the state that is synced to it: nobody reads it back.
    view.set_state({"state": {**view.state, "guess": case.raw, "phase": "open", "locked": None}})
    assert prediction.to_dict() == kept
    assert prediction.drawn()["phase"] == "locked"


@kinds
def test_a_page_locks_an_answer_once_and_in_time(case: Case) -> None:
    prediction, same = case.make(), case.make()
    view = view_of(prediction)
    for raw in case.nonsense:
        assert lock_on_page(view, raw), raw
        assert (prediction.locked_at, view.state["phase"]) == (None, "open")
    assert lock_on_page(view, case.raw) == ""
    same.lock(case.other)
    assert prediction.guess == same.guess
    assert prediction.locked_at is not None
    shown = case.make()
    shown.compare(case.happened)
    shown.reveal()
    for lock, answer in ((shown.lock, case.answer), (shown.heard, case.raw)):
        with pytest.raises(BadInput, match="too late"):
            lock(answer)
    assert shown.guess is None and "No prediction was made." in str(shown)


@kinds
def test_without_a_guess_a_comparison_asks_for_one_and_does_not_tell(case: Case) -> None:
    asked, told = case.make(), case.make()
    asked.reveal()
    assert asked.to_dict()["phase"] == "open", "before the comparison there is nothing to show"
    found = asked.compare(case.happened, "The reason.")
    assert (found.right, found.happened) == (None, None)
    silent = json.dumps([asked.drawn(), asked.to_dict(), found._repr_mimebundle_()])
    assert '"verdict": null' in silent and "The reason" not in silent
    assert "make your guess first" in str(found).lower()
    asked.lock(case.answer)
    told.lock(case.answer)
    assert (found.right, found.happened) == (told.compare(case.happened).right, told.to_dict()["verdict"]["happened"])
    assert "The reason." in str(found) and found.right is not None
    pressed = case.make()
    pressed.compare(case.happened)
    view_of(pressed)._handle_custom_msg({"do": "reveal"}, [])
    wait_until(lambda: pressed.to_dict()["phase"] == "compared", 10, "the result to be shown")
    assert (pressed.guess, pressed.to_dict()["verdict"]["right"]) == (None, None)


def test_the_verdict_is_read_off_the_clusters_state() -> None:
    prediction, other = CASES["choice"].make(), CASES["choice"].make()
    prediction.lock(102)
    found = prediction.compare(leader_of("trucks_gps", 2), "It was in sync.", of=HEALTHY)
    assert (found.right, found.happened, found.at) == (False, "103", HEALTHY.at)
    for words in ("You said 102; it was 103", "leader 103", "ISR 103, 101", "It was in sync.", "cluster's state at"):
        assert words in str(found)
    live = SimpleNamespace(snapshot=lambda: HEALTHY)
    by_hand = prediction.compare(lambda s: s.topic("trucks_gps").partitions[1].leader, of=live)  # type: ignore[arg-type]
    assert (by_hand.right, by_hand.at) == (True, HEALTHY.at)
    # A question needs a cluster, and a value none; a comparison that failed has closed nothing.
    for happened, of in ((leader_of("trucks_gps", 0), None), (101, HEALTHY)):
        with pytest.raises(BadInput):
            other.compare(happened, of=of)
    other.lock(101)


@kinds
def test_what_a_notebook_holds_is_plain_and_current(case: Case) -> None:
    prediction, widget = case.make(), "application/vnd.jupyter.widget-view+json"
    bundle = prediction._repr_mimebundle_()
    assert widget in bundle
    assert bundle["text/plain"] == str(prediction)
    assert "Not locked yet" in bundle["text/html"]
    prediction.lock(case.answer)
    assert prediction._repr_mimebundle_()[PREDICTION_MIME]["phase"] == "locked"
    found = prediction.compare(case.happened, "So it is.")
    assert found.right is True
    with pytest.raises(AttributeError):
        found.right = False  # type: ignore[misc]
    bundle = prediction._repr_mimebundle_()
    # Nothing is left to press, and a widget would be an error in a notebook that is opened again.
    assert widget not in bundle
    for held in (bundle, found._repr_mimebundle_()):
        assert held[PREDICTION_MIME] == json.loads(json.dumps(prediction.to_dict()))
        for text in (held["text/plain"], held["text/html"]):
            assert "✓" in text and "So it is." in text and "ocked at" in text
