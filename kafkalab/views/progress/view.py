"""ProgressView: the results of a lab's exercises, and the progress in each lab of the course.

The state that is drawn::

    {"course": whether the labs are the subject, and not this lab's exercises,
     "lab", "title", "notebook", "points", "out_of", "words",
     "exercises": [{"id", "title", "outcome", "points", "out_of", "words"}],
     "labs": [{"number", "title", "notebook", "minutes", "can", "points", "out_of", "words", "here"}],
     "next": None or {"number", "title", "notebook"},
     "kept": whether the progress is kept, "note": what is wrong with that, or ""}
"""

from __future__ import annotations

from collections.abc import Callable

from kafkalab.views.live import Drawn, LiveView
from kafkalab.views.progress.html import blocks
from kafkalab.views.static import Block


class ProgressView(LiveView):
    """The progress in one lab, and in all labs. It is only shown; nothing can be done in it.

    :param drawn: returns what there is to draw, whenever :meth:`redraw` is called.
    """

    NAME = "progress"

    def __init__(self, drawn: Callable[[], Drawn], *, presenter: bool = False) -> None:
        self._given = drawn
        super().__init__(None, live=True, presenter=presenter)

    def _drawn(self) -> Drawn:
        return self._given()

    def _blocks(self, drawn: Drawn) -> list[Block]:
        return blocks(drawn)

    def _start_feed(self) -> None:
        self.redraw()  # another notebook may have gone further while no page showed this
