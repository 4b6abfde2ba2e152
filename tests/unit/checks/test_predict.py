"""A prediction is locked by its first answer and compared with what happened."""

from __future__ import annotations

import pytest

from kafkalab.checks.predict import Prediction
from kafkalab.errors import BadInput


def _prediction() -> Prediction:
    return Prediction("Who leads P0 <now>?", [101, 102, "nobody"])


def test_the_first_answer_stays() -> None:
    prediction = _prediction()
    prediction.lock(102)
    prediction.lock(101)
    assert prediction.guess == "102"
    assert prediction.compare(101, "The ISR chose.").right is False
    assert "You said 102; it was 101" in str(prediction.compare(101))


def test_after_the_fact_is_too_late() -> None:
    prediction = _prediction()
    assert prediction.compare(101).right is None
    prediction.lock(101)
    assert prediction.guess is None


def test_buttons_lock_by_a_click() -> None:
    prediction = _prediction()
    bundle = prediction._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == str(prediction)
    *buttons, state = prediction._box.children[1].children
    assert [button.description for button in buttons] == ["101", "102", "nobody"]
    buttons[2].click()
    assert prediction.guess == "nobody"
    assert [button.disabled for button in buttons] == [True, True, False]
    buttons[2].click()
    assert prediction.guess == "nobody"
    assert "locked at" in state.value
    assert buttons[2].description == "✓ nobody"
    assert prediction.compare("nobody").right is True


def test_what_is_shown_is_escaped() -> None:
    prediction = _prediction()
    prediction._repr_mimebundle_()
    assert "<now>" not in prediction._box.children[0].value
    assert "<x>" not in prediction.compare("<x>", "<y>")._repr_html_()


@pytest.mark.parametrize("choices", [[], ["a"], ["a", "a"], [1, "1"]])
def test_choices_must_differ(choices: list[object]) -> None:
    with pytest.raises(BadInput):
        Prediction("?", choices)


def test_a_choice_must_be_one_of_them() -> None:
    with pytest.raises(BadInput, match="not among"):
        _prediction().lock("104")
