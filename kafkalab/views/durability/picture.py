"""The durability matrix as DurabilityView draws it: plain JSON, with each cell under a name that stays the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

Drawn = dict[str, Any]

ACKS = ("0", "1", "all")
MIN_INSYNC = (1, 2, 3)
BROKERS_UP = (3, 2, 1)
FAULTS = ("killed", "disk lost")
#: Maximum number of lost ids that are shown of a cell.
MOST = 12

FAULT_WORDS = {"killed": "leader killed, comes back", "disk lost": "leader killed, its disk is lost"}


def name(acks: str, min_insync: int, brokers_up: int, fault: str) -> str:
    """Return the name under which a cell is kept: ``a1-m2-u3-k``."""
    return f"a{acks}-m{min_insync}-u{brokers_up}-{fault[:1]}"


class Told(TypedDict):
    """An error that the producer was told, and how often."""

    error: str
    said: str
    times: int


class Spell(TypedDict):
    """A stretch of time in which records were sent."""

    name: str
    sent: int
    acknowledged: int
    lost: int
    errors: list[Told]


class Cell(TypedDict):
    """A setting, and what became of the records sent with it; None where nothing was counted yet."""

    state: str
    verdict: Literal["kept", "lost", "refused", "running", "not run", "not possible"]
    sent: int | None
    acknowledged: int | None
    refused: int | None
    seen: int | None
    lost: int | None
    duplicated: int | None
    error: str | None
    lost_ids: list[str]
    lost_words: str
    spells: list[Spell]
    why: str


class Progress(TypedDict):
    """How far a run is."""

    done: int
    of: int
    step: str


class Picture(TypedDict):
    """What DurabilityView draws; ``rounds``: number of brokers up → what was done then."""

    cluster: str
    mode: str | None
    records: int
    cells: dict[str, Cell]
    faults: list[str]
    ups: list[int]
    rounds: dict[str, list[str]]
    running: bool
    progress: Progress
    summary: str
    summaries: dict[str, str]
    live: bool


def drawn(result: Mapping[str, Any], *, live: bool = False) -> Drawn:
    """Return what the page draws from a result of ``DurabilityMatrix``; cells that the result lacks are left out."""
    cells = {}
    for one in result.get("cells", ()):
        cells[name(str(one["acks"]), int(one["min_insync"]), int(one["brokers_up"]), str(one["fault"]))] = _cell(one)
    faults = [f for f in FAULTS if any(key.endswith(f"-{f[:1]}") for key in cells)]
    progress = result.get("progress") or {}
    picture: Drawn = {
        "cluster": str(result.get("cluster") or ""),
        "mode": result.get("mode"),
        "records": int(result.get("records") or 0),
        "cells": cells,
        "faults": faults,
        "ups": [k for k in BROKERS_UP if any(f"-u{k}-" in key for key in cells)],
        "rounds": {str(k): list(steps) for k, steps in (result.get("rounds") or {}).items()},
        "running": bool(result.get("running")),
        "progress": {"done": 0, "of": 1, "step": "", **progress},
        "live": live,
    }
    picture["summary"] = summary(picture, cells)
    # A page shows the cells of one fault at a time, and its summary counts only those.
    picture["summaries"] = {
        fault: summary(picture, {key: cell for key, cell in cells.items() if key.endswith(f"-{fault[:1]}")})
        for fault in faults
    }
    return picture


def _cell(one: Mapping[str, Any]) -> Drawn:
    counts = ("sent", "acknowledged", "refused", "error", "seen", "lost", "duplicated")
    return {
        **{count: one.get(count) for count in counts},
        "state": str(one.get("state", "done")),
        "lost_ids": list(one.get("lost_ids") or ())[:MOST],
        "spells": list(one.get("spells") or ()),
        "lost_words": str(one.get("lost_words") or "")[:400],
        "why": str(one.get("why") or ""),
        "verdict": verdict(one),
    }


def verdict(cell: Mapping[str, Any]) -> str:
    """Return ``kept``, ``lost`` or ``refused`` (nothing was acknowledged); the cell's state while it has no verdict."""
    if cell.get("state", "done") != "done" or cell.get("lost") is None:
        return str(cell.get("state"))
    if cell["lost"]:
        return "lost"
    return "kept" if cell.get("acknowledged") else "refused"


#: Verdict → sign and word.
SIGNS = {
    "kept": ("✓", "kept"),
    "lost": ("✗", "lost"),
    "refused": ("⊘", "refused"),
    "running": ("…", "running"),
    "not run": ("○", "not run"),
    "not possible": ("—", "not possible"),
}


def said(cell: Mapping[str, Any]) -> str:
    """Return a cell's verdict with its number: ``✗ 50 lost``, ``✓ 100 kept``, ``⊘ refused``, ``○ not run``."""
    sign, word = SIGNS[cell["verdict"]]
    if cell["verdict"] == "lost":
        return f"{sign} {cell['lost']} {word}"
    if cell["verdict"] == "kept":
        return f"{sign} {cell['acknowledged']} {word}"
    return f"{sign} {word}"


def strip(cell: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return a cell's records in stretches, in the order they were sent: (kept, lost or refused; how many)."""
    found: list[tuple[str, int]] = []
    for spell in cell["spells"]:
        kept = spell["acknowledged"] - spell["lost"]
        refused = spell["sent"] - spell["acknowledged"]
        found += [(kind, n) for kind, n in (("kept", kept), ("lost", spell["lost"]), ("refused", refused)) if n > 0]
    return found


def summary(picture: Drawn, shown: Mapping[str, Drawn]) -> str:
    """Return in a sentence how many of these cells lost something; during a run, how many of all cells are done."""
    cells = picture["cells"].values() if picture["running"] else shown.values()
    run = [c for c in cells if c["verdict"] in ("kept", "lost", "refused")]
    if picture["running"]:
        return f"Running: {len(run)} of {len(cells)} cells done."
    if not run:
        return "Not run yet."
    count = {v: sum(c["verdict"] == v for c in run) for v in ("lost", "kept", "refused")}
    part = "" if len(run) == len(cells) else f" of {len(cells)}"
    return (
        f"{len(run)}{part} cells run: {count['lost']} lost acknowledged records, {count['kept']} kept all of them, "
        f"{count['refused']} acknowledged none."
    )
