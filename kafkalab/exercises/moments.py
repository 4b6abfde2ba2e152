"""Pictures that stay as they are when the cluster goes on: of the cluster, and of the logs of a topic."""

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
    """A cluster at this moment, as its view would draw it, without the buttons.

    :param title: what is to be seen; it stands where the cluster's name would.
    :param topic: the one topic to show; empty: all.
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
        """The picture, for light and dark pages."""
        return to_svg(self._drawn, topic=self._topic)

    def _repr_html_(self) -> str:
        return in_theme(self.to_svg())

    def __repr__(self) -> str:
        return to_text(self._drawn)


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
