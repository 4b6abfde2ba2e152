"""LogMoment: what a LogView shows at this moment, as a picture that stays when the log goes on."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from kafkalab.checks.lab_05_moment import in_theme
from kafkalab.errors import WaitTimeout
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.state.model import Snapshot
    from kafkalab.views.log_view import LogView


class HasState(Protocol):
    """A cluster, as far as it is asked here."""

    def snapshot(self) -> Snapshot:
        """As it is now."""


class LogMoment:
    """The logs of a topic as they are now. A live view follows them, and is empty when the topic is gone.

    :param view: of which topic; it reads on by itself, and is waited for until it has read what the cluster has.
    """

    def __init__(self, cluster: HasState, view: LogView) -> None:
        topic = cluster.snapshot().topic(view.topic)
        ends = "; ".join(
            f"partition {p.partition}: start {p.start}, high watermark {p.end}, log end {p.end}"
            for p in (topic.partitions if topic is not None else ())
        )

        def read() -> bool:
            svg = view.to_svg()
            return f"<desc>{ends}</desc>" in svg and ": not read<" not in svg

        # On a machine that is busy a picture with holes is better than none.
        with suppress(WaitTimeout):
            wait_until(read, 15, f"the picture of {view.topic} to be complete")
        self._svg, self._text = view.to_svg(), repr(view)

    def to_svg(self) -> str:
        """The picture, for light and dark pages."""
        return self._svg

    def _repr_html_(self) -> str:
        return in_theme(self._svg)

    def __repr__(self) -> str:
        return self._text
