"""Lanes and pauses of a group's history: who held what when, and for how long nobody did."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from kafkalab.state.group_history import SECONDS_KEPT, STEPS_KEPT, GroupHistory, Look
from kafkalab.state.group_lanes import Piece, lanes, pauses
from kafkalab.state.model import Group, Member
from kafkalab.state.offsets_topic import decode
from tests.unit.state.batches import GENERATION, GENERATION_KEY

T = "trucks"


def group(
    held: Mapping[str, list[int]], state: str = "Stable", assignor: str = "range", type: str = "classic"
) -> Group:
    """A group with these members, each holding these partitions of one topic."""
    members = tuple(Member(f"{c}-id", c, "/h", tuple((T, p) for p in ps)) for c, ps in held.items())
    return Group("g", state, 101, members, assignor="" if state.endswith("Rebalance") else assignor, type=type)


def history(*steps: tuple[float, Group | None], period: float = 0.1) -> GroupHistory:
    found = GroupHistory("g", period)
    for at, seen in steps:
        found.looked(Look(at, seen))
    return found


def drawn(pieces: list[Piece]) -> list[tuple[float, float | None, str]]:
    """(from, to, who or what) of each piece."""
    return [(p["from"], p["to"], (p["member"] or "-")[:2] if p["what"] == "held" else p["what"]) for p in pieces]


def test_only_what_changed_is_a_step() -> None:
    two = group({"C1": [0], "C2": [1]})
    kept = history(
        (0, two), (0.1, two), (0.2, two), (0.5, group({"C1": [0, 1]})), (0.6, group({"C1": [0, 1]}))
    ).to_dict()
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
    assert drawn(lanes(found)[T, 0]) == [(0, 1, "C1"), (1, 1.4, "rebalancing"), (1.4, None, "C1")]
    assert drawn(lanes(found)[T, 1]) == [(0, 1, "C2"), (1, 1.4, "rebalancing"), (1.4, None, "C1")]
    first, second = pauses(found)
    assert (first["partition"], first["before"], first["after"], first["stayed"]) == (0, "C1-id", "C1-id", True)
    assert (second["partition"], second["before"], second["after"], second["stayed"]) == (1, "C2-id", "C1-id", False)
    assert second["seconds"] == pytest.approx(0.4)
    assert second["left"] == ["C2-id"]
    assert second["slack"] == 1.0  # the looks of this test are that far apart


def test_a_dead_member_holds_in_name_only_until_its_session_times_out() -> None:
    kept = history((0, group({"C1": [0], "C2": [1]})))
    kept.numbered(0, 7, {"C1-id": 3.0, "C2-id": 3.0})
    kept.looked(Look(9.9, group({"C1": [0], "C2": [1]})))
    assert kept.looked(Look(10, group({"C1": []}, "PreparingRebalance"))) == ["C2-id"]
    kept.explained("C2-id", "died")
    kept.looked(Look(10.3, group({"C1": [0, 1]})))
    found = kept.to_dict()
    assert drawn(lanes(found)[T, 1]) == [(0, 7, "C2"), (7, 10, "silent"), (10, 10.3, "rebalancing"), (10.3, None, "C1")]
    (pause,) = [p for p in pauses(found) if p["partition"] == 1]
    assert (pause["from"], pause["seconds"]) == (7, pytest.approx(3.3))
    assert (pause["silent"], pause["stayed"]) == (3, False)
    assert pause["slack"] == pytest.approx(0.3)
    # Its neighbour was only in the rebalance.
    (other,) = [p for p in pauses(found) if p["partition"] == 0]
    assert other["seconds"] == pytest.approx(0.3)


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


def test_a_pause_goes_on_until_somebody_takes_over() -> None:
    found = history((0, group({"C1": [0]})), (5, group({}, "Empty")), (8, group({}, "Empty"))).to_dict()
    (pause,) = pauses(found)
    assert (pause["to"], pause["after"], pause["seconds"], pause["left"]) == (None, None, 3, ["C1-id"])


def test_before_the_first_member_nobody_paused() -> None:
    found = history((0, group({}, "Empty")), (5, group({"C1": [0]}))).to_dict()
    assert drawn(lanes(found)[T, 0]) == [(0, 5, "nobody"), (5, None, "C1")]
    assert pauses(found) == []


def test_what_is_unknown_is_neither_held_nor_measured() -> None:
    found = history(
        (0, group({"C1": [0]})), (1, None), (2, group({"C1": []}, "PreparingRebalance")), (2.5, group({"C1": [0]}))
    ).to_dict()
    assert [p["what"] for p in lanes(found)[T, 0]] == ["held", "unknown", "rebalancing", "held"]
    assert pauses(found) == []


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
    kept = GroupHistory("g", 0.1)
    for i in range(STEPS_KEPT + 50):
        kept.looked(Look(i * 0.1, group({f"C{i}": [0]})))
        kept.noted(i, "x")
        kept.heard(i, "C", "assigned", [(T, 0)])
    found = kept.to_dict()
    assert len(found["steps"]) == STEPS_KEPT
    assert len(found["members"]) == STEPS_KEPT
    assert found["from"] == found["steps"][0]["at"]
    kept.looked(Look(SECONDS_KEPT * 3, group({"C1": [0]})))
    kept.looked(Look(SECONDS_KEPT * 6, group({"C2": [0]})))
    assert [s["at"] for s in kept.to_dict()["steps"]] == [SECONDS_KEPT * 3, SECONDS_KEPT * 6]


def test_epochs_and_generations_only_go_forward() -> None:
    kept = GroupHistory("g", 0.1)
    for at, epoch in enumerate((3, 3, 4)):
        kept.looked(Look(at, group({"C1": [0]}, type="consumer"), epoch=epoch))
    kept.numbered(1, 2)
    assert kept.to_dict()["numbers"] == [{"at": 0, "number": 3}, {"at": 2, "number": 4}]


def generation() -> dict[str, Any]:
    """The first generation of a group of one member, as brokers write it down."""
    record = decode(GENERATION_KEY, GENERATION)
    assert record.value is not None
    return record.value


def test_a_generation_that_no_look_saw_is_there_because_it_was_written_down() -> None:
    id = generation()["members"][0]["memberId"]
    kept = history(
        (10.0, Group("g", "Empty", 101)),
        (10.1, Group("g", "CompletingRebalance", 101, (Member(id, "C1", "/127.0.0.1"),))),
    )
    kept.written(10.08, generation())
    kept.looked(Look(10.2, Group("g", "Empty", 101)))
    found = kept.to_dict()
    # The look at 10.1 was on its way when the record was written; it tells of the moment before.
    assert [(s["at"], s["state"], s["slack"]) for s in found["steps"]] == [
        (10.0, "Empty", 0.0),
        (10.08, "Stable", 0.0),
        (10.2, "Empty", pytest.approx(0.1)),
    ]
    assert drawn(lanes(found)["trucks", 3]) == [(10.0, 10.08, "nobody"), (10.08, 10.2, "C1"), (10.2, None, "nobody")]
    assert found["numbers"] == [{"at": 10.08, "number": 1}]
    assert (found["members"][id]["session"], found["members"][id]["gone"]) == (3.0, 10.2)


def test_a_generation_from_before_the_first_look_tells_its_number_alone() -> None:
    kept = history((10.0, Group("g", "Empty", 101)))
    kept.written(5.0, generation())
    found = kept.to_dict()
    assert [s["at"] for s in found["steps"]] == [10.0]
    assert [n["number"] for n in found["numbers"]] == [1]


def test_a_rebalance_right_after_a_generation_is_not_taken_for_the_one_before() -> None:
    kept = history((10.0, Group("g", "CompletingRebalance", 101)), (10.1, Group("g", "PreparingRebalance", 101)))
    kept.written(10.05, generation())
    assert [s["state"] for s in kept.to_dict()["steps"]] == ["CompletingRebalance", "Stable", "PreparingRebalance"]


def test_what_was_handed_over_between_two_looks() -> None:
    found = history((0, group({"C1": [0], "C2": []})), (0.1, group({"C2": [0]})), (1, group({"C2": [0]}))).to_dict()
    (pause,) = pauses(found)
    assert (pause["from"], pause["to"], pause["seconds"], pause["slack"]) == (0.1, 0.1, 0, pytest.approx(0.1))
    assert (pause["before"], pause["after"], pause["left"]) == ("C1-id", "C2-id", ["C1-id"])
