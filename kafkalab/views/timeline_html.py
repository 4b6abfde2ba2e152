"""A time line as static HTML, which is a table of what happened, and as text; what the cluster told is escaped."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from typing import Any

from kafkalab.views.svg import shorten
from kafkalab.views.timeline_words import moment, sign, standing, title, values

#: So many events are listed, and said.
_LISTED, _SAID = 60, 12
_ROWS = {
    "brokers": "brokers up",
    "leaderless": "partitions without a leader",
    "short": "under-replicated",
    "lag": "lag",
}


def to_html(drawn: dict[str, Any]) -> str:
    """How the cluster was at the moment, then every event with its time, those with a name, and the moment marked."""
    cell = '<td style="text-align:left">'
    rows = []
    happened = _happened(drawn)
    for event in happened[:_LISTED]:
        mark = sign(event["kind"])[0]
        since = "" if event.get("since") is None else f"{event['since']:+.2f} s"
        later = event["at"] > drawn["at"] + 0.0005
        text = escape(shorten(event["text"], 300))
        rows.append(
            f"<tr>{cell}{moment(event['at'])}</td>{cell}{since}</td>{cell}{mark}</td>"
            f"{cell}{f'<i>{text}</i>' if later else text}</td></tr>"
        )
    heads = "".join(f'<th scope="col" style="text-align:left">{h}</th>' for h in ("at", "since you acted", "", "what"))
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>" if rows else ""
    more = len(happened) - _LISTED
    began = datetime.fromtimestamp(drawn["began"], UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    now = " · ".join(f"{_ROWS[name]}: {words}" for name, words in values(drawn).items())
    parts = [
        f"<p><strong>{escape(shorten(title(drawn), 300))}</strong><br>{escape(standing(drawn))}; began {began}</p>",
        f"<p>{escape(now)}</p>",
        f"<p>{escape(shorten(drawn['problem'], 600))}</p>" if drawn["problem"] else "",
        table or "<p>Nothing happened.</p>",
        f"<p>… and {more} more</p>" if more > 0 else "",
        "<p><small>What is slanted came after the moment that is shown.</small></p>" if rows else "",
    ]
    return f"<div>{''.join(parts)}</div>"


def to_text(drawn: dict[str, Any]) -> str:
    """A few lines: the cluster, the moment, and what happened round it."""
    happened = _happened(drawn)
    now = sum(event["at"] <= drawn["at"] + 0.0005 for event in happened)
    first = max(0, min(now - _SAID // 2, len(happened) - _SAID))
    lines = [
        shorten(title(drawn), 200),
        f"{standing(drawn)} · {', '.join(f'{_ROWS[name]} {words}' for name, words in values(drawn).items())}",
    ]
    if drawn["problem"]:
        lines.append(shorten(drawn["problem"], 300))
    for i, event in enumerate(happened[first : first + _SAID], first):
        here = "▶" if i == now - 1 else " "
        lines.append(f"{here} {moment(event['at']):>8}  {sign(event['kind'])[0]} {shorten(event['text'], 160)}")
    if len(happened) > _SAID:
        lines.append(f"  {len(happened)} events in all")
    return "\n".join(lines)


def _happened(drawn: dict[str, Any]) -> list[dict[str, Any]]:
    named = [{"at": n["at"], "kind": "named", "text": n["name"]} for n in drawn["named"]]
    return sorted([*drawn["events"], *named], key=lambda event: event["at"])
