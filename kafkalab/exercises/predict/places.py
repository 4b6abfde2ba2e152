"""Predictions that put things into places or into an order: partitions onto brokers, or members to partitions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kafkalab.errors import BadInput
from kafkalab.exercises.predict.kinds import Guess, Judged, Part, Says, label

_MOST_CHIPS, _MOST_PLACES = 60, 20
_PARTITION = re.compile(r"(?:^|\s)P(\d{1,5})$")

#: Names, all different; a mapping also gives the label that is shown for each.
Named = Sequence[object] | Mapping[Any, object]


def _named(given: Named, what: str, most: int) -> tuple[tuple[str, str], ...]:
    """Return the (id, label) of each name.

    :raises BadInput: there are none or too many, or one comes twice.
    """
    pairs = given.items() if isinstance(given, Mapping) else ((one, one) for one in given)
    found = tuple((str(id), label(shown)) for id, shown in pairs)
    if not 1 <= len(found) <= most or len({id for id, _ in found}) != len(found):
        raise BadInput(f"An arrangement needs 1 to {most} different {what}.", seen=repr([id for id, _ in found])[:200])
    return found


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Chips in places. A guess holds, for each chip in turn, the positions of its places; empty: it is in none.

    :param several: whether a chip may be in several places, as a partition's replicas are.
    :param nowhere: the name for being in no place.
    """

    chips: tuple[tuple[str, str], ...]
    places: tuple[tuple[str, str], ...]
    several: bool = False
    nowhere: str = "nobody"
    name = "arrangement"

    @classmethod
    def of(cls, chips: Named, places: Named, several: bool, nowhere: str) -> Arrangement:
        """Make an arrangement from names, or from names with labels (a mapping)."""
        return cls(_named(chips, "chips", _MOST_CHIPS), _named(places, "places", _MOST_PLACES), several, label(nowhere))

    def guess(self, value: object) -> Guess:
        """Read a mapping from chips to the ids of their places; a chip left out is in none."""
        if not isinstance(value, Mapping):
            raise BadInput("Give an arrangement as a mapping from each chip to its place.", seen=repr(value)[:100])
        known = {id for id, _ in self.chips}
        for chip in value:
            if str(chip) not in known:
                raise BadInput(
                    f"There is no chip {label(chip)}.",
                    do="Use one of these chips: " + ", ".join(n for _, n in self.chips),
                )
        given = {str(chip): _placed(where, self.nowhere) for chip, where in value.items()}
        at = {id: i for i, (id, _) in enumerate(self.places)}
        for where in given.values():
            for place in where:
                if place not in at:
                    offered = ", ".join(name for _, name in self.places)
                    raise BadInput(
                        f"There is no place {label(place)}.", do=f"Use one of these places: {offered}, {self.nowhere}."
                    )
        return self.heard([[at[place] for place in given.get(id, ())] for id, _ in self.chips])

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
        return tuple(tuple(sorted(where)) for where in raw)

    def words(self, guess: Guess) -> str:
        """Return each chip with its places, as text."""
        rows = zip(self.chips, guess, strict=True)
        return "; ".join(f"{name}: {self._where([self.places[p][1] for p in at])}" for (_, name), at in rows)

    def plain(self, guess: Guess) -> Any:
        """Return a mapping from each chip's id to the ids of its places."""
        rows = zip(self.chips, guess, strict=True)
        return {id: [self.places[p][0] for p in at] for (id, _), at in rows}

    def page(self, guess: Guess) -> Any:
        """Return a list with the positions of each chip's places."""
        return [list(at) for at in guess]

    def offered(self) -> dict[str, Any]:
        """Return the ids of the chips and the places, and the settings."""
        names = {"chips": [id for id, _ in self.chips], "places": [id for id, _ in self.places]}
        return {**names, "several": self.several, "nowhere": self.nowhere}

    def drawn(self) -> dict[str, Any]:
        """Return the names and colours of the chips, the names of the places, and the settings."""
        return {
            "chips": [{"name": name, "hue": _hue(name)} for _, name in self.chips],
            "places": [name for _, name in self.places],
            "several": self.several,
            "nowhere": self.nowhere,
        }

    def judge(self, guess: Guess | None, happened: object, says: Says) -> Judged:
        """Judge each chip; it is right when its places are exactly those that happened."""
        if not isinstance(happened, Mapping):
            raise BadInput("What happened must be a mapping from each chip to its place.", seen=repr(happened)[:100])
        given = {str(chip): _placed(where, self.nowhere) for chip, where in happened.items()}
        if missing := [name for id, name in self.chips if id not in given]:
            raise BadInput("What happened has no place for these chips: " + ", ".join(missing[:10]))
        names = dict(self.places)
        at = {id: i for i, (id, _) in enumerate(self.places)}
        parts = []
        for i, (id, name) in enumerate(self.chips):
            said = None if guess is None else {self.places[p][0] for p in guess[i]}
            was = given[id]
            parts.append(
                Part(
                    name,
                    "" if guess is None else self._where([self.places[p][1] for p in guess[i]]),
                    self._where([names.get(place, label(place)) for place in was]),
                    None if said is None else said == set(was),
                    says.get(id, ""),
                    self._gap(said, set(was)) if self.several and said is not None else "",
                )
            )
        drawing = {
            "was_at": [sorted(at[place] for place in given[id] if place in at) for id, _ in self.chips],
            "elsewhere": [[label(place) for place in given[id] if place not in at] for id, _ in self.chips],
        }
        told = "; ".join(f"{part.name}: {part.was}" for part in parts)
        happened_plain = {id: list(given[id]) for id, _ in self.chips}
        return _judged(parts, told, happened_plain, says.get("", ""), drawing)

    def _gap(self, said: set[str], was: set[str]) -> str:
        names = dict(self.places)
        missing, wrong = ([names.get(p, label(p)) for p in sorted(part)] for part in (was - said, said - was))
        words = (("left out", missing), ("wrong", wrong))
        return "; ".join(f"{what}: {', '.join(found)}" for what, found in words if found)

    def _where(self, names: Sequence[str]) -> str:
        return ", ".join(names) or self.nowhere


