"""A prediction is locked once, in whatever way somebody tries again, and compared with the cluster's state."""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from kafkalab.checks.predict import PREDICTION_MIME, Comparison, Prediction
from kafkalab.checks.predict_answers import leader_of, leaders_of
from kafkalab.errors import BadInput
from kafkalab.views.predict_view import PredictView
from kafkalab.waiting import wait_until
from tests.unit.views_samples import HEALTHY

BROKERS = {101: "broker 101", 102: "broker 102", 103: "broker 103"}


def choice() -> Prediction:
    return Prediction("Who leads P0 <now>?", [101, 102, "nobody"])


def number() -> Prediction:
    return Prediction.number("How long?", unit="ms", within=500)


def places() -> Prediction:
    return Prediction.arrangement("Who leads what?", chips=["P0", "P1", "P2"], places=BROKERS)


def order() -> Prediction:
    return Prediction.order("What comes first?", ["election", "expiry", "shrink"])


#: What makes one, an answer, another answer, and what the page sends for the other.
ALL: list[tuple[Callable[[], Prediction], Any, Any, Any]] = [
    (choice, 102, 101, 0),
    (number, 800, 900, 900),
    (places, {"P0": 101, "P1": [103]}, {"P2": 101}, [[], [], [0]]),
    (order, ["expiry", "shrink", "election"], ["election", "expiry", "shrink"], [[0], [1], [2]]),
]
kinds = pytest.mark.parametrize("make, answer, other, raw", ALL, ids=[row[0].__name__ for row in ALL])


def view_of(prediction: Prediction) -> PredictView:
    """The widget of a prediction, as a notebook shows it."""
    prediction._repr_mimebundle_()
    view = prediction._shown.view
    assert isinstance(view, PredictView)
    return view


def sends(view: PredictView, message: object) -> None:
    """What Jupyter does with a message from a page; whatever it leads to is over afterwards."""
    before = set(threading.enumerate())
    view._handle_custom_msg(message, [])
    for thread in set(threading.enumerate()) - before:
        if thread.name.startswith("kafkalab-"):
            thread.join(10)


@kinds
def test_another_answer_after_the_lock_is_refused(
    make: Callable[[], Prediction], answer: Any, other: Any, raw: Any
) -> None:
    prediction = make()
    assert (prediction.guess, prediction.locked_at) == (None, None)
    prediction.lock(answer)
    first = (prediction.guess, prediction.locked_at)
    prediction.lock(answer)
    for try_again in (prediction.lock, prediction.heard):
        with pytest.raises(BadInput, match="is locked since"):
            try_again(other if try_again == prediction.lock else raw)
    assert (prediction.guess, prediction.locked_at) == first


@kinds
def test_after_the_comparison_is_too_late(make: Callable[[], Prediction], answer: Any, other: Any, raw: Any) -> None:
    prediction = make()
    happened = {"P0": 101, "P1": 102, "P2": None} if make is places else answer
    assert prediction.compare(happened).right is None
    with pytest.raises(BadInput, match="Too late"):
        prediction.lock(answer)
    with pytest.raises(BadInput, match="Too late"):
        prediction.heard(raw)
    assert prediction.guess is None
    assert "No prediction was made." in str(prediction)


@kinds
def test_nothing_of_it_can_be_set_or_changed_in_place(
    make: Callable[[], Prediction], answer: Any, other: Any, raw: Any
) -> None:
    prediction = make()
    prediction.lock(answer)
    kept = copy.deepcopy(prediction.to_dict())
    for name in ("guess", "locked_at", "question", "choices", "id", "_lock", "_kind", "_verdict", "anything"):
        with pytest.raises(AttributeError):
            setattr(prediction, name, other)
        with pytest.raises(AttributeError):
            delattr(prediction, name)
    assert not hasattr(prediction, "__dict__")
    for lent in (prediction.guess, prediction.to_dict()["guess"], prediction.drawn()["guess"]):
        if isinstance(lent, (dict, list)):
            lent.clear()
    assert prediction.to_dict() == kept


