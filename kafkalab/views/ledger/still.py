"""The still forms of a ledger: an SVG of the flow from sent to acknowledged to seen, text, and tables.

The shapes are those of ``views/ledger/flow.js``.
"""

from __future__ import annotations

from html import escape
from textwrap import wrap

from kafkalab.views.ledger.picture import KINDS, Drawn, number
from kafkalab.views.svg import Svg
from kafkalab.views.words import shorten

# --- A ledger as lines of text and as tables, for places without scripts. Everything is escaped.


_LEFT = 'style="text-align:left"'
_SHOWN = 8


def rows(picture: Drawn, shown: int = _SHOWN) -> list[tuple[str, str, str]]:
    """Return (words, count, ids) per count. A count of 0 is left out, but not of lost, duplicated or out of order."""
    counts = picture["counts"]
    found = [(word, number(counts[word]), "") for word in ("sent", "acknowledged", "seen")]
    for kind, (sign, word, _) in KINDS.items():
        if not counts[kind] and kind not in ("lost", "duplicated", "out_of_order"):
            continue
        if kind == "lost" and picture["moving"]:
            sign, word = "◌", "not seen yet"
        ids = picture["ids"][kind][:shown]
        more = counts[kind] - len(ids)
        listed = ", ".join(shorten(id, 40) for id in ids) + (f" and {number(more)} more" if ids and more > 0 else "")
        found.append((f"{sign} {word}" if counts[kind] else f"✓ none {word}", number(counts[kind]), listed))
    return found


def title(picture: Drawn) -> str:
    """Return the title: ``Ledger of trucks_gps``."""
    return f"Ledger of {shorten(picture['topic'], 80)}" if picture["topic"] else "Ledger"


def to_text(picture: Drawn) -> str:
    """Return the verdict, and a line per count."""
    lines = [f"{title(picture)}: {picture['verdict']}"]
    lines += [f"  {words:<22} {count:>9}  {ids}".rstrip() for words, count, ids in rows(picture)]
    return "\n".join(lines)


def to_html(picture: Drawn) -> str:
    """Return the verdict, and a row per count."""
    body = "".join(
        f'<tr><th scope="row" {_LEFT}>{escape(words)}</th><td style="text-align:right">{count}</td>'
        f"<td {_LEFT}><bdi>{escape(ids)}</bdi></td></tr>"
        for words, count, ids in rows(picture, 20)
    )
    return (
        f"<div><p><strong>{escape(title(picture))}</strong>: {escape(picture['verdict'])}</p>"
        f"<table><caption {_LEFT}>By record id</caption><tbody>{body}</tbody></table></div>"
    )


WIDTH, FLOW_HEIGHT = 1060.0, 268.0
STATIONS = {"sent": 40.0, "acknowledged": 420.0, "seen": 800.0}
THICK, TOP, TALL, FLOOR, LEAST = 20.0, 64.0, 128.0, 226.0, 4.0
SINKS = {"unacknowledged": 240.0, "lost": 540.0, "strangers": 755.0}
_COLOURS = {
    "acknowledged": "accent",
    "seen": "ok",
    "unsure": "warn",
    "unacknowledged": "warn",
    "lost": "bad",
    "strangers": "soft",
}

Bars = dict[str, tuple[float, float]]
Ribbon = tuple[str, int, str]


def layout(flow: dict[str, int]) -> tuple[Bars, list[Ribbon]]:
    """Return each station's (top, height), and the ribbons: (kind, number of ids, path)."""
    most = max(sum(flow.values()) - flow["strangers"], flow["kept"] + flow["unsure_seen"] + flow["strangers"])
    h = {way: max(LEAST, TALL * n / max(1, most)) if n > 0 else 0.0 for way, n in flow.items()}
    bars = {
        "sent": (TOP, h["kept"] + h["lost"] + h["unsure_seen"] + h["unsure_gone"]),
        "acknowledged": (TOP, h["kept"] + h["lost"]),
        "seen": (TOP, h["kept"] + h["unsure_seen"] + h["strangers"]),
    }
    sent, acked, seen = STATIONS["sent"] + THICK, STATIONS["acknowledged"], STATIONS["seen"]
    unsure = TOP + h["kept"] + h["lost"]
    below = unsure + (12 if h["unsure_seen"] else 0)
    ribbons = [
        ("acknowledged", flow["kept"] + flow["lost"], _across(sent, acked, h["kept"] + h["lost"])),
        ("seen", flow["kept"], _across(acked + THICK, seen, h["kept"])),
        ("unsure", flow["unsure_seen"], _passing(unsure, below, TOP + h["kept"], h["unsure_seen"])),
        (
            "unacknowledged",
            flow["unsure_gone"],
            _falling(sent, unsure + h["unsure_seen"], SINKS["unacknowledged"], h["unsure_gone"]),
        ),
        ("lost", flow["lost"], _falling(acked + THICK, TOP + h["kept"], SINKS["lost"], h["lost"])),
        ("strangers", flow["strangers"], _rising(TOP + h["kept"] + h["unsure_seen"], h["strangers"])),
    ]
    return bars, [ribbon for ribbon in ribbons if ribbon[1] > 0]


