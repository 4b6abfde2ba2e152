"""Runs a tier of the check: two suites at a time, what each says as it says it, and a verdict at the end.

python -m tests.runner test              a tier: check, test, all or nightly
python -m tests.runner all docker live   some suites of it
python -m tests.runner affected [REV]    the tests that what changed since REV (else: since the last commit) can reach

Nothing is run twice. It ends with 0 when all is green, within the tier's budget for a machine of this speed.
"""

from __future__ import annotations

import os
import sys
import time

from tests.runner.affected import affected, changed
from tests.runner.processes import Queue
from tests.runner.suites import SUITES, TIERS, of_tier
from tests.runner.verdict import verdict


def main(arguments: list[str]) -> int:
    """Run what the command line names; the exit code."""
    tier, *rest = arguments or ["test"]
    if tier not in (*TIERS, "affected"):
        print(__doc__, file=sys.stderr)
        return 2
    only = None
    if tier == "affected":
        tier, only = "test", affected(changed(*rest[:1]))
        if only is not None:
            print(f"What changed can reach {len(only)} test files:", *only, sep="\n  ")
        rest = []
    if unknown := set(rest) - {suite.name for suite in SUITES}:
        print(f"No suite is called {', '.join(sorted(unknown))}: {', '.join(s.name for s in SUITES)}", file=sys.stderr)
        return 2
    suites = [suite for suite in of_tier(tier) if not rest or suite.name in rest]
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = os.path.abspath(".pytest_cache/bytecode")
    started = time.monotonic()
    results = Queue(tier, suites, only).run()
    return verdict(tier, results, time.monotonic() - started, whole=not rest and only is None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
