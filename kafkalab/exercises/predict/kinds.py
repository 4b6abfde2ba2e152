"""The kinds of prediction: a choice, a number, an arrangement, an order. Each reads a guess and judges it.

A guess is kept as the page draws it, with positions in the lists offered: 2; 800; ``[[0], [], [1, 2]]``.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from kafkalab.errors import BadInput
from kafkalab.views.predict.picture import Offered, Part, Verdict
from kafkalab.views.words import count, shorten

Guess = Any
#: The cluster's facts on each part of an answer, by the part's name; "" is the name of the whole answer.
Says = Mapping[str, str]
#: Names, all different; a mapping also gives the label that is shown for each.
Named = Sequence[object] | Mapping[Any, object]

#: Maximum number of characters drawn of a name.
LABEL = 60
_MOST_CHOICES, _MOST_CHIPS, _MOST_PLACES = 40, 60, 20
_LARGEST = 1e15
_PARTITION = re.compile(r"(?:^|\s)P(\d{1,5})$")


def label(value: object) -> str:
    """Return a name made safe and short, to be drawn; None becomes "nobody"."""
    return shorten("nobody" if value is None else value, LABEL)


_NOTHING_OFFERED: Final[Offered] = {
    "kind": "choice", "choices": [], "unit": "", "rule": "", "chips": [], "places": [], "several": False, "nowhere": "",
}  # fmt: skip


def _verdict(right: bool | None, head: str, happened: object, off: str, parts: Sequence[Part] = ()) -> Verdict:
    return {
        "right": right, "head": head, "happened": happened, "off": off, "because": "", "at": None,
        "parts": list(parts),
    }  # fmt: skip


class Choice:
    """A choice of one answer out of several objects, told by their text.

    :raises BadInput: there are fewer than 2 or more than 40 choices, or one comes twice.
    """

    name = "choice"

    def __init__(self, choices: Sequence[object]) -> None:
        self.choices = tuple(str(choice) for choice in choices)
        if not 2 <= len(self.choices) <= _MOST_CHOICES or len(set(self.choices)) != len(self.choices):
            raise BadInput("A prediction needs 2 to 40 choices, all different.", seen=repr(self.choices)[:200])

    def guess(self, value: object) -> int:
        """Read a choice by its text."""
        if str(value) not in self.choices:
            raise BadInput(f"{label(value)} is not among the choices.", do="Choose one of: " + ", ".join(self.choices))
        return self.choices.index(str(value))

    def heard(self, raw: object) -> int:
        """Read a choice by its position."""
        if not isinstance(raw, int) or isinstance(raw, bool) or not 0 <= raw < len(self.choices):
            raise BadInput("That is not among the choices.", seen=repr(raw)[:60])
        return raw

    def words(self, guess: int) -> str:
        """Return the choice's text, shortened."""
        return shorten(self.choices[guess], 200)

    def plain(self, guess: int) -> str:
        """Return the choice's text."""
        return self.choices[guess]

    def offered(self) -> dict[str, Any]:
        """Return the choices."""
        return {"choices": list(self.choices)}

    def drawn(self) -> Offered:
        """Return the choices, shortened."""
        return {**_NOTHING_OFFERED, "choices": [shorten(choice, 200) for choice in self.choices]}

    def judge(self, guess: int | None, happened: object, says: Says) -> Verdict:
        """Judge a choice; it is right when it has the same text as what happened."""
        what = "nobody" if happened is None else str(happened)
        was, right = shorten(what, 200), None
        head = f"It was: {was}"
        if guess is not None:
            right = self.choices[guess] == what
            head = f"✓ As you said: {was}" if right else f"✗ You said {self.words(guess)}; it was {was}"
        return _verdict(right, head, what, says.get("", ""))


