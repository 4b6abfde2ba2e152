"""Looks at the machine and says what fits, what does not, and what to do."""

from __future__ import annotations

import textwrap
from dataclasses import asdict
from typing import Any

from kafkalab.commands import doctor_docker, doctor_machine, doctor_software
from kafkalab.commands.doctor_check import Check


def examine() -> list[Check]:
    """Every check, none of which changes anything but empty folders of kafkalab's own."""
    checks = [*doctor_software.examine(), *doctor_machine.examine(), *doctor_docker.examine()]
    return [*checks, _backends(checks)]


def well(checks: list[Check]) -> bool:
    """Whether nothing must be mended."""
    return all(c.ok or c.optional for c in checks)


def to_dict(checks: list[Check]) -> dict[str, Any]:
    """The shape of ``kafkalab doctor --json``."""
    return {"checks": [{**asdict(c), "mark": c.mark} for c in checks]}


def text(checks: list[Check], width: int = 100) -> str:
    """For people: a line a check, or more where it is long, with what to do under what was seen."""
    column = max(len(c.name) for c in checks) + 4
    lines = []
    for c in checks:
        head = f"{c.mark} {c.name}".ljust(column)
        lines += _folded(head, c.seen, width)
        if c.do:
            lines += _folded(" " * column, f"do: {c.do}", width)
    return "\n".join([*lines, "", "✓ fine   ✗ must be mended   – not needed for the default way"])


def _folded(head: str, words: str, width: int) -> list[str]:
    # Paths are there to be copied: they are not broken.
    return textwrap.wrap(
        words, max(width, len(head) + 30), initial_indent=head, subsequent_indent=" " * len(head),
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


#: What each backend stands on, by the names of the checks.
_NEEDS = {
    "local": ("java", "folder: home", "disk", "memory", "ports"),
    "docker": ("docker", "docker: engine", "docker: memory"),
}


def _backends(checks: list[Check]) -> Check:
    """Which choices of ``backend=`` would work now. Missing jars are no obstacle: they are fetched."""
    wrong = {c.name for c in checks if not c.ok}
    missing = {name: [need for need in needs if need in wrong] for name, needs in _NEEDS.items()}
    usable = [name for name, needs in missing.items() if not needs]
    words = [", ".join([*usable, "fake (in memory)"])]
    words += [f"not {name}: see {', '.join(needs)}" for name, needs in missing.items() if needs]
    ok = "local" in usable
    return Check("backends", ok, "; ".join(words), "" if ok else "Mend what is marked ✗ above.")
