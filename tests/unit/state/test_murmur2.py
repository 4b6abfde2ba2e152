"""murmur2 against kafka-python's, which was ported from Kafka's own, and against the examples the page is held to."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from kafka.partitioner import murmur2 as theirs

from kafkalab.state.log.murmur2 import POSITIVE, murmur2, partition_of, steps

#: The front end's tests read the same file: frontend/test/partitioner.test.js.
EXAMPLES = Path(__file__).with_name("murmur2_examples.json")


@settings(max_examples=60)
@given(st.binary(max_size=70), st.integers(1, 1000))
def test_steps_lead_to_the_hash_that_producers_use(key: bytes, partitions: int) -> None:
    assert steps(key).hash == murmur2(key) == theirs(key)
    assert partition_of(key, partitions) == (theirs(key) & POSITIVE) % partitions


def test_the_examples_hold() -> None:
    examples = json.loads(EXAMPLES.read_text())
    assert len(examples) > 20
    for one in examples:
        key = bytes.fromhex(one["key"])
        found = steps(key)
        assert (theirs(key), found.start, found.tail) == (one["hash"], one["start"], one["tail"])
        assert [[w.k, w.mixed, w.hash] for w in found.words] == one["words"]
