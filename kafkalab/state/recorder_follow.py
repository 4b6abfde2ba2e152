"""What a recording follows besides the cluster, because somebody asked for it: a Spark query, a ledger."""

from __future__ import annotations

from typing import Any

from kafkalab.errors import BadInput, NotSupported
from kafkalab.state.recorder_ledger import LedgerRecorder
from kafkalab.state.recorder_stream import StreamRecorder
from kafkalab.state.recording import Recording

Followed = StreamRecorder | LedgerRecorder


def follow(recording: Recording, what: Any, name: str | None = None) -> Followed:
    """Record this too, until the recording ends.

    :raises BadInput: it is neither a query nor a ledger.
    :raises NotSupported: the recording has ended.
    """
    if not recording.going:
        raise NotSupported("This recording is over: nothing more comes into it.", do="cluster.record() begins another")
    if hasattr(what, "result") and not hasattr(what, "query"):
        account = what.result()
        if hasattr(account, "to_dict"):
            return LedgerRecorder(recording, what, name)
    if hasattr(what, "runId") or hasattr(what, "query"):
        return StreamRecorder(recording, what, name)
    raise BadInput(
        "A recording can follow a Spark query, or a ledger.",
        seen=repr(what)[:200],
        do="Give what writeStream….start() returned, a run of kafkalab.streams, or a Ledger.",
    )
