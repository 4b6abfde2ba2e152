"""The kinds of prediction: a choice or a number. Each reads a guess, and judges it against what happened."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from kafkalab.errors import BadInput
from kafkalab.views.svg import shorten

#: A guess as it is kept: text, a number, or tuples of these; nothing in it can be changed.
Guess = Any
#: What the cluster says of a part of the answer, by the part's name; "" is the name of the whole.
Says = Mapping[str, str]

#: So many characters of a name are drawn.
LABEL = 60
_MOST_CHOICES = 40
_LARGEST = 1e15
#: Of two numbers, the smallest difference that a ruler shows, as a part of the larger one.
_FINEST = 1e-9


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an answer: what was said, what it was, and what the cluster says of it. ``right`` None: no guess."""

    name: str
    said: str
    was: str
    right: bool | None
    says: str = ""
    #: Where only some of it was right: what was left out, and what was not so.
    gap: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A guess beside what happened.

    ``was`` is what happened in words and ``happened`` the same as plain JSON; ``head`` is the verdict in a few words,
    ``off`` how far off it was, ``drawing`` what only this kind of prediction draws.
    """

    right: bool | None
    was: str
    happened: Any
    head: str
    off: str = ""
    parts: tuple[Part, ...] = ()
    drawing: dict[str, Any] = field(default_factory=dict)


class Kind(Protocol):
    """What a prediction asks for."""

    name: str

    def guess(self, value: object) -> Guess:
        """A guess from Python; BadInput when it is none."""

    def heard(self, raw: object) -> Guess:
        """A guess from a page, which may send anything; BadInput when it is none."""

    def words(self, guess: Guess) -> str:
        """A guess as text."""

    def plain(self, guess: Guess) -> Any:
        """A guess as plain JSON in the names of the question, for who reads the notebook; a new object each time."""

    def page(self, guess: Guess) -> Any:
        """A guess as the page draws it: positions in what was offered, never names from a topic."""

    def offered(self) -> dict[str, Any]:
        """What may be answered, as plain JSON with the names as they are."""

    def drawn(self) -> dict[str, Any]:
        """What may be answered, as the page draws it: names are tamed and short."""

    def judge(self, guess: Guess | None, happened: object, says: Says) -> Judged:
        """The guess beside what happened; BadInput when that is no answer to the question."""


def label(value: object) -> str:
    """A name as it is drawn; None is nobody."""
    return shorten("nobody" if value is None else value, LABEL)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some answers.

    :param choices: each different.
    """

    choices: tuple[str, ...]
    name = "choice"

    @classmethod
    def of(cls, choices: Sequence[object]) -> Choice:
        """Of anything that can be written.

        :raises BadInput: with fewer than two choices, or the same one twice.
        """
        written = tuple(str(choice) for choice in choices)
        if not 2 <= len(written) <= _MOST_CHOICES or len(set(written)) != len(written):
            raise BadInput("A prediction needs different choices, from 2 to 40.", seen=repr(written)[:200])
        return cls(written)

    def guess(self, value: object) -> str:
        """As :class:`Kind` says."""
        if str(value) not in self.choices:
            raise BadInput(f"{label(value)} is not among the choices.", do="Choose one of: " + ", ".join(self.choices))
        return str(value)

    def heard(self, raw: object) -> str:
        """As :class:`Kind` says."""
        if not isinstance(raw, int) or isinstance(raw, bool) or not 0 <= raw < len(self.choices):
            raise BadInput("That is not among the choices.", seen=repr(raw)[:60])
        return self.choices[raw]

    def words(self, guess: str) -> str:
        """As :class:`Kind` says."""
        return shorten(guess, 200)

    def plain(self, guess: str) -> str:
        """As :class:`Kind` says."""
        return guess

    def page(self, guess: str) -> int:
        """As :class:`Kind` says."""
        return self.choices.index(guess)

    def offered(self) -> dict[str, Any]:
        """As :class:`Kind` says."""
        return {"choices": list(self.choices)}

    def drawn(self) -> dict[str, Any]:
        """As :class:`Kind` says."""
        return {"choices": [shorten(choice, 200) for choice in self.choices]}

    def judge(self, guess: str | None, happened: object, says: Says) -> Judged:
        """As :class:`Kind` says."""
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
    """A number; right when it is no farther from what happened than ``within``, in the same ``unit``."""

    unit: str
    within: float
    name = "number"

    @classmethod
    def of(cls, unit: str, within: float) -> Number:
        """:raises BadInput: for a tolerance that is no number, or below 0."""
        tolerance = _number(within, "A tolerance")
        if tolerance < 0:
            raise BadInput("A tolerance is 0 or more.", seen=str(tolerance))
        return cls(str(unit), tolerance)

    def guess(self, value: object) -> float:
        """As :class:`Kind` says."""
        return _number(value, "This prediction")

    def heard(self, raw: object) -> float:
        """As :class:`Kind` says."""
        return _number(raw, "This prediction")

    def words(self, guess: float) -> str:
        """As :class:`Kind` says."""
        return f"{written(guess)} {shorten(self.unit, LABEL)}".rstrip()

    def plain(self, guess: float) -> float:
        """As :class:`Kind` says."""
        return guess

    page = plain

    def offered(self) -> dict[str, Any]:
        """As :class:`Kind` says."""
        return {"unit": self.unit, "within": self.within}

    def drawn(self) -> dict[str, Any]:
        """As :class:`Kind` says."""
        rule = f"right within {self.words(self.within)}" if self.within else "right when it is exactly this"
        return {"unit": shorten(self.unit, LABEL), "within": self.within, "rule": rule}

    def judge(self, guess: float | None, happened: object, says: Says) -> Judged:
        """As :class:`Kind` says."""
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
        """A ruler on which both stand, in percent of its length: ``from`` … ``to`` is what would have been right."""
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
    """1, 2 or 5 times a power of ten, so that a ruler has three to seven steps.

    A ruler tells nine digits apart, as :func:`written` does; values closer than that are one value on it.
    """
    size = max(abs(least), abs(most))
    size = size if size >= _FINEST else 1.0
    span = most - least if most - least >= _FINEST * size else size
    power = 10.0 ** math.floor(math.log10(span / 3))
    return next((f * power for f in (1, 2, 5, 10) if span / (f * power) <= 6), 10 * power)


def _number(value: object, what: str) -> float:
    """A number that is one: no truth value, no text, finite, and not beyond what a page can hold exactly."""
    real = not isinstance(value, bool) and isinstance(value, (int, float, numbers.Real))
    found = float(value) if real else math.nan  # type: ignore[arg-type]
    if not math.isfinite(found) or abs(found) > _LARGEST:
        raise BadInput(f"{what} is a number.", seen=repr(value)[:60])
    return int(found) if found.is_integer() else found


def written(value: float) -> str:
    """A number for people: "3 210", "0.4"; thin spaces that do not break."""
    if float(value).is_integer():
        return f"{int(value):,}".replace(",", "\u202f")
    digits = max(0, 2 - math.floor(math.log10(abs(value)))) if abs(value) < 100 else 1
    return f"{value:,.{min(digits, 9)}f}".rstrip("0").rstrip(".").replace(",", "\u202f")