def _across(x1: float, x2: float, h: float) -> str:
    return f"M{x1:g} {TOP:g}H{x2:g}v{h:g}H{x1:g}Z"


def _passing(y1: float, y2: float, y3: float, h: float) -> str:
    a, b, d = STATIONS["sent"] + THICK, STATIONS["acknowledged"], STATIONS["seen"]
    c = b + THICK
    m, n = (a + b) / 2, (c + d) / 2
    there = f"M{a:g} {y1:g}C{m:g} {y1:g} {m:g} {y2:g} {b:g} {y2:g}H{c:g}C{n:g} {y2:g} {n:g} {y3:g} {d:g} {y3:g}"
    y1, y2, y3 = y1 + h, y2 + h, y3 + h
    return f"{there}V{y3:g}C{n:g} {y3:g} {n:g} {y2:g} {c:g} {y2:g}H{b:g}C{m:g} {y2:g} {m:g} {y1:g} {a:g} {y1:g}Z"


def _falling(x: float, y: float, sink: float, h: float) -> str:
    left, right, low = sink - h / 2, sink + h / 2, y + h
    return (
        f"M{x:g} {y:g}C{right:g} {y:g} {right:g} {y:g} {right:g} {FLOOR:g}H{left:g}"
        f"C{left:g} {low:g} {left:g} {low:g} {x:g} {low:g}Z"
    )


def _rising(y: float, h: float) -> str:
    left, right, low, x = SINKS["strangers"] - h / 2, SINKS["strangers"] + h / 2, y + h, STATIONS["seen"]
    return (
        f"M{left:g} {FLOOR:g}C{left:g} {y:g} {left:g} {y:g} {x:g} {y:g}V{low:g}"
        f"C{right:g} {low:g} {right:g} {low:g} {right:g} {FLOOR:g}Z"
    )


def to_svg(picture: Drawn) -> str:
    """Return the flow, the verdict, and the first ids of each kind, as SVG."""
    counts = picture["counts"]
    listed = [kind for kind in KINDS if counts[kind]]
    svg = Svg(WIDTH, 44 + FLOW_HEIGHT + 20 * len(listed) + 16, title(picture), picture["verdict"])
    svg.text(16, 26, title(picture), size=15, bold=True)
    for i, line in enumerate(wrap(picture["verdict"], 160)[:2]):
        svg.text(16, 44 + 16 * i, line, fill="soft", size=11.5, limit=170)
    whole = svg.group(transform="translate(0 44)")
    bars, ribbons = layout(picture["flow"])
    for kind, count, d in ribbons:
        colour = _COLOURS[kind]
        dashes = "4 3" if kind in ("unsure", "unacknowledged", "strangers") else None
        shape = svg.path(
            d, fill=colour, fill_opacity=0.28, stroke=colour, stroke_width=1, stroke_dasharray=dashes, parent=whole
        )
        svg.hint(shape, f"{number(count)} {kind}")
    for name, (y, h) in bars.items():
        x = STATIONS[name]
        svg.add("rect", whole, x=x, y=y, width=THICK, height=max(h, 2.0), rx=3, fill="ink")
        svg.text(x, y - 26, name, fill="soft", parent=whole)
        svg.text(x, y - 8, number(counts[name]), size=16, bold=True, parent=whole)
    for kind, x in SINKS.items():
        _end(svg, picture, whole, kind, x)
    for i, kind in enumerate(k for k in ("duplicated", "out_of_order", "redelivered") if counts[k]):
        sign, word, _ = KINDS[kind]
        colour = "soft" if kind == "redelivered" else "bad"
        x, y = STATIONS["seen"] + THICK + 14, TOP + 20 + 24 * i
        svg.text(x, y, f"{sign} {number(counts[kind])} {word}", fill=colour, bold=True, parent=whole)
    for i, kind in enumerate(listed):
        sign, word, _ = KINDS[kind]
        ids = ", ".join(shorten(id, 24) for id in picture["ids"][kind][:6])
        rest = counts[kind] - min(6, len(picture["ids"][kind]))
        more = f" and {number(rest)} more" if ids and rest > 0 else ""
        y = 44 + FLOW_HEIGHT + 20 * i + 8
        svg.text(16, y, f"{sign} {number(counts[kind])} {word}", bold=True)
        svg.text(200, y, f"{ids}{more}", mono=True, size=11, limit=120)
    return svg.to_string()


def _end(svg: Svg, picture: Drawn, whole: object, kind: str, x: float) -> None:
    """Write the count and the kind at the place where a ribbon ends, or begins."""
    way = {"unacknowledged": "unsure_gone", "lost": "lost", "strangers": "strangers"}[kind]
    count = picture["flow"][way]
    if not count:
        return
    sign, word, _ = KINDS[kind]
    if kind == "lost" and picture["moving"]:
        sign, word = "◌", "not seen yet"
    svg.text(
        x, FLOOR + 18, f"{sign} {number(count)} {word}", fill=_COLOURS[kind], bold=True, anchor="middle", parent=whole
    )
