"""Prediction: a guess committed to before the run, compared with what the cluster did after it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from html import escape
from typing import Any

from kafkalab.checks.look import card
from kafkalab.errors import BadInput


class Comparison:
    """A prediction beside what happened."""

    def __init__(self, guess: str | None, happened: str, because: str) -> None:
        self.guess = guess
        self.happened = happened
        self.because = because

    @property
    def right(self) -> bool | None:
        """Whether the guess came true; None when none was made."""
        return None if self.guess is None else self.guess == self.happened

    def _head(self) -> str:
        if self.guess is None:
            return f"It was: {self.happened}"
        return f"✓ As you said: {self.happened}" if self.right else f"✗ You said {self.guess}; it was {self.happened}"

    def __str__(self) -> str:
        return f"{self._head()}. {self.because}".rstrip()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _repr_html_(self) -> str:
        kind = {True: "right", False: "wrong", None: "not attempted"}[self.right]
        aside = "no prediction was made" if self.guess is None else ""
        return card(kind=kind, head=self._head(), aside=aside, body=escape(self.because))


class Prediction:
    """A question with a few answers, shown as buttons; the first press is the answer, and it stays.

    A guess costs nothing and earns nothing: it is there because what surprises us is what we remember.

    :param choices: the answers, each different.
    :raises BadInput: with fewer than two choices, or the same one twice.
    """

    def __init__(self, question: str, choices: Sequence[object]) -> None:
        self.question = question
        self.choices = tuple(str(choice) for choice in choices)
        if len(self.choices) < 2 or len(set(self.choices)) != len(self.choices):
            raise BadInput("A prediction needs two or more different choices.", seen=repr(self.choices))
        self.guess: str | None = None
        self.locked_at: float | None = None
        self._revealed: str | None = None
        self._box: Any = None

    def lock(self, choice: object) -> None:
        """Commit to a choice; the first one stays, as a prediction made after the fact is none.

        :raises BadInput: for something that is not among the choices.
        """
        if str(choice) not in self.choices:
            raise BadInput(f"{choice} is not among the choices.", do="Choose one of: " + ", ".join(self.choices))
        if self.guess is None and self._revealed is None:
            self.guess = str(choice)
            self.locked_at = time.time()
        self._redraw()

    def compare(self, happened: object, because: str = "") -> Comparison:
        """The guess beside what happened; closes the question.

        :param happened: read from the cluster, not written down beforehand.
        """
        self._revealed = str(happened)
        self._redraw()
        return Comparison(self.guess, str(happened), because)

    def _state(self) -> str:
        if self.guess is not None and self.locked_at is not None:
            return f"locked at {time.strftime('%H:%M:%S', time.localtime(self.locked_at))}: {self.guess}"
        return "too late to predict: it has happened" if self._revealed is not None else "choose, then run on"

    def __str__(self) -> str:
        return f"Predict: {self.question} [{' | '.join(self.choices)}]"

    def _redraw(self) -> None:
        if self._box is None:
            return
        *buttons, state = self._box.children[1].children
        for button in buttons:
            chosen = button.description.removeprefix("✓ ") == self.guess
            # The chosen one stays legible: JupyterLab fades what is disabled, and a second press changes nothing.
            button.disabled = not chosen and (self.guess is not None or self._revealed is not None)
            button.button_style = "primary" if chosen else ""
            button.description = f"✓ {self.guess}" if chosen else button.description
        state.value = escape(self._state())

    def _widget(self) -> Any:
        # Imported here: ipywidgets takes time to load, and a text-only reader never needs it.
        import ipywidgets as widgets

        question = widgets.HTML(f"<strong>Predict, then run.</strong> {escape(self.question)}")
        buttons = []
        for choice in self.choices:
            button = widgets.Button(
                description=choice, tooltip=f"I predict: {choice}", layout=widgets.Layout(width="auto")
            )
            button.on_click(lambda _, choice=choice: self.lock(choice))
            buttons.append(button)
        state = widgets.HTML(layout=widgets.Layout(margin="0 0 0 .75em"))
        row = widgets.HBox([*buttons, state], layout=widgets.Layout(flex_flow="row wrap", align_items="center"))
        line = "1px solid var(--jp-border-color2)"
        edges = {f"border_{side}": line for side in ("top", "right", "bottom")}
        frame = widgets.Layout(
            **edges,
            border_left="4px solid var(--jp-brand-color1)",
            padding="4px 12px",
            max_width="52em",
        )
        self._box = widgets.VBox([question, row], layout=frame)
        self._redraw()
        return self._box

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if self._box is None:
            self._widget()
        bundle = dict(self._box._repr_mimebundle_() or {})
        # A page without a kernel shows the plain text, which then should be the question and not a widget's address.
        bundle["text/plain"] = str(self)
        return bundle
