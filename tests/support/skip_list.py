"""The visible list of skips: a test is skipped, or expected to fail, only for a reason that CONTRIBUTING.md lists.

A plugin of pytest. A skip for another reason fails the run; the run ends with what it skipped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator

import pytest

HEADING = "## Tests that may be skipped"

_skips = pytest.StashKey[Counter[str]]()
_listed = pytest.StashKey[frozenset[str]]()


def listed_reasons(text: str) -> frozenset[str]:
    """The reasons in the table under the heading: what stands in backticks in the first column."""
    _, found, after = text.partition(HEADING + "\n")
    if not found:
        raise LookupError(f"CONTRIBUTING.md has no heading {HEADING!r}")
    section = after.partition("\n## ")[0]
    return frozenset(re.findall(r"^\| `([^`]+)` \|", section, flags=re.MULTILINE))


def reason_of(longrepr: object, wasxfail: str | None) -> str:
    """The bare reason in a pytest report of a skip or an expected failure."""
    if wasxfail is not None:
        return wasxfail.removeprefix("reason: ")
    text = str(longrepr[2]) if isinstance(longrepr, tuple) else str(longrepr)
    return text.removeprefix("Skipped: ")


def pytest_configure(config: pytest.Config) -> None:
    """Read the list."""
    config.stash[_skips] = Counter()
    config.stash[_listed] = listed_reasons((config.rootpath / "CONTRIBUTING.md").read_text(encoding="utf-8"))


def _judge(report: pytest.TestReport | pytest.CollectReport, config: pytest.Config) -> None:
    """Count a skip, or turn it into a failure when its reason is not on the list."""
    if report.outcome != "skipped":
        return
    reason = reason_of(report.longrepr, getattr(report, "wasxfail", None))
    if reason in config.stash[_listed]:
        config.stash[_skips][reason] += 1
        return
    report.outcome = "failed"
    report.longrepr = (
        f"Skipped for a reason that CONTRIBUTING.md does not list: {reason!r}. List it, or let the test run."
    )
    vars(report).pop("wasxfail", None)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Judge each test's skip."""
    report = yield
    _judge(report, item.config)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Judge each module's skip."""
    report = yield
    _judge(report, collector.config)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was skipped."""
    skips = config.stash[_skips]
    terminalreporter.section("skips, all of them listed in CONTRIBUTING.md" if skips else "no test was skipped")
    for reason, count in sorted(skips.items()):
        terminalreporter.write_line(f"{count} x {reason}")
