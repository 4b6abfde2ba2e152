"""PredictView: the panel in which a prediction is made and locked, and later compared with what happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafkalab.views.live import Drawn, LiveView
from kafkalab.views.predict.picture import Picture, blocks


class PredictView(LiveView):
    """A question with its possible answers: choices, a number, or chips to put into places.

    The state belongs to the prediction (:class:`kafkalab.exercises.predict.prediction.Prediction`): the page can ask
    for two things, to lock an answer and to be shown the result without one, and has no other way to change it.

    :param drawn: returns what there is to draw, whenever :meth:`redraw` is called.
    :param lock: takes the answer that the page sends, which may be anything; raises if it refuses that.
    :param reveal: shows the result without a guess.
    """

    NAME = "predict"
    BLOCKS = staticmethod(blocks)

    def __init__(
        self, drawn: Callable[[], Picture], lock: Callable[[object], None], reveal: Callable[[], None]
    ) -> None:
        self._given, self._lock_guess, self._reveal = drawn, lock, reveal
        super().__init__(None, live=True)

    def do_lock(self, message: dict[str, Any]) -> None:
        """Lock an answer: a choice's position, a number, or for each chip the positions of its places."""
        self._lock_guess(message.get("guess"))
        self.fault("")

    def do_reveal(self, message: dict[str, Any]) -> None:
        """Show what happened to a learner who does not want to guess."""
        self._reveal()

    def _drawn(self) -> Drawn:
        return {**self._given()}
