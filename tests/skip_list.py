"""The visible list of skips: a test is skipped, or expected to fail, only for a reason that CONTRIBUTING.md lists."""

from __future__ import annotations

import re
from pathlib import Path

CONTRIBUTING = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"
HEADING = "## Tests that may be skipped"


def listed_reasons(text: str) -> frozenset[str]:
    """The reasons in the table under the heading: what stands in backticks in the first column."""
    _, found, after = text.partition(HEADING + "\n")
    if not found:
        raise LookupError(f"CONTRIBUTING.md has no heading {HEADING!r}")
    section = after.partition("\n## ")[0]
    return frozenset(re.findall(r"^\| `([^`]+)` \|", section, flags=re.MULTILINE))


def unlisted(reason: str, listed: frozenset[str]) -> str | None:
    """What is wrong with a skip for this reason; None if nothing is."""
    if reason in listed:
        return None
    return f"Skipped for a reason that CONTRIBUTING.md does not list: {reason!r}. List it there, or let the test run."


def reason_of(longrepr: object, wasxfail: str | None) -> str:
    """The bare reason in a pytest report of a skip or an expected failure."""
    if wasxfail is not None:
        return wasxfail.removeprefix("reason: ")
    text = str(longrepr[2]) if isinstance(longrepr, tuple) else str(longrepr)
    return text.removeprefix("Skipped: ")
