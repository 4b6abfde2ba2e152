"""Batches of records as a broker's log has them, for the tests of the record view."""

from __future__ import annotations

from typing import Any

from kafkalab.state.log_segments import Found, Neighbour
from kafkalab.state.record_batch import Batch
from tests.unit.state.batches import Headers, encoded

Record = tuple[bytes | None, bytes | None, Headers]


def found(*records: Record, codec: int = 0, base: int = 40, **more: Any) -> Found:
    """A batch of these records in broker 101's log, with other batches around it."""
    batch = Batch.read(encoded(*records, codec=codec, base=base))
    given = {"segment": f"{base:020d}.log", "at": 500, **more}
    return Found(batch, 101, previous=Neighbour(30, 39), next=Neighbour(60, 61), **given)
