"""A sign and a colour for each key of a topic, the same wherever the key is drawn."""

from __future__ import annotations

import re
import threading

#: Colours repeat after so many keys (static/shared.css has as many); the sign tells them apart.
COLOURS = 12
#: So many keys get a sign of their own; those beyond share theirs with others.
MOST_KEYS = 20_000
#: How long a sign may be to fit into a cell, characters.
LONGEST = 3

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SHORT = re.compile(rf"[!-~]{{1,{LONGEST}}}")
_WORDS = re.compile(r"[A-Za-z]+")
_NUMBER = re.compile(r"0*(\d{1,3})$")


class KeySigns:
    """Hands out signs.

    A key that fits is its own sign, and "truck-0042" is "42". Another one gets what it begins with: "order-placed" is
    "op", or "o", or "or", whichever is free. Only keys for which nothing of that is left, or that are no text, get
    letters in turn.
    """

    def __init__(self) -> None:
        self._signs: dict[bytes, tuple[str, int]] = {}
        self._taken: set[str] = set()
        self._next = 0
        self._lock = threading.Lock()

    def of(self, key: bytes) -> tuple[str, int]:
        """The sign of a key, and the number of its colour, 0 to 11."""
        with self._lock:
            known = self._signs.get(key)
            if known is None:
                if len(self._signs) >= MOST_KEYS:
                    n = sum(key) + len(key)
                    return _letters(n % 702), n % COLOURS
                sign = self._free(key)
                self._taken.add(sign)
                known = self._signs[key] = (sign, len(self._signs) % COLOURS)
            return known

    def _free(self, key: bytes) -> str:
        try:
            text = key.decode("ascii")
        except UnicodeDecodeError:
            text = ""
        number = _NUMBER.search(text)
        words = _WORDS.findall(text)
        initials = "".join(word[0] for word in words) if len(words) > 1 else ""
        start = "".join(words)[:LONGEST]
        wishes = [text if _SHORT.fullmatch(text) else "", number[1] if number else "", initials[:LONGEST]]
        for wish in (*wishes, *(start[:n] for n in range(1, len(start) + 1))):
            if wish and wish not in self._taken:
                return wish
        while True:
            sign = _letters(self._next)
            self._next += 1
            if sign not in self._taken:
                return sign


def _letters(n: int) -> str:
    """0 → a, 25 → z, 26 → aa, 701 → zz, 702 → aaa."""
    text = ""
    n += 1
    while n:
        n, rest = divmod(n - 1, 26)
        text = _LETTERS[rest] + text
    return text
