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
    assert {p["member"] for p in at(22.1)["partitions"].values()} == {None}
    assert "it left, or its session timed out" in why(22.5), "why was not known yet"
    assert "C3 died and its session timed out after 3 s" in why(29.0)
    assert {m["name"] for m in after["members"].values()} == {"C1", "C2"}
    assert (after["flows"], view.trace) == (False, None)


def test_which_group_is_shown_and_one_nobody_followed(recording: Recording) -> None:
    view, other = GroupView(recording), GroupView(recording)
    assert view.drawn_at(recording.at(0.5))["group"] == "dashboard", "the largest, also before it was there"
    other.do_choose({"place": 0})
    assert (other.state["group"], other.state["about"]["state"]) == ("audit", "Empty")
    recording.playhead.seek(3.0)
    assert (view.group, other.group) == ("dashboard", "audit")
    with pytest.raises(BadInput, match="no such group"):
        other.do_choose({"place": 9})
    made = Tape(BEGAN)
    for at, holds in ((0.0, THREE), (5.0, AFTER)):
        made.state(at, "snapshot", snapshot(group(holds), at=BEGAN + at).to_dict())
    view = GroupView(made.recording)
    shown = [sorted(m["holds"] for m in view.drawn_at(made.recording.at(t))["members"].values()) for t in (1, 5)]
    assert (view.group, shown) == ("dashboard", [[1, 1, 1], [1, 2]])
