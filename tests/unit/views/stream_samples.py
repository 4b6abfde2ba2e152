"""What Spark reported of four real queries, recorded once on a cluster of three brokers.

- ``windows``: counts in windows with a watermark of 30 seconds, a batch a second, some rows far too late.
- ``copy``: no state, at most 2000 records a batch every half second, so that it is behind at first.
- ``fails``: ended on an error in its second batch, which is therefore not reported.
- ``realtime``: real-time mode with two task slots for four partitions: two of them are never read.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

_RECORDED = json.loads((Path(__file__).parent / "stream_recording.json").read_text(encoding="utf-8"))


def reports(query: str) -> list[dict[str, Any]]:
    """The reports of one of the queries, oldest first; a copy to do anything with."""
    found: list[dict[str, Any]] = copy.deepcopy(_RECORDED[query])
    return found
