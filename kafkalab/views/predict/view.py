"""PredictView: the panel in which a prediction is made and locked, and later compared with what happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafkalab.errors import NotSupported
from kafkalab.views.live import Drawn, LiveView
from kafkalab.views.predict.html import blocks
from kafkalab.views.static import Block


class PredictView(LiveView):
    """A question with its possible answers: choices, a number, or chips to put into places.

    The state belongs to the prediction (:class:`kafkalab.exercises.predict.prediction.Prediction`): the page can ask
    for two things, to lock an answer and to be shown the result without one, and has no other way to change it.

    :param drawn: returns what there is to draw, whenever :meth:`redraw` is called.
    :param lock: takes the answer that the page sends, which may be anything; raises if it refuses that. None for a
        picture that stands still.
    :param reveal: shows the result without a guess.
    """

    NAME = "predict"

    def __init__(
        self,
        drawn: Callable[[], Drawn],
        lock: Callable[[object], None] | None,
        reveal: Callable[[], None] | None = None,
        *,
        presenter: bool = False,
    ) -> None:
        self._given, self._take, self._reveal = drawn, lock, reveal
        super().__init__(None, live=lock is not None, presenter=presenter)

    def do_lock(self, message: dict[str, Any]) -> None:
        """Lock an answer: a choice's position, a number, or for each chip the positions of its places."""
        if self._take is None:
            raise NotSupported("This is a still picture: there is no prediction behind it to lock.")
        self._take(message.get("guess"))
        self.fault("")

    def do_reveal(self, message: dict[str, Any]) -> None:
        """Show what happened to a learner who does not want to guess."""
        if self._reveal is not None:
            self._reveal()

    def _drawn(self) -> Drawn:
        return {**self._given(), "live": self._take is not None}

    def _blocks(self, drawn: Drawn) -> list[Block]:
        return blocks(drawn)
