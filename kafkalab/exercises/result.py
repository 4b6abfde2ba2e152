"""Result: the outcome of a check, and the card that shows it in JupyterLab's own colours, readable without them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import Any, Final, get_args

from kafkalab.views.progress.picture import SIGNS
from kafkalab.views.progress.picture import Outcome as Outcome

OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)

#: Outcome → sign.
MARKS = SIGNS

#: MIME type under which the result of a check stands as JSON in a notebook's output, for programs that read notebooks.
RESULT_MIME: Final = "application/vnd.kafkalab.result+json"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of checking one answer.

    ``points``: the points earned, of ``out_of``. ``reason``: a sentence for the learner.
    """

    exercise: str
    outcome: Outcome
    points: int
    out_of: int
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain JSON, in the form of a question in a grade report."""
        return {
            "id": self.exercise,
            "outcome": self.outcome,
            "points": self.points,
            "out_of": self.out_of,
            "reason": self.reason,
        }

    @property
    def _help(self) -> str:
        """A line that points to `hint()`; empty unless the answer was wrong."""
        return f"Stuck? `{variable(self.exercise)}.hint()`" if self.outcome == "wrong" else ""

    def __str__(self) -> str:
        told = f"{self.reason} {self._help}".rstrip()
        return f"{MARKS[self.outcome]} {self.exercise} {self.outcome} ({self.points} of {self.out_of}). {told}"

    def _repr_html_(self) -> str:
        return card(
            kind=self.outcome,
            head=f"{MARKS[self.outcome]} {self.outcome}",
            aside=f"{self.exercise} · {self.points} of {self.out_of}",
            body=inline(self.reason) + (f"<div>{inline(self._help)}</div>" if self._help else ""),
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/plain": str(self), "text/html": self._repr_html_(), RESULT_MIME: self.to_dict()}


def variable(id: str) -> str:
    """Return an exercise's variable in the labs: ``q1`` for 02.1."""
    return f"q{id.rpartition('.')[2]}"


# Okabe-Ito hues for the edge of the card. The outcome is also a word and a mark, so no reader depends on the hue.
_EDGES: Final = {
    "right": "#009E73",
    "wrong": "#D55E00",
    "not attempted": "var(--jp-border-color1, #999)",
    "could not be judged": "#0072B2",
    "note": "var(--jp-brand-color1, #0072B2)",
}


def card(*, kind: str, head: str, aside: str, body: str) -> str:
    """Return a card as HTML.

    :param kind: an outcome, or "note"; it chooses the colour of the edge.
    :param head: text, escaped here, like ``aside``.
    :param body: HTML, already escaped by the caller.
    """
    edge = _EDGES.get(kind, _EDGES["note"])
    small = "color:var(--jp-ui-font-color2,#666);font-size:var(--jp-ui-font-size1,13px);margin-left:.75em"
    return (
        f"<div style='border:1px solid var(--jp-border-color2,#ccc);border-left:4px solid {edge};border-radius:6px;"
        "padding:.5em .9em;margin:.25em 0;max-width:52em;color:var(--jp-content-font-color1,inherit);"
        "background:var(--jp-layout-color1,transparent)'>"
        f"<div><strong>{escape(head)}</strong><span style='{small}'>{escape(aside)}</span></div>"
        f"<div style='margin-top:.2em'>{body}</div></div>"
    )


def inline(text: str) -> str:
    """Return text as escaped HTML, with the parts between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def code_block(code: str) -> str:
    """Return code as HTML that keeps its line breaks."""
    return (
        "<pre style='margin:.4em 0 0;padding:.5em .7em;border-radius:4px;overflow-x:auto;"
        "background:var(--jp-layout-color2,#f4f4f4);color:var(--jp-content-font-color1,inherit)'>"
        f"{escape(code)}</pre>"
    )
