"""A view where no widget runs: paragraphs and tables, which become HTML or plain text.

GitHub, nbviewer and a print drop scripts and style sheets, and often style attributes too. So every sign is text, and
colour is never needed. Whatever goes into a block may come from a topic: both writers make it safe, HTML escapes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Literal, TypedDict

from kafkalab.state.model import Snapshot
from kafkalab.views.words import shorten

#: Maximum number of characters of a line; a view shortens what comes from a topic to less.
LONGEST = 600

#: Paragraphs stand close: JupyterLab would leave a line between two of them.
_P = '<p style="margin:.25em 0">'
_LEFT = 'style="text-align:left;vertical-align:top"'
_RIGHT = 'style="text-align:right;vertical-align:top"'


@dataclass(frozen=True, slots=True)
class Para:
    """A paragraph; its lines are parted by newlines. A title is ``"strong"``, a legend ``"small"``."""

    text: str
    weight: Literal["", "strong", "small"] = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. Numbers stand to the right; the first cell of a row is its heading; newlines part a cell's lines.

    :param heads: the columns' headings; () for none.
    :param most: maximum number of rows that are shown; a last line says how many more there are.
    :param html_only: number of last columns that text leaves out, because long explanations would make it too wide.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[object]]
    caption: str = ""
    most: int = 60
    html_only: int = 0


#: A part of a view's static form.
Block = Para | Table


class Fault(TypedDict):
    """The reason why the cluster could not be looked at, and of when the picture is."""

    text: str
    at: float | None


def fault(text: str | None, snapshot: Snapshot | None) -> Fault | None:
    """Return the fault of a picture that was made of an older snapshot; None without a text."""
    return None if text is None else {"text": text, "at": snapshot.at if snapshot else None}


def trouble(error: Fault | None) -> list[Block]:
    """Return a notice for a picture that is out of date because the cluster did not answer."""
    if error is None:
        return []
    return [Para(f"The cluster does not answer now: {shorten((error['text'].splitlines() or [''])[0], 300)}")]


def clock(at: float) -> str:
    """Return a time in Unix seconds as text, for a page that does not know its reader's zone."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def to_html(blocks: Iterable[Block]) -> str:
    """Return the blocks as HTML; everything in them is escaped."""
    return f"<div>{''.join(_html(block) for block in blocks)}</div>"


def to_text(blocks: Iterable[Block]) -> str:
    """Return the blocks as lines of text, the columns of a table below one another."""
    return "\n".join(line for block in blocks for line in _lines(block))


def _safe(text: object) -> list[str]:
    return [shorten(line, LONGEST) for line in str(text).split("\n")]


def _rest(table: Table) -> str:
    rest = len(table.rows) - table.most
    return f"… and {rest} more" if rest > 0 else ""


# HTML


def _html(block: Block) -> str:
    if isinstance(block, Para):
        text = "<br>".join(map(escape, _safe(block.text)))
        return f"{_P}<{block.weight}>{text}</{block.weight}></p>" if block.weight else f"{_P}{text}</p>"
    caption = f"<caption {_LEFT}>{escape(_safe(block.caption)[0])}</caption>" if block.caption else ""
    heads = "".join(f'<th scope="col" {_LEFT}>{_cell(head)}</th>' for head in block.heads)
    body = "".join(_row(row) for row in block.rows[: block.most])
    more = f"{_P}<small>{_rest(block)}</small></p>" if _rest(block) else ""
    return f"<table>{caption}{f'<thead><tr>{heads}</tr></thead>' if heads else ''}<tbody>{body}</tbody></table>{more}"


def _row(row: Sequence[object]) -> str:
    cells = "".join(f"<td {_RIGHT if _is_number(cell) else _LEFT}>{_cell(cell)}</td>" for cell in row[1:])
    return f'<tr><th scope="row" {_LEFT}>{_cell(row[0])}</th>{cells}</tr>'


def _cell(cell: object) -> str:
    return "<br>".join(f"<bdi>{escape(line)}</bdi>" for line in _safe(cell))


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float)


# Text


def _lines(block: Block) -> list[str]:
    if isinstance(block, Para):
        return _safe(block.text)
    table = [row[: len(row) - block.html_only] for row in block.rows[: block.most]]
    heads = block.heads[: len(block.heads) - block.html_only]
    shown = [[" / ".join(_safe(cell)) for cell in row] for row in ([heads] if heads else []) + table]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    right = [bool(table) and all(map(_is_number, column)) for column in zip(*table, strict=True)] or [False] * len(
        widths
    )
    lines = [
        "  " + "  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)).rstrip()
        for row in shown
    ]
    caption = [_safe(block.caption)[0]] if block.caption else []
    return [*caption, *lines, *([f"  {_rest(block)}"] if _rest(block) else [])]