@kinds
def test_messages_of_a_page_after_the_lock_are_refused_and_told(
    make: Callable[[], Prediction], answer: Any, other: Any, raw: Any
) -> None:
    prediction = make()
    view = view_of(prediction)
    prediction.lock(answer)
    kept = prediction.to_dict()
    sends(view, {"do": "lock", "guess": raw})
    assert prediction.to_dict() == kept
    assert "is locked since" in view.state["fault"]
    for forged in (
        {"do": "_lock", "guess": raw},
        {"do": "drawn", "guess": raw},
        {"do": "lock"},
        {"do": "lock", "guess": raw, "phase": "open", "locked": None},
        {"guess": raw},
        "lock",
        None,
    ):
        sends(view, forged)
    # A page could also write into the state that is synced to it: nobody reads it back.
    view.set_state({"state": {**view.state, "guess": raw, "phase": "open", "locked": None}})
    assert prediction.to_dict() == kept
    assert prediction.drawn()["phase"] == "locked"
    assert str(prediction.guess if make is choice else prediction) in view.to_html() + str(prediction)


@pytest.mark.parametrize(
    "make, raw",
    [
        *((choice, raw) for raw in (-1, 3, True, "102", None, [0], {}, 1.5)),
        *((number, raw) for raw in (None, True, "800", float("nan"), float("inf"), 1e300, [800])),
        *(
            (places, raw)
            for raw in (
                None,
                [],
                [[0], [1]],
                [[0], [1], [3]],
                [[-1], [], []],
                [[0, 1], [], []],
                [[0, 0], [], []],
                "abc",
            )
        ),
        *((places, raw) for raw in ([[True], [], []], [0, 1, 2], {"P0": 101}, [[0], [1], [2], []])),
        *((order, raw) for raw in ([[0], [1], []], [[0], [0], [1]], [[0], [1], [2], [3]], [[0, 1], [2], []])),
    ],
)
def test_what_is_no_answer_is_not_taken_from_a_page(make: Callable[[], Prediction], raw: object) -> None:
    prediction = make()
    view = view_of(prediction)
    sends(view, {"do": "lock", "guess": raw})
    assert prediction.locked_at is None
    assert view.state["fault"]
    assert view.state["phase"] == "open"


@kinds
def test_a_page_locks(make: Callable[[], Prediction], answer: Any, other: Any, raw: Any) -> None:
    prediction, same = make(), make()
    same.lock(other)
    view = view_of(prediction)
    sends(view, {"do": "lock", "guess": raw})
    assert prediction.guess == same.guess
    assert prediction.locked_at is not None
    wait_until(lambda: view.state["phase"] == "locked", 5, "the view to be drawn anew")


