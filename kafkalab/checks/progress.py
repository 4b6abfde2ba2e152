"""Progress: what the checks said so far, kept on this machine, and shown at the end of each lab.

Nothing of an answer is kept, and nothing leaves the machine. ``KAFKALAB_PROGRESS=off`` keeps nothing at all.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from kafkalab.checks.progress_store import Store

if TYPE_CHECKING:
    from kafkalab.checks.exercise import Result

log = logging.getLogger(__name__)


def on() -> bool:
    """Whether progress is kept: unless ``KAFKALAB_PROGRESS`` says off, no, false or 0."""
    return os.environ.get("KAFKALAB_PROGRESS", "").strip().lower() not in ("off", "no", "false", "0")


def remember(result: Result) -> None:
    """Keep what a check said; never raises, and never keeps anybody waiting for long."""
    try:
        if on():
            Store().add(result)
    except Exception as error:
        # A full or read-only disk must not stop a lab; who asks for the progress will be told.
        log.debug("the progress of %s was not kept: %s", result.exercise, error)
