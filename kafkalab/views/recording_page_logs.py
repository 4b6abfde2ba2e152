"""What the page of a recording answers when a learner goes back in a log: the records, as far as there is room."""

from __future__ import annotations

from typing import Any

from kafkalab.state.recording import Recording
from kafkalab.views.log_view import OFFSETS_ASKED, LogView

#: So many offsets of a topic at most, the newest of each partition.
MOST_OFFSETS = 8000


class _Asked(LogView):
    """A view whose answers stay here, for there is no page that would hear them."""

    def __init__(self, recording: Recording, like: LogView) -> None:
        self.answers: list[dict[str, Any]] = []
        super().__init__(recording, like.topic)
        self._keys = like._keys  # the same key has the same letter and colour

    def answer(self, message: dict[str, Any]) -> None:
        self.answers.append(message)


def answers(recording: Recording, like: LogView) -> list[dict[str, Any]]:
    """Windows of the logs that a view shows, as they were at the end: ``{partition: {"from", "to", "cells", …}}``."""
    logs = recording.at(recording.seconds).logs(like.topic)
    each = MOST_OFFSETS // max(1, len(logs.ends))
    view = _Asked(recording, like)
    try:
        for p, end in sorted(logs.ends.items()):
            begin = max(logs.partitions[p].start or 0, end.end - each)
            for start in range(begin, end.end, OFFSETS_ASKED):
                view.do_look({"windows": {str(p): [start, min(end.end, start + OFFSETS_ASKED)]}})
    finally:
        view.close()
    return [window for message in view.answers for window in [message["windows"]] if _any(window)]


def _any(windows: dict[str, Any]) -> bool:
    return any(window["cells"] for window in windows.values())
