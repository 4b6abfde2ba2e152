"""Still pictures of the cluster and of a topic's logs; they do not change when the cluster does."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from kafkalab.errors import WaitTimeout
from kafkalab.views.cluster.html import to_text
from kafkalab.views.cluster.picture import drawn
from kafkalab.views.cluster.svg import to_svg
from kafkalab.views.svg import in_theme
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.state.model import Snapshot
    from kafkalab.views.log.view import LogView


class Moment:
    """A still picture of a cluster at this moment, like its view but without the buttons.

    :param title: the title of the picture, in place of the cluster's name.
    :param topic: the one topic to show; empty: all topics.
    """

    def __init__(self, cluster: Cluster, title: str, topic: str = "") -> None:
        snapshot = cluster.snapshot()
        picture = drawn(
            snapshot, cluster.nodes(), name=title, label=cluster.label, version=cluster.version,
            mode=cluster.mode or "", error=None, busy={}, buttons=False,
        )  # fmt: skip
        self._drawn = {**picture, "at": snapshot.at}
        self._topic = topic

    def to_svg(self) -> str:
        """Return the picture as SVG for light and dark pages."""
        return to_svg(self._drawn, topic=self._topic)

    def _repr_html_(self) -> str:
        return in_theme(self.to_svg())

    def __repr__(self) -> str:
        return to_text(self._drawn)


class HasState(Protocol):
    """The part of a cluster that is needed here: its snapshots."""

    def snapshot(self) -> Snapshot:
        """Return the cluster's state as it is now."""


class LogMoment:
    """A still picture of a topic's logs as they are now; a live view would be empty once the topic is deleted.

    :param view: a live view of the topic; it reads the logs by itself, and the picture waits until it has read all.
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

        # On a busy machine an incomplete picture is better than none.
        with suppress(WaitTimeout):
            wait_until(read, 15, f"the picture of {view.topic} to be complete")
        self._svg, self._text = view.to_svg(), repr(view)

    def to_svg(self) -> str:
        """Return the picture as SVG for light and dark pages."""
        return self._svg

    def _repr_html_(self) -> str:
        return in_theme(self._svg)

    def __repr__(self) -> str:
        return self._text
