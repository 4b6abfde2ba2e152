"""What RecordView looks at in a recording: a record's batch as it was recorded, or why there is none at a moment."""

from __future__ import annotations

from kafkalab.errors import BadInput, KafkalabError
from kafkalab.state.model import Partition
from kafkalab.state.moment import Moment
from kafkalab.state.recorded_log import LogsAt
from kafkalab.state.recorded_log_batches import RecordedBatches
from kafkalab.views.record_drawn import Look


def look_at(moment: Moment, topic: str, partition: int, offset: int | None) -> Look:
    """What there was of a record at a moment.

    :param offset: None: the newest record that was committed then.
    """
    logs = moment.logs(topic)
    p = logs.partitions.get(partition)
    start, end = (p.start, p.end) if p is not None else (None, None)
    at = _newest(logs, partition) if offset is None else offset
    look = Look(topic, partition, at, None, None, start, end, recorded=True)
    try:
        if p is None:
            raise _no_such(moment, topic, partition, len(logs.partitions))
        _require_there(logs, p, at)
        return Look(topic, partition, at, RecordedBatches(logs, partition).find(at), None, start, end, recorded=True)
    except KafkalabError as error:
        return Look(look.topic, look.partition, at, None, error, start, end, recorded=True)


def _newest(logs: LogsAt, partition: int) -> int:
    """The newest offset; -1 where there is none, or nobody could tell."""
    known = logs.ends.get(partition)
    return known.high - 1 if known is not None else -1


def _require_there(logs: LogsAt, p: Partition, at: int) -> None:
    known = logs.ends.get(p.partition)
    if known is None:
        if at < 0:
            why = f"its leader, broker {p.leader}, did not tell" if p.leader is not None else "it had no leader"
            raise BadInput(f"Nobody could say at this moment where the partition's log ended: {why}.")
        return
    begun = p.start or 0
    there = f"at this moment, offsets {begun} to {known.end - 1}" if known.end > begun else "at this moment, no record"
    if at < 0 or at >= known.end:
        raise BadInput(f"There was no record at offset {at} yet." if at > 0 else "There was no record yet.", seen=there)
    if at < begun:
        raise BadInput(f"The record at offset {at} had been deleted by then.", seen=there)


def _no_such(moment: Moment, topic: str, partition: int, partitions: int) -> KafkalabError:
    if moment.snapshot is None:
        return BadInput("At this moment the cluster had not been looked at yet.", do="Go on in the recording.")
    if not partitions:
        return BadInput(f"There was no topic {topic!r} at this moment.")
    return BadInput(f"{topic} had no partition {partition} at this moment.", seen=f"{partitions} of them")
