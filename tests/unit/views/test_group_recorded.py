"""GroupView of a recording: a group as it was known at any moment."""

from __future__ import annotations

from typing import Any

import pytest

from kafkalab.errors import BadInput
from kafkalab.state.recording import Recording
from kafkalab.views.group_view import GroupView
from tests.unit.views.group_samples import AFTER, BEGAN, THREE, group, recorded, snapshot
from tests.unit.views.recorded_samples import Tape


@pytest.fixture
def recording() -> Recording:
    return recorded().recording


def test_what_was_known_at_each_moment_and_not_what_came_later(recording: Recording) -> None:
    view = GroupView(recording, "dashboard")

    def at(seconds: float) -> dict[str, Any]:
        return view.drawn_at(recording.at(seconds))

    def why(seconds: float) -> str:
        (pause,) = [p for p in at(seconds)["gantt"]["pauses"] if p["keys"] == ["trucks/2"]]
        return str(pause["text"])

    before, after = at(20.0), at(29.0)
    assert {m["name"] for m in before["members"].values()} == {"C1", "C2", "C3"}
    assert before["gantt"]["pauses"] == []
    assert before["gantt"]["notes"] == [[BEGAN + 19.0, "you killed C3"]]
    assert before["to"] == BEGAN + 20.0, "the Gantt ends where the playhead stands"
    assert at(12.0)["gantt"]["notes"] == []
    assert at(22.1)["about"]["state"] == "PreparingRebalance"
    assert {p["member"] for p in at(22.1)["partitions"].values()} == {None}
    assert "it left, or its session timed out" in why(22.5), "why was not known yet"
    assert "C3 died and its session timed out after 3 s" in why(29.0)
    assert {m["name"] for m in after["members"].values()} == {"C1", "C2"}
    assert (after["name"], after["flows"], view.trace) == ("the lab", False, None)
    fresh = GroupView(recording).history
    assert fresh is not None and fresh["to"] == BEGAN + 30.0


def test_it_learns_what_is_still_being_recorded() -> None:
    made = recorded()
    view = GroupView(made.recording, "dashboard")
    made.recording.playhead.seek(5.0)
    assert view.state["gantt"]["pauses"] == []
    made.recording.playhead.to_live()
    made.state(35.0, "snapshot", snapshot(group({}, "Empty"), at=BEGAN + 35).to_dict())
    made.recording.grown()
    assert view.state["to"] == BEGAN + 35
    view.close()


def test_the_largest_group_is_shown_unless_another_is_chosen(recording: Recording) -> None:
    view, other = GroupView(recording), GroupView(recording)
    assert view.drawn_at(recording.at(0.5))["group"] == "dashboard", "also before it was there"
    other.do_choose({"place": 0})
    assert (other.state["group"], other.state["about"]["state"]) == ("audit", "Empty")
    recording.playhead.seek(3.0)
    assert (view.group, other.group) == ("dashboard", "audit")
    for place in (9, "<script>"):
        with pytest.raises(BadInput, match="no such group"):
            other.do_choose({"place": place})


def test_a_group_nobody_followed_is_drawn_from_the_snapshots() -> None:
    made = Tape(BEGAN)
    made.state(0.0, "snapshot", snapshot(group(THREE), at=BEGAN).to_dict())
    made.state(5.0, "snapshot", snapshot(group(AFTER), at=BEGAN + 5).to_dict())
    view = GroupView(made.recording)
    holds = [sorted(m["holds"] for m in view.drawn_at(made.recording.at(t))["members"].values()) for t in (1, 5)]
    assert (view.group, holds, view.state["gantt"]["order"]) == ("dashboard", [[1, 1, 1], [1, 2]], [])
