"""The still forms of a prediction, with the question, the locked guess, and what happened: SVG, text, HTML."""

from __future__ import annotations

import textwrap
import time
from html import escape
from typing import Any, Final

from kafkalab.views.svg import Svg
from kafkalab.views.words import shorten

# --- A prediction as lines of text: the question, what was locked when, and what happened.


Drawn = dict[str, Any]

NO_GUESS = "No prediction was made."
HELD = "The result is in. Make your guess first."


def clock(at: float) -> str:
    """Return Unix seconds as the local time of day: "14:02:09"."""
    return time.strftime("%H:%M:%S", time.localtime(at))


def offered(drawn: Drawn) -> str:
    """Return the possible answers in a line."""
    if drawn["kind"] == "choice":
        return " | ".join(drawn["choices"])
    if drawn["kind"] == "number":
        return f"a number{' of ' + drawn['unit'] if drawn['unit'] else ''}, {drawn['rule']}"
    chips = ", ".join(chip["name"] for chip in drawn["chips"])
    return f"the order of {chips}" if drawn["kind"] == "order" else f"{chips} → {', '.join(drawn['places'])}"


def told(drawn: Drawn) -> str:
    """Return the guess and when it was locked, in a sentence."""
    if drawn["locked"] is None:
        return NO_GUESS if drawn["verdict"] else HELD if drawn["held"] else "Not locked yet."
    return f"Locked at {clock(drawn['locked'])}: {drawn['said']}."


def source(verdict: Drawn) -> str:
    """Return what the verdict was computed from; "" for a value that was passed in."""
    return "" if verdict["at"] is None else f"Computed from the cluster's state at {clock(verdict['at'])}."


def sentence(text: str) -> str:
    """Return the text with a full stop, unless it is empty or has an end mark."""
    return text if not text or text[-1] in ".!?…" else f"{text}."


def to_text(drawn: Drawn) -> str:
    """Return the question in one line while it is open; after that also the guess, and then the verdict."""
    question = f"Predict: {shorten(drawn['question'], 2000)} [{offered(drawn)}]"
    if drawn["verdict"]:
        return f"{question}\n{verdict_text(drawn)}"
    return question if drawn["locked"] is None and not drawn["held"] else f"{question}\n  {told(drawn)}"


def verdict_text(drawn: Drawn) -> str:
    """Return the verdict, its parts, and both times."""
    verdict = drawn["verdict"]
    words = (sentence(verdict["head"]), verdict["off"], sentence(shorten(verdict["because"], 1000)))
    lines = [" ".join(word for word in words if word)]
    for part in verdict["parts"]:
        sign = {True: "✓", False: "✗", None: "·"}[part["right"]]
        said = "" if part["right"] is None else f"you said {part['said']}, "
        says = f" ({part['says']})" if part["says"] else ""
        gap = f" · {part['gap']}" if part["gap"] else ""
        lines.append(f"  {sign} {part['name']}: {said}it was {part['was']}{gap}{shorten(says, 300)}")
    lines.append(f"  {told(drawn)} {source(verdict)}".rstrip())
    return "\n".join(lines)


WIDTH = 900.0
_PAD, _LINE, _RULER = 16.0, 19.0, 84.0


def to_svg(drawn: Drawn) -> str:
    """Return the panel as SVG; a number is also drawn on its ruler."""
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


# --- A prediction as HTML without scripts, which can be read even without styles; everything is escaped.
#
# It uses JupyterLab's own colours, because it stands in a notebook: a compared prediction is no widget any more.


_ACCENT: Final = "var(--jp-brand-color1,#1f6feb)"
_BORDER: Final = "var(--jp-border-color2,#ccc)"
# Okabe-Ito hues for the edge; the verdict is also a sign and a word.
_EDGES: Final = {True: "#009E73", False: "#D55E00", None: "var(--jp-border-color1,#999)"}
_SOFT: Final = "color:var(--jp-ui-font-color1,#444);opacity:.8"
_CELL: Final = (
    f"text-align:left;padding:2px 14px 2px 0;border-top:1px solid {_BORDER};vertical-align:top;max-width:36em;"
    "white-space:normal"
)
_SIGNS: Final = {True: "✓", False: "✗", None: "·"}


def to_html(drawn: Drawn) -> str:
    """Return the panel as it stands: the question, the possible answers with the guess marked, and a verdict line.

    Without a guess it has no verdict line; the comparison says what happened.
    """
    verdict = drawn["verdict"]
    said = f"<span style='{_SOFT}'>{escape(_status(drawn))}</span>"
    question = (
        f"<strong>Predict, then run.</strong> {escape(shorten(drawn['question'], 2000))} {_options(drawn)} {said}"
    )
    if not verdict or verdict["right"] is None:
        return _panel(_ACCENT, f"<div>{question}</div>")
    words = " ".join(word for word in (verdict["off"], sentence(shorten(verdict["because"], 1000))) if word)
    return _panel(
        _EDGES[verdict["right"]],
        f"<div>{question}</div><div><strong>{escape(sentence(verdict['head']))}</strong> {escape(words)}</div>",
    )


