"""PredictView's front end in a real browser: answers dragged, clicked and carried by keyboard; locked, they stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kafkalab.checks.predict import Prediction
from kafkalab.checks.predict_answers import isr_of, leader_of, leaders_of
from kafkalab.errors import BadInput
from kafkalab.views.assets import esm
from tests.browser.accessibility import audit
from tests.browser.hostile import TEXTS, faults
from tests.browser.view_page import ViewPage, live_state
from tests.unit.views_samples import HEALTHY

Open = Callable[..., ViewPage]
#: For the fixture ``show``.
VIEW, PAGE = "predict_view", {"width": 900, "height": 700}

BROKERS = {101: "broker 101", 102: "broker 102", 103: "broker 103"}


def choice() -> Prediction:
    return Prediction("Broker 102 starts again. Who leads P0 ten seconds later?", [101, 102, 103, "nobody"])


def number() -> Prediction:
    return Prediction.number("How long until the next message is acknowledged?", unit="ms", within=500)


def leaders(several: bool = False) -> Prediction:
    asked = "Broker 102 is killed. Who leads each partition then?"
    return Prediction.arrangement(asked, chips=["P0", "P1", "P2"], places=BROKERS, several=several)


def order() -> Prediction:
    return Prediction.order("In which order?", ["a new leader", "the session expires", "the ISR shrinks"])


# Another model on the same page, as a notebook has many.
_ONE_MORE = """(state) => {
  const other = { ...model, state, listeners: {} };
  const el = document.body.appendChild(document.createElement("div"));
  module.default.render({ model: other, el });
}"""
# As when a cell is scrolled out of sight and back.
_AGAIN = """() => {
  leave();
  root.replaceChildren();
  window.leave = module.default.render({ model, el: root });
}"""


def module(view: ViewPage) -> None:
    """Load the view's module, so that the page can draw it more than once."""
    blob = "URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))"
    view.page.evaluate(f"async (text) => {{ window.module = await import({blob}); }}", esm(VIEW))
    view.faults.clear()  # the blob is a request


def kernel(view: ViewPage, prediction: Prediction) -> None:
    """What the kernel does with everything that the page has asked for."""
    for message in [m for m in view.sent if m["do"] == "lock"]:
        try:
            prediction.heard(message["guess"])
        except BadInput as error:
            view.draw({**prediction.drawn(), "live": True, "fault": str(error)})
            return
    view.draw({**prediction.drawn(), "live": True})


def shown(prediction: Prediction) -> dict[str, Any]:
    return {**prediction.drawn(), "live": True}


def chip(page: Page, name: str, place: str) -> Locator:
    return page.get_by_role("button", name=f"{name}, {place}", exact=True)


def place(page: Page, name: str) -> Locator:
    return page.locator(".kl-predict-place").filter(has=page.locator(".kl-predict-place-name", has_text=name))


def drag(page: Page, what: Locator, to: Locator) -> None:
    what.hover(position={"x": 8, "y": 8})  # waits until it glides no more
    from_box, to_box = what.bounding_box(), to.bounding_box()
    assert from_box and to_box
    page.mouse.down()
    page.mouse.move(from_box["x"] + 30, from_box["y"] + 20, steps=2)
    page.mouse.move(to_box["x"] + to_box["width"] / 2, to_box["y"] + to_box["height"] - 8, steps=3)
    page.mouse.up()


def keys(page: Page, names: Sequence[str]) -> None:
    for name in names:
        page.keyboard.press(name)


