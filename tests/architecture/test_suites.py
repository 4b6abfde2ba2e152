"""Every test file is in one suite, and the suites of a tier fit into its budget."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.architecture.tree import ROOT
from tests.runner.affected import affected
from tests.runner.suites import SUITES, TIERS, of_tier


def test_every_test_file_is_in_one_suite() -> None:
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    assert Counter(file for suite in SUITES for file in suite.files()) == Counter(there)


@pytest.mark.parametrize("tier", TIERS)
def test_the_suites_of_a_tier_fit_into_its_budget(tier: str) -> None:
    seconds = [suite.seconds[tier] for suite in of_tier(tier)]
    # Two workers; the longest suite may begin last.
    assert sum(seconds) / 2 <= TIERS[tier].seconds and max(seconds) <= TIERS[tier].seconds


@pytest.mark.parametrize(
    "changed, reached, missed",
    [
        ("kafkalab/checks/lab_03.py", "tests/unit/checks/test_lab_sources.py", "tests/browser/test_log_view_page.py"),
        ("kafkalab/views/static/log_view.js", "tests/browser/test_log_view_page.py", "tests/unit/test_waiting.py"),
        ("docker/compose.yaml", "tests/docker/test_compose.py", "tests/unit/test_waiting.py"),
        ("tests/browser/view_page.py", "tests/browser/test_log_view_page.py", "tests/unit/test_waiting.py"),
        ("README.md", "tests/architecture/test_files.py", "tests/unit/test_waiting.py"),
    ],
)
def test_a_change_reaches_its_tests_and_not_all(changed: str, reached: str, missed: str) -> None:
    found = affected([changed])
    assert found is not None and reached in found and missed not in found


@pytest.mark.parametrize("file", ["pyproject.toml", "tests/conftest.py", "Makefile", "something.else"])
def test_what_is_not_known_reaches_all(file: str) -> None:
    assert affected([file]) is None
