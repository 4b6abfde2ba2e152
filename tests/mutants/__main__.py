"""How far the check can be trusted: the package is changed in many places, one at a time; which tests tell?

python -m tests.mutants [--count 200] [--seed 1] [--limit 60] [--of cluster state streams checks]

Of the changes that `make test-all` tells, `make test` is to tell 85 %; those that it does not are listed at the end.
What both leave untold may be no fault at all (a limit of 31 seconds instead of 30), so it is not judged.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from bisect import bisect
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import accumulate, count
from pathlib import Path
from queue import SimpleQueue

from tests.architecture.tree import own_files
from tests.mutants.change import Mutant, some
from tests.mutants.cover import Cover, measure
from tests.runner.suites import PYTHON, ROOT

GOAL = 0.85


class Copy:
    """A checkout of its own, in which one file is changed at a time."""

    def __init__(self, folder: Path, limit: float) -> None:
        self.root, self.limit = folder, limit
        self.changes = count(1)
        self.sound: dict[str, bool] = {}
        for path in own_files():
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
        for link in (".venv", "frontend/node_modules"):
            (folder / link).symlink_to(ROOT / link)
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)  # some tests ask git for the files

    def check_names(self, tests: list[str]) -> None:
        """That each of these is a test here; SystemExit, with what pytest says."""
        with self._pytest(tests, "--collect-only") as process:
            said = process.communicate()[0]
        if process.returncode:
            raise SystemExit(f"The tests that were measured are not those of today:\n{said[-2000:]}")

    def told_by(self, mutant: Mutant, tests: list[str], seconds: dict[str, float]) -> str | None:
        """The first of these tests that fails with it, and does not fail without."""
        tests = [test for test in tests if self.sound.get(test, True)]
        took = [seconds.get(test, 1.0) for test in tests]
        # One that is asked alone may take longer than the limit.
        asked = tests[: max(1, bisect(list(accumulate(took)), self.limit))]
        within, each = 2 * (self.limit + sum(took[: len(asked)])), 60 + 3 * max(took[: len(asked)], default=0)
        while asked:
            with self._changed(mutant):
                said = self._first_failure(asked, within, each)
            named = [test for test in asked if said and said.startswith(test)]
            if not named:
                return said
            failed = max(named, key=len)
            if failed not in self.sound:
                self.sound[failed] = self._first_failure([failed], within, each) is None
            if self.sound[failed]:
                return said
            print(f"fails without any change, so it is not asked: {failed}", flush=True)
            asked.remove(failed)
        return None

    @contextmanager
    def _changed(self, mutant: Mutant) -> Iterator[None]:
        file = self.root / mutant.file
        before, at = file.read_text(encoding="utf-8"), int(file.stat().st_mtime)
        file.write_text(mutant.text, encoding="utf-8")
        # Bytecode is told from old bytecode by whole seconds: each change has another.
        changed = at + next(self.changes)
        os.utime(file, (changed, changed))
        try:
            yield
        finally:
            file.write_text(before, encoding="utf-8")
            os.utime(file, (at, at))

    def _pytest(self, tests: list[str], *options: str) -> subprocess.Popen[str]:
        listed = self.root / "asked.txt"
        listed.write_text("\n".join(tests), encoding="utf-8")
        elsewhere = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
        environment = {name: value for name, value in os.environ.items() if name not in elsewhere}
        environment["PYTHONPATH"] = str(self.root)
        return subprocess.Popen(
            [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, f"@{listed}"], cwd=self.root,
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            start_new_session=True,
        )  # fmt: skip

    def _first_failure(self, tests: list[str], within: float, each: float) -> str | None:
        with self._pytest(tests, "-x", f"--timeout={each:.0f}") as process:
            try:
                said = process.communicate(timeout=within)[0]
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
                try:
                    process.communicate(timeout=60)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                return "(nothing ended)"
        if process.returncode == 0:
            return None
        told = [line for line in said.splitlines() if line.startswith(("FAILED tests/", "ERROR tests/"))]
        return told[0].split(" ", 1)[1][:300] if told else f"(pytest ended with {process.returncode})"


def main() -> int:
    """Ask about each mutant; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--limit", type=float, default=60.0, metavar="SECONDS",
        help="what the tests asked about one mutant may take in a tier; the quickest are asked first",
    )  # fmt: skip
    parser.add_argument("--of", nargs="*", default=["cluster", "state", "streams", "checks"])
    options = parser.parse_args()
    files = sorted(path for part in options.of for path in (ROOT / "kafkalab" / part).rglob("*.py"))
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}
    chosen = some(texts, options.count, options.seed)
    cache = ROOT / ".pytest_cache" / "mutants"
    quick, deep = measure("test", cache / "test"), measure("all", cache / "all")
    with tempfile.TemporaryDirectory(prefix="kafkalab-mutants-") as folder:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for n in range(2):
            copies.put(Copy(Path(folder) / str(n), options.limit))
        copy = copies.get()
        copy.check_names(sorted({*quick.seconds, *deep.seconds}))
        copies.put(copy)
        with ThreadPoolExecutor(2) as pool:
            verdicts = list(pool.map(lambda mutant: _ask(mutant, copies, quick, deep), chosen))
    tiers = [tier for tier, _ in verdicts]
    by_test, by_all = tiers.count("test"), tiers.count("test") + tiers.count("all")
    share = by_test / max(1, by_all)
    print(f"{len(chosen)} mutants: make test-all tells {by_all}, make test {by_test} of them: {share:.0%}")
    missed = [line for tier, line in verdicts if tier == "all"]
    print(*(["make test-all told, and make test did not:", *missed] if missed else []), sep="\n  ")
    return 0 if share >= GOAL else 1


def _ask(mutant: Mutant, copies: SimpleQueue[Copy], quick: Cover, deep: Cover) -> tuple[str, str]:
    """Asks both tiers about a mutant; the tier that tells it, and a line with the mutant and the test that failed."""
    copy, started = copies.get(), time.monotonic()
    try:
        tests, more = quick.of(mutant.file, mutant.line), []
        tier, by = "test", copy.told_by(mutant, tests, quick.seconds) if tests else None
        if by is None:
            more = [test for test in deep.of(mutant.file, mutant.line) if test not in set(tests)]
            tier, by = "all", copy.told_by(mutant, more, deep.seconds) if more else None
    finally:
        copies.put(copy)
    tier = tier if by else "untold" if tests or more else "not run"
    line = f"{mutant.file}:{mutant.line}  {mutant.what}  {by or ''}".rstrip()
    print(f"{tier:8} {time.monotonic() - started:4.0f} s  {line}", flush=True)
    return tier, line


if __name__ == "__main__":
    sys.exit(main())
