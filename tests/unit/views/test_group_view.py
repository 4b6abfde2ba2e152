"""GroupView beside a cluster in memory: whom it follows, what it shares with others, when it stops."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from kafkalab import Cluster
from kafkalab.state.group_trace import GroupTrace
from kafkalab.views.group_view import GroupView
from kafkalab.waiting import wait_until
from tests.unit.views import group_samples as samples

Make = Callable[..., GroupView]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    found = Cluster(brokers=3, backend="fake", quiet=True)
    found.create_topic("trucks", partitions=3)
    yield found
    found.stop()


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


def reads(view: GroupView) -> dict[str, str]:
    """Partition → client, as the view draws it."""
    state = view.state
    names = {id: m["name"] for id, m in state["members"].items()}
    return {key: names.get(p["member"], "nobody") for key, p in state["partitions"].items()}


def join(cluster: Cluster, group: str, client: str) -> str:
    return str(cluster.backend.join(group, client, ["trucks"]))  # type: ignore[attr-defined]


def until(condition: Callable[[], object], what: str) -> None:
    wait_until(condition, 20, what, period=0.02)


def ended(trace: GroupTrace | None) -> bool:
    return trace is not None and not trace.running


def test_a_view_follows_its_group_through_a_rebalance(cluster: Cluster, make: Make) -> None:
    join(cluster, "dashboard", "C1")
    view = make("dashboard")
    until(lambda: set(reads(view).values()) == {"C1"}, "C1 to hold everything")
    second = join(cluster, "dashboard", "C2")
    until(lambda: set(reads(view).values()) == {"C1", "C2"}, "C2 to have its share")
    cluster.backend.leave("dashboard", second)  # type: ignore[attr-defined]
    until(lambda: "C2 is gone" in str(view.state["gantt"]["pauses"]), "a pause to be told")
    assert "Group dashboard" in repr(view)
    assert view.history is not None
    assert json.loads(json.dumps(view.history)) == view.history


def test_the_group_with_most_members_is_shown_when_none_is_named(cluster: Cluster, make: Make) -> None:
    view = make()
    assert view.group == ""
    join(cluster, "small", "C1")
    until(lambda: view.group == "small", "the first group to be taken")
    for client in ("C1", "C2"):
        join(cluster, "large", client)
    until(lambda: "large" in view.state["groups"], "the watcher to see both")
    later = make()
    until(lambda: later.group == "large", "the largest group to be taken")
    # Who shows a group goes on showing it.
    assert view.group == "small"


def test_another_group_is_chosen_by_its_place_and_what_is_none_is_refused_in_words(
    cluster: Cluster, make: Make
) -> None:
    for group in ("audit", "dashboard"):
        join(cluster, group, "C1")
    view = make("dashboard")
    until(lambda: view.state["groups"] == ["audit", "dashboard"], "both groups to be offered")
    before = view.trace
    view._asked(None, {"do": "choose", "place": 0}, None)
    until(lambda: view.group == "audit" and view.state["group"] == "audit", "the other group")
    until(lambda: ended(before), "the first trace to end")
    view._asked(None, {"do": "choose", "place": 7}, None)
    until(lambda: "no such group" in view.state["fault"], "a refusal")
    assert view.group == "audit"


def test_two_views_of_a_group_share_one_trace_which_ends_with_the_last(cluster: Cluster, make: Make) -> None:
    join(cluster, "dashboard", "C1")
    one, two = make("dashboard"), make("dashboard")
    assert one.trace is two.trace is not None
    trace = one.trace
    assert trace.running
    until(lambda: trace.history()["steps"], "its first look")
    one.close()
    assert trace.running
    two.close()
    until(lambda: ended(trace), "the trace to end")
    # What happens meanwhile is not known, and the next view says so.
    join(cluster, "dashboard", "C2")
    three = make("dashboard")
    assert three.trace is trace
    until(lambda: set(reads(three).values()) == {"C1", "C2"}, "the view to be current")
    states = [step["state"] for step in trace.history()["steps"]]
    assert "Unknown" in states[1:]
    assert three.state["gantt"]["pauses"] == []


def test_a_view_that_nobody_looks_at_rests(cluster: Cluster, make: Make) -> None:
    join(cluster, "dashboard", "C1")
    view = make("dashboard")
    view._asked(None, {"do": "whole", "eye": "a", "n": -1}, None)
    assert view.trace is not None and view.trace.running
    view._asked(None, {"do": "gone", "eye": "a"}, None)
    until(lambda: ended(view.trace), "the trace to end")
    view._asked(None, {"do": "whole", "eye": "b", "n": -1}, None)
    assert view.trace.running


def test_what_the_learner_did_stands_beside_it_once(cluster: Cluster, make: Make) -> None:
    join(cluster, "dashboard", "C1")
    one, two = make("dashboard"), make("dashboard")
    until(lambda: one.state["gantt"]["from"] is not None, "a first look")
    cluster.watcher().note("you killed broker 102")
    until(lambda: one.state["gantt"]["notes"] and two.state["gantt"]["notes"], "the note")
    assert [text for _, text in one.state["gantt"]["notes"]] == ["you killed broker 102"]


def test_a_group_that_does_not_exist_yet_is_awaited(cluster: Cluster, make: Make) -> None:
    view = make("later")
    until(lambda: view.state["about"]["state"] == "Dead", "the coordinator's word for it")
    assert view.state["about"]["standing"] == "no such group"
    join(cluster, "later", "C1")
    until(lambda: set(reads(view).values()) == {"C1"}, "the group to appear")


def test_a_frozen_picture_of_a_recording_needs_no_cluster() -> None:
    snapshot, history = samples.death()
    view = GroupView.of(snapshot, history=json.loads(json.dumps(history)))
    assert (view.group, view.live, view.trace) == ("dashboard", False, None)
    assert "nobody read P2 for 3.4 s" in repr(view)
    assert "nobody read P2 for 3.4 s" in view.to_html()
    assert view.to_svg().startswith("<svg")
    assert view.history == history
    alone = GroupView.of(snapshot)
    assert alone.group == "dashboard"
    assert len(alone.state["members"]) == 3
    for one in (view, alone):
        one.close()
