"""Patience: how many times longer than on a quiet machine things may take now."""

from __future__ import annotations

import os


def patience() -> float:
    """At least 1, at most 8: the machine's load average of the last minute for each core."""
    try:
        return min(8.0, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))
    except OSError:
        return 1.0
