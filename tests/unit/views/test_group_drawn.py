"""What the group view shows, and its static forms."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest

from kafkalab.state.model import Snapshot
from kafkalab.state.patch import diff
from kafkalab.views.gantt_drawn import PAUSES, gantt
from kafkalab.views.group_drawn import PARTITIONS, drawn
from kafkalab.views.group_html import to_html
from kafkalab.views.group_svg import to_svg
from kafkalab.views.group_text import to_text
from tests.unit.views import group_samples as samples
from tests.unit.views_samples import HOSTILE, LONG, TURNED


def test_a_group_with_who_holds_what_who_stands_by_and_its_generation() -> None:
    snapshot, history = samples.death()
    found = drawn(snapshot, "dashboard", history)
    assert found["groups"] == ["audit", "dashboard"]
    assert found["about"] == {
        "state": "Stable",
        "coordinator": 101,
        "assignor": "range",
        "protocol": "classic",
        "number": 9,
        "noun": "generation",
        "lag": 9,
        "idle": 1,
        "standing": "3 members, 1 standing by",
    }
    names = {id: m["name"] for id, m in found["members"].items()}
    assert {k: names[p["member"]] for k, p in found["partitions"].items()} == {
        "trucks/0": "C1",
        "trucks/1": "C2",
        "trucks/2": "C2",
    }
    assert [names[id] for id in found["ranks"]] == ["C1", "C2", "C4"]
    assert json.loads(json.dumps(found)) == found


def test_pauses_are_sentences_newest_first_with_their_causes() -> None:
    _, history = samples.death()
    assert [p["text"] for p in gantt(history)["pauses"]] == [
        "P0–P2 stood still for up to 0.3 s (±0.1 s): C4 joined",
        "P0–P1 stood still for up to 0.4 s (±0.1 s): C3 died and its session timed out after 3 s",
        "nobody read P2 for 3.4 s (±0.1 s): C3 died and its session timed out after 3 s; then C2 read on",
    ]


def test_during_a_rebalance_nobody_holds_anything_and_nobody_is_forgotten() -> None:
    rebalancing = samples.group({c: [] for c in samples.THREE}, "PreparingRebalance", assignor="")
    kept = samples.kept("dashboard", (0, samples.group(samples.THREE)), (5, rebalancing), until=6)
    found = drawn(samples.snapshot(rebalancing), "dashboard", kept.to_dict())
    assert [p["member"] for p in found["partitions"].values()] == [None, None, None]
    assert len(found["members"]) == 3
    assert found["about"]["standing"] == "3 members, sharing out the partitions anew"
    assert found["about"]["assignor"] == "range"
    assert found["gantt"]["pauses"][0]["to"] is None
    assert found["gantt"]["pauses"][0]["text"].startswith("P0–P2 stand still now")
    # Nobody stands by: they are waiting to be told what they hold, and stay where they stood.
    assert {m["said"] for m in found["members"].values()} == {"in the rebalance"}
    assert found["about"]["idle"] == 0
    assert [m["row"] for m in found["members"].values()] == [0, 1, 2]


def test_without_a_history_the_snapshot_is_drawn() -> None:
    snapshot = samples.snapshot(samples.group(samples.THREE))
    found = drawn(snapshot, "dashboard", None)
    assert [p["member"] for p in found["partitions"].values()] == [f"C{i}-0000-id" for i in (1, 2, 3)]
    assert len(found["members"]) == 3
    assert found["gantt"]["order"] == []


def test_no_group_at_all() -> None:
    for snapshot in (None, samples.snapshot()):
        found = drawn(snapshot, "", None)
        assert (found["group"], found["order"], found["ranks"]) == ("", [], [])
        assert "no consumer group yet" in to_text(found)
        ET.fromstring(to_svg(found))


def test_members_that_share_a_client_id_are_told_apart_and_those_that_came_back_are_not() -> None:
    one = samples.group({"C1": samples.of(0)})
    again = samples.group({"C1": samples.of(0)})
    member = again.members[0]
    back = type(again)(
        again.group_id, "Stable", 101, (type(member)("other-9999", "C1", member.host, member.partitions),)
    )
    both = type(again)(again.group_id, "Stable", 101, (*one.members, back.members[0]))
    alone = samples.kept("dashboard", (0, one), (1, back), until=2).to_dict()
    assert set(gantt(alone)["names"].values()) == {"C1"}
    together = samples.kept("dashboard", (0, one), (1, both), until=2).to_dict()
    assert set(gantt(together)["names"].values()) == {"C1 …0-id", "C1 …9999"}


def test_what_is_drawn_is_bounded() -> None:
    snapshot, history = samples.wide(partitions=PARTITIONS + 30, members=5)
    found = drawn(snapshot, "wide", history)
    assert len(found["partitions"]) == PARTITIONS
    assert found["more"]["partitions"] == 30
    kept = samples.kept("g", (0, samples.group({"C1": samples.of(0)})), until=1)
    for i in range(3 * PAUSES):
        kept.looked(samples.Look(10 + 2 * i, samples.group({}, "Empty")))
        kept.looked(samples.Look(11 + 2 * i, samples.group({"C1": samples.of(0)})))
    assert len(gantt(kept.to_dict())["pauses"]) == PAUSES


def test_time_alone_changes_next_to_nothing() -> None:
    snapshot, history = samples.wide()
    before = drawn(snapshot, "wide", history)
    later = drawn(snapshot, "wide", {**history, "to": history["to"] + 0.5}, told=before["gantt"])
    patch = diff(before, later)
    assert len(json.dumps(patch)) < 100
    assert patch[0][:2] == ["set", ["to"]]


@pytest.fixture
def hostile() -> tuple[Snapshot, dict[str, object]]:
    snapshot, history = samples.hostile([HOSTILE, TURNED, LONG, "fine"])
    return snapshot, drawn(snapshot, HOSTILE, history)


def test_hostile_names_are_text_in_every_static_form(hostile: tuple[Snapshot, dict[str, object]]) -> None:
    _, found = hostile
    svg, html, text = to_svg(found), to_html(found), to_text(found)
    assert "<img" not in svg + html
    assert "&lt;img" in html
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", svg + html + text)
    assert "x" * 200 not in svg + html + text
    ET.fromstring(svg)


def test_the_static_picture_says_what_the_live_one_says() -> None:
    snapshot, history = samples.death()
    found = drawn(snapshot, "dashboard", history)
    svg = to_svg(found)
    texts = [element.text for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert "Group dashboard · Stable · coordinator 101 · generation 9 · range" in texts
    assert "standing by" in texts
    assert found["gantt"]["pauses"][2]["text"] in texts
    html = to_html(found)
    assert html.count("<table>") == 3
    assert '<td style="text-align:left">trucks P1–P2</td>' in html
    assert "C4  standing by" in to_text(found)


def test_many_partitions_fit_into_the_static_picture() -> None:
    snapshot, history = samples.wide()
    svg = ET.fromstring(to_svg(drawn(snapshot, "wide", history)))
    height = float(svg.attrib["height"])
    lowest = max(float(e.attrib["y"]) for e in svg.iter("{http://www.w3.org/2000/svg}text"))
    assert lowest < height
