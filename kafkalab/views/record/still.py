"""The still forms of a record and its batch: an SVG of the bytes with every field outlined and named, text, tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from kafkalab.views.cluster.picture import SIGNS, shown
from kafkalab.views.record.picture import KINDS, Drawn
from kafkalab.views.svg import Svg, text_width
from kafkalab.views.words import shorten

# --- A record and its batch as lines of text.


_COPIES = {
    "shown": "read here",
    "same": "the same bytes",
    "differs": "other bytes",
    "missing": "has no copy of this batch",
    "unread": "out of reach",
}


def title(picture: Drawn) -> str:
    """Return the place that is looked at, in a line."""
    offset = "newest record" if picture["offset"] < 0 else f"offset {picture['offset']}"
    return f"{picture['topic']}, partition {picture['partition']}, {offset}"


def copy_words(broker: str, copy: Drawn) -> str:
    """Return a replica's copy in words: "♛ 101 read here"."""
    sign = next((s for part, s in SIGNS.items() if part == copy["part"]), "")
    return f"{sign} {broker} {_COPIES[copy['copy']]}"


def batch_words(picture: Drawn) -> str:
    """Return the batch in a line."""
    b = picture["batch"]
    packed = f", {b['codec']}" if b["codec"] != "none" else ", not compressed"
    what = "a transaction's marker" if b["control"] else f"{b['count']} record{'s' if b['count'] != 1 else ''}"
    valid = "checksum right" if b["valid"] else "CHECKSUM WRONG"
    return f"batch of offsets {b['base']} to {b['last']}: {what}, {b['size']} bytes{packed}, {valid}"


def fields(picture: Drawn) -> Iterator[tuple[str, Drawn]]:
    """Yield (block's title, item) of every field that is drawn by itself."""
    for block in picture["blocks"]:
        for item in block["items"]:
            if item["kind"] != "other":
                yield block["title"], item


def hex_of(item: Drawn, most: int = 16) -> str:
    """Return the first bytes of a field, in hexadecimal."""
    pairs = bytes.fromhex(item["hex"])[:most].hex(" ")
    return f"{pairs} …" if item["size"] > most else pairs


def to_text(picture: Drawn) -> str:
    """Return the title, where the bytes are from, and a line per field: position, bytes, name, value."""
    lines = [title(picture)]
    if picture["batch"] is None:
        return "\n".join([*lines, picture["trouble"] or "not read yet"])
    lines += [picture["read"]["words"], batch_words(picture)]
    lines += [picture["note"]] if picture["note"] else []
    lines += [picture["trouble"]] if picture["trouble"] else []
    if picture["copies"]:
        lines.append("copies: " + ", ".join(copy_words(b, c) for b, c in picture["copies"].items()))
    last = ""
    for block, item in fields(picture):
        if block != last:
            lines.append(f"{block}")
            last = block
        lines.append(f"  {item['at']:>5}  {hex_of(item, 8):<26}  {item['name']:<22}  {shown(item['value'], 60)}")
    return "\n".join(lines)


# --- A record and its batch as tables, for places without scripts. Everything from the topic is escaped.


_LEFT = 'style="text-align:left;vertical-align:top"'


def to_html(picture: Drawn) -> str:
    """Return a table per block, with a row per field: position, bytes, name, value, meaning; and the bytes' shares."""
    head = f"<strong>{escape(shown(title(picture), 300))}</strong>"
    if picture["batch"] is None:
        return f"<div><p>{head}<br>{escape(shown(picture['trouble'] or 'not read yet', 500))}</p></div>"
    said = [picture["read"]["words"], batch_words(picture), picture["note"], picture["trouble"]]
    if picture["copies"]:
        said.append("copies: " + ", ".join(copy_words(b, c) for b, c in picture["copies"].items()))
    lines = "<br>".join(escape(shown(line, 500)) for line in said if line)
    blocks = "".join(_block(block) for block in picture["blocks"])
    return f"<div><p>{head}<br>{lines}</p>{blocks}<p><small>{escape(' · '.join(shares(picture)))}</small></p></div>"


def shares(picture: Drawn) -> list[str]:
    """Return in words how the bytes are shared out: in the log, and unpacked when they are compressed."""
    return [
        f"{bar['bar']}, {bar['bytes']} bytes: " + ", ".join(f"{p['part']} {p['bytes']}" for p in bar["parts"])
        for bar in picture["shares"]
    ]


def _block(block: Drawn) -> str:
    heads = "".join(f'<th scope="col" {_LEFT}>{word}</th>' for word in ("Byte", "Bytes", "Field", "Value", "Meaning"))
    rows = "".join(_html_row(item) for item in block["items"])
    caption = f'<caption style="text-align:left;caption-side:top">{escape(block["title"])}</caption>'
    return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _html_row(item: Drawn) -> str:
    sign = KINDS[item["kind"]][0]
    cells = [
        str(item["at"]),
        f"<code>{escape(hex_of(item))}</code>",
        f"{escape(sign)} {escape(shown(item['name'], 60))}",
        f"<bdi>{escape(shown(item['value'], 120))}</bdi>",
        f"<small>{escape(shown(item['meaning'], 240))}</small>",
    ]
    return "<tr>" + "".join(f"<td {_LEFT}>{cell}</td>" for cell in cells) + "</tr>"


