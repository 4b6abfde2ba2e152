"""One finding of the doctor, and how questions become findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kafkalab.errors import KafkalabError


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: ``seen`` is what was found, ``do`` what to do about it (empty when all is well).

    ``optional``: the default way (local processes) does without it, so that it need not be mended.
    """

    name: str
    ok: bool
    seen: str
    do: str = ""
    optional: bool = False

    @property
    def mark(self) -> str:
        """✓ fine, ✗ must be mended, – is not there and not needed for the default way."""
        return "✓" if self.ok else "–" if self.optional else "✗"


def asked(name: str, question: Callable[[], str], *, optional: bool = False) -> Check:
    """What the question answers; an error of ours becomes what is wrong and what to do."""
    try:
        return Check(name, True, question(), optional=optional)
    except KafkalabError as e:
        return Check(name, False, f"{e.what} {e.seen}".strip(), e.do, optional)
