"""PredictView's front end in a real browser: answers dragged, clicked and carried by keyboard; locked, they stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kafkalab.errors import BadInput
from kafkalab.exercises.predict.answers import isr_of, leader_of, leaders_of
from kafkalab.exercises.predict.prediction import Prediction
from tests.browser.accessibility import audit, faint
from tests.browser.samples import predict, question
from tests.browser.view_page import Open, ViewPage, box, live_state
from tests.unit.views.cluster_samples import HEALTHY

#: For the fixture ``show``.
VIEW, PAGE = "predict", {"width": 900, "height": 700}


def choice() -> Prediction:
    return Prediction("Broker 102 starts again. Who leads P0 ten seconds later?", [101, 102, 103, "nobody"])


def number() -> Prediction:
    return Prediction.number("How long until the next message is acknowledged?", unit="ms", within=500)


def order() -> Prediction:
    return Prediction.order("In which order?", ["a new leader", "the session expires", "the ISR shrinks"])


# Another model on the same page, as a notebook has many.
ONE_MORE = """(state) => {
  const other = { ...model, state, listeners: {} };
  const el = document.body.appendChild(document.createElement("div"));
  view.render({ model: other, el });
}"""
# As when a cell is scrolled out of sight and back.
AGAIN = """() => {
  leave();
  root.replaceChildren();
  window.leave = view.render({ model, el: root });
}"""


def kernel(view: ViewPage, prediction: Prediction) -> None:
    """What the kernel does with everything that the page has asked for."""
    for message in view.asked("lock"):
        try:
            prediction.heard(message["guess"])
        except BadInput as error:
            view.draw(predict(prediction) | {"fault": str(error)})
            return
    view.draw(predict(prediction))


def chip(page: Page, name: str, place: str) -> Locator:
    return page.get_by_role("button", name=f"{name}, {place}", exact=True)


def place(page: Page, name: str) -> Locator:
    return page.locator(".kl-predict-place").filter(has=page.locator(".kl-predict-place-name", has_text=name))


def drag(page: Page, what: Locator, to: Locator) -> None:
    what.hover(position={"x": 8, "y": 8})  # waits until it glides no more
    from_box, to_box = box(what), box(to)
    page.mouse.down()
    page.mouse.move(from_box["x"] + 30, from_box["y"] + 20, steps=2)
    page.mouse.move(to_box["x"] + to_box["width"] / 2, to_box["y"] + to_box["height"] - 8, steps=3)
    page.mouse.up()


def keys(page: Page, names: Sequence[str]) -> None:
    for name in names:
        page.keyboard.press(name)


def test_a_choice_is_locked_by_a_press_and_nothing_changes_it(show: Open) -> None:
    prediction = choice()
    view = show(predict(prediction))
    page = view.page
    page.get_by_role("button", name="103").click()
    kernel(view, prediction)
    assert prediction.guess == "103"
    expect(page.get_by_role("button", name="103")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("status")).to_contain_text("locked at")
    for name in ("101", "102", "nobody"):
        page.get_by_role("button", name=name).click(force=True)
    assert len(view.asked("lock")) == 1
    # A page that does not keep to that is refused by the kernel, and told why.
    page.evaluate("model.send({ do: 'lock', guess: 0 })")
    kernel(view, prediction)
    assert prediction.guess == "103"
    expect(page.get_by_role("alert")).to_contain_text("has been locked since")
    prediction.compare(leader_of("trucks_gps", 0), "Leadership comes back only by an election.", of=HEALTHY)
    view.draw(predict(prediction))
    expect(page.locator(".kl-predict-verdict")).to_contain_text("✗ You said 103; it was 101.")


def test_without_a_guess_the_result_is_behind_a_button(show: Open) -> None:
    prediction = choice()
    view = show(predict(prediction))
    page = view.page
    button = page.get_by_role("button", name="just show me")
    expect(button).to_be_hidden()
    prediction.compare(leader_of("trucks_gps", 0), "It was in sync.", of=HEALTHY)
    view.draw(predict(prediction))
    expect(page.get_by_role("status")).to_have_text("the result is in: make your guess first")
    expect(page.get_by_text("It was in sync.")).to_have_count(0)
    button.click()
    assert view.asked() == [{"do": "reveal"}]
    prediction.reveal()
    view.draw(predict(prediction))
    expect(page.locator(".kl-predict-verdict")).to_contain_text("It was in sync.")
    expect(button).to_be_hidden()


def test_a_number_is_locked_by_its_button_alone(show: Open) -> None:
    prediction = number()
    view = show(predict(prediction))
    page = view.page
    field, lock = page.get_by_label("your number, in ms"), page.get_by_role("button", name="lock it")
    for typed in ("", "a few", "1.2.3"):
        field.fill(typed)
        lock.click(force=True)
    assert view.asked() == []
    expect(page.locator(".kl-predict-number")).to_contain_text("not a number")
    field.fill("1 500")
    field.press("Enter")
    assert view.asked() == []
    expect(lock).to_be_focused()
    page.keyboard.press("Enter")
    kernel(view, prediction)
    assert prediction.guess == 1500
    expect(page.locator(".kl-predict-said")).to_have_text("1\u202f500 ms")
    # What was pressed is gone; the keyboard has not lost its place.
    assert page.evaluate("document.activeElement.className") == "kl-predict-question"


def test_chips_are_dragged_into_places(show: Open) -> None:
    prediction = question()
    view = show(predict(prediction))
    page = view.page
    lock = page.get_by_role("button", name="lock it")
    expect(lock).to_have_attribute("aria-disabled", "true")
    drag(page, chip(page, "P0", "nobody"), place(page, "broker 101"))
    drag(page, chip(page, "P1", "nobody"), place(page, "broker 102"))
    drag(page, chip(page, "P1", "broker 102"), place(page, "broker 103"))
    drag(page, chip(page, "P0", "broker 101"), page.locator("body"))  # dropped beside all of them: it stays
    # A click picks up, another puts down.
    chip(page, "P2", "nobody").click()
    place(page, "broker 103").click()
    expect(chip(page, "P2", "broker 103")).to_be_visible()
    assert page.locator(".kl-predict-ghost").count() == 0
    lock.click()
    kernel(view, prediction)
    assert prediction.guess == {"P0": ["101"], "P1": ["103"], "P2": ["103"]}
    assert page.locator("button.kl-predict-chip").count() == 0
    found = page.locator(".kl-predict-chip").evaluate_all("(all) => all.map((one) => one.getAttribute('aria-label'))")
    assert found == ["P0, broker 101", "P1, broker 103", "P2, broker 103"]


def test_chips_are_carried_by_keyboard_and_every_step_is_told(show: Open) -> None:
    prediction = question()
    view = show(predict(prediction))
    page = view.page
    told = page.locator(".kl-predict [role='log']")
    page.keyboard.press("Tab")
    expect(chip(page, "P0", "nobody")).to_be_focused()
    keys(page, ["ArrowRight", "ArrowRight", "ArrowRight", "Home", "End", "ArrowLeft"])
    expect(chip(page, "P1", "nobody")).to_be_focused()
    page.keyboard.press("Enter")
    expect(told).to_contain_text("P1 is picked up")
    expect(chip(page, "P1", "nobody")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    expect(told).to_have_text("P1 over broker 101.")
    expect(chip(page, "P1", "broker 101")).to_be_focused()
    page.keyboard.press("Escape")
    expect(told).to_have_text("P1 is back: nobody.")
    keys(page, ["Space", "ArrowLeft", "Space"])
    expect(told).to_have_text("P1: broker 103.")
    expect(chip(page, "P1", "broker 103")).to_be_focused()
    keys(page, ["Home", "Enter", "ArrowDown", "Enter"])
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="lock it")).to_be_focused()
    page.keyboard.press("Enter")
    kernel(view, prediction)
    assert prediction.guess == {"P0": ["101"], "P1": ["103"], "P2": []}


@pytest.mark.deep
def test_a_chip_stands_in_several_places(show: Open) -> None:
    prediction = question(several=True)
    view = show(predict(prediction))
    page = view.page
    drag(page, chip(page, "P0", "take from here"), place(page, "broker 101"))
    drag(page, chip(page, "P0", "take from here"), place(page, "broker 102"))
    page.get_by_role("button", name="P1, take from here").focus()
    keys(page, ["Enter", "ArrowRight", "Enter"])
    page.get_by_role("button", name="lock it").click()
    kernel(view, prediction)
    assert prediction.guess == {"P0": ["101", "102"], "P1": ["101"], "P2": []}


def test_an_order_takes_every_thing_once(show: Open) -> None:
    prediction = order()
    view = show(predict(prediction))
    page = view.page
    lock = page.get_by_role("button", name="lock it")
    for name, step in (("a new leader", 1), ("the session expires", 2), ("the ISR shrinks", 3)):
        expect(lock).to_have_attribute("aria-disabled", "true")
        page.get_by_role("button", name=f"{name}, to be put in order").focus()
        keys(page, ["Enter", *["ArrowDown"] * step, "Enter"])
    # Onto a place that is taken: the two change places.
    drag(page, chip(page, "a new leader", "1."), chip(page, "the session expires", "2."))
    lock.click()
    kernel(view, prediction)
    assert prediction.guess == ["the session expires", "a new leader", "the ISR shrinks"]


def test_what_is_not_locked_yet_survives_being_drawn_again(show: Open) -> None:
    view = show(predict())
    page = view.page
    page.evaluate(AGAIN)
    drag(page, chip(page, "P0", "nobody"), place(page, "broker 102"))
    page.evaluate(AGAIN)
    expect(chip(page, "P0", "broker 102")).to_be_visible()
    page.get_by_role("button", name="lock it").click()
    assert view.sent[-1] == {"do": "lock", "guess": [[1], [], []]}


def compared() -> list[Prediction]:
    made = [choice(), number(), question(), question(several=True), order()]
    row = ["the session expires", "a new leader", "the ISR shrinks"]
    guesses: list[Any] = [103, 800, {"P0": 101, "P1": 103}, {"P0": [101, 102], "P1": [103]}, row]
    for prediction, guess in zip(made, guesses, strict=True):
        prediction.lock(guess)
    made[0].compare(leader_of("trucks_gps", 0), "Because.", of=HEALTHY)
    made[1].compare(3210)
    made[2].compare(leaders_of("trucks_gps"), of=HEALTHY)
    made[3].compare(isr_of("trucks_gps"), of=HEALTHY)
    made[4].compare(["a new leader", "the session expires", "the ISR shrinks"])
    return made


def test_every_kind_of_question_can_be_read_by_everybody(show: Open) -> None:
    view = show(predict(choice()), body='data-jp-theme-light="false" style="background: #111417"', width=600)
    page = view.page
    for prediction in (number(), question(several=True), order(), *compared()):
        page.evaluate(ONE_MORE, live_state(predict(prediction)))
    expect(page.locator(".kl-predict")).to_have_count(9)
    assert view.fits()
    audit(page, ".kl-predict")
    assert faint(page, ".kl-predict") == []
