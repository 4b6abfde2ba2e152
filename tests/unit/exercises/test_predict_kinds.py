"""What each kind of prediction takes for an answer, what counts as right, and what the cluster's state answers."""

from __future__ import annotations

import re

import numpy as np
import pytest

from kafkalab.errors import BadInput, KafkalabError
from kafkalab.exercises.predict.answers import isr_of, leader_of, leaders_of, replicas_of
from kafkalab.exercises.predict.kinds import written
from kafkalab.exercises.predict.prediction import Prediction
from tests.unit.views.cluster_samples import HEALTHY, HOSTILE, LONG, TURNED


def test_what_can_be_asked_differs_and_is_little() -> None:
    for choices in (["a"], [1, "1"], range(41)):
        with pytest.raises(BadInput):
            Prediction("?", choices)
    for chips in ([], [1, "1"], range(61)):
        with pytest.raises(BadInput):
            Prediction.arrangement("?", chips=chips, places=[1])
    with pytest.raises(BadInput):
        Prediction.number("?", within=-1)


def test_a_choice_may_be_nobody_and_an_order_is_compared_place_by_place() -> None:
    prediction = Prediction("?", [101, "nobody"])
    with pytest.raises(BadInput, match="not among"):
        prediction.lock("104")
    prediction.lock("nobody")
    assert prediction.compare(None).right is True
    prediction = Prediction.order("?", ["a", "b", "c"])
    prediction.lock(("b", "a", "c"))
    found = prediction.compare(["a", "b", "c"])
    assert [part["right"] for part in found.to_dict()["verdict"]["parts"]] == [False, False, True]
    for wrong in (["a", "b"], ["a", "b", "b"], "abc", {"a": 1}):
        with pytest.raises(BadInput):
            prediction.compare(wrong)


def test_names_are_shown_short_tame_and_escaped() -> None:
    names = [HOSTILE, TURNED, LONG, "<chip>", "__proto__", "a\x00b"]
    prediction = Prediction.arrangement("<q>" + LONG * 9, chips=names, places=names[::-1])
    prediction.lock(dict.fromkeys(names, "__proto__"))
    found = prediction.compare(dict.fromkeys(names, "<elsewhere>"), "<because>")
    drawn = prediction.drawn()
    assert all(len(chip["name"]) <= 60 for chip in drawn["chips"]) and len(str(drawn)) < 15_000
    assert "\u202e" not in str(drawn) and "\x00" not in str(prediction)
    for html in (prediction._repr_mimebundle_()["text/html"], found._repr_html_()):
        assert not any(f"<{word}>" in html for word in ("q", "chip", "because", "elsewhere"))
    assert "&lt;elsewhere&gt;" in found._repr_html_()


def test_numbers_within_a_tolerance() -> None:
    for guess, happened, within, right, says in (
        (800, 3210, 500, False, "Off by 2\u202f410 ms: it was 4 times as much."),
        (3400, 3210, 500, True, "Off by 190 ms, within the 500 ms."),
        (3711, 3210, 500, False, "Off by 501 ms."),
        (0.1 + 0.2, 0.3, 0.001, True, "within"),
        (np.int64(7), np.float64(7.25), 0.5, True, "Off by 0.25 ms"),
    ):
        prediction = Prediction.number("How long?", unit="ms", within=within)
        prediction.lock(guess)
        found = prediction.compare(happened)
        assert found.right is right and says in str(found)


def test_numbers_for_people_and_what_is_none() -> None:
    shown = [written(n) for n in (0, 3210, -15, 0.4, 0.0123, 12.345, 1234.56, 1e15, -2e-12)]
    large = "1" + "\u202f000" * 5
    assert shown == ["0", "3\u202f210", "-15", "0.4", "0.0123", "12.3", "1\u202f234.6", large, "-2e-12"]
    for happened in ("3", None, float("nan"), [3], True):
        with pytest.raises(BadInput):
            Prediction.number("?").compare(happened)


def test_an_arrangement_is_explained_part_by_part() -> None:
    asked = Prediction.arrangement("Who?", chips=["P0", "P1", "P2"], places={101: "broker 101", 103: "broker 103"})
    asked.lock({"P0": 101, "P1": 103})
    found = asked.compare(leaders_of("trucks_gps"), of=HEALTHY)
    record = found.to_dict()
    assert [part["right"] for part in record["verdict"]["parts"]] == [True, False, False]
    assert record["verdict"]["happened"] == {"P0": ["101"], "P1": ["102"], "P2": ["103"]}
    assert record["guess"] == {"P0": ["101"], "P1": ["103"], "P2": []}
    assert re.search("✗ P1 +broker 103 +102 ", str(found))
    assert re.search("✗ P2 +nobody +broker 103 ", str(found))
    asked = Prediction.arrangement("ISR?", chips=["P0", "P2"], places=[101, 102, 103], several=True)
    asked.lock({"P0": {101, 102, 103}, "P2": [103, 102]})
    parts = asked.compare(isr_of("trucks_gps"), of=HEALTHY).to_dict()["verdict"]["parts"]
    assert [(part["right"], part["gap"]) for part in parts] == [(True, ""), (False, "left out: 101; wrong: 102")]


def test_an_arrangement_of_what_was_and_was_not_offered() -> None:
    prediction = Prediction.arrangement("?", chips=["P0"], places=[101, 102], nowhere="nobody")
    for guess in ({"P9": 101}, {"P0": 104}, {"P0": [101, 102]}, "P0", [101], None, {"P0": [101, 101, 102]}):
        with pytest.raises(BadInput):
            prediction.lock(guess)
    prediction.lock({"P0": "nobody"})
    found = prediction.compare({"P0": 104, "P1": 101})
    assert found.right is False
    assert re.search("✗ P0 +nobody +104", str(found))
    with pytest.raises(BadInput, match="has no place for these chips"):
        prediction.compare({"P1": 101})


def test_questions_about_a_snapshot() -> None:
    for asked, value in (
        (leader_of("trucks_gps", 1), 102),
        (leaders_of("trucks_gps"), {"P0": 101, "P1": 102, "P2": 103}),
        (replicas_of("trucks_gps"), {"P0": [101, 102, 103], "P1": [102, 103, 101], "P2": [103, 101, 102]}),
        (isr_of("trucks_gps"), {"P0": [101, 102, 103], "P1": [102, 103, 101], "P2": [103, 101]}),
    ):
        assert asked(HEALTHY).value == value
    for asked in (leader_of("none", 0), leader_of("trucks_gps", 9), leaders_of("none")):
        with pytest.raises(KafkalabError, match="no "):
            asked(HEALTHY)
