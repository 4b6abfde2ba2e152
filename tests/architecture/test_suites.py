"""Every test file is in one suite, and the suites of a tier fit into its budget."""

from __future__ import annotations

from collections import Counter

from tests.architecture.tree import ROOT
from tests.runner.affected import affected
from tests.runner.suites import SUITES, TIERS, of_tier


def test_every_test_file_is_in_one_suite() -> None:
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    assert Counter(file for suite in SUITES for file in suite.files()) == Counter(there)


def test_the_suites_of_a_tier_fit_into_its_budget() -> None:
    for tier, budget in TIERS.items():
        seconds = [suite.seconds[tier] for suite in of_tier(tier)]
        # Two workers; the longest suite may begin last.
        assert sum(seconds) / 2 <= budget.seconds and max(seconds) <= budget.seconds, tier


def test_a_change_reaches_its_tests_and_what_is_not_known_reaches_all() -> None:
    for changed, reached, missed in (
        ("kafkalab/course/lab_03a/exercises.py", "unit/course/test_lab_sources.py", "browser/test_log_view_page.py"),
        ("kafkalab/views/log/view.ts", "browser/test_log_view_page.py", "unit/test_waiting.py"),
        ("docker/compose.yaml", "docker/test_compose.py", "unit/test_waiting.py"),
        ("tests/browser/view_page.py", "browser/test_log_view_page.py", "unit/test_waiting.py"),
        ("README.md", "architecture/test_files.py", "unit/test_waiting.py"),
    ):
        found = affected([changed])
        assert found is not None and f"tests/{reached}" in found and f"tests/{missed}" not in found, changed
    for unknown in ("pyproject.toml", "tests/conftest.py", "Makefile", "something.else"):
        assert affected([unknown]) is None, unknown
