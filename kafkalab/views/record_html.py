"""A record and its batch as tables, for places without scripts. Everything from the topic is escaped."""

from __future__ import annotations

from html import escape

from kafkalab.views.cluster_drawn import shown
from kafkalab.views.record_drawn import KINDS, Drawn
from kafkalab.views.record_text import batch_words, copy_words, hex_of, title

_LEFT = 'style="text-align:left;vertical-align:top"'


def to_html(picture: Drawn) -> str:
    """A table a block, a row a field: position, bytes, name, value, meaning; and what the bytes go to."""
    head = f"<strong>{escape(shown(title(picture), 300))}</strong>"
    if picture["batch"] is None:
        return f"<div><p>{head}<br>{escape(shown(picture['trouble'] or 'not looked at yet', 500))}</p></div>"
    said = [picture["read"]["words"], batch_words(picture), picture["note"], picture["trouble"]]
    if picture["copies"]:
        said.append("copies: " + ", ".join(copy_words(b, c) for b, c in picture["copies"].items()))
    lines = "<br>".join(escape(shown(line, 500)) for line in said if line)
    blocks = "".join(_block(block) for block in picture["blocks"])
    return f"<div><p>{head}<br>{lines}</p>{blocks}<p><small>{escape(' · '.join(shares(picture)))}</small></p></div>"


def shares(picture: Drawn) -> list[str]:
    """What the bytes go to, in words: in the log, and unpacked where that differs."""
    return [
        f"{bar['bar']}, {bar['bytes']} bytes: " + ", ".join(f"{p['part']} {p['bytes']}" for p in bar["parts"])
        for bar in picture["shares"]
    ]


def _block(block: Drawn) -> str:
    heads = "".join(f'<th scope="col" {_LEFT}>{word}</th>' for word in ("Byte", "Bytes", "Field", "Value", "Meaning"))
    rows = "".join(_row(item) for item in block["items"])
    caption = f'<caption style="text-align:left;caption-side:top">{escape(block["title"])}</caption>'
    return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _row(item: Drawn) -> str:
    sign = KINDS[item["kind"]][0]
    cells = [
        str(item["at"]),
        f"<code>{escape(hex_of(item))}</code>",
        f"{escape(sign)} {escape(shown(item['name'], 60))}",
        f"<bdi>{escape(shown(item['value'], 120))}</bdi>",
        f"<small>{escape(shown(item['meaning'], 240))}</small>",
    ]
    return "<tr>" + "".join(f"<td {_LEFT}>{cell}</td>" for cell in cells) + "</tr>"
