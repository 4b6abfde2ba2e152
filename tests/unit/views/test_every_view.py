"""What holds for each view: its state, what travels, its static forms, and how it takes a recording by a stranger."""

from __future__ import annotations

import json
import re
import threading
from typing import Any

import pytest

from kafkalab.errors import NotSupported
from kafkalab.state.patch import applied, diff
from kafkalab.views.live import FROZEN, LiveView
from kafkalab.views.timeline.view import Timeline
from tests.support.html import ALLOWED, Page
from tests.support.plain import as_json
from tests.unit.views.every_view import RECORDED, REFUSED_RECORDED, REFUSED_STILL, STILL, Recorded, Still, kinds

each_still = pytest.mark.parametrize("still", STILL.values(), ids=STILL)
each_recorded = pytest.mark.parametrize("recorded", RECORDED.values(), ids=RECORDED)


@pytest.fixture(autouse=True)
def nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that stands still and one of a recording need no broker, and no thread of their own."""

    def refuse(*_: Any) -> None:
        raise AssertionError("a socket was opened, or a thread started")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.socket.connect_ex", refuse)
    monkeypatch.setattr(threading.Thread, "start", refuse)


def forms(view: LiveView) -> tuple[str, str]:
    """As text, and as HTML."""
    return repr(view), view.to_html()


def test_every_view_is_in_the_table() -> None:
    assert {kind for still in STILL.values() for kind in type(still.plain()).__mro__} >= kinds()


@each_still
def test_state_is_plain_json_and_patches_make_it(still: Still) -> None:
    plain, evil = still.plain(), still.evil()
    assert isinstance(plain, LiveView) and isinstance(evil, LiveView)
    for view in (plain, evil):
        assert json.loads(json.dumps(view.state, allow_nan=False)) == as_json(view.state)
    assert applied(plain.state, diff(plain.state, evil.state)) == evil.state


@each_still
def test_frozen_says_so_and_closed_is_silent(still: Still, monkeypatch: pytest.MonkeyPatch) -> None:
    view = still.plain()
    assert isinstance(view, LiveView)
    sent: list[Any] = []
    monkeypatch.setattr(view, "send", sent.append)
    before = view.state
    verbs = [name.removeprefix("do_") for name in dir(view) if name.startswith("do_")]
    view.freeze()
    sent.clear()
    for end in (lambda: None, view.close):
        end()
        for verb in verbs:
            view._asked(None, {"do": verb, "verb": "kill", "node": "broker-101", "at": 1, "place": 0}, [])
    assert sent == [{"kept": FROZEN}] * len(verbs), "said by the frozen one, and not by the closed one"
    assert view.state is before


def test_what_a_still_picture_and_the_past_refuse() -> None:
    asked = {"id": "r007", "key": "61", "partitions": 9, "guess": 0, "target": "controller", "verb": "kill", "side": 0}
    stills = [(STILL[name].plain(), verbs) for name, verbs in REFUSED_STILL.items()]
    pasts = [(RECORDED[name].view(RECORDED[name].tape()), verbs) for name, verbs in REFUSED_RECORDED.items()]
    for views, why in ((stills, "still picture"), (pasts, "This is a recording")):
        for view, refused in views:
            for verb in refused:
                with pytest.raises(NotSupported, match=why):
                    getattr(view, f"do_{verb}")({**asked, "broker": 102})
            view.close()


@each_still
def test_static_forms_agree(still: Still) -> None:
    text, html = forms(still.plain())
    page = " ".join(Page(html).text.split())
    assert [fact for fact in still.facts if fact not in text or fact not in page] == []


@each_still
def test_hostile_text_is_text_and_short(still: Still) -> None:
    text, html = forms(still.evil())
    page = Page(html)
    assert page.open == [] and page.tags <= ALLOWED
    assert page.attributes <= {"style", "scope"}
    assert "&lt;i" in html
    for form in (text, html):
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", form)
        assert len(form) < 80_000


@each_recorded
def test_forth_and_back_in_a_recording(recorded: Recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = recorded.tape()
    view = recorded.view(recording)
    if not isinstance(view, Timeline):  # which draws where the playhead stands, and no other moment
        forth = [view.drawn_at(recording.at(t)) for t in recorded.moments]
        assert [view.drawn_at(recording.at(t)) for t in reversed(recorded.moments)] == forth[::-1]
        assert json.loads(json.dumps(forth, allow_nan=False)) == as_json(forth)
        assert len({json.dumps(one, sort_keys=True) for one in forth}) == len(forth), "a moment that shows nothing new"
    if not isinstance(view, LiveView) or view._recording is None:
        return
    sent: list[Any] = []
    monkeypatch.setattr(view, "send", sent.append)
    page = view.state
    for t in reversed(recorded.moments):
        recording.playhead.seek(t)
        for message in sent:
            page = applied(page, message["patch"])
        assert page == view.state
        assert isinstance(view, Timeline) or page == {**view.drawn_at(recording.at(t)), "n": page["n"]}
        sent.clear()
    view.close()
    recording.playhead.seek(recorded.moments[-1])
    assert sent == [] and view.state == page, "closed, it follows nothing"
