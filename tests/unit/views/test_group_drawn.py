"""What the group view shows, and where members stand beside partitions."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

from kafkalab.state.groups.history import GroupHistory, with_deeds
from kafkalab.state.model import Event
from kafkalab.state.patch import diff
from kafkalab.views.group.gantt import gantt
from kafkalab.views.group.picture import PARTITIONS, drawn, layout
from tests.unit.views import group_samples as samples


def test_who_holds_what_who_stands_by_and_why_it_paused() -> None:
    snapshot, history = samples.death()
    found = drawn(snapshot, "dashboard", history)
    assert found["groups"] == ["audit", "dashboard"]
    assert found["about"] == {
        "state": "Stable", "coordinator": 101, "assignor": "range", "protocol": "classic", "number": 9,
        "noun": "generation", "lag": 9, "standing": "3 members, 1 standing by",
    }  # fmt: skip
    names = {id: m["name"] for id, m in found["members"].items()}
    held = {k: names[p["member"]] for k, p in found["partitions"].items()}
    assert held == {"trucks/0": "C1", "trucks/1": "C2", "trucks/2": "C2"}
    assert [names[id] for id in found["ranks"]] == ["C1", "C2", "C4"]
    assert [p["text"] for p in found["gantt"]["pauses"]] == [
        "P0–P2 stood still for up to 0.3 s (±0.1 s): C4 joined",
        "P0–P1 stood still for up to 0.4 s (±0.1 s): C3 died and its session timed out after 3 s",
        "nobody read P2 for 3.4 s (±0.1 s): C3 died and its session timed out after 3 s; then C2 read on",
    ]


def test_in_a_rebalance_nobody_holds_anything_and_nobody_is_forgotten() -> None:
    rebalancing = samples.group({c: [] for c in samples.THREE}, "PreparingRebalance", assignor="")
    kept = samples.kept("dashboard", (0, samples.group(samples.THREE)), (5, rebalancing), until=6)
    found = drawn(samples.snapshot(rebalancing), "dashboard", kept.to_dict())
    assert [p["member"] for p in found["partitions"].values()] == [None, None, None]
    assert found["about"]["assignor"] == "range" and not any(m["idle"] for m in found["members"].values())
    pause = found["gantt"]["pauses"][0]
    assert pause["to"] is None and pause["text"].startswith("P0–P2 stand still now")
    # Nobody stands by: they are waiting to be told what they hold, and stay where they stood.
    assert {m["said"] for m in found["members"].values()} == {"in the rebalance"}
    assert [m["row"] for m in found["members"].values()] == [0, 1, 2]


def test_a_lane_begins_with_its_first_member_and_the_chart_with_its_generation() -> None:
    empty, joining = samples.group({}, "Empty"), samples.group({"C1": []}, "PreparingRebalance", assignor="")
    steps = ((0, empty), (6, joining), (8, samples.group({"C1": samples.of(0)})), (9, samples.group(samples.AFTER)))
    kept = samples.kept("dashboard", *steps, (12, empty), until=13)
    kept.numbered(7.9, 1)
    found = gantt(kept.to_dict())
    assert found["from"] == 7.9
    assert [(pieces[0][0], pieces[0][2]) for pieces in found["lanes"].values()] == [
        (8, "held"),
        (9, "held"),
        (9, "held"),
    ]
    assert {pieces[-1][2] for pieces in found["lanes"].values()} == {"nobody"}, "afterwards, it's a gap"


def test_a_chart_begins_nowhere_before_the_first_look() -> None:
    history = with_deeds(GroupHistory("dashboard", 0.1).to_dict(), [Event(5.0, "you", "you killed broker 102")])
    found = drawn(samples.snapshot(samples.group(samples.AFTER)), "dashboard", history)
    assert (found["gantt"]["from"], found["gantt"]["order"]) == (None, [])
    assert found["gantt"]["notes"] == []
    assert {p["member"] for p in found["partitions"].values()} != {None}, "the snapshot knows the members"


def test_members_of_one_client_id_are_told_apart_and_who_came_back_is_not() -> None:
    one = samples.group({"C1": samples.of(0)})
    other = replace(one.members[0], member_id="other-9999")
    for members, names in (((other,), {"C1"}), ((*one.members, other), {"C1…0-id", "C1…9999"})):
        kept = samples.kept("dashboard", (0, one), (1, replace(one, members=members)), until=2)
        assert set(gantt(kept.to_dict())["names"].values()) == names


def test_what_is_drawn_is_bounded_and_time_alone_changes_next_to_nothing() -> None:
    snapshot, history = samples.wide(partitions=PARTITIONS + 30, members=5)
    found = drawn(snapshot, "wide", history)
    assert (len(found["partitions"]), found["more"]["partitions"]) == (PARTITIONS, 30)
    later = drawn(snapshot, "wide", {**history, "to": history["to"] + 0.5}, told=found["gantt"])
    assert len(json.dumps(diff(found, later))) < 100


def test_members_stand_where_few_lines_cross() -> None:
    keys = [f"t/{i}" for i in range(9)]
    # On average A's are lower than B's one, and yet with B above A two pairs of lines would cross, now it is one.
    rows = layout(keys, ["A", "B"], {"A": ["t/0", "t/1", "t/8"], "B": ["t/2"]})
    assert rows["A"] < rows["B"]
    # Who holds nothing stands below all others, and none stands on another.
    rows = layout(keys[:4], ["A", "B", "C", "D"], {"C": ["t/0", "t/1"], "B": ["t/2", "t/3"]})
    order = sorted(rows, key=rows.__getitem__)
    assert order[:2] == ["C", "B"] and all(rows[b] - rows[a] > 0.99 for a, b in itertools.pairwise(order))
