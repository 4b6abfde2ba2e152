"""Replicas are spread as Kafka spreads them: evenly, and over racks."""

from __future__ import annotations

from collections import Counter

import hypothesis.strategies as st
from hypothesis import given

from kafkalab.cluster.fake.placement import place


def test_the_example_of_kafkas_own_documentation() -> None:
    # AdminUtils: 5 brokers, 10 partitions, 3 replicas, from the first broker on with a shift of 0.
    assert place(range(5), 10, 3, {}) == (
        (0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 0), (4, 0, 1),
        (0, 2, 3), (1, 3, 4), (2, 4, 0), (3, 0, 1), (4, 1, 2),
    )  # fmt: skip


def test_the_example_with_racks() -> None:
    racks = {0: "rack1", 1: "rack3", 2: "rack3", 3: "rack2", 4: "rack2", 5: "rack1"}
    # AdminUtils: the brokers in turn by rack are 0, 3, 1, 5, 4, 2, and the replicas are then:
    assert place(range(6), 7, 3, racks) == (
        (0, 3, 1), (3, 1, 5), (1, 5, 4), (5, 4, 2), (4, 2, 0), (2, 0, 3), (0, 4, 2),
    )  # fmt: skip


@given(st.integers(1, 7), st.integers(1, 30), st.data())
def test_leaders_are_even_and_nobody_holds_one_twice(brokers: int, partitions: int, data: st.DataObject) -> None:
    replication = data.draw(st.integers(1, brokers))
    names = st.sampled_from(["a", "b", "c"])
    racks = {b: data.draw(names) for b in range(brokers)} if data.draw(st.booleans()) else {}
    held = place(range(brokers), partitions, replication, racks)
    assert len(held) == partitions
    assert all(len(set(replicas)) == replication for replicas in held)
    leads = Counter(replicas[0] for replicas in held)
    assert max(leads.values()) - min(leads.get(b, 0) for b in range(brokers)) <= 1
    for replicas in held:
        if racks:
            assert len({racks[b] for b in replicas}) == min(replication, len(set(racks.values())))
