"""The plan for a broker that leaves: every replica finds another broker, on another rack where there is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab.cluster.topics import plan
from kafkalab.errors import BadInput

BROKERS = (101, 102, 103, 104, 105)


@st.composite
def clusters(draw):
    replicas = {}
    for number in range(draw(st.integers(0, 12))):
        held = draw(st.permutations(BROKERS))[: draw(st.integers(1, 4))]
        replicas[("t", number)] = tuple(held)
    racks = {id: draw(st.sampled_from([None, "a", "b", "c"])) for id in BROKERS}
    return replicas, racks


@given(clusters())
def test_only_what_the_leaver_holds_moves(drawn):
    replicas, racks = drawn
    staying = [id for id in BROKERS if id != 103]
    moved = plan(replicas, 103, staying, racks)
    assert moved.keys() == {at for at, held in replicas.items() if 103 in held}
    for at, held in moved.items():
        others = [id for id in replicas[at] if id != 103]
        assert 103 not in held and len(set(held)) == len(held) == len(replicas[at])
        assert [new for new, old in zip(held, replicas[at], strict=True) if old != 103] == others
        (taker,) = set(held) - set(others)
        taken = {racks[id] for id in others} - {None}
        apart = [id for id in staying if id not in others and racks[id] not in taken]
        assert not apart or taker in apart


def test_with_nobody_to_take_over_it_is_refused_by_topic():
    replicas = {("wide", 0): (101, 102, 103), ("alone", 0): (103,)}
    with pytest.raises(BadInput, match="cannot leave") as e:
        plan(replicas, 103, [101, 102], {})
    assert "wide" in e.value.seen and "alone" not in e.value.seen
