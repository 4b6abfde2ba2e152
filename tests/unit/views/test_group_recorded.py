"""GroupView of a recording: a group as it was known at any moment, in any direction, whoever recorded it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kafkalab.errors import BadInput
from kafkalab.state.group_history import GroupHistory, Look
from kafkalab.state.recording import Recording
from kafkalab.views.group_view import GroupView
from tests.unit.views.group_samples import AFTER, AT, THREE, group, snapshot
from tests.unit.views.recorded_samples import NONSENSE, Tape

BEGAN = AT - 2
ID = "C3-0000-id"


def tape() -> Tape:
    """As a recorder would have told it: three members from 2 s on; C3 is killed at 19 s, and missed at 22 s."""
    made, history = Tape(BEGAN), GroupHistory("dashboard", 0.1)
    audit = group({}, "Empty", id="audit")
    made.state(0.0, "snapshot", snapshot(audit, at=BEGAN).to_dict())

    def look(at: float, seen: Any, *, settled: bool = True) -> None:
        history.looked(Look(BEGAN + at, seen))
        made.state(at, "group/dashboard", history.to_dict())
        if settled:
            made.state(at, "snapshot", snapshot(seen, audit, at=BEGAN + at).to_dict())

    look(2.0, group(THREE))
    made.item(19.0, "events", {"at": BEGAN + 19.0, "kind": "you", "text": "you killed C3"})
    look(22.0, group({"C1": [], "C2": []}, "PreparingRebalance", assignor=""), settled=False)
    look(22.4, group(AFTER))
    history.sessions({ID: 3.0})
    history.explained(ID, "died")
    made.state(22.7, "group/dashboard", history.to_dict())
    made.state(30.0, "snapshot", snapshot(group(AFTER), audit, at=BEGAN + 30).to_dict())
    return made


@pytest.fixture
def recording() -> Recording:
    return tape().recording


def at(view: GroupView, seconds: float) -> dict[str, Any]:
    recording = view._recording
    assert recording is not None
    return view.drawn_at(recording.at(seconds))


def test_what_was_known_at_each_moment_and_not_what_came_later(recording: Recording) -> None:
    view = GroupView(recording, "dashboard")
    before = at(view, 20.0)
    assert {m["name"] for m in before["members"].values()} == {"C1", "C2", "C3"}
    assert before["gantt"]["pauses"] == []
    assert before["gantt"]["notes"] == [[BEGAN + 19.0, "you killed C3"]]
    assert before["to"] == BEGAN + 20.0, "the Gantt ends where the playhead stands"
    assert at(view, 12.0)["gantt"]["notes"] == []
    during = at(view, 22.1)
    assert during["about"]["state"] == "PreparingRebalance"
    assert {p["member"] for p in during["partitions"].values()} == {None}
    (pause,) = [p for p in at(view, 22.5)["gantt"]["pauses"] if p["keys"] == ["trucks/2"]]
    assert "it left, or its session timed out" in pause["text"], "why was not known yet"
    after = at(view, 29.0)
    (pause,) = [p for p in after["gantt"]["pauses"] if p["keys"] == ["trucks/2"]]
    assert "C3 died and its session timed out after 3 s; then C2 read on" in pause["text"]
    assert {m["name"] for m in after["members"].values()} == {"C1", "C2"}
    assert after["name"] == "the lab"
    assert after["flows"] is False


def test_forth_and_back_a_moment_is_the_same(recording: Recording) -> None:
    view = GroupView(recording)
    moments = [0.0, 2.0, 12.0, 19.5, 22.0, 22.4, 22.6, 23.0, 30.0]
    forth = [at(view, t) for t in moments]
    back = [at(view, t) for t in reversed(moments)][::-1]
    fresh = [at(GroupView(recording), t) for t in moments]
    assert forth == back == fresh
    assert len({json.dumps(drawn, sort_keys=True) for drawn in forth}) == len(moments)


def test_it_follows_the_playhead_and_learns_what_is_still_being_recorded() -> None:
    made = tape()
    view = GroupView(made.recording, "dashboard")
    made.recording.playhead.seek(5.0)
    assert view.state["gantt"]["pauses"] == []
    made.recording.playhead.seek(25.0)
    assert len(view.state["members"]) == 2
    made.recording.playhead.to_live()
    made.state(35.0, "snapshot", snapshot(group({}, "Empty"), at=BEGAN + 35).to_dict())
    made.recording.grown()
    assert view.state["to"] == BEGAN + 35
    view.close()


def test_the_group_with_the_most_members_is_shown_unless_another_is_chosen(recording: Recording) -> None:
    view, other = GroupView(recording), GroupView(recording)
    assert view.group == other.group == "dashboard"
    assert at(view, 0.5)["group"] == "dashboard", "also before it was there"
    other.do_choose({"place": 0})
    assert (other.group, other.state["group"], other.state["about"]["state"]) == ("audit", "audit", "Empty")
    assert view.state["group"] == "dashboard"
    recording.playhead.seek(3.0)
    assert (view.group, other.group) == ("dashboard", "audit")
    with pytest.raises(BadInput, match="no such group"):
        other.do_choose({"place": 9})
    with pytest.raises(BadInput, match="no such group"):
        other.do_choose({"place": "<script>"})


def test_a_group_nobody_followed_is_drawn_from_the_snapshots() -> None:
    made = Tape(BEGAN)
    made.state(0.0, "snapshot", snapshot(group(THREE), at=BEGAN).to_dict())
    made.state(5.0, "snapshot", snapshot(group(AFTER), at=BEGAN + 5).to_dict())
    view = GroupView(made.recording)
    assert {m["holds"] for m in at(view, 1.0)["members"].values()} == {1}
    assert sorted(m["holds"] for m in at(view, 5.0)["members"].values()) == [1, 2]
    assert at(view, 1.0)["gantt"]["order"] == []
    assert view.group == "dashboard"


def test_no_source_is_asked(recording: Recording) -> None:
    view = GroupView(recording)
    assert view.trace is None
    assert view.history is not None and view.history["to"] == BEGAN + 30.0
    assert "dashboard" in view.to_svg() and "C2" in view.to_html() and "C2" in repr(view)
    view.close()


@pytest.mark.parametrize("wrong", NONSENSE, ids=lambda value: repr(value)[:20])
def test_whatever_a_stranger_recorded_nothing_is_raised(wrong: Any) -> None:
    made = tape()
    good = made._states["group/dashboard"]
    broken = [{**good, key: wrong} for key in good]
    broken += [{**good, "steps": [*good["steps"], {**good["steps"][0], key: wrong}]} for key in good["steps"][0]]
    broken += [{**good, "members": {**good["members"], ID: {**good["members"][ID], "client": wrong}}}]
    made.state(31.0, "group/dashboard", wrong)
    for n, history in enumerate(broken):
        made.state(32.0 + n, "group/dashboard", history)
    made.item(60.0, "events", wrong)
    made.item(61.0, "events", {"kind": "you", "at": wrong, "text": wrong})
    made.state(62.0, "snapshot", wrong)
    made.state(
        63.0, "snapshot", {**snapshot(group(THREE)).to_dict(), "at": wrong, "controller": wrong, "groups": wrong}
    )
    view = GroupView(made.recording)
    for n in range(31, 64):
        made.recording.playhead.seek(n)
        json.dumps(view.state, allow_nan=False)
        assert repr(view) and "<img src=x" not in view.to_html() + view.to_svg()
    made.recording.playhead.seek(29.0)
    assert {m["name"] for m in view.state["members"].values()} == {"C1", "C2"}, "what is sound is still shown"
    view.close()
