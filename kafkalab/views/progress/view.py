"""ProgressView: at the end of a lab, its exercises with what became of them, and how far each lab of the course is.

What is drawn::

    {"lab", "title", "notebook", "points", "out_of", "words",
     "exercises": [{"id", "title", "outcome", "points", "out_of", "words"}],
     "labs": [{"number", "title", "notebook", "points", "out_of", "words", "here"}],
     "next": None or {"number", "title", "notebook"},
     "kept": whether it is kept, "note": what is wrong with that, or ""}
"""

from __future__ import annotations

from collections.abc import Callable

from kafkalab.views.live import Drawn, Forms, LiveView
from kafkalab.views.progress.still import to_html, to_svg, to_text


class ProgressView(LiveView):
    """The progress of one lab, and of all. It can be read, and asks nothing of anybody.

    :param drawn: gives what there is to draw, whenever :meth:`redraw` is called.
    """

    NAME = "progress"
    FORMS = Forms(to_svg, to_html, to_text)

    def __init__(self, drawn: Callable[[], Drawn], *, presenter: bool = False) -> None:
        self._given = drawn
        super().__init__(None, live=True, presenter=presenter)

    def _drawn(self) -> Drawn:
        return self._given()

    def _start_feed(self) -> None:
        self.redraw()  # another notebook may have come further while nobody looked
