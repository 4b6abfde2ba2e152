"""How a prediction stands in a notebook: a widget while it can be answered, and an output that is always current."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from kafkalab.views.predict_html import to_html

if TYPE_CHECKING:
    from kafkalab.checks.predict import Prediction
    from kafkalab.views.predict_view import PredictView


class Shown:
    """The outputs of one prediction.

    What a notebook has stored is what was displayed, so each change is displayed anew under the same id: after the lock
    the stored text holds the guess and its time. Once compared nothing is left to press, and what is displayed is plain
    HTML: a notebook that is opened without its kernel then shows it, where a widget would be an error.
    """

    def __init__(self, prediction: Prediction) -> None:
        self._prediction = prediction
        self._view: PredictView | None = None
        self._displayed = False

    @property
    def view(self) -> PredictView:
        """The widget; made when it is first asked for."""
        if self._view is None:
            # Imported here: widgets take time to load, and a text-only reader never needs them.
            from kafkalab.views.predict_view import PredictView

            self._view = PredictView(self._prediction.drawn, self._prediction.heard)
        return self._view

    def bundle(self) -> dict[str, Any]:
        """Everything by kind of output, but for the prediction's own."""
        drawn = self._prediction.drawn()
        widget: dict[str, Any] = {}
        if drawn["phase"] != "compared":
            made = self.view._repr_mimebundle_()
            widget = {} if made is None else dict(made[0])
        return {**widget, "text/plain": str(self._prediction), "text/html": to_html(drawn)}

    def display(self) -> None:
        """Show it as a cell's output."""
        self._displayed = True
        self._publish(update=False)

    def again(self) -> None:
        """It has changed: tell the page, and store it anew in every output it stands in."""
        if self._view is not None:
            self._view.redraw()
        if self._displayed:
            self._publish(update=True)

    def _publish(self, *, update: bool) -> None:
        # IPython asked for it, so it is there; kafkalab itself does without.
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        # A terminal cannot take back what it has printed; only a notebook's kernel has outputs that change.
        if shell is not None and (not update or hasattr(shell, "kernel")):
            name = {"display_id": self._prediction.id}
            shell.display_pub.publish(self._prediction._repr_mimebundle_(), {}, transient=name, update=update)
