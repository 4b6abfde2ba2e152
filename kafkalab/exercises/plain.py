"""Plain values: the form in which every answer is judged, both in a learner's notebook and by a grader.

This module imports only the standard library, because a grader runs it inside the learner's kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from numbers import Integral, Real
from typing import Any, Final

#: Limits of an answer, far above what any lab asks for: values in all, items of one collection, characters and
#: bytes in all, levels of nesting, digits of a number.
MOST_VALUES: Final = 300_000
MOST_ITEMS: Final = 100_000
MOST_TEXT: Final = 16_000_000
MOST_DEPTH: Final = 40
MOST_DIGITS: Final = 5000

#: The kinds of collections, besides dict.
SEVERAL: Final[tuple[Any, ...]] = (list, tuple, set, frozenset)
_LARGE: Final = "is too large for an answer."
_ENDLESS: Final = f"has no end in sight: more than {MOST_ITEMS:,} items."


class Unfit(Exception):
    """A value that cannot be judged; the message continues a sentence after a name: "has no end in sight"."""


class Items(list[Any]):
    """The items of an iterable that is not a list; ``kind`` is the name of its class: deque, generator."""

    def __init__(self, items: Iterable[Any], kind: str) -> None:
        super().__init__(items)
        self.kind = kind


def plain(value: Any) -> Any:
    """Return a value as numbers, text, bytes, and lists, tuples, sets and dicts of these.

    Subclasses and numpy's numbers become the plain value that they hold. Other iterables become :class:`Items`. Any
    other object stays as it is.

    :raises Unfit: the value is too large, is nested too deep, or has no end.
    """
    return _Plain().of(value, 0)


class _Plain:
    def __init__(self) -> None:
        self._values, self._text = MOST_VALUES, MOST_TEXT

    def of(self, value: Any, depth: int) -> Any:
        self._values -= 1
        if self._values < 0:
            raise Unfit(_LARGE)
        if depth > MOST_DEPTH:
            raise Unfit("is nested too deep for an answer.")
        if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
            if value.size > MOST_ITEMS:
                raise Unfit(_ENDLESS)
            value = value.tolist()
            if isinstance(value, list):
                return Items(self._each(value, depth), "numpy array")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str | bytes | bytearray | memoryview | Real):
            return self._one(value)
        return self._many(value, depth)

    def _one(self, value: Any) -> Any:
        # Use the plain class's own methods, because a subclass may override them with anything.
        if isinstance(value, str):
            value = self._took(str.__str__(value))
        elif isinstance(value, int):
            value = int.__index__(value)
            if value.bit_length() > 4 * MOST_DIGITS - 16:
                raise Unfit(_LARGE)
        elif isinstance(value, float):
            value = float.__float__(value)
        elif isinstance(value, Real):
            value = int(value) if isinstance(value, Integral) else float(value)
        else:
            value = self._took(bytes.__getitem__(value, slice(None)) if isinstance(value, bytes) else bytes(value))
        return value

    def _took(self, text: Any) -> Any:
        self._text -= len(text)
        if self._text < 0:
            raise Unfit(_LARGE)
        return text

    def _many(self, value: Any, depth: int) -> Any:
        if isinstance(value, Mapping):
            pairs = dict.items(value) if isinstance(value, dict) else value.items()
            return {self._hashable(key, depth): self.of(one, depth + 1) for key, one in pairs}
        for kind in SEVERAL:
            if isinstance(value, kind):
                each = self._each if kind in (list, tuple) else self._distinct
                items = each(kind.__iter__(value), depth)
                return Items(items, value.kind) if isinstance(value, Items) else kind(items)
        if callable(value) or not isinstance(value, Iterable):
            return value
        try:
            items = iter(value)
        except TypeError:
            return value  # its __iter__ refuses, as that of a Spark column does
        found = list(islice(items, MOST_ITEMS + 1))
        if len(found) > MOST_ITEMS:
            raise Unfit(_ENDLESS)
        return Items(self._each(found, depth), type(value).__name__)

    def _each(self, items: Iterable[Any], depth: int) -> Iterator[Any]:
        return (self.of(one, depth + 1) for one in items)

    def _distinct(self, items: Iterable[Any], depth: int) -> Iterator[Any]:
        return (self._hashable(one, depth) for one in items)

    def _hashable(self, key: Any, depth: int) -> Any:
        found = self.of(key, depth + 1)
        try:
            hash(found)
        except TypeError:
            return key  # an iterator, for example
        return found
