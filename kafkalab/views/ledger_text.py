"""A ledger as lines of text and as tables, for places without scripts. Everything is escaped."""

from __future__ import annotations

from html import escape

from kafkalab.views.ledger_drawn import KINDS, Drawn, number
from kafkalab.views.svg import shorten

_LEFT = 'style="text-align:left"'
_SHOWN = 8


def rows(picture: Drawn, shown: int = _SHOWN) -> list[tuple[str, str, str]]:
    """(words, count, ids) of everything that is counted; kinds that did not happen are left out, but never the lost."""
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
    """``Ledger of trucks_gps``."""
    return f"Ledger of {shorten(picture['topic'], 80)}" if picture["topic"] else "Ledger"


def to_text(picture: Drawn) -> str:
    """The verdict, and a line a count."""
    lines = [f"{title(picture)}: {picture['verdict']}"]
    lines += [f"  {words:<22} {count:>9}  {ids}".rstrip() for words, count, ids in rows(picture)]
    return "\n".join(lines)


def to_html(picture: Drawn) -> str:
    """The verdict, and a row a count."""
    body = "".join(
        f'<tr><th scope="row" {_LEFT}>{escape(words)}</th><td style="text-align:right">{count}</td>'
        f"<td {_LEFT}><bdi>{escape(ids)}</bdi></td></tr>"
        for words, count, ids in rows(picture, 20)
    )
    return (
        f"<div><p><strong>{escape(title(picture))}</strong>: {escape(picture['verdict'])}</p>"
        f"<table><caption {_LEFT}>By record id</caption><tbody>{body}</tbody></table></div>"
    )
