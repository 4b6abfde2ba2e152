"""ProgressView's front end in a real browser: signs and words, what changes, narrow pages, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import audit
from tests.browser.view_page import ViewPage

Open = Callable[..., ViewPage]
#: For the fixture ``show``.
VIEW, PAGE = "progress_view", {"width": 900}
TITLES = ("Read it all, and come to an end", "Who leads now?", "Copies enough")


def picture(*outcomes: str, **more: Any) -> dict[str, Any]:
    """A state as the kernel would draw it."""
    exercises = [
        {"id": f"00.{at + 1}", "title": TITLES[at], "outcome": outcome, "points": 2 * (outcome == "right"), "out_of": 2,
         "words": {"right": "right at try 2", "wrong": "not right yet"}.get(outcome, outcome)}
        for at, outcome in enumerate(outcomes)
    ]  # fmt: skip
    points = sum(one["points"] for one in exercises)
    labs = [
        {"number": f"{n:02d}", "title": f"Lab {n}", "notebook": f"{n:02d}.ipynb", "points": points if n == 0 else 0,
         "out_of": 6, "words": f"{points} of 6 points" if n == 0 else "not begun", "here": n == 0}
        for n in range(22)
    ]  # fmt: skip
    following = {"number": "01", "title": "Why Kafka", "notebook": "01_why_kafka.ipynb"}
    return {"lab": "00", "title": "Start here", "notebook": "00_start_here.ipynb", "exercises": exercises,
            "points": points, "out_of": 6, "words": "", "labs": labs, "next": following, "kept": True, "note": "",
            **more}  # fmt: skip


def test_it_says_what_became_of_each_exercise_and_follows(show: Open) -> None:
    view = show(picture("not attempted", "wrong", "could not be judged"))
    page = view.page
    assert view.texts(".kl-pg-title") == ["Lab 00 · Start here"]
    assert [text[0] for text in view.texts(".kl-pg-list li")] == ["○", "✗", "?"]
    assert "not right yet" in view.texts(".kl-pg-list li")[1]
    expect(page.get_by_role("status")).to_have_text("0 of 6 points")
    assert len(view.texts(".kl-pg-labs li")) == 22
    view.draw(picture("right", "wrong", "could not be judged"))
    assert view.texts(".kl-pg-list li")[0] == "✓ 00.1 Read it all, and come to an end right at try 2 2 of 2 points"
    expect(page.get_by_role("status")).to_have_text("2 of 6 points")
    expect(page.locator("[aria-current=true]")).to_contain_text("2 of 6 points")
    assert view.texts(".kl-pg-next") == ["Next: 01 · Why Kafka 01_why_kafka.ipynb"]
    assert view.sent == [] or all(message["do"] == "whole" for message in view.sent)


def test_what_is_wrong_with_keeping_it_is_said(show: Open) -> None:
    view = show(picture("right", note="Your progress could not be read. It begins anew.", next=None))
    assert view.texts(".kl-pg-foot") == ["Your progress could not be read. It begins anew."]
    assert not view.page.locator(".kl-pg-next").is_visible()
    view.draw(picture("right", kept=False))
    assert view.texts(".kl-pg-foot") == ["Not kept: KAFKALAB_PROGRESS is off."]


@pytest.mark.parametrize("light", [True, False])
@pytest.mark.parametrize("width, presenter", [(340, False), (1300, True)])
def test_it_is_readable_and_fits(show: Open, light: bool, width: int, presenter: bool) -> None:
    body = f'data-jp-theme-light="{"true" if light else "false"}" style="background: {"#fff" if light else "#111417"}"'
    view = show(picture("right", "wrong", "not attempted"), body=body, width=width, presenter=presenter)
    assert view.page.evaluate("document.documentElement.scrollWidth") <= width
    audit(view.page, ".kl-progress")
    poor = [row for row in view.contrasts(".kl-progress :is(span:not(.kl-pg-bar *), h3, p, b)") if row[1] < 4.5]
    assert not poor, poor[:5]
