"""Two kinds of prediction, a choice and a number: each reads a guess and judges it against what happened."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from kafkalab.errors import BadInput
from kafkalab.views.words import shorten

#: A stored guess: text, a number, or tuples of these; it is immutable.
Guess = Any
#: The cluster's facts on each part of an answer, by the part's name; "" is the name of the whole answer.
Says = Mapping[str, str]

#: Maximum number of characters drawn of a name.
LABEL = 60
_MOST_CHOICES = 40
_LARGEST = 1e15
#: The smallest difference of two numbers that a ruler shows, as a fraction of the larger one.
_FINEST = 1e-9


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an answer: the guess, what happened, and the cluster's facts; ``right`` is None without a guess."""

    name: str
    said: str
    was: str
    right: bool | None
    says: str = ""
    #: For a guess of several places: those that it left out, and those that were wrong.
    gap: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A guess compared with what happened; ``right`` is None without a guess.

    ``was`` is what happened in words, ``happened`` the same as plain JSON. ``head`` is the verdict in a few words,
    ``off`` says how far off the guess was, ``drawing`` has the data that only this kind of prediction draws.
    """

    right: bool | None
    was: str
    happened: Any
    head: str
    off: str = ""
    parts: tuple[Part, ...] = ()
    drawing: dict[str, Any] = field(default_factory=dict)


class Kind(Protocol):
    """A kind of prediction: it reads guesses, shows them, and judges them."""

    name: str

    def guess(self, value: object) -> Guess:
        """Read a guess made in Python; raise BadInput if it is not an answer to the question."""

    def heard(self, raw: object) -> Guess:
        """Read a guess sent by a page, which may send anything; raise BadInput if it is not an answer."""

    def words(self, guess: Guess) -> str:
        """Return a guess as text."""

    def plain(self, guess: Guess) -> Any:
        """Return a guess as plain JSON with the question's own names, for programs; a new object each time."""

    def page(self, guess: Guess) -> Any:
        """Return a guess as the page draws it: with positions in the lists offered, never with names."""

    def offered(self) -> dict[str, Any]:
        """Return the possible answers as plain JSON, with the names unchanged."""

    def drawn(self) -> dict[str, Any]:
        """Return the possible answers as the page draws them, with names made safe and short."""

    def judge(self, guess: Guess | None, happened: object, says: Says) -> Judged:
        """Compare a guess with what happened; raise BadInput if that is not an answer to the question."""


def label(value: object) -> str:
    """Return a name made safe and short, to be drawn; None becomes "nobody"."""
    return shorten("nobody" if value is None else value, LABEL)


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of one answer out of several.

    :param choices: the answers, all different.
    """

    choices: tuple[str, ...]
    name = "choice"

    @classmethod
    def of(cls, choices: Sequence[object]) -> Choice:
        """Make a choice from any objects, by their text.

        :raises BadInput: there are fewer than 2 or more than 40 choices, or one comes twice.
        """
        written = tuple(str(choice) for choice in choices)
        if not 2 <= len(written) <= _MOST_CHOICES or len(set(written)) != len(written):
            raise BadInput("A prediction needs 2 to 40 choices, all different.", seen=repr(written)[:200])
        return cls(written)

    def guess(self, value: object) -> str:
        """Read a choice by its text."""
        if str(value) not in self.choices:
            raise BadInput(f"{label(value)} is not among the choices.", do="Choose one of: " + ", ".join(self.choices))
        return str(value)

    def heard(self, raw: object) -> str:
        """Read a choice by its position."""
        if not isinstance(raw, int) or isinstance(raw, bool) or not 0 <= raw < len(self.choices):
            raise BadInput("That is not among the choices.", seen=repr(raw)[:60])
        return self.choices[raw]

    def words(self, guess: str) -> str:
        """Return the choice's text, shortened."""
        return shorten(guess, 200)

    def plain(self, guess: str) -> str:
        """Return the choice's text."""
        return guess

    def page(self, guess: str) -> int:
        """Return the choice's position."""
        return self.choices.index(guess)

    def offered(self) -> dict[str, Any]:
        """Return the choices."""
        return {"choices": list(self.choices)}

    def drawn(self) -> dict[str, Any]:
        """Return the choices, shortened."""
        return {"choices": [shorten(choice, 200) for choice in self.choices]}

    def judge(self, guess: str | None, happened: object, says: Says) -> Judged:
        """Judge a choice; it is right when it has the same text as what happened."""
        what = "nobody" if happened is None else str(happened)
        was = shorten(what, 200)
        right = None if guess is None else guess == what
        head = f"It was: {was}"
        if right is not None:
            head = f"✓ As you said: {was}" if right else f"✗ You said {self.words(guess or '')}; it was {was}"
        at = self.choices.index(what) if what in self.choices else None
        return Judged(right, was, what, head, says.get("", ""), drawing={"was_at": at})


