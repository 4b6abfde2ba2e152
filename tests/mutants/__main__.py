"""How far the check can be trusted: the package is changed in many places, one at a time; which tests tell?

python -m tests.mutants [--count 200] [--seed 1] [--of cluster state streams checks]

Of the changes that `make test-all` tells, `make test` is to tell 85 %. What both leave untold may be no fault at all (a
limit of 31 seconds instead of 30), so it is listed and not judged.
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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.architecture.tree import own_files
from tests.mutants.change import Mutant, some
from tests.mutants.cover import Cover, measure
from tests.runner.suites import PYTHON, ROOT

GOAL = 0.85
#: Seconds that the tests asked about one mutant may take in a tier; the quickest are asked first.
LIMIT = 150.0


class Copy:
    """A checkout of its own, in which one file is changed at a time."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        for path in own_files():
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
        for link in (".venv", "frontend/node_modules"):
            (folder / link).symlink_to(ROOT / link)
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)  # some tests ask git for the files

    def told_by(self, mutant: Mutant, tests: list[str], seconds: dict[str, float]) -> str | None:
        """The first of these tests that fails with it."""
        asked, left = [], LIMIT
        for test in tests:
            left -= seconds.get(test, 1.0)
            if asked and left < 0:
                break
            asked.append(test)
        file = self.root / mutant.file
        before = file.read_text(encoding="utf-8")
        file.write_text(mutant.text, encoding="utf-8")
        listed = self.root / "asked.txt"
        listed.write_text("\n".join(asked), encoding="utf-8")
        try:
            return self._first_failure(f"@{listed}")
        finally:
            file.write_text(before, encoding="utf-8")

    def _first_failure(self, tests: str) -> str | None:
        # Without files of bytecode: two changes within a second would look alike.
        environment = {**os.environ, "PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [PYTHON, "-m", "pytest", "-x", "-q", "--timeout=120", "-p", "no:cacheprovider", tests]
        with subprocess.Popen(
            command, cwd=self.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", start_new_session=True,
        ) as process:  # fmt: skip
            try:
                said = process.communicate(timeout=3 * LIMIT)[0]
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
                try:
                    process.communicate(timeout=60)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                return "(nothing ended)"
        if process.returncode == 0:
            return None
        told = [line for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        return told[0].split(" ", 1)[1][:150] if told else f"(pytest ended with {process.returncode})"


def main() -> int:
    """Ask about each mutant; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
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
            copies.put(Copy(Path(folder) / str(n)))
        with ThreadPoolExecutor(2) as pool:
            told = list(pool.map(lambda mutant: _ask(mutant, copies, quick, deep), chosen))
    by_test, by_all = told.count("test"), told.count("test") + told.count("all")
    share = by_test / max(1, by_all)
    print(f"{len(chosen)} mutants: make test-all tells {by_all}, make test {by_test} of them: {share:.0%}")
    return 0 if share >= GOAL else 1


def _ask(mutant: Mutant, copies: SimpleQueue[Copy], quick: Cover, deep: Cover) -> str:
    copy, started = copies.get(), time.monotonic()
    try:
        tests = quick.of(mutant.file, mutant.line)
        tier, by = "test", copy.told_by(mutant, tests, quick.seconds) if tests else None
        if by is None:
            more = [test for test in deep.of(mutant.file, mutant.line) if test not in set(tests)]
            tier, by = "all", copy.told_by(mutant, more, deep.seconds) if more else None
    finally:
        copies.put(copy)
    verdict = tier if by else "untold" if tests or more else "not run"
    print(f"{verdict:8} {time.monotonic() - started:4.0f} s  {mutant.file}:{mutant.line}  {mutant.what}  {by or ''}")
    sys.stdout.flush()
    return verdict


if __name__ == "__main__":
    sys.exit(main())
