"""ProgressView: the results of a lab's exercises, and the progress in each lab of the course."""

from __future__ import annotations

from collections.abc import Callable

from kafkalab.views.live import Drawn, LiveView
from kafkalab.views.progress.picture import Picture, blocks


class ProgressView(LiveView):
    """The progress in one lab, and in all labs. It is only shown; nothing can be done in it.

    :param drawn: returns what there is to draw, whenever :meth:`redraw` is called.
    """

    NAME = "progress"
    BLOCKS = staticmethod(blocks)

    def __init__(self, drawn: Callable[[], Picture]) -> None:
        self._given = drawn
        super().__init__(None, live=True)

    def _drawn(self) -> Drawn:
        return {**self._given()}

    def _start_feed(self) -> None:
        self.redraw()  # another notebook may have gone further while no page showed this
