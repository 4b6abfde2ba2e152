"""What a run of the check says at its end: each suite's closing line, what failed, what was not run, and the budget."""

from __future__ import annotations

import os

from tests.runner.processes import Result
from tests.runner.suites import TIERS

#: Suites that start nothing but themselves: what they take beyond the usual tells how slow the machine is at the time.
COMPUTING = ("style", "architecture", "unit", "views")


def slowness(tier: str, results: list[Result]) -> float:
    """How many times as long as usual the suites took that only compute; at least 1, and 1 if none of them was run."""
    mine = [r for r in results if r.suite.name in COMPUTING and r.code is not None]
    usual = sum(r.suite.seconds[tier] for r in mine)
    return max(1.0, sum(r.seconds for r in mine) / usual) if usual else 1.0


def verdict(tier: str, results: list[Result], seconds: float, *, whole: bool) -> int:
    """Print it; the exit code."""
    print(f"\n=== make {'test' if tier == 'test' else tier} ===")
    for result in results:
        usual = result.suite.seconds[tier]
        code = "not run" if result.code is None else "ok" if result.code == 0 else f"FAILED ({result.code})"
        print(f"{result.suite.name:14} {code:12} {result.seconds:5.0f} s (usually {usual})  {result.closing}")
    wrong = [result for result in results if result.code != 0]
    for result in wrong:
        print(*(f"{result.suite.name}: {line}" for line in result.failed), sep="\n", end="\n" if result.failed else "")
    skipped = [f"{result.suite.name}: {line}" for result in results for line in result.skipped]
    print("\nNot run here, though of this tier (CONTRIBUTING.md lists why that may be):" if skipped else "", end="")
    print(*(f"\n  {line}" for line in skipped), sep="")
    if tier in ("check", "test"):
        print("Tests marked deep are in `make test-all`, those marked nightly in `make test-nightly`.")
    elif tier == "all":
        print("Tests marked nightly are in `make test-nightly`.")
    budget = TIERS[tier].seconds
    print(f"{seconds:.0f} s of {budget} on {os.cpu_count()} cores.")
    slower = slowness(tier, results)
    over = whole and seconds > budget * slower
    if whole and seconds > budget:
        slow = sorted(results, key=lambda r: r.suite.seconds[tier] - r.seconds)[:3]
        print("Over budget. Most above what they usually take:", ", ".join(r.suite.name for r in slow))
        print(f"What only computes took {slower:.1f} times as long as usual", end="; ")
        print(f"that makes the budget {budget * slower:.0f} s{'.' if over else ', which is kept.'}")
    print("RED" if wrong or over else "GREEN")
    return 1 if wrong or over else 0
