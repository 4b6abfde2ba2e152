"""ProgressView's front end in a real browser: signs, words, and what changes."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.samples import progress as picture
from tests.browser.view_page import Open

#: For the fixture ``show``.
VIEW, PAGE = "progress", {"width": 900}


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
    assert view.asked() == []

    # What is wrong with keeping it is said.
    view.draw(picture("right", note="It begins anew.", labs=picture("right")["labs"][:1]))
    assert view.texts(".kl-pg-foot") == ["It begins anew."]
    expect(page.locator(".kl-pg-next")).to_be_hidden()
    view.draw(picture("right", kept=False))
    assert "KAFKALAB_PROGRESS" in view.texts(".kl-pg-foot")[0]


def test_the_page_of_the_course_says_how_long_each_lab_takes_and_what_it_is_for(show: Open) -> None:
    view = show(picture("right", course=True))
    assert view.texts(".kl-pg-title") == ["The course"]
    expect(view.page.get_by_role("status")).to_have_text("0 of 22 labs done · about 9 h to go")
    rows = view.texts(".kl-pg-labs li")
    assert len(rows) == 22 and all("25 min · afterwards you can send a record, and read it" in row for row in rows)
    expect(view.page.get_by_role("list", name="exercises of this lab")).to_be_hidden()
    assert view.fits()
