"""ProgressView as paragraphs and tables: a row per exercise, and a row per lab."""

from __future__ import annotations

from typing import Any, Final

from kafkalab.views.static import Block, Para, Table

Drawn = dict[str, Any]

SIGNS: Final = {"right": "✓", "wrong": "✗", "not attempted": "○", "could not be judged": "?"}
_BAR: Final = 12


def blocks(drawn: Drawn) -> list[Block]:
    """Return the exercises, if they are the subject, then the labs, the next lab, and where the progress is kept."""
    title = f" · {drawn['title']}" if drawn["title"] else ""
    head = f"Lab {drawn['lab']}{title}: {drawn['points']} of {drawn['out_of']} points"
    found: list[Block] = [Para("The course" if drawn["course"] else head, "strong")]
    if not drawn["course"]:
        rows = [
            (f"{SIGNS[one['outcome']]} {one['id']} {one['title']}", one["words"], f"{one['points']} of {one['out_of']}")
            for one in drawn["exercises"]
        ]
        found.append(Table((), rows, "Exercises"))
    labs: list[tuple[str, ...]] = []
    for one in drawn["labs"]:
        full = round(_BAR * one["points"] / one["out_of"]) if one["out_of"] else 0
        more = (f"{one['minutes']} minutes; afterwards you can {one['can']}",) if drawn["course"] else ()
        name = f"{one['number']} {one['title']}{' (this lab)' if one['here'] else ''}"
        labs.append((name, f"{'█' * full}{'░' * (_BAR - full)}", one["words"], *more))
    found.append(Table((), labs, "The course"))
    if drawn["next"]:
        found.append(Para(f"Next: {drawn['next']['number']} {drawn['next']['title']} ({drawn['next']['notebook']})"))
    kept = (drawn["note"] or "Kept on this machine only.") if drawn["kept"] else "Not kept: KAFKALAB_PROGRESS is off."
    return [*found, Para(kept)]