@kinds
def test_of_two_that_lock_at_once_one_is_first(
    make: Callable[[], Prediction], answer: Any, other: Any, raw: Any
) -> None:
    for _ in range(20):
        prediction = make()
        taken = []
        start = threading.Barrier(2)

        def attempt(guess: object, prediction: Prediction = prediction, start: Any = start, taken: Any = taken) -> None:
            start.wait()
            try:
                prediction.lock(guess)
                taken.append(guess)
            except BadInput:
                pass

        both = [threading.Thread(target=attempt, args=(guess,)) for guess in (answer, other)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        check = make()
        check.lock(taken[0])
        assert len(taken) == 1
        assert prediction.guess == check.guess


def test_the_verdict_is_read_off_the_clusters_state() -> None:
    prediction = choice()
    prediction.lock(102)
    found = prediction.compare(leader_of("trucks_gps", 2), "It was in sync.", of=HEALTHY)
    assert (found.right, found.happened, found.at) == (False, "103", HEALTHY.at)
    assert "You said 102; it was 103" in str(found)
    assert "leader 103" in str(found) and "ISR 103, 101" in str(found) and "It was in sync." in str(found)
    assert "Computed from the cluster's state at" in str(found)

    class Live:
        def snapshot(self) -> Any:
            return HEALTHY

    by_hand = prediction.compare(lambda s: s.topic("trucks_gps").partitions[1].leader, of=Live())
    assert (by_hand.right, by_hand.at) == (True, HEALTHY.at)
    by_value = prediction.compare(102)
    assert (by_value.right, by_value.at) == (True, None)
    assert prediction.to_dict()["verdict"]["right"] is True


@pytest.mark.parametrize("happened, of", [(leader_of("trucks_gps", 0), None), (101, HEALTHY)])
def test_a_question_needs_a_cluster_and_a_value_none(happened: object, of: Any) -> None:
    prediction = choice()
    with pytest.raises(BadInput):
        prediction.compare(happened, of=of)
    prediction.lock(101)  # a comparison that failed has closed nothing
    assert prediction.guess == "101"


def test_an_arrangement_is_explained_part_by_part() -> None:
    prediction = places()
    prediction.lock({"P0": 101, "P1": 103})
    found = prediction.compare(leaders_of("trucks_gps"), of=HEALTHY)
    record = found.to_dict()
    assert [part["right"] for part in record["verdict"]["parts"]] == [True, False, False]
    assert record["verdict"]["happened"] == {"P0": ["101"], "P1": ["102"], "P2": ["103"]}
    assert record["guess"] == {"P0": ["101"], "P1": ["103"], "P2": []}
    assert "✗ P1: you said broker 103, it was broker 102" in str(found)
    assert "✗ P2: you said nobody, it was broker 103" in str(found)


@kinds
def test_what_a_notebook_holds_is_plain_and_current(
    make: Callable[[], Prediction], answer: Any, other: Any, raw: Any
) -> None:
    prediction = make()
    bundle = prediction._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == str(prediction)
    assert "Not locked yet" in bundle["text/html"]
    prediction.lock(answer)
    bundle = prediction._repr_mimebundle_()
    assert "Locked at" in bundle["text/plain"] and "locked at" in bundle["text/html"]
    assert bundle[PREDICTION_MIME]["phase"] == "locked"
    found = prediction.compare({"P0": 101, "P1": 103, "P2": None} if make is places else answer, "So it is.")
    assert found.right is True
    bundle = prediction._repr_mimebundle_()
    # Nothing is left to press, and a widget would be an error in a notebook that is opened again.
    assert "application/vnd.jupyter.widget-view+json" not in bundle
    for held in (bundle, found._repr_mimebundle_()):
        assert held[PREDICTION_MIME] == json.loads(json.dumps(prediction.to_dict()))
        for text in (held["text/plain"], held["text/html"]):
            assert "✓" in text and "So it is." in text and "ocked at" in text


def test_what_is_shown_is_escaped() -> None:
    prediction = Prediction.arrangement("<q>", chips=["<chip>"], places={"p": "<place>"}, nowhere="<none>")
    prediction.lock({"<chip>": "p"})
    found = prediction.compare({"<chip>": ["<elsewhere>"]}, "<because>")
    for html in (prediction._repr_mimebundle_()["text/html"], found._repr_html_(), view_of(prediction).to_svg()):
        for word in ("q", "chip", "place", "because", "elsewhere"):
            assert f"<{word}>" not in html
    assert "&lt;elsewhere&gt;" in found._repr_html_()


def test_a_frozen_picture_can_lock_nothing() -> None:
    prediction = choice()
    view = PredictView.of(prediction.drawn())
    sends(view, {"do": "lock", "guess": 0})
    assert prediction.guess is None
    assert "stands still" in view.state["fault"]
    view.close()


def test_a_comparison_cannot_be_set() -> None:
    found: Comparison = choice().compare(101)
    with pytest.raises(AttributeError):
        found.right = True  # type: ignore[misc]


def test_without_a_guess_what_happened_is_told_once() -> None:
    asked = number()
    found = asked.compare(0)
    panel, told = asked._repr_mimebundle_()["text/html"], found._repr_html_()
    assert "No prediction was made." in panel and "It was" not in panel and "right when" not in panel
    assert "It was: 0" in told and "No prediction" not in told
    assert "▲" not in told, "there is nothing to measure"


def test_a_ruler_needs_a_length() -> None:
    exact = Prediction.number("How many?", unit="trucks")
    exact.lock(0)
    assert "▲" not in exact.compare(0)._repr_html_()
