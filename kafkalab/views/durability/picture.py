"""The durability matrix as DurabilityView draws it: plain JSON, with each cell under a name that stays the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import shorten

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
    """The progress of a run."""

    done: int
    of: int
    step: str


class Picture(TypedDict):
    """The picture of DurabilityView; ``rounds``: number of brokers up → what was done then."""

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
    cells = {
        name(one["acks"], one["min_insync"], one["brokers_up"], one["fault"]): {
            **one,
            "lost_ids": one["lost_ids"][:MOST],
            "lost_words": one["lost_words"][:400],
            "verdict": verdict(one),
        }
        for one in result.get("cells", ())
    }
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


def verdict(cell: Mapping[str, Any]) -> str:
    """Return ``kept``, ``lost`` or ``refused`` (nothing was acknowledged); the cell's state while it has no verdict."""
    if cell["state"] != "done" or cell["lost"] is None:
        return str(cell["state"])
    if cell["lost"]:
        return "lost"
    return "kept" if cell["acknowledged"] else "refused"


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


# --- The matrix as paragraphs and tables: a grid for each number of brokers up and each fault; each cell's reason.


def blocks(picture: Drawn) -> list[Block]:
    """Return the summary, a grid of verdicts for each failure, and the counts and the reason of each cell."""
    found: list[Block] = [
        Para(f"Durability matrix, {picture['records']} records a cell: {picture['summary']}", "strong")
    ]
    if picture["running"]:
        found.append(Para(picture["progress"]["step"]))
    heads = ("", *(f"min.insync={m}" for m in MIN_INSYNC))
    reasons = []
    for fault in picture["faults"]:
        for up in picture["ups"]:
            grid = []
            for acks in ACKS:
                cells = {m: picture["cells"].get(name(acks, m, up, fault)) for m in MIN_INSYNC}
                if any(cells.values()):
                    grid.append((f"acks={acks}", *(said(cell) if cell else "" for cell in cells.values())))
                for m, cell in cells.items():
                    if cell and (cell["why"] or cell["sent"] is not None):
                        setting = f"acks={acks}, min.insync={m}, {up} up, {fault}"
                        error = shorten(cell["error"] or "", 60)
                        reasons.append((setting, _numbers(cell, acks), error, shorten(cell["why"], 400)))
            if grid:
                found.append(Table(heads, grid, f"{up} of 3 brokers up, {FAULT_WORDS[fault]}"))
    return [*found, Table(("Cell", "Counts", "First error", "Why"), reasons)] if reasons else found


def _numbers(cell: Drawn, acks: str) -> str:
    """Return a cell's counts in a line; "" when there are none. With acks=0, records are only handed over."""
    good = "handed over" if acks == "0" else "acknowledged"
    words = {"sent": "sent", "acknowledged": good, "refused": "not acknowledged", "seen": "seen", "lost": "lost",
             "duplicated": "duplicated"}  # fmt: skip
    return ", ".join(f"{cell[key]} {word}" for key, word in words.items() if cell[key] is not None)
