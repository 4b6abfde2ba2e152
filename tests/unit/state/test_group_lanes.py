"""Lanes and pauses of a group's history: who held what when, and for how long nobody did."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from kafkalab.state.groups.coordinator import generation
from kafkalab.state.groups.history import STEPS_KEPT, GroupHistory, Look, Piece, lanes, pauses
from kafkalab.state.model import Group, Member
from tests.unit.state.batches import GENERATION, GENERATION_KEY

T = "trucks"


def group(held: Mapping[str, list[int]], state: str = "Stable", assignor: str = "range") -> Group:
    """A group with these members, each holding these partitions of one topic."""
    members = tuple(Member(f"{c}-id", c, "/h", tuple((T, p) for p in ps)) for c, ps in held.items())
    return Group("g", state, 101, members, assignor="" if state.endswith("Rebalance") else assignor)


def history(*steps: tuple[float, Group | None]) -> GroupHistory:
    found = GroupHistory("g", 0.1)
    for at, seen in steps:
        found.looked(Look(at, seen))
    return found


def drawn(pieces: list[Piece]) -> list[tuple[float, float | None, str]]:
    """(from, to, who or what) of each piece."""
    return [(p["from"], p["to"], (p["member"] or "-")[:2] if p["what"] == "held" else p["what"]) for p in pieces]


def test_only_what_changed_is_a_step() -> None:
    two, one = group({"C1": [0], "C2": [1]}), group({"C1": [0, 1]})
    kept = history((0, two), (0.1, two), (0.2, two), (0.5, one), (0.6, one)).to_dict()
    assert [(s["at"], s["slack"]) for s in kept["steps"]] == [(0, 0.0), (0.5, 0.3)]
    assert (kept["from"], kept["to"]) == (0, 0.6)
    assert json.loads(json.dumps(kept)) == kept
    assert kept["members"]["C2-id"]["gone"] == 0.5


def test_a_leave_with_an_eager_assignor_stops_everybody() -> None:
    kept = history(
        (0, group({"C1": [0], "C2": [1]})),
        (1, group({"C1": []}, "PreparingRebalance")),
        (1.4, group({"C1": [0, 1]})),
        (2, group({"C1": [0, 1]})),
    )
    kept.explained("C2-id", "left", "closed")
    found = kept.to_dict()
    for p, before in enumerate(("C1", "C2")):
        assert drawn(lanes(found)[T, p]) == [(0, 1, before), (1, 1.4, "rebalancing"), (1.4, None, "C1")]
    first, second = pauses(found)
    assert (first["partition"], first["before"], first["after"], first["stayed"]) == (0, "C1-id", "C1-id", True)
    assert (second["before"], second["after"], second["stayed"]) == ("C2-id", "C1-id", False)
    assert (second["seconds"], second["left"]) == (pytest.approx(0.4), ["C2-id"])
    assert second["slack"] == 1.0  # the looks of this test are that far apart


def test_a_dead_member_holds_in_name_only_until_its_session_times_out() -> None:
    kept = history((0, group({"C1": [0], "C2": [1]})))
    kept.sessions({"C1-id": 3.0, "C2-id": 3.0})
    kept.looked(Look(9.9, group({"C1": [0], "C2": [1]})))
    assert kept.looked(Look(10, group({"C1": []}, "PreparingRebalance"))) == ["C2-id"]
    kept.explained("C2-id", "died")
    kept.looked(Look(10.3, group({"C1": [0, 1]})))
    found = kept.to_dict()
    assert drawn(lanes(found)[T, 1]) == [(0, 7, "C2"), (7, 10, "silent"), (10, 10.3, "rebalancing"), (10.3, None, "C1")]
    neighbour, pause = sorted(pauses(found), key=lambda p: p["partition"])
    assert (pause["from"], pause["seconds"], pause["silent"]) == (7, pytest.approx(3.3), 3)
    assert [neighbour["seconds"], pause["slack"]] == pytest.approx([0.3, 0.3])


def test_in_a_cooperative_group_only_what_moves_stops() -> None:
    coop = "cooperative-sticky"
    found = history(
        (0, group({"C1": [0, 1]}, assignor=coop)),
        (1, group({"C1": [], "C2": []}, "PreparingRebalance")),
        (1.2, group({"C1": [0], "C2": []}, assignor=coop)),
        (1.3, group({"C1": [], "C2": []}, "PreparingRebalance")),
        (1.5, group({"C1": [0], "C2": [1]}, assignor=coop)),
    ).to_dict()
    assert drawn(lanes(found)[T, 0]) == [(0, None, "C1")]
    pieces = drawn(lanes(found)[T, 1])
    assert (pieces[0], pieces[-1]) == ((0, 1.2, "C1"), (1.5, None, "C2"))
    (pause,) = pauses(found)
    assert (pause["partition"], pause["from"], pause["to"], pause["joined"]) == (1, 1.2, 1.5, ["C2-id"])


def test_pauses_that_have_no_end_or_no_beginning() -> None:
    one, two = group({"C1": [0]}), group({"C2": [0]})
    nobody, rebalancing = group({}, "Empty"), group({"C1": []}, "PreparingRebalance")
    for steps, what, measured in (
        (((0, one), (5, nobody), (8, nobody)), ["held", "nobody"], [(5, None, "C1-id", None, 3)]),
        (((0, nobody), (5, one)), ["nobody", "held"], []),
        (((0, one), (1, None), (2, rebalancing), (2.5, one)), ["held", "unknown", "rebalancing", "held"], []),
        (((0, one), (0.1, two), (1, two)), ["held", "held"], [(0.1, 0.1, "C1-id", "C2-id", 0)]),
    ):
        found = history(*steps).to_dict()
        assert [piece["what"] for piece in lanes(found)[T, 0]] == what
        assert [(p["from"], p["to"], p["before"], p["after"], p["seconds"]) for p in pauses(found)] == measured


def test_what_a_member_says_of_itself_is_exact() -> None:
    kept = history((0, group({"C1": [0]})))
    kept.heard(0.05, "C1", "assigned", [(T, 0)])
    kept.looked(Look(1, group({"C1": [], "C2": []}, "PreparingRebalance")))
    kept.heard(1.23, "C1", "revoked", [(T, 0)])
    kept.heard(1.61, "C1", "assigned", [(T, 0)])
    kept.looked(Look(1.5, group({"C1": [0], "C2": []})))
    kept.looked(Look(2, group({"C1": [0], "C2": []})))
    found = kept.to_dict()
    assert drawn(lanes(found)[T, 0])[-3:] == [(0, 1.23, "C1"), (1.23, 1.61, "rebalancing"), (1.61, None, "C1")]
    (pause,) = pauses(found)
    assert (pause["seconds"], pause["slack"], pause["stayed"]) == (pytest.approx(0.38), 0.0, False)


def test_a_history_is_bounded() -> None:
    kept = history(*((i * 0.1, group({f"C{i}": [0]})) for i in range(STEPS_KEPT + 50))).to_dict()
    assert len(kept["steps"]) == len(kept["members"]) == STEPS_KEPT
    assert kept["from"] == kept["steps"][0]["at"]


def test_a_generation_that_no_look_saw_is_there_because_it_was_written_down() -> None:
    written = generation("dash", GENERATION_KEY, GENERATION)
    id = written.members[0].member_id
    kept = history((10.0, Group("g", "Empty", 101)))
    joining = Group("g", "CompletingRebalance", 101, (Member(id, "C1", "/127.0.0.1"),))
    kept.looked(Look(10.1, joining, written=((10.08, written),)))
    kept.looked(Look(10.2, Group("g", "Empty", 101)))
    found = kept.to_dict()
    # The look at 10.1 was on its way when the record was written; it tells of the moment before.
    assert [(s["at"], s["state"]) for s in found["steps"]] == [(10.0, "Empty"), (10.08, "Stable"), (10.2, "Empty")]
    assert drawn(lanes(found)["trucks", 3]) == [(10.0, 10.08, "nobody"), (10.08, 10.2, "C1"), (10.2, None, "nobody")]
    assert found["numbers"] == [{"at": 10.08, "number": 1}]
    assert (found["members"][id]["session"], found["members"][id]["gone"]) == (3.0, 10.2)


def test_a_look_on_its_way_is_no_second_rebalance() -> None:
    """A rebalance that began and ended between two looks, while the second was on its way, is one and not two."""
    written = generation("dash", GENERATION_KEY, GENERATION)
    id = written.members[0].member_id
    kept = history((10.0, Group("g", "Stable", 101, (Member("gone", "C2", "/h", (("trucks", 3),)),))))
    joining = Group("g", "PreparingRebalance", 101, (Member(id, "C1", "/h"),))
    kept.looked(Look(10.1, joining, written=((10.09, written),)))
    all_four = tuple(("trucks", p) for p in range(4))
    kept.looked(Look(10.2, Group("g", "Stable", 101, (Member(id, "C1", "/h", all_four),))))
    (pause,) = pauses(kept.to_dict())
    assert (pause["before"], pause["after"]) == ("gone", id)