class Number:
    """A number; it is right when it differs from what happened by at most ``within``, in the same ``unit``.

    :raises BadInput: the tolerance is not a number, or is below 0.
    """

    name = "number"

    def __init__(self, unit: str, within: float) -> None:
        self.unit, self.within = str(unit), _number(within, "A tolerance")
        if self.within < 0:
            raise BadInput("A tolerance must be 0 or more.", seen=str(self.within))

    def guess(self, value: object) -> float:
        """Read a number."""
        return _number(value, "This prediction")

    heard = guess

    def words(self, guess: float) -> str:
        """Return the number with its unit."""
        return f"{written(guess)} {shorten(self.unit, LABEL)}".rstrip()

    def plain(self, guess: float) -> float:
        """Return the number itself."""
        return guess

    def offered(self) -> dict[str, Any]:
        """Return the unit and the tolerance."""
        return {"unit": self.unit, "within": self.within}

    def drawn(self) -> Offered:
        """Return the unit, and the rule in words."""
        rule = f"right within {self.words(self.within)}" if self.within else "right only if it is exact"
        return {**_NOTHING_OFFERED, "kind": "number", "unit": shorten(self.unit, LABEL), "rule": rule}

    def judge(self, guess: float | None, happened: object, says: Says) -> Verdict:
        """Judge a number; it is right when it lies within the tolerance."""
        what = _number(happened, "What happened")
        was, more = self.words(what), says.get("", "")
        if guess is None:
            return _verdict(None, f"It was: {was}", what, more)
        gap = abs(guess - what)
        right = gap <= self.within
        off = f"Off by {self.words(gap)}" if gap else "Exactly"
        low, high = sorted((guess, what))
        if low > 0 and high / low >= 2 and not right:
            off += f": {'you said' if guess > what else 'it was'} {written(round(high / low, 1))} times as much"
        off += f", within the {self.words(self.within)}." if right and gap else "."
        head = f"{'✓' if right else '✗'} You said {self.words(guess)}; it was {was}"
        return _verdict(right, head, what, f"{off} {more}".rstrip())


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
        return count(int(value))
    digits = max(0, 2 - math.floor(math.log10(abs(value)))) if abs(value) < 100 else 1
    if digits > 9:
        return f"{value:.3g}"
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".").replace(",", "\u202f")


# --- Things put into places, or into an order.


def _named(given: Named, what: str, most: int) -> dict[str, str]:
    """Return id → label; raise BadInput if there are none or too many names, or one comes twice."""
    pairs = given.items() if isinstance(given, Mapping) else ((one, one) for one in given)
    found = [(str(id), label(shown)) for id, shown in pairs]
    if not 1 <= len(found) <= most or len(dict(found)) != len(found):
        raise BadInput(f"An arrangement needs 1 to {most} different {what}.", seen=repr([id for id, _ in found])[:200])
    return dict(found)


