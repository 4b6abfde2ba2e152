"""A prediction as lines of text: the question, what was locked when, and what happened."""

from __future__ import annotations

import time
from typing import Any

from kafkalab.views.svg import shorten

Drawn = dict[str, Any]

NO_GUESS = "No prediction was made."


def clock(at: float) -> str:
    """Unix seconds as the time of day here: "14:02:09"."""
    return time.strftime("%H:%M:%S", time.localtime(at))


def offered(drawn: Drawn) -> str:
    """What may be answered, in a line."""
    if drawn["kind"] == "choice":
        return " | ".join(drawn["choices"])
    if drawn["kind"] == "number":
        return f"a number{' of ' + drawn['unit'] if drawn['unit'] else ''}, {drawn['rule']}"
    chips = ", ".join(chip["name"] for chip in drawn["chips"])
    return f"the order of {chips}" if drawn["kind"] == "order" else f"{chips} → {', '.join(drawn['places'])}"


def told(drawn: Drawn) -> str:
    """The guess and when it was locked, in a sentence."""
    if drawn["locked"] is None:
        return NO_GUESS if drawn["verdict"] else "Not locked yet."
    return f"Locked at {clock(drawn['locked'])}: {drawn['said']}."


def source(verdict: Drawn) -> str:
    """What the verdict was computed from; "" for a value that was handed over."""
    return "" if verdict["at"] is None else f"Computed from the cluster's state at {clock(verdict['at'])}."


def sentence(text: str) -> str:
    """With a full stop, if there is anything."""
    return text if not text or text[-1] in ".!?…" else f"{text}."


def to_text(drawn: Drawn) -> str:
    """The question in one line while it is open; then the guess, and then the verdict."""
    question = f"Predict: {shorten(drawn['question'], 2000)} [{offered(drawn)}]"
    if drawn["verdict"]:
        return f"{question}\n{verdict_text(drawn)}"
    return question if drawn["locked"] is None else f"{question}\n  {told(drawn)}"


def verdict_text(drawn: Drawn) -> str:
    """The verdict, the parts it is made of, and both times."""
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