def verdict_html(drawn: Drawn) -> str:
    """Return the comparison: the verdict, a ruler or a table of the parts, and both times."""
    verdict = drawn["verdict"]
    words = " ".join(word for word in (verdict["off"], sentence(shorten(verdict["because"], 1000))) if word)
    rows = [
        f"<div style='{_SOFT}'>{escape(shorten(drawn['question'], 2000))}</div>",
        f"<div style='margin-top:2px'><strong>{escape(sentence(verdict['head']))}</strong> {escape(words)}</div>",
        _scale(verdict["scale"], drawn) if verdict.get("scale") else "",
        _parts(verdict["parts"]) if verdict["parts"] else "",
    ]
    if said := f"{told(drawn) if drawn['locked'] is not None else ''} {source(verdict)}".strip():
        rows.append(f"<div style='{_SOFT};margin-top:4px'>{escape(said)}</div>")
    return _panel(_EDGES[verdict["right"]], "".join(rows))


def _panel(edge: str, body: str) -> str:
    return (
        f"<div style='border:1px solid {_ACCENT};border-left:4px solid {edge};border-radius:8px;padding:8px 14px;"
        f"margin:2px 0;font-size:var(--jp-ui-font-size1,13px);background:color-mix(in srgb,{_ACCENT} 7%,transparent);"
        f"color:var(--jp-content-font-color1,inherit);line-height:1.6'>{body}</div>"
    )


def _status(drawn: Drawn) -> str:
    if drawn["locked"] is None:
        return told(drawn)
    where = "" if drawn["kind"] == "choice" else f": {drawn['said']}"
    return f"locked at {clock(drawn['locked'])}{where}"


def _options(drawn: Drawn) -> str:
    """Return the choices with the guess marked, or the rule for a number; "" when there is neither."""
    if drawn["kind"] == "number" and not (drawn["verdict"] and drawn["locked"] is None):
        return f"<span style='{_SOFT}'>({escape(drawn['rule'])})</span>"
    if drawn["kind"] != "choice":
        return ""
    pill = f"display:inline-block;border:1px solid {_BORDER};border-radius:8px;padding:0 10px;margin:1px 2px"
    taken = f"{pill};border:2px solid {_ACCENT};font-weight:600"
    found = []
    for i, choice in enumerate(drawn["choices"]):
        mine = i == drawn["guess"]
        sign = "▸ " if mine else ""
        found.append(f"<span style='{taken if mine else pill}'>{sign}{escape(choice)}</span>")
    return " ".join(found)


def _parts(parts: list[dict[str, Any]]) -> str:
    guessed = parts[0]["right"] is not None
    says = any(part["says"] for part in parts)
    heads = ["", "", *(["You said"] if guessed else []), "It was", *(["The cluster says"] if says else [])]
    head = "".join(f"<th scope='col' style='{_CELL};border-top:0;font-weight:500'>{word}</th>" for word in heads)
    body = ""
    for part in parts:
        said = f"{part['said']} ({part['gap']})" if part["gap"] else part["said"]
        cells = [_SIGNS[part["right"]], part["name"], *([said] if guessed else []), part["was"]]
        cells += [shorten(part["says"], 300)] if says else []
        bold = ["", "font-weight:600", *([""] if guessed else []), "font-weight:600", _SOFT]
        row = zip(cells, bold, strict=False)
        drawn = "".join(f"<td style='{_CELL};{b}'>{escape(str(cell))}</td>" for cell, b in row)
        body += f"<tr style='background:none'>{drawn}</tr>"
    return (
        f"<table style='border-collapse:collapse;border:0;margin:6px 0 0;font-size:inherit'>"
        f"<thead><tr style='background:none'>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _scale(scale: dict[str, Any], drawn: Drawn) -> str:
    """Return a ruler: a band for the right answers, a mark above it for the guess, one below for what happened."""
    at = "position:absolute;white-space:nowrap"
    track = f"<div style='{at};left:0;right:0;top:26px;height:2px;background:{_BORDER}'></div>"
    width = max(0.4, scale["to"] - scale["from"])
    band = (
        f"<div style='{at};left:{scale['from']}%;width:{width}%;top:20px;height:14px;border-radius:3px;"
        "background:#009E73;opacity:.35'></div>"
    )
    was = f"▲ it was {drawn['verdict']['was']}"
    marks = [(scale["was"], "30px", was), (scale["guess"], "0", f"▼ you said {drawn['said']}")]
    named = "".join(_mark(f"{at};top:{top}", left, words) for left, top, words in marks)
    ticks = "".join(
        f"<div style='{at};left:{left}%;top:23px;width:1px;height:8px;background:currentColor;opacity:.5'></div>"
        f"<div style='{at};left:{left}%;top:52px;font-size:85%;{_SOFT};transform:translateX(-50%)'>{escape(word)}</div>"
        for left, word in scale["ticks"]
    )
    box = "position:relative;height:72px;margin:8px 28px 0;max-width:46em"
    return f"<div style='{box}'>{track}{band}{ticks}{named}</div>"


def _mark(style: str, left: float, words: str) -> str:
    """Return words whose arrow stands at a place; they run to the side on which there is room."""
    if left <= 60:
        return f"<div style='{style};left:{left}%;margin-left:-.4em'>{escape(words)}</div>"
    sign, _, rest = words.partition(" ")
    return f"<div style='{style};right:{round(100 - left, 2)}%;margin-right:-.45em'>{escape(rest)} {sign}</div>"
