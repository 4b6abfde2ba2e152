"""The visible list of skips: a test is skipped, or expected to fail, only for a reason that CONTRIBUTING.md lists.

A plugin of pytest. A skip for another reason fails the run; the run ends with what it skipped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

HEADING = "## Tests that may be skipped"

_skips = pytest.StashKey[Counter[str]]()
_listed = pytest.StashKey[frozenset[str]]()


def listed_reasons(text: str) -> frozenset[str]:
    """The reasons in the table under the heading: what stands in backticks in the first column."""
    _, found, after = text.partition(HEADING + "\n")
    assert found, f"CONTRIBUTING.md has no heading {HEADING!r}"
    return frozenset(re.findall(r"^\| `([^`]+)` \|", after.partition("\n## ")[0], flags=re.MULTILINE))


def pytest_configure(config: pytest.Config) -> None:
    """Read the list."""
    config.stash[_skips] = Counter()
    config.stash[_listed] = listed_reasons((config.rootpath / "CONTRIBUTING.md").read_text(encoding="utf-8"))


def _judged(report: Any, config: pytest.Config) -> Any:
    """A report, with a skip counted, or made a failure when its reason is not on the list."""
    if report.outcome == "skipped":
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        reason = re.sub("^(Skipped|reason): ", "", str(getattr(report, "wasxfail", why)))
        if reason in config.stash[_listed]:
            config.stash[_skips][reason] += 1
        else:
            report.outcome = "failed"
            report.longrepr = f"Skipped for a reason that CONTRIBUTING.md does not list: {reason!r}."
            vars(report).pop("wasxfail", None)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Judge each test's skip."""
    return _judged((yield), item.config)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, Any]:
    """Judge each module's skip."""
    return _judged((yield), collector.config)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was skipped."""
    skips = config.stash[_skips]
    terminalreporter.section("skips, all of them listed in CONTRIBUTING.md" if skips else "no test was skipped")
    for reason, count in sorted(skips.items()):
        terminalreporter.write_line(f"{count} x {reason}")
