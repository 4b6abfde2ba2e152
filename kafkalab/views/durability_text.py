"""The durability matrix as lines of text and as tables, for places without scripts. Everything is escaped."""

from __future__ import annotations

from html import escape

from kafkalab.views.durability_drawn import ACKS, FAULT_WORDS, MIN_INSYNC, Drawn, name, said
from kafkalab.views.svg import shorten

_LEFT = 'style="text-align:left"'


def heading(up: int) -> str:
    """``3 of 3 brokers up``."""
    return f"{up} of 3 brokers up"


def numbers(cell: Drawn, acks: str) -> str:
    """The counts of a cell in a line; "" where there are none. With acks=0 records are only handed over."""
    if cell["sent"] is None:
        return ""
    good = "handed over" if acks == "0" else "acknowledged"
    words = (("sent", "sent"), ("acknowledged", good), ("refused", "not acknowledged"), ("seen", "seen"))
    counts = [f"{cell[key]} {word}" for key, word in words if cell[key] is not None]
    if cell["lost"] is not None:
        counts += [f"{cell['lost']} lost", f"{cell['duplicated']} duplicated"]
    return ", ".join(counts)


def to_text(picture: Drawn) -> str:
    """The summary, and a small table for each number of brokers up and each fault."""
    lines = [f"Durability matrix, {picture['records']} records a cell: {picture['summary']}"]
    if picture["running"]:
        lines.append(f"  {picture['progress']['step']}")
    for fault in picture["faults"]:
        for up in picture["ups"]:
            lines.append(f"{heading(up)}, {FAULT_WORDS[fault]}")
            lines.append(" " * 12 + "".join(f"{f'min.insync={m}':<18}" for m in MIN_INSYNC))
            for acks in ACKS:
                found = [picture["cells"].get(name(acks, m, up, fault)) for m in MIN_INSYNC]
                if any(found):
                    row = "".join(f"{said(cell) if cell else '':<18}" for cell in found)
                    lines.append(f"  acks={acks:<3}".ljust(12) + row.rstrip())
    return "\n".join(lines)


def to_html(picture: Drawn) -> str:
    """A table for each number of brokers up and each fault, each cell with its counts and the reason."""
    blocks = [
        f"<p><strong>Durability matrix</strong>, {picture['records']} records a cell. {escape(picture['summary'])}</p>"
    ]
    for fault in picture["faults"]:
        for up in picture["ups"]:
            head = "".join(f'<th scope="col" {_LEFT}>min.insync.replicas={m}</th>' for m in MIN_INSYNC)
            rows = []
            for acks in ACKS:
                found = [picture["cells"].get(name(acks, m, up, fault)) for m in MIN_INSYNC]
                if any(found):
                    cells = "".join(
                        f'<td style="text-align:left;vertical-align:top">{_cell(c, acks)}</td>' for c in found
                    )
                    rows.append(f'<tr><th scope="row" {_LEFT}>acks={acks}</th>{cells}</tr>')
            caption = f"<caption {_LEFT}>{heading(up)}, {FAULT_WORDS[fault]}</caption>"
            blocks.append(
                f"<table>{caption}<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
            )
    return f"<div>{''.join(blocks)}</div>"


def _cell(cell: Drawn | None, acks: str) -> str:
    if cell is None:
        return ""
    lines = [
        f"<strong>{escape(said(cell))}</strong>",
        escape(numbers(cell, acks)),
        f"<small>{escape(shorten(cell['why'], 400))}</small>",
    ]
    if cell["error"]:
        lines.insert(2, f"<code>{escape(shorten(cell['error'], 60))}</code>")
    return "<br>".join(line for line in lines if line and line != "<small></small>")