class Arrangement:
    """Chips in places, each id → label. A guess holds, for each chip in turn, the positions of its places.

    :param several: whether a chip may be in several places, as a partition's replicas are.
    :param nowhere: the name for being in no place.
    """

    name: Literal["arrangement", "order"] = "arrangement"

    def __init__(self, chips: Named, places: Named, several: bool = False, nowhere: str = "nobody") -> None:
        self.chips = _named(chips, "chips", _MOST_CHIPS)
        self.places = _named(places, "places", _MOST_PLACES)
        self.several, self.nowhere = several, label(nowhere)

    def guess(self, value: object) -> Guess:
        """Read a mapping from chips to the ids of their places; a chip left out is in none."""
        given = self._given(value, "Give an arrangement as a mapping from each chip to its place.")
        for what, names, known in (
            ("chip", given, self.chips),
            ("place", [place for where in given.values() for place in where], self.places),
        ):
            if strange := [name for name in names if name not in known]:
                offered = ", ".join(known.values())
                raise BadInput(f"There is no {what} {label(strange[0])}.", do=f"Use one of these: {offered}")
        at = list(self.places)
        return self.heard([[at.index(place) for place in given.get(id, ())] for id in self.chips])

    def heard(self, raw: object) -> Guess:
        """Read a list with the positions of each chip's places."""
        if not isinstance(raw, list) or len(raw) != len(self.chips):
            raise BadInput("An arrangement needs a list of places for each chip.", seen=repr(raw)[:100])
        for where in raw:
            fine = isinstance(where, list) and all(isinstance(p, int) and not isinstance(p, bool) for p in where)
            if not fine or len(set(where)) != len(where) or not all(0 <= p < len(self.places) for p in where):
                raise BadInput("The places of a chip must exist and must all be different.", seen=repr(where)[:100])
            if len(where) > 1 and not self.several:
                raise BadInput("Here a chip can be in only one place.", seen=repr(where)[:100])
        return [sorted(where) for where in raw]

    def words(self, guess: Guess) -> str:
        """Return each chip with its places, as text."""
        return "; ".join(
            f"{name}: {self._where(at)}" for name, at in zip(self.chips.values(), self._ids(guess), strict=True)
        )

    def plain(self, guess: Guess) -> Any:
        """Return a mapping from each chip's id to the ids of its places."""
        return dict(zip(self.chips, self._ids(guess), strict=True))

    def offered(self) -> dict[str, Any]:
        """Return the ids of the chips and the places, and the settings."""
        names = {"chips": list(self.chips), "places": list(self.places)}
        return {**names, "several": self.several, "nowhere": self.nowhere}

    def drawn(self) -> Offered:
        """Return the names and colours of the chips, the names of the places, and the settings."""
        hues = [(name, _PARTITION.search(name)) for name in self.chips.values()]
        return {
            **_NOTHING_OFFERED, "kind": self.name, "several": self.several, "nowhere": self.nowhere,
            "chips": [{"name": name, "hue": int(found[1]) if found else None} for name, found in hues],
            "places": list(self.places.values()),
        }  # fmt: skip

    def judge(self, guess: Guess | None, happened: object, says: Says) -> Verdict:
        """Judge each chip; it is right when its places are exactly those that happened."""
        given = self._given(happened, "What happened must be a mapping from each chip to its place.")
        if missing := [name for id, name in self.chips.items() if id not in given]:
            raise BadInput("What happened has no place for these chips: " + ", ".join(missing[:10]))
        guessed = [None] * len(self.chips) if guess is None else self._ids(guess)
        parts: list[Part] = []
        for (id, name), said in zip(self.chips.items(), guessed, strict=True):
            was = given[id]
            right = None if said is None else set(said) == set(was)
            gap = ""
            if self.several and said is not None:
                both = (("left out", set(was) - set(said)), ("wrong", set(said) - set(was)))
                gap = "; ".join(f"{what}: {self._where(sorted(some))}" for what, some in both if some)
            told, so = "" if said is None else self._where(said), self._where(was)
            parts.append({"name": name, "said": told, "was": so, "right": right, "says": says.get(id, ""), "gap": gap})
        was_told = "; ".join(f"{part['name']}: {part['was']}" for part in parts)
        hits = sum(bool(part["right"]) for part in parts)
        everything = None if guess is None else hits == len(parts)
        how = f"✓ All {hits}" if everything else f"✗ {hits} of {len(parts)}"
        head = f"It was: {was_told}" if guess is None else f"{how} as you said"
        return _verdict(everything, head, {id: given[id] for id in self.chips}, says.get("", ""), parts)

    def _given(self, value: object, what: str) -> dict[str, list[str]]:
        """Return for each chip the places given: by a name, a list of names, None or the name of nowhere."""
        if not isinstance(value, Mapping):
            raise BadInput(what, seen=repr(value)[:100])
        found = {}
        for chip, where in value.items():
            several = where if isinstance(where, (list, tuple, set, frozenset)) else [where]
            nowhere = where is None or where == self.nowhere
            found[str(chip)] = [] if nowhere else list(dict.fromkeys(map(str, several)))
        return found

    def _ids(self, guess: Guess) -> list[list[str]]:
        at = list(self.places)
        return [[at[p] for p in where] for where in guess]

    def _where(self, places: Iterable[str]) -> str:
        return ", ".join(self.places.get(place, label(place)) for place in places) or self.nowhere


class Order(Arrangement):
    """Things in a row: an arrangement with as many places, of which each holds one thing; answers are lists of ids."""

    name = "order"

    def __init__(self, things: Named) -> None:
        chips = _named(things, "things", _MOST_PLACES)
        super().__init__(chips, {str(i): f"{i}." for i in range(1, len(chips) + 1)})

    def heard(self, raw: object) -> Guess:
        """Read a list with the position of each thing."""
        guess = super().heard(raw)
        if sorted(guess) != [[i] for i in range(len(self.chips))]:
            raise BadInput("Give each thing a place of its own.", seen=repr(raw)[:100])
        return guess

    def words(self, guess: Guess) -> str:
        """Return the names of the things in the guessed order."""
        return ", ".join(self.chips[id] for id in self.plain(guess))

    def plain(self, guess: Guess) -> Any:
        """Return the ids of the things in the guessed order."""
        return [id for _, id in sorted(zip(guess, self.chips, strict=True))]

    def judge(self, guess: Guess | None, happened: object, says: Says) -> Verdict:
        """Judge each thing; it is right when it came in its place."""
        at = self._given(happened, "")
        return {**super().judge(guess, happened, says), "happened": sorted(self.chips, key=lambda id: int(at[id][0]))}

    def _given(self, value: object, what: str) -> dict[str, list[str]]:
        given = [str(one) for one in value] if isinstance(value, Sequence) and not isinstance(value, str) else []
        if sorted(given) != sorted(self.chips):
            seen, do = repr(value)[:100], ", ".join(self.chips)[:200]
            raise BadInput("Give an order as a list with each of these things once.", seen=seen, do=do)
        return {id: [str(at)] for at, id in enumerate(given, 1)}


#: A kind of prediction.
Kind = Choice | Number | Arrangement
