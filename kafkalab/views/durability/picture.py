"""The durability matrix as DurabilityView draws it: plain JSON, with each cell under a name that stays the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, cast

from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import count, shorten

ACKS = ("0", "1", "all")
MIN_INSYNC = (1, 2, 3)
BROKERS_UP = (3, 2, 1)
#: The leader's failure → its words.
FAULTS = {"killed": "killed, and comes back", "disk lost": "killed, and its disk is lost"}


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


Verdict = Literal["kept", "lost", "refused", "running", "not run", "not possible"]


class Cell(TypedDict):
    """A setting, and what became of the records sent with it; None where nothing was counted yet."""

    acks: str
    min_insync: int
    brokers_up: int
    fault: str
    state: str
    verdict: Verdict
    sign: str
    said: str
    sent: int | None
    acknowledged: int | None
    refused: int | None
    seen: int | None
    lost: int | None
    duplicated: int | None
    error: str | None
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
    faults: dict[str, str]
    ups: list[int]
    rounds: dict[str, list[str]]
    running: bool
    progress: Progress
    summary: str
    summaries: dict[str, str]
    live: bool


def drawn(result: Mapping[str, Any], *, live: bool = False) -> Picture:
    """Return what the page draws from a result of ``DurabilityMatrix``; cells that the result lacks are left out."""
    cells = {
        name(one["acks"], one["min_insync"], one["brokers_up"], one["fault"]): _cell(one)
        for one in result.get("cells", ())
    }
    faults = {f: words for f, words in FAULTS.items() if any(cell["fault"] == f for cell in cells.values())}
    running = bool(result.get("running"))
    of_fault = {fault: [cell for cell in cells.values() if cell["fault"] == fault] for fault in faults}
    return {
        "cluster": str(result.get("cluster") or ""),
        "mode": result.get("mode"),
        "records": int(result.get("records") or 0),
        "cells": cells,
        "faults": faults,
        "ups": [k for k in BROKERS_UP if any(cell["brokers_up"] == k for cell in cells.values())],
        "rounds": {str(k): list(steps) for k, steps in (result.get("rounds") or {}).items()},
        "running": running,
        "progress": {"done": 0, "of": 1, "step": "", **(result.get("progress") or {})},
        "live": live,
        "summary": _summary(list(cells.values()), running),
        # A page shows the cells of one fault at a time, and its summary counts only those; during a run it counts all.
        "summaries": {} if running else {fault: _summary(shown) for fault, shown in of_fault.items()},
    }


def _cell(one: Mapping[str, Any]) -> Cell:
    verdict = _verdict(one)
    sign, word = SIGNS[verdict]
    n = {"lost": one["lost"], "kept": one["acknowledged"]}.get(verdict)
    told = {key: value for key, value in one.items() if key != "lost_ids"}
    said = word if n is None else f"{count(n)} {word}"
    return cast("Cell", {**told, "verdict": verdict, "sign": sign, "said": said})


def _verdict(cell: Mapping[str, Any]) -> Verdict:
    """Return ``kept``, ``lost`` or ``refused`` (nothing was acknowledged); the cell's state while it has no verdict."""
    if cell["state"] == "done":
        return "lost" if cell["lost"] else "kept" if cell["acknowledged"] else "refused"
    return cast("Verdict", cell["state"])


#: Verdict → sign and word.
SIGNS: dict[Verdict, tuple[str, str]] = {
    "kept": ("✓", "kept"),
    "lost": ("✗", "lost"),
    "refused": ("⊘", "refused"),
    "running": ("…", "running"),
    "not run": ("○", "not run"),
    "not possible": ("—", "not possible"),
}


def _summary(cells: Sequence[Cell], running: bool = False) -> str:
    """Return in a sentence how many of these cells lost something; during a run, how many are done."""
    run = [c for c in cells if c["verdict"] in ("kept", "lost", "refused")]
    if running:
        return f"Running: {len(run)} of {len(cells)} cells done."
    if not run:
        return "Not run yet."
    n = {v: sum(c["verdict"] == v for c in run) for v in ("lost", "kept", "refused")}
    part = "" if len(run) == len(cells) else f" of {len(cells)}"
    return (
        f"{len(run)}{part} cells run: {n['lost']} lost acknowledged records, {n['kept']} kept all of them, "
        f"{n['refused']} acknowledged none."
    )


# --- The matrix as paragraphs and tables: a grid for each number of brokers up and each fault; each cell's reason.


def blocks(picture: Picture) -> list[Block]:
    """Return the summary, a grid of verdicts for each failure, and the counts and the reason of each cell."""
    found: list[Block] = [
        Para(f"Durability matrix, {picture['records']} records a cell: {picture['summary']}", "strong")
    ]
    if picture["running"]:
        found.append(Para(picture["progress"]["step"]))
    heads = ("", *(f"min.insync={m}" for m in MIN_INSYNC))
    reasons = []
    for fault, words in picture["faults"].items():
        for up in picture["ups"]:
            grid = []
            for acks in ACKS:
                cells = {m: picture["cells"].get(name(acks, m, up, fault)) for m in MIN_INSYNC}
                if any(cells.values()):
                    grid.append(
                        (f"acks={acks}", *(f"{cell['sign']} {cell['said']}" if cell else "" for cell in cells.values()))
                    )
                for m, cell in cells.items():
                    if cell and (cell["why"] or cell["sent"] is not None):
                        setting = f"acks={acks}, min.insync={m}, {up} up, {fault}"
                        error = shorten(cell["error"] or "", 60)
                        reasons.append((setting, _numbers(cell, acks), error, shorten(cell["why"], 400)))
            if grid:
                found.append(Table(heads, grid, f"{up} of 3 brokers up, leader {words}"))
    return [*found, Table(("Cell", "Counts", "First error", "Why"), reasons)] if reasons else found


def _numbers(cell: Cell, acks: str) -> str:
    """Return a cell's counts in a line; "" when there are none. With acks=0, records are only handed over."""
    good = "handed over" if acks == "0" else "acknowledged"
    words = (
        ("sent", cell["sent"]), (good, cell["acknowledged"]), ("not acknowledged", cell["refused"]),
        ("seen", cell["seen"]), ("lost", cell["lost"]), ("duplicated", cell["duplicated"]),
    )  # fmt: skip
    return ", ".join(f"{n} {word}" for word, n in words if n is not None)
