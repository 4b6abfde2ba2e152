"""A group as tables, for places without scripts and styles (GitHub, nbviewer, a print). Everything is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from kafkalab.views.gantt_svg import clock
from kafkalab.views.group_drawn import Drawn
from kafkalab.views.group_svg import headline
from kafkalab.views.group_text import holds_text, lag_text
from kafkalab.views.svg import shorten

_MEMBERS, _PARTITIONS, _PAUSES = 60, 100, 20


def to_html(drawn: Drawn) -> str:
    """The members with what they hold, the partitions with who holds them and their lag, and the pauses, measured."""
    about = drawn["about"]
    said = " · ".join(p for p in (about["standing"], lag_text(about["lag"])) if p)
    head = f"<p><strong>{escape(headline(drawn))}</strong>{': ' + escape(said) if said else ''}</p>"
    error = drawn["error"]
    trouble = f"<p>Cannot be looked at now: {escape(shorten(error['text'], 300))}</p>" if error else ""
    members = [
        (m["name"], m["host"], holds_text(drawn, id))
        for id in drawn["ranks"][:_MEMBERS]
        for m in [drawn["members"][id]]
    ]
    partitions = [
        (
            f"{shorten(p['topic'])} P{p['partition']}",
            drawn["members"][p["member"]]["name"] if p["member"] in drawn["members"] else "✕ nobody",
            "not known" if p["lag"] is None else str(p["lag"]),
        )
        for p in (drawn["partitions"][key] for key in drawn["order"][:_PARTITIONS])
    ]
    pauses = [(clock(p["from"]), p["text"]) for p in drawn["gantt"]["pauses"][:_PAUSES]]
    return (
        f"<div>{head}{trouble}"
        + _table("Members", ("Member", "Host", "Holds"), members)
        + _table("Partitions", ("Partition", "Held by", "Lag"), partitions)
        + _table("Pauses", ("At (UTC)", "What happened"), pauses)
        + "</div>"
    )


def _table(caption: str, names: Iterable[str], rows: Sequence[tuple[str, ...]]) -> str:
    if not rows:
        return ""
    head = "".join(f'<th scope="col" style="text-align:left">{escape(name)}</th>' for name in names)
    body = "".join(
        f'<tr><th scope="row" style="text-align:left">{escape(first)}</th>'
        + "".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in rest)
        + "</tr>"
        for first, *rest in rows
    )
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
