"""What a run of the check says at its end: each suite's closing line, what failed, what was not run, and the budget."""

from __future__ import annotations

import os
import time
from pathlib import Path

from tests.runner.processes import Result
from tests.runner.suites import TIERS

#: A machine of which others use more than this is not held to a budget.
BUSY = 0.15


def idle_share(seconds: float = 1.0) -> float | None:
    """How much of the machine nobody uses, 0 … 1, before the tests begin; None where the system does not say."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return None

    def look() -> tuple[int, int]:
        fields = [int(n) for n in stat.read_text().splitlines()[0].split()[1:9]]
        return sum(fields), fields[3] + fields[4]

    (total, idle), _, (total2, idle2) = look(), time.sleep(seconds), look()
    return (idle2 - idle) / max(1, total2 - total)


def verdict(tier: str, results: list[Result], seconds: float, idle: float | None, *, whole: bool) -> int:
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
    over = whole and seconds > budget
    if over:
        slow = sorted(results, key=lambda r: r.suite.seconds[tier] - r.seconds)[:3]
        print("Over budget. Most above what they usually take:", ", ".join(r.suite.name for r in slow))
        if idle is not None and idle < 1 - BUSY:
            print(f"The machine was busy with other things ({1 - idle:.0%} of it), so that is no failure.")
            over = False
    print("RED" if wrong or over else "GREEN")
    return 1 if wrong or over else 0
