"""The look of what checks show: one card, in JupyterLab's own colours, legible without them."""

from __future__ import annotations

import re
from html import escape
from typing import Final

# Okabe-Ito hues for the edge of the card; the outcome is also a word and a mark, so no one depends on the hue.
_EDGES: Final = {
    "right": "#009E73",
    "wrong": "#D55E00",
    "not attempted": "var(--jp-border-color1, #999)",
    "could not be judged": "#0072B2",
    "note": "var(--jp-brand-color1, #0072B2)",
}


def card(*, kind: str, head: str, aside: str, body: str) -> str:
    """A card of HTML.

    :param kind: an outcome, or "note"; chooses the edge.
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
    """Text as HTML: escaped, with what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def code_block(code: str) -> str:
    """Code as HTML that keeps its lines."""
    return (
        "<pre style='margin:.4em 0 0;padding:.5em .7em;border-radius:4px;overflow-x:auto;"
        "background:var(--jp-layout-color2,#f4f4f4);color:var(--jp-content-font-color1,inherit)'>"
        f"{escape(code)}</pre>"
    )