@dataclass(frozen=True, slots=True)
class Number:
    """A number; it is right when it differs from what happened by at most ``within``, in the same ``unit``."""

    unit: str
    within: float
    name = "number"

    @classmethod
    def of(cls, unit: str, within: float) -> Number:
        """Make a number; raise BadInput if the tolerance is not a number, or is below 0."""
        tolerance = _number(within, "A tolerance")
        if tolerance < 0:
            raise BadInput("A tolerance must be 0 or more.", seen=str(tolerance))
        return cls(str(unit), tolerance)

    def guess(self, value: object) -> float:
        """Read a number."""
        return _number(value, "This prediction")

    def heard(self, raw: object) -> float:
        """Read a number."""
        return _number(raw, "This prediction")

    def words(self, guess: float) -> str:
        """Return the number with its unit."""
        return f"{written(guess)} {shorten(self.unit, LABEL)}".rstrip()

    def plain(self, guess: float) -> float:
        """Return the number itself."""
        return guess

    page = plain

    def offered(self) -> dict[str, Any]:
        """Return the unit and the tolerance."""
        return {"unit": self.unit, "within": self.within}

    def drawn(self) -> dict[str, Any]:
        """Return the unit, the tolerance, and the rule in words."""
        rule = f"right within {self.words(self.within)}" if self.within else "right only if it is exact"
        return {"unit": shorten(self.unit, LABEL), "within": self.within, "rule": rule}

    def judge(self, guess: float | None, happened: object, says: Says) -> Judged:
        """Judge a number; it is right when it lies within the tolerance."""
        what = _number(happened, "What happened")
        was = self.words(what)
        if guess is None:
            return Judged(None, was, what, f"It was: {was}", says.get("", ""))
        gap = abs(guess - what)
        right = gap <= self.within
        if gap == 0:
            off = "Exactly."
        else:
            off = f"Off by {self.words(gap)}"
            low, high = sorted((guess, what))
            if low > 0 and high / low >= 2 and not right:
                off += f": {'you said' if guess > what else 'it was'} {written(round(high / low, 1))} times as much"
            off += f", within the {self.words(self.within)}." if right else "."
        head = f"{'✓' if right else '✗'} You said {self.words(guess)}; it was {was}"
        off = f"{off} {says.get('', '')}".rstrip()
        return Judged(right, was, what, head, off, drawing={"scale": self.scale(guess, what)} if gap or what else {})

    def scale(self, guess: float, what: float) -> dict[str, Any]:
        """Return a ruler with both numbers, in percent of its length; guesses between ``from`` and ``to`` are right."""
        values = [what, what - self.within, what + self.within, guess]
        least, most = min(values), max(values)
        if min(what, guess) >= 0:
            least = 0.0
        step = _step(least, most)
        first, last = math.floor(least / step), math.ceil((most + 0.02 * (most - least)) / step)
        last = max(last, first + 1)

        def place(value: float) -> float:
            return round(100 * min(1.0, max(0.0, (value - first * step) / ((last - first) * step))), 2)

        return {
            "ticks": [[place(i * step), written(i * step)] for i in range(first, last + 1)],
            "guess": place(guess),
            "was": place(what),
            "from": place(what - self.within),
            "to": place(what + self.within),
        }


def _step(least: float, most: float) -> float:
    """Return the step of a ruler: 1, 2 or 5 times a power of ten, so that the ruler has three to seven steps.

    A ruler shows nine digits, as :func:`written` does; values closer than that are one value on it.
    """
    size = max(abs(least), abs(most))
    size = size if size >= _FINEST else 1.0
    span = most - least if most - least >= _FINEST * size else size
    power = 10.0 ** math.floor(math.log10(span / 3))
    return next((f * power for f in (1, 2, 5, 10) if span / (f * power) <= 6), 10 * power)


def _number(value: object, what: str) -> float:
    """Return a value as a number; raise BadInput if it is not finite, is too large for a page, or is True or False."""
    real = not isinstance(value, bool) and isinstance(value, (int, float, numbers.Real))
    found = float(value) if real else math.nan  # type: ignore[arg-type]
    if not math.isfinite(found) or abs(found) > _LARGEST:
        raise BadInput(f"{what} must be a number.", seen=repr(value)[:60])
    return int(found) if found.is_integer() else found


def written(value: float) -> str:
    """Return a number for people to read, "3 210" or "0.4", with thin spaces that do not break."""
    if float(value).is_integer():
        return f"{int(value):,}".replace(",", "\u202f")
    digits = max(0, 2 - math.floor(math.log10(abs(value)))) if abs(value) < 100 else 1
    return f"{value:,.{min(digits, 9)}f}".rstrip("0").rstrip(".").replace(",", "\u202f")
