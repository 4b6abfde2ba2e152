"""The still forms of the durability matrix, with a grid per number of brokers up and fault: SVG, text, tables."""

from __future__ import annotations

from html import escape

from kafkalab.views.durability.picture import ACKS, FAULT_WORDS, MIN_INSYNC, Drawn, name, said, strip
from kafkalab.views.svg import Svg
from kafkalab.views.words import shorten

# --- The durability matrix as lines of text and as tables, for places without scripts. Everything is escaped.


_LEFT = 'style="text-align:left"'


def heading(up: int) -> str:
    """Return the heading of a grid: ``3 of 3 brokers up``."""
    return f"{up} of 3 brokers up"


def numbers(cell: Drawn, acks: str) -> str:
    """Return a cell's counts in a line; "" when there are none. With acks=0, records are only handed over."""
    if cell["sent"] is None:
        return ""
    good = "handed over" if acks == "0" else "acknowledged"
    words = (("sent", "sent"), ("acknowledged", good), ("refused", "not acknowledged"), ("seen", "seen"))
    counts = [f"{cell[key]} {word}" for key, word in words if cell[key] is not None]
    if cell["lost"] is not None:
        counts += [f"{cell['lost']} lost", f"{cell['duplicated']} duplicated"]
    return ", ".join(counts)


def to_text(picture: Drawn) -> str:
    """Return the summary, and a small table for each number of brokers up and each fault."""
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
    """Return a table for each number of brokers up and each fault; each cell has its counts and the reason."""
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
                        f'<td style="text-align:left;vertical-align:top">{_text_cell(c, acks)}</td>' for c in found
                    )
                    rows.append(f'<tr><th scope="row" {_LEFT}>acks={acks}</th>{cells}</tr>')
            caption = f"<caption {_LEFT}>{heading(up)}, {FAULT_WORDS[fault]}</caption>"
            blocks.append(
                f"<table>{caption}<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
            )
    return f"<div>{''.join(blocks)}</div>"


def _text_cell(cell: Drawn | None, acks: str) -> str:
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


_PAD, _GAP, _LABEL = 16.0, 22.0, 52.0
_CELL, _TALL = 92.0, 52.0
_PANEL = _LABEL + 3 * (_CELL + 4)
_COLOURS = {"kept": "ok", "lost": "bad", "refused": "warn"}


def to_svg(picture: Drawn) -> str:
    """Return the panels, the summary, and the meaning of the signs, as SVG."""
    ups, faults = picture["ups"], picture["faults"]
    width = max(660.0, 2 * _PAD + len(ups) * _PANEL + (len(ups) - 1) * _GAP)
    row = 62 + 3 * (_TALL + 4)
    svg = Svg(width, 70 + max(1, len(faults)) * row + 30, "Durability matrix", picture["summary"])
    svg.text(_PAD, 26, "acks × min.insync.replicas × brokers up", size=15, bold=True)
    svg.text(_PAD, 46, f"{picture['records']} records a cell. {picture['summary']}", fill="soft", limit=150)
    for r, fault in enumerate(faults):
        top = 72 + r * row
        svg.text(_PAD, top, FAULT_WORDS[fault], bold=True)
        for i, up in enumerate(ups):
            _panel(svg, picture, up, fault, _PAD + i * (_PANEL + _GAP), top + 20)
    signs = "✓ every acknowledged record was seen   ✗ acknowledged and lost   ⊘ nothing was acknowledged   ○ not run"
    svg.text(_PAD, svg.height - 14, signs, fill="soft", size=11, limit=150)
    return svg.to_string()


def _panel(svg: Svg, picture: Drawn, up: int, fault: str, x: float, y: float) -> None:
    signs = "♛ " + "● " * (up - 1) + "✕ " * (3 - up)
    svg.text(x, y, f"{heading(up)}   {signs.strip()}", size=12)
    for c, least in enumerate(MIN_INSYNC):
        svg.text(
            x + _LABEL + c * (_CELL + 4) + _CELL / 2,
            y + 17,
            f"min.insync={least}",
            fill="soft",
            size=10.5,
            anchor="middle",
        )
    for r, acks in enumerate(ACKS):
        top = y + 24 + r * (_TALL + 4)
        found = [picture["cells"].get(name(acks, least, up, fault)) for least in MIN_INSYNC]
        if not any(found):
            continue
        svg.text(x, top + _TALL / 2 + 4, f"acks={acks}", fill="soft", size=11)
        for c, cell in enumerate(found):
            if cell is not None:
                _cell(svg, cell, acks, x + _LABEL + c * (_CELL + 4), top)


def _cell(svg: Svg, cell: Drawn, acks: str, x: float, y: float) -> None:
    colour = _COLOURS.get(cell["verdict"], "line")
    known = cell["verdict"] in _COLOURS
    box = svg.rect(x, y, _CELL, _TALL, fill="panel", stroke=colour, rx=6, stroke_dasharray=None if known else "3 3")
    svg.hint(box, f"{numbers(cell, acks)}. {cell['why']}".strip(". "))
    svg.text(x + 7, y + 17, said(cell), size=11.5, bold=known, fill=colour if known else "soft", limit=16)
    if cell["acknowledged"] is not None:
        good = "sent" if acks == "0" else "acked"
        svg.text(x + 7, y + 31, f"{cell['acknowledged']} {good}", fill="soft", size=10)
    at = x + 7
    for kind, count in strip(cell):
        wide = (_CELL - 14) * count / max(1, cell["sent"])
        bar = svg.rect(
            at,
            y + 38,
            max(0.0, wide - 1),
            7,
            fill=_COLOURS[kind] if kind != "refused" else "none",
            stroke=_COLOURS[kind],
        )
        svg.hint(bar, f"{count} {kind}")
        if kind == "lost":
            for i in range(1, int(wide / 6) + 1):
                svg.line(at + 6 * i - 5, y + 45, at + min(6.0 * i, wide - 1), y + 38, stroke="bg", stroke_width=1.5)
        at += wide
