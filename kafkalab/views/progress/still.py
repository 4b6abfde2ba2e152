"""The still forms of a learner's progress, for places without a kernel: text, HTML and SVG."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from kafkalab.views.svg import Svg
from kafkalab.views.words import shorten

Drawn = dict[str, Any]

SIGNS: Final = {"right": "✓", "wrong": "✗", "not attempted": "○", "could not be judged": "?"}
_LEFT: Final = 'style="text-align:left"'
_BAR: Final = 12


def head(drawn: Drawn) -> str:
    """Return the headline: ``Lab 02 · Messages: 3 of 6 points``."""
    title = f" · {drawn['title']}" if drawn["title"] else ""
    return f"Lab {drawn['lab']}{title}: {drawn['points']} of {drawn['out_of']} points"


def foot(drawn: Drawn) -> str:
    """Return where the progress is kept, or why it is not."""
    if not drawn["kept"]:
        return "Not kept: KAFKALAB_PROGRESS is off."
    return drawn["note"] or "Kept on this machine only."


def to_text(drawn: Drawn) -> str:
    """Return a line per exercise, and a line per lab."""
    lines = ["The course" if drawn["course"] else head(drawn)]
    for one in () if drawn["course"] else drawn["exercises"]:
        lines.append(f"  {SIGNS[one['outcome']]} {one['id']} {one['title']}: {one['words']}")
    for one in drawn["labs"]:
        full = round(_BAR * one["points"] / one["out_of"]) if one["out_of"] else 0
        here = " (this lab)" if one["here"] else ""
        lines.append(f"  {one['number']} {'█' * full}{'░' * (_BAR - full)} {one['title']}: {one['words']}{here}")
        if drawn["course"]:
            lines.append(f"     {one['minutes']} minutes; afterwards you can {one['can']}")
    if drawn["next"]:
        lines.append(f"  Next: {drawn['next']['number']} {drawn['next']['title']} ({drawn['next']['notebook']})")
    return "\n".join([*lines, f"  {foot(drawn)}"])


def to_html(drawn: Drawn) -> str:
    """Return two tables, and a link to the next lab."""
    exercises = "".join(
        f'<tr><th scope="row" {_LEFT}>{SIGNS[one["outcome"]]} {escape(one["id"])} {escape(one["title"])}</th>'
        f"<td {_LEFT}>{escape(one['words'])}</td><td>{one['points']} of {one['out_of']}</td></tr>"
        for one in drawn["exercises"]
    )
    labs = "".join(
        f'<tr><th scope="row" {_LEFT}>{escape(one["number"])} {escape(one["title"])}'
        f"{' (this lab)' if one['here'] else ''}</th><td {_LEFT}>{escape(one['words'])}</td></tr>"
        for one in drawn["labs"]
    )
    following = ""
    if drawn["next"]:
        name, number, title = (escape(drawn["next"][key]) for key in ("notebook", "number", "title"))
        following = f'<p>Next: <a href="{name}">{number} · {title}</a></p>'
    return (
        f"<div><p><strong>{escape(head(drawn))}</strong></p>"
        f"<table><caption {_LEFT}>Exercises</caption><tbody>{exercises}</tbody></table>"
        f"<table><caption {_LEFT}>The course</caption><tbody>{labs}</tbody></table>"
        f"{following}<p>{escape(foot(drawn))}</p></div>"
    )


def to_svg(drawn: Drawn) -> str:
    """Return the same as a picture: signs and words, and a bar for each lab."""
    width, row = 640, 24
    rows = len(drawn["exercises"]) + len(drawn["labs"])
    svg = Svg(width, 96 + row * rows, head(drawn), to_text(drawn))
    svg.text(16, 28, head(drawn), size=15, bold=True)
    y = 40
    for one in drawn["exercises"]:
        y += row
        svg.text(16, y, SIGNS[one["outcome"]], fill=_colour(one["outcome"]), bold=True)
        svg.text(36, y, f"{one['id']} {one['title']}")
        svg.text(340, y, one["words"], fill="soft")
        svg.text(width - 16, y, f"{one['points']} of {one['out_of']}", anchor="end", mono=True)
    y += 14
    for one in drawn["labs"]:
        y += row
        svg.text(16, y, f"{one['number']} {shorten(one['title'], 36)}", bold=one["here"])
        svg.rect(240, y - 10, 120, 10, rx=5, fill="panel", stroke="line")
        if one["points"]:
            svg.rect(240, y - 10, 120 * one["points"] / max(1, one["out_of"]), 10, rx=5, fill="accent")
        svg.text(372, y, one["words"], fill="soft")
    svg.text(16, y + 30, foot(drawn), fill="soft", size=11)
    return svg.to_string()


def _colour(outcome: str) -> str:
    return {"right": "ok", "wrong": "bad"}.get(outcome, "soft")
