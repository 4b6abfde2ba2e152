"""GroupView: whom it follows, what it shares with others, when it stops; and of a recording, what was known when."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kafkalab import Cluster
from kafkalab.errors import BadInput
from kafkalab.handles.recording import Recording
from kafkalab.state.groups.trace import GroupTrace
from kafkalab.views.group.view import GroupView
from kafkalab.waiting import wait_until
from tests.unit.views.group_samples import AFTER, BEGAN, group, of, recorded, snapshot
from tests.unit.views.recorded_samples import Tape

Make = Callable[..., GroupView]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with Cluster(brokers=3, backend="fake", quiet=True) as found:
        found.create_topic("trucks", partitions=3)
        yield found


@pytest.fixture
def make(cluster: Cluster) -> Iterator[Make]:
    """Makes views of the cluster, which are closed at the end."""
    made: list[GroupView] = []

    def make(group: str | None = None) -> GroupView:
        made.append(GroupView(cluster, group))
        return made[-1]

    yield make
    for view in made:
        view.close()


def readers(view: GroupView) -> set[str]:
    """Who reads the partitions, as the view draws it."""
    state = view.state
    names = {id: m["name"] for id, m in state["members"].items()}
    return {names.get(p["member"], "nobody") for p in state["partitions"].values()}


def holds(cluster: Cluster, id: str, *clients: str) -> None:
    """Let these clients be the members of a group, with their shares of the topic."""
    shares = {client: of(*range(place, 3, len(clients))) for place, client in enumerate(clients)}
    cluster.backend.groups[id] = group(shares, id=id)  # type: ignore[attr-defined]


def until(condition: Callable[[], object], what: str) -> None:
    wait_until(condition, 20, what, period=0.02)


def ended(trace: GroupTrace | None) -> bool:
    return trace is not None and not trace.running


def test_it_follows_its_group_from_before_it_exists_through_a_rebalance(cluster: Cluster, make: Make) -> None:
    view = make("dashboard")
    until(lambda: view.state["about"]["state"] == "Dead", "the coordinator's word for it")
    assert view.state["about"]["standing"] == "no such group"
    holds(cluster, "dashboard", "C1")
    until(lambda: readers(view) == {"C1"}, "C1 to hold everything")
    holds(cluster, "dashboard", "C1", "C2")
    until(lambda: readers(view) == {"C1", "C2"}, "C2 to have its share")
    holds(cluster, "dashboard", "C1")
    until(lambda: "C2 is gone" in str(view.state["gantt"]["pauses"]), "a pause to be told")
    assert json.loads(json.dumps(view.history)) == view.history is not None


def test_which_group_is_shown(cluster: Cluster, make: Make) -> None:
    view = make()
    assert view.group == ""
    holds(cluster, "small", "C1")
    until(lambda: view.group == "small", "the first group to be taken")
    holds(cluster, "large", "C1", "C2")
    until(lambda: view.state["groups"] == ["large", "small"], "the watcher to see both")
    later = make()
    until(lambda: later.group == "large", "the largest group to be taken")
    assert view.group == "small", "who shows a group goes on showing it"
    before = view.trace
    view._asked(None, {"do": "choose", "place": 0}, None)
    until(lambda: view.state["group"] == "large", "the other group")
    until(lambda: ended(before), "the first trace to end")
    view._asked(None, {"do": "choose", "place": 7}, None)
    until(lambda: "no such group" in view.state["fault"], "a refusal")


def test_two_views_of_a_group_share_one_trace_which_ends_with_the_last(cluster: Cluster, make: Make) -> None:
    holds(cluster, "dashboard", "C1")
    one, two = make("dashboard"), make("dashboard")
    trace = one.trace
    assert trace is two.trace is not None
    until(lambda: trace.history()["steps"], "its first look")
    cluster.watcher().note("you killed broker 102")
    until(lambda: one.state["gantt"]["notes"] and two.state["gantt"]["notes"], "the note")
    assert [text for _, text in one.state["gantt"]["notes"]] == ["you killed broker 102"], "once"
    one.close()
    assert trace.running
    two._asked(None, {"do": "whole", "eye": "a", "n": -1}, None)
    two._asked(None, {"do": "gone", "eye": "a"}, None)
    until(lambda: ended(trace), "the trace to end when nobody looks")
    two._asked(None, {"do": "whole", "eye": "b", "n": -1}, None)
    assert trace.running
    two.close()
    until(lambda: ended(trace), "the trace to end")
    # What happens meanwhile is not known.
    holds(cluster, "dashboard", "C1", "C2")
    three = make("dashboard")
    assert three.trace is trace
    until(lambda: readers(three) == {"C1", "C2"}, "the view to be current")
    assert "Unknown" in [step["state"] for step in trace.history()["steps"]][1:]


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
    assert before["gantt"]["pauses"] == at(12.0)["gantt"]["notes"] == []
    assert before["gantt"]["notes"] == [[BEGAN + 19.0, "you killed C3"]]
    assert before["to"] == BEGAN + 20.0, "the Gantt ends where the playhead stands"
    assert {p["member"] for p in at(22.1)["partitions"].values()} == {None}
    assert "it left, or its session timed out" in why(22.5), "why was not known yet"
    assert "C3 died and its session timed out after 3 s" in why(29.0)
    for moment, names in ((before, {"C1", "C2", "C3"}), (after, {"C1", "C2"})):
        assert {m["name"] for m in moment["members"].values()} == names


def test_which_group_is_shown_and_one_nobody_followed(recording: Recording) -> None:
    view, other = GroupView(recording), GroupView(recording)
    assert view.drawn_at(recording.at(0.5))["group"] == "dashboard", "the largest, also before it was there"
    other.do_choose({"place": 0})
    assert (view.group, other.group, other.state["about"]["state"]) == ("dashboard", "audit", "Empty")
    with pytest.raises(BadInput, match="no such group"):
        other.do_choose({"place": 9})
    made = Tape(BEGAN)
    made.state(0.0, "snapshot", snapshot(group(AFTER), at=BEGAN).to_dict())
    members = GroupView(made.recording).drawn_at(made.recording.at(1))["members"]
    assert sorted(m["holds"] for m in members.values()) == [1, 2]