WIDTH = 720.0
_PAD, _CELL, _ROW, _BARE, _PER_ROW = 14.0, 27.0, 35.0, 24.0, 16
_BYTES_AT = 80.0
_TEXT_AT = _BYTES_AT + _PER_ROW * _CELL + 18

#: Colour of each kind, as in views/record/view.css.
HUES = {
    "place": "p0", "length": "p11", "check": "p4", "flags": "p8", "time": "p2", "producer": "p6", "key": "p1",
    "value": "p3", "header": "p7", "packed": "p10", "other": "soft",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """Up to sixteen bytes, each with its item; or, with ``gap``, bytes that are left out.

    ``names``: the ids of the items whose name stands over this row.
    """

    at: int
    cells: tuple[tuple[Drawn, int], ...] = ()
    gap: str = ""
    names: frozenset[str] = frozenset()

    @property
    def height(self) -> float:
        """Height in pixels."""
        return _ROW if self.names else _BARE


def rows(block: Drawn) -> list[Row]:
    """Return the bytes of a block in rows. A new row begins after bytes that are left out, and for each record."""
    found: list[Row] = []
    cells: list[tuple[Drawn, int]] = []
    named: set[str] = set()
    at = 0

    def end() -> None:
        if cells:
            # A name stands over the first piece of its field, unless that is a single byte at the end of a row.
            here = {item["id"] for item, _ in cells}
            last = cells[-1][0]
            if last["size"] > 1 and sum(item is last for item, _ in cells) == 1 and last["id"] not in named:
                here.discard(last["id"])
            found.append(Row(at, tuple(cells), names=frozenset(here - named)))
            named.update(here)
            cells.clear()

    for item in block["items"]:
        here = item["at"]
        if item["kind"] == "other" or item["id"] == "record_length":
            end()  # a record begins a row
        for part, gap in ((item["hex"], item["cut"]), (item["tail"], 0)):
            for byte in bytes.fromhex(part):
                if not cells:
                    at = here
                cells.append((item, byte))
                here += 1
                if len(cells) == _PER_ROW:
                    end()
            if gap:
                end()
                found.append(Row(here, gap=f"… {gap} bytes of {item['name']} not shown"))
                here += gap
        if item["kind"] == "other":
            end()
    end()
    return found


def to_svg(picture: Drawn) -> str:
    """Return the whole picture as SVG."""
    blocks = [(block, rows(block)) for block in picture["blocks"]]
    height = (
        84 + sum(22 + sum(row.height for row in found) for _, found in blocks) + 26 + 20 * len(picture["shares"]) + 46
    )
    said = batch_words(picture) if picture["batch"] else picture["trouble"]
    svg = Svg(WIDTH, height, f"Record: {title(picture)}", said)
    svg.text(_PAD, 26, title(picture), size=15, bold=True, limit=80)
    where = picture["read"]["words"] if picture["read"] else "not read yet"
    svg.text(_PAD, 46, where, fill="soft", limit=110)
    svg.text(_PAD, 64, said, fill="soft", limit=110)
    y = 84.0
    for block, found in blocks:
        svg.text(_PAD, y + 16, block["title"], bold=True, fill="soft", limit=100)
        y += 22
        for row in found:
            y += row.height
            _row(svg, block, row, y - 20)
    y += 26
    for bar in shares(picture):
        svg.text(_PAD, y, bar, fill="soft", size=11, limit=120)
        y += 20
    x = _PAD
    for kind in dict.fromkeys(item["kind"] for block, _ in blocks for item in block["items"]):
        sign, meaning = KINDS[kind]
        width = 34 + text_width(meaning, 11)
        if x + width > WIDTH - _PAD:
            x, y = _PAD, y + 21
        svg.rect(x, y - 6, 16, 15, fill="none", stroke=HUES[kind], stroke_width=2, rx=3)
        svg.text(x + 8, y + 5.5, sign, size=10, anchor="middle", bold=True)
        svg.text(x + 21, y + 6, meaning, fill="soft", size=11)
        x += width
    return svg.to_string()


def _row(svg: Svg, block: Drawn, row: Row, y: float) -> None:
    svg.text(_PAD, y + 14, f"{block['at'] + row.at:>8}", mono=True, fill="soft", size=11)
    if row.gap:
        svg.text(_BYTES_AT, y + 14, row.gap, fill="soft", size=11)
        return
    for i, (item, byte) in enumerate(row.cells):
        x, hue = _BYTES_AT + i * _CELL, HUES[item["kind"]]
        if i == 0 or row.cells[i - 1][0] is not item:
            size = next((n for n in range(i, len(row.cells)) if row.cells[n][0] is not item), len(row.cells)) - i
            box = svg.rect(x, y, size * _CELL - 2, 19, fill=hue, fill_opacity=0.16, rx=3)
            svg.hint(box, f"{item['name']}: {item['value']}")
            svg.rect(x, y, size * _CELL - 2, 19, fill="none", stroke=hue, stroke_width=1.5, rx=3)
            if item["id"] in row.names:
                svg.text(x + 1, y - 3, shorten(item["short"])[: int(size * _CELL / 5.2)], size=9.5, fill="soft")
        svg.text(x + _CELL / 2 - 1, y + 13.5, f"{byte:02x}", mono=True, size=12, anchor="middle")
        sign = chr(byte) if 32 <= byte < 127 else "·"
        svg.text(_TEXT_AT + i * 9, y + 14, sign, mono=True, size=12, fill="soft" if sign == "·" else "ink")
