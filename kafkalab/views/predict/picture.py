"""The data that PredictView draws, as plain JSON, and the same as paragraphs and tables."""

from __future__ import annotations

import time
from typing import Final, Literal, TypedDict

from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import shorten

_SIGNS: Final = {True: "✓", False: "✗", None: "·"}


class Chip(TypedDict):
    """A thing to be put into places; a partition has a number, ``hue``, for its colour."""

    name: str
    hue: int | None


class Offered(TypedDict):
    """The possible answers: choices; a number of a unit, which is right by a rule; or chips to put in places."""

    kind: Literal["choice", "number", "arrangement", "order"]
    choices: list[str]
    unit: str
    rule: str
    chips: list[Chip]
    places: list[str]
    several: bool
    nowhere: str


class Part(TypedDict):
    """A part of an answer that has several; ``right`` is None without a guess, ``says``: the cluster's facts."""

    name: str
    said: str
    was: str
    right: bool | None
    says: str
    gap: str


class Verdict(TypedDict):
    """The outcome, with the guess beside it; ``right`` is None without a guess.

    ``head`` is the verdict in a few words, ``off`` says how far off the guess was.
    """

    right: bool | None
    head: str
    happened: object
    off: str
    because: str
    at: float | None
    parts: list[Part]


class Picture(Offered):
    """The picture of PredictView; ``held``: the result waits for a guess; ``locked``: when, in Unix seconds."""

    id: str
    question: str
    phase: Literal["open", "locked", "compared"]
    held: bool
    locked: float | None
    guess: float | list[list[int]] | None
    said: str
    verdict: Verdict | None


def blocks(drawn: Picture) -> list[Block]:
    """Return the question with the possible answers, the guess if there is one, and the verdict once it is known."""
    question = Para(shorten(drawn["question"], 2000), "strong")
    return [question, Para(_offered(drawn)), *_said(drawn["verdict"]), Para(_told(drawn), "small")]


def verdict_blocks(drawn: Picture, verdict: Verdict) -> list[Block]:
    """Return what happened: the question in small, the verdict, its parts, and both times."""
    found = [Para(shorten(drawn["question"], 2000), "small"), *_said(verdict)]
    if parts := verdict["parts"]:
        guessed, says = parts[0]["right"] is not None, any(part["says"] for part in parts)
        heads = ["", *(["You said"] if guessed else []), "It was", *(["The cluster says"] if says else [])]
        rows = []
        for part in parts:
            said = f"{part['said']} ({part['gap']})" if part["gap"] else part["said"]
            row = [f"{_SIGNS[part['right']]} {part['name']}", *([said] if guessed else []), part["was"]]
            rows.append([*row, *([shorten(part["says"], 300)] if says else [])])
        found.append(Table(heads, rows))
    source = "" if verdict["at"] is None else f" Computed from the cluster's state at {clock(verdict['at'])}."
    return [*found, Para(f"{_told(drawn)}{source}", "small")]


def _said(verdict: Verdict | None) -> list[Block]:
    if verdict is None:
        return []
    more = " ".join(word for word in (verdict["off"], _sentence(shorten(verdict["because"], 1000))) if word)
    return [Para(_sentence(verdict["head"]), "strong"), *([Para(more)] if more else [])]


def clock(at: float) -> str:
    """Return Unix seconds as the local time of day: "14:02:09"."""
    return time.strftime("%H:%M:%S", time.localtime(at))


def _offered(drawn: Picture) -> str:
    """Return the possible answers in a line, the guessed one marked."""
    if drawn["kind"] == "choice":
        return " | ".join(f"▸ {one}" if i == drawn["guess"] else one for i, one in enumerate(drawn["choices"]))
    if drawn["kind"] == "number":
        return f"a number{' of ' + drawn['unit'] if drawn['unit'] else ''}, {drawn['rule']}"
    chips = ", ".join(chip["name"] for chip in drawn["chips"])
    return f"the order of {chips}" if drawn["kind"] == "order" else f"{chips} → {', '.join(drawn['places'])}"


def _told(drawn: Picture) -> str:
    """Return the guess and when it was locked, in a sentence."""
    if drawn["locked"] is not None:
        return f"Locked at {clock(drawn['locked'])}: {drawn['said']}."
    if drawn["verdict"]:
        return "No prediction was made."
    return "The result is in. Make your guess first." if drawn["held"] else "Not locked yet."


def _sentence(text: str) -> str:
    return text if not text or text[-1] in ".!?…" else f"{text}."
