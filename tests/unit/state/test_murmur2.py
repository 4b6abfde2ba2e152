"""murmur2 as kafka-python ported it, against the examples that the page's steps are held to."""

from __future__ import annotations

import json
from pathlib import Path

from kafkalab.state.log.murmur2 import POSITIVE, murmur2, partition_of

#: The front end's tests read the same file: frontend/test/partitioner.test.js.
EXAMPLES = Path(__file__).with_name("murmur2_examples.json")


def test_the_examples_hold() -> None:
    examples = json.loads(EXAMPLES.read_text())
    assert len(examples) > 20
    for one in examples:
        key = bytes.fromhex(one["key"])
        assert murmur2(key) == one["hash"]
        assert partition_of(key, 7) == (one["hash"] & POSITIVE) % 7