def test_a_choice_is_locked_by_a_press_and_nothing_changes_it(show: Open) -> None:
    prediction = choice()
    view = show(shown(prediction))
    page = view.page
    page.get_by_role("button", name="103").click()
    kernel(view, prediction)
    assert prediction.guess == "103"
    expect(page.get_by_role("button", name="103")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("status")).to_contain_text("locked at")
    for name in ("101", "102", "nobody"):
        page.get_by_role("button", name=name).click(force=True)
    assert len([m for m in view.sent if m["do"] == "lock"]) == 1
    # A page that does not keep to that is refused by the kernel, and told why.
    page.evaluate("model.send({ do: 'lock', guess: 0 })")
    kernel(view, prediction)
    assert prediction.guess == "103"
    expect(page.get_by_role("alert")).to_contain_text("is locked since")
    prediction.compare(leader_of("trucks_gps", 0), "Leadership comes back only by an election.", of=HEALTHY)
    view.draw(shown(prediction))
    expect(page.locator(".kl-predict-head")).to_contain_text("✗ You said 103; it was 101.")
    expect(page.get_by_role("button", name="101 it was this")).to_be_visible()


def test_a_number_is_locked_by_its_button_alone(show: Open) -> None:
    prediction = number()
    view = show(shown(prediction))
    page = view.page
    field, lock = page.get_by_label("your number, in ms"), page.get_by_role("button", name="lock it")
    for typed in ("", "a few", "1.2.3"):
        field.fill(typed)
        lock.click(force=True)
    assert [m for m in view.sent if m["do"] == "lock"] == []
    expect(page.locator(".kl-predict-number")).to_contain_text("not a number")
    field.fill("1 500")
    field.press("Enter")
    assert [m for m in view.sent if m["do"] == "lock"] == []
    expect(lock).to_be_focused()
    page.keyboard.press("Enter")
    kernel(view, prediction)
    assert prediction.guess == 1500
    expect(page.locator(".kl-predict-said")).to_have_text("1\u202f500 ms")
    # What was pressed is gone; the keyboard has not lost its place.
    assert page.evaluate("document.activeElement.className") == "kl-predict-question"
    prediction.compare(3210)
    view.draw(shown(prediction))
    ruler = page.get_by_role("img", name="you said 1\u202f500 ms; it was 3\u202f210 ms")
    said, was = (ruler.locator(f".{name} b").bounding_box() for name in ("kl-said", "kl-was"))
    band = ruler.locator(".kl-predict-band").bounding_box()
    assert said and was and band
    assert said["x"] + said["width"] < band["x"] < was["x"] < band["x"] + band["width"]


def test_chips_are_dragged_into_places(show: Open) -> None:
    prediction = leaders()
    view = show(shown(prediction))
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
    prediction.compare(leaders_of("trucks_gps"), of=HEALTHY)
    view.draw(shown(prediction))
    found = page.locator(".kl-predict-chip").evaluate_all("(all) => all.map((one) => one.getAttribute('aria-label'))")
    assert found == [
        "P0, broker 101: right",
        "P1, broker 102: it was so, and you did not say it",
        "P1, broker 103: you said so, and it was not",
        "P2, broker 103: right",
    ]
    assert "leader 102" in view.texts(".kl-predict-parts tbody tr")[1]


def test_chips_are_carried_by_keyboard_and_every_step_is_told(show: Open) -> None:
    prediction = leaders()
    view = show(shown(prediction))
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
    keys(page, ["Home", "Enter", "ArrowDown", "Enter", "Home", "Enter", "ArrowRight", "ArrowRight", "Enter"])
    keys(page, ["Delete", "Home", "ArrowRight"])
    expect(chip(page, "P0", "broker 101")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="lock it")).to_be_focused()
    page.keyboard.press("Enter")
    kernel(view, prediction)
    assert prediction.guess == {"P0": ["101"], "P1": ["103"], "P2": []}
    assert page.evaluate("document.activeElement.className") == "kl-predict-question"


