"""What every test run keeps to: skips are listed, and the run says which there were."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from tests.skip_list import CONTRIBUTING, listed_reasons, reason_of, unlisted

# The same examples every time and no time limit on one, so that red here is red everywhere, on a busy machine as well.
# `--hypothesis-profile=random` looks further.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", untimed, derandomize=True, database=None)
settings.register_profile("random", untimed, print_blob=True)
settings.load_profile("same")

_skips = pytest.StashKey[Counter[str]]()
_listed = pytest.StashKey[frozenset[str]]()


def pytest_configure(config: pytest.Config) -> None:
    # Nor in processes that tests start: what tests answer is nobody's progress.
    os.environ["KAFKALAB_PROGRESS"] = "off"
    # In the background of a script Ctrl-C is ignored, and under nohup a closed terminal, and so they would be in all
    # that tests start. Handled here, they have their usual meaning there.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)
    config.stash[_skips] = Counter()
    config.stash[_listed] = listed_reasons(CONTRIBUTING.read_text(encoding="utf-8"))


def _judge(report: pytest.TestReport | pytest.CollectReport, config: pytest.Config) -> None:
    """Count a skip, or turn it into a failure when its reason is not on the list."""
    if report.outcome != "skipped":
        return
    reason = reason_of(report.longrepr, getattr(report, "wasxfail", None))
    if wrong := unlisted(reason, config.stash[_listed]):
        report.outcome = "failed"
        report.longrepr = wrong
        vars(report).pop("wasxfail", None)
    else:
        config.stash[_skips][reason] += 1


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _judge(report, item.config)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _judge(report, collector.config)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    skips = config.stash[_skips]
    terminalreporter.section("skips, all of them listed in CONTRIBUTING.md" if skips else "no test was skipped")
    for reason, count in sorted(skips.items()):
        terminalreporter.write_line(f"{count} x {reason}")
