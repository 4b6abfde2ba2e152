"""A prediction as one static SVG: the question, what was locked, and what happened, part by part."""

from __future__ import annotations

import textwrap

from kafkalab.views.predict_text import Drawn, offered, to_text, verdict_text
from kafkalab.views.svg import Svg, shorten

WIDTH = 900.0
_PAD, _LINE, _RULER = 16.0, 19.0, 84.0


def to_svg(drawn: Drawn) -> str:
    """The panel; a number also on its ruler."""
    question = textwrap.wrap(f"Predict, then run. {shorten(drawn['question'], 800)}", 118)
    said = verdict_text(drawn) if drawn["verdict"] else to_text(drawn).partition("\n")[2].strip()
    lines = [line for row in said.splitlines() for line in textwrap.wrap(row, 118, subsequent_indent="    ") or [""]]
    scale = (drawn["verdict"] or {}).get("scale")
    height = 2 * _PAD + 12 + _LINE * (len(question) + 1 + len(lines)) + (_RULER if scale else 0)
    svg = Svg(WIDTH, height, "A prediction", shorten(to_text(drawn), 1500))
    svg.rect(2, 2, WIDTH - 4, height - 4, fill="panel", stroke="accent", stroke_width=1.5, rx=10)
    y = _PAD + 12
    for line in question:
        svg.text(_PAD, y, line, bold=True, size=13, limit=130)
        y += _LINE
    svg.text(_PAD, y, offered(drawn), fill="soft", limit=130)
    y += _LINE
    if scale:
        _ruler(svg, drawn, scale, y)
        y += _RULER
    for line in lines:
        svg.text(_PAD, y, line, limit=130)
        y += _LINE
    return svg.to_string()


def _ruler(svg: Svg, drawn: Drawn, scale: Drawn, y: float) -> None:
    left, length = _PAD + 30, WIDTH - 2 * _PAD - 60
    middle = y + 30

    def x(percent: float) -> float:
        return left + length * percent / 100

    svg.rect(x(scale["from"]), middle - 7, max(3, x(scale["to"]) - x(scale["from"])), 14, fill="ok", opacity=0.35, rx=3)
    svg.line(left, middle, left + length, middle, stroke="soft")
    for at, word in scale["ticks"]:
        svg.line(x(at), middle - 4, x(at), middle + 4, stroke="soft")
        svg.text(x(at), middle + 36, word, size=10.5, fill="soft", anchor="middle")
    marks = [(scale["was"], middle + 20, f"▲ it was {drawn['verdict']['was']}")]
    if scale["guess"] is not None:
        marks.append((scale["guess"], middle - 12, f"▼ you said {drawn['said']}"))
    for at, height, words in marks:
        sign, _, rest = words.partition(" ")
        late = at > 60
        svg.text(
            x(at) + (5 if late else -5), height, f"{rest} {sign}" if late else words, anchor="end" if late else None
        )