@dataclass(frozen=True, slots=True)
class Order(Arrangement):
    """Things in a row, one in each place. A guess is stored like that of an arrangement."""

    name = "order"

    @classmethod
    def in_row(cls, things: Named) -> Order:
        """Make an order of 1 to 20 things."""
        chips = _named(things, "things", _MOST_PLACES)
        return cls(chips, tuple((str(i), f"{i}.") for i in range(1, len(chips) + 1)))

    def guess(self, value: object) -> Guess:
        """Read a list with the ids of all things in order."""
        return tuple((i,) for i in self._positions(value))

    def heard(self, raw: object) -> Guess:
        """Read a list with the position of each thing."""
        # Not super(): a dataclass with slots is a new class, not the one that this function was defined in.
        guess = Arrangement.heard(self, raw)
        if sorted(guess) != [(i,) for i in range(len(self.chips))]:
            raise BadInput("Give each thing a place of its own.", seen=repr(raw)[:100])
        return guess

    def words(self, guess: Guess) -> str:
        """Return the names of the things in the guessed order."""
        return ", ".join(self._row([at for (at,) in guess]))

    def plain(self, guess: Guess) -> Any:
        """Return the ids of the things in the guessed order."""
        return [self.chips[i][0] for i in sorted(range(len(guess)), key=lambda i: guess[i])]

    def judge(self, guess: Guess | None, happened: object, says: Says) -> Judged:
        """Judge each place; it is right when it holds the thing that came there."""
        at = self._positions(happened)
        was = self._row(at)
        said = self._row([p for (p,) in guess]) if guess is not None else [""] * len(was)
        parts = []
        for (_, place), mine, theirs in zip(self.places, said, was, strict=True):
            right = None if guess is None else mine == theirs
            parts.append(Part(place, mine, theirs, right, says.get(self.chips[was.index(theirs)][0], "")))
        drawing = {"was_at": [[p] for p in at], "elsewhere": [[] for _ in at]}
        return _judged(parts, ", ".join(was), self.plain([(p,) for p in at]), says.get("", ""), drawing)

    def _positions(self, row: object) -> list[int]:
        """Return the position of each thing in a row."""
        ids = [id for id, _ in self.chips]
        given = [str(one) for one in row] if isinstance(row, Sequence) and not isinstance(row, str) else []
        if sorted(given) != sorted(ids):
            raise BadInput(
                "Give an order as a list with each of these things once.", seen=repr(row)[:100], do=", ".join(ids)[:200]
            )
        return [given.index(id) for id in ids]

    def _row(self, at: Sequence[int]) -> list[str]:
        return [name for _, name in sorted(((p, self.chips[i][1]) for i, p in enumerate(at)))]


def _placed(where: object, nowhere: str) -> tuple[str, ...]:
    """Return the places given for a chip, as a tuple: from a name, a list of names, None or the name of nowhere."""
    if where is None or where == nowhere:
        return ()
    if isinstance(where, str) or not isinstance(where, (list, tuple, set, frozenset)):
        return (str(where),)
    return tuple(dict.fromkeys(str(place) for place in where))


def _judged(parts: Sequence[Part], was: str, happened: Any, off: str, drawing: dict[str, Any]) -> Judged:
    if parts[0].right is None:
        return Judged(None, was, happened, f"It was: {was}", off, tuple(parts), drawing)
    hits = sum(bool(part.right) for part in parts)
    head = f"✓ All {len(parts)} as you said" if hits == len(parts) else f"✗ {hits} of {len(parts)} as you said"
    return Judged(hits == len(parts), was, happened, head, off, tuple(parts), drawing)


def _hue(name: str) -> int | None:
    """Return the number of the colour that a partition has in every view; None for other things."""
    found = _PARTITION.search(name)
    return int(found[1]) if found else None
