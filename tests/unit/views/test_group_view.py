"""GroupView beside a cluster in memory: whom it follows, what it shares with others, when it stops."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from kafkalab import Cluster
from kafkalab.state.group_trace import GroupTrace
from kafkalab.views.group_view import GroupView
from kafkalab.waiting import wait_until

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


def readers(view: GroupView) -> set[str]:
    """Who reads the partitions, as the view draws it."""
    state = view.state
    names = {id: m["name"] for id, m in state["members"].items()}
    return {names.get(p["member"], "nobody") for p in state["partitions"].values()}


def join(cluster: Cluster, group: str, client: str) -> str:
    return str(cluster.backend.join(group, client, ["trucks"]))  # type: ignore[attr-defined]


def until(condition: Callable[[], object], what: str) -> None:
    wait_until(condition, 20, what, period=0.02)


def ended(trace: GroupTrace | None) -> bool:
    return trace is not None and not trace.running


def test_it_follows_its_group_from_before_it_exists_through_a_rebalance(cluster: Cluster, make: Make) -> None:
    view = make("dashboard")
    until(lambda: view.state["about"]["state"] == "Dead", "the coordinator's word for it")
    assert view.state["about"]["standing"] == "no such group"
    join(cluster, "dashboard", "C1")
    until(lambda: readers(view) == {"C1"}, "C1 to hold everything")
    second = join(cluster, "dashboard", "C2")
    until(lambda: readers(view) == {"C1", "C2"}, "C2 to have its share")
    cluster.backend.leave("dashboard", second)  # type: ignore[attr-defined]
    until(lambda: "C2 is gone" in str(view.state["gantt"]["pauses"]), "a pause to be told")
    assert json.loads(json.dumps(view.history)) == view.history is not None


def test_which_group_is_shown(cluster: Cluster, make: Make) -> None:
    view = make()
    assert view.group == ""
    join(cluster, "small", "C1")
    until(lambda: view.group == "small", "the first group to be taken")
    for client in ("C1", "C2"):
        join(cluster, "large", client)
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
    join(cluster, "dashboard", "C1")
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
    join(cluster, "dashboard", "C2")
    three = make("dashboard")
    assert three.trace is trace
    until(lambda: readers(three) == {"C1", "C2"}, "the view to be current")
    assert "Unknown" in [step["state"] for step in trace.history()["steps"]][1:]