def test_a_chip_stands_in_several_places(show: Open) -> None:
    prediction = leaders(several=True)
    view = show(shown(prediction))
    page = view.page
    drag(page, chip(page, "P0", "take from here"), place(page, "broker 101"))
    drag(page, chip(page, "P0", "take from here"), place(page, "broker 102"))
    drag(page, chip(page, "P0", "take from here"), place(page, "broker 102"))  # it is there
    drag(page, chip(page, "P2", "take from here"), place(page, "broker 103"))
    drag(page, chip(page, "P2", "broker 103"), place(page, "take from here"))
    page.get_by_role("button", name="P1, take from here").focus()
    keys(page, ["Enter", "ArrowRight", "Enter"])
    page.get_by_role("button", name="lock it").click()
    kernel(view, prediction)
    assert prediction.guess == {"P0": ["101", "102"], "P1": ["101"], "P2": []}
    prediction.compare(isr_of("trucks_gps"), of=HEALTHY)
    view.draw(shown(prediction))
    expect(page.locator(".kl-is-missing")).to_have_count(5)  # P0 on 103, P1 on 102 and 103, P2 on 101 and 103
    assert "left out: broker 103" in view.texts(".kl-predict-parts tbody tr")[0]


def test_an_order_takes_every_thing_once(show: Open) -> None:
    prediction = order()
    view = show(shown(prediction))
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
    view = show(shown(leaders()))
    page = view.page
    module(view)
    page.evaluate(_AGAIN)
    drag(page, chip(page, "P0", "nobody"), place(page, "broker 102"))
    page.evaluate(_AGAIN)
    expect(chip(page, "P0", "broker 102")).to_be_visible()
    page.get_by_role("button", name="lock it").click()
    assert view.sent[-1] == {"do": "lock", "guess": [[1], [], []]}


def test_a_page_without_a_kernel_shows_it_and_asks_nothing(show: Open) -> None:
    for prediction in (choice(), number(), leaders()):
        view = show({**prediction.drawn(), "live": False}, live=False)
        for button in view.page.locator(".kl-predict button").all():
            button.click(force=True)
        assert view.sent == []


def test_nothing_in_a_name_can_act(show: Open) -> None:
    names = list(dict.fromkeys(TEXTS.values()))
    prediction = Prediction.arrangement(TEXTS["image"], chips=names, places=names[:20], nowhere=TEXTS["script"])
    view = show(shown(prediction))
    page = view.page
    assert faults(page, ".kl-predict") == []
    page.locator("button.kl-predict-chip").first.focus()
    keys(page, ["Enter", "ArrowRight", "Enter"])
    page.get_by_role("button", name="lock it").click()
    kernel(view, prediction)
    prediction.compare(dict.fromkeys(names, TEXTS["image"]), TEXTS["script"])
    view.draw(shown(prediction))
    expect(page.locator(".kl-predict-parts")).to_be_visible()
    assert faults(page, ".kl-predict") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 900
    other = Prediction(TEXTS["turned"], names)
    view = show(shown(other))
    assert faults(view.page, ".kl-predict") == []


def compared() -> list[Prediction]:
    made = [choice(), number(), leaders(), leaders(several=True), order()]
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


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("width, presenter", [(600, False), (1300, True)])
def test_it_is_readable_and_fits(show: Open, light: bool, width: int, presenter: bool) -> None:
    body = f'data-jp-theme-light="{"true" if light else "false"}" style="background: {"#fff" if light else "#111417"}"'
    view = show(shown(choice()), body=body, width=width, presenter=presenter)
    page = view.page
    module(view)
    for prediction in (number(), leaders(), leaders(several=True), order(), *compared()):
        page.evaluate(_ONE_MORE, live_state(shown(prediction), presenter=presenter))
    expect(page.locator(".kl-predict")).to_have_count(10)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    audit(page, ".kl-predict")
    texts = ".kl-predict-face, .kl-predict .kl-soft, .kl-predict-told, .kl-button, .kl-predict-head b"
    poor = [row for row in view.contrasts(texts) if row[1] < 4.5]
    assert not poor, poor[:5]


def test_without_motion_nothing_glides(show: Open) -> None:
    view = show(shown(leaders()), reduced_motion="reduce")
    view.page.keyboard.press("Tab")
    keys(view.page, ["Enter", "ArrowRight"])
    assert view.page.evaluate("document.getAnimations().length") == 0
