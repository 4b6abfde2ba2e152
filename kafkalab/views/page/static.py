"""The static part of a recording's page, for readers without scripts: each view's last moment, and what happened."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any

from kafkalab.history.recording import Recording
from kafkalab.state.model import called
from kafkalab.views.cluster.picture import EventLines, Line, shown

#: Maximum size of a still picture, in characters of SVG; a larger one is left out, because its tables say the same.
LARGEST_PICTURE = 50_000
#: Maximum number of lines of what happened; the first ones are left out.
MOST_LINES = 1500

#: The learner's verb → the word for what was done to the node.
_WAS = {
    "stop": "stopped",
    "kill": "killed",
    "pause": "paused",
    "resume": "resumed",
    "start": "started",
    "cut": "cut off",
}
#: Verbs after which other brokers lead a broker's partitions.
_TAKES_AWAY = ("kill", "stop", "pause", "cut")


@dataclass(frozen=True, slots=True)
class Still:
    """The last moment of a view: its NAME, a heading, a picture as SVG, tables as HTML, and text."""

    kind: str
    heading: str
    svg: str
    html: str
    text: str


def happened(recording: Recording) -> list[Line]:
    """Return a line for all that happened, crowds summed up; ``t`` in it is the seconds since the recording began."""
    lines = EventLines(MOST_LINES)
    lines.add(recording.events)
    # As precise as the times in recordings, so that a jump to this time shows what was recorded then.
    return [{**line, "t": round(line["at"] - recording.header.began, 4)} for line in lines.list()]


def body(title: str, recording: Recording, stills: Sequence[Still], lines: Sequence[Line], notes: Sequence[str]) -> str:
    """Return everything between ``<body>`` and the data. All text from the cluster is escaped."""
    parts = [
        '<a class="kl-page-skip" href="#views">skip to the views</a>',
        f'<header class="kl-page-head"><h1><bdi>{_text(title, 120)}</bdi></h1><p>{_when(recording)}</p>'
        f'<p class="kl-page-story">{_text(story(lines), 300)}</p></header>',
        '<div id="kl-time" class="kl-page-time"></div>',
        '<noscript><p class="kl-page-note">Without scripts this page shows the end of the recording and what happened. '
        "With scripts it plays.</p></noscript>",
        '<main id="views" tabindex="-1">',
        _happened(lines),
        *(_still(still) for still in stills),
        "</main>",
        _foot(notes),
    ]
    return f'<div class="kl kl-page" id="kl-page">{"".join(parts)}</div>'


def story(lines: Sequence[Line]) -> str:
    """Return what the learner did first and what came of it, in a sentence for outsiders; "" when nothing was done."""
    first = next((line for line in lines if line["kind"] == "you"), None)
    if first is None:
        return ""
    if first.get("verb") not in _WAS:
        return f"At {clock(first['t'])}: {first['text']}."
    told = f"{called(first['node']).capitalize()} was {_WAS[first['verb']]} at {clock(first['t'])}"
    after = lines[lines.index(first) + 1 :]
    until = next((at for at, line in enumerate(after) if line["kind"] == "you"), len(after))
    led = [line["t"] for line in after[:until] if line["kind"] in ("leader_moved", "leader_elected")]
    if first["verb"] in _TAKES_AWAY and led:
        told += f"; others led its partitions at {clock(led[-1])}"
    return f"{told}."


def _still(still: Still) -> str:
    head = f"kl-head-{still.kind}"
    return (
        f'<section class="kl-page-shelf kl-page-still" id="view-{still.kind}" aria-labelledby="{head}">'
        f'<h2 id="{head}">{escape(still.heading)}</h2>{_forms(still)}</section>'
    )


def _forms(still: Still) -> str:
    if not still.html:
        return '<p class="kl-page-picture">This view is here only with scripts.</p>'
    # Some tables contain the picture already.
    if not still.svg or len(still.svg) > LARGEST_PICTURE or "<svg" in still.html:
        return f'<details class="kl-page-tables" open><summary>as tables</summary>{still.html}</details>'
    picture = base64.b64encode(still.svg.encode("utf-8", "replace")).decode("ascii")
    words = "; ".join(" ".join(line.split()) for line in still.text.splitlines() if line.strip())
    return (
        f'<div class="kl-page-picture"><img src="data:image/svg+xml;base64,{picture}" alt="{_text(words, 1500)}"></div>'
        f'<details class="kl-page-tables"><summary>the same as tables</summary>{still.html}</details>'
    )


def _happened(lines: Sequence[Line]) -> str:
    rows = "".join(map(_row, lines)) or '<tr><td colspan="2">No events.</td></tr>'
    return (
        '<section class="kl-page-shelf kl-page-happened" id="happened" aria-labelledby="kl-happened">'
        '<h2 id="kl-happened">What happened</h2>'
        '<div class="kl-page-rows" tabindex="0" role="group" aria-labelledby="kl-happened"><table>'
        '<thead><tr><th scope="col">when</th><th scope="col">since you acted</th><th scope="col">what</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _row(line: Line) -> str:
    at = line["t"]
    since = "" if line["since"] is None else f"+{line['since']:.2f} s"
    link = f'<a href="#t={max(0.0, at):.3f}" data-t="{at:.6f}">{clock(at)}</a>'
    return f'<tr data-kind="{_text(line["kind"], 40)}"><td>{link}</td><td>{since}</td><td>{_line(line)}</td></tr>'


def _line(line: Line) -> str:
    text = _text(line["text"], 400)
    if not line["parts"]:
        return text
    parts = "".join(f"<li>{_text(part, 260)}</li>" for part in line["parts"][:60])
    return f"<details><summary>{text}</summary><ul>{parts}</ul></details>"


def clock(seconds: float) -> str:
    """Return seconds since the beginning as minutes and seconds: "2:14.3"."""
    tenths = int(max(0.0, seconds) * 10)
    minutes, rest = divmod(tenths, 600)
    return f"{minutes}:{rest // 10:02d}.{rest % 10}"


def _long(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s long"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s long"


def _when(recording: Recording) -> str:
    header = recording.header
    mode = {"zookeeper": "ZooKeeper", "kraft": "KRaft"}.get(header.mode or "", "")
    try:
        began = datetime.fromtimestamp(header.began, UTC)
        when = f'<time datetime="{began.isoformat()}">{began:%Y-%m-%d %H:%M:%S} UTC</time>'
    except (ValueError, OverflowError, OSError):
        when = "at an unknown time"
    told: list[Any] = [
        f"Recorded {when}, {_long(recording.seconds)}",
        _text(f"Kafka {header.version}", 40) if header.version else "",
        mode,
        _text(header.label, 60),
    ]
    if recording.problem:
        told.append(_text(recording.problem, 300))
    return " · ".join(part for part in told if part)


def _foot(notes: Sequence[str]) -> str:
    said = "".join(f"<p>{_text(note, 400)}</p>" for note in notes)
    return (
        f'<footer class="kl-page-foot">{said}<p>Made by kafkalab from what was recorded of the cluster. '
        "This file holds everything it shows and loads nothing.</p></footer>"
    )


def _text(text: object, limit: int) -> str:
    return escape(shown(str(text), limit))
