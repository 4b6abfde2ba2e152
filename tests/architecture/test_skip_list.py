"""A skip that CONTRIBUTING.md does not list fails the run; one that it lists is counted and shown."""

from __future__ import annotations

import os

import pytest

from tests.architecture.tree import ROOT
from tests.support.skip_list import HEADING

pytest_plugins = ["pytester"]

TESTS = """
import pytest
def test_listed(): pytest.skip('no Docker')
def test_unlisted_1(): pytest.skip('tired')
@pytest.mark.skip(reason='tired')
def test_unlisted_2(): pass
@pytest.mark.xfail(reason='tired')
def test_unlisted_3(): assert False
@pytest.fixture
def x(): pytest.skip('tired')
def test_unlisted_4(x): pass
"""


def test_skips_that_are_listed_are_counted_and_others_fail(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = f"| `tired` | before |\n{HEADING}\n\n| `no Docker` | x |\n\n## Next\n| `tired` | after |\n"
    pytester.path.joinpath("CONTRIBUTING.md").write_text(listed, encoding="utf-8")
    # The plugins of the real suite are most of what starting pytest takes.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    module = "import pytest\npytest.importorskip('no_such_module_at_all')\ndef test_module(): pass\n"
    pytester.makepyfile(test_one_by_one=TESTS, test_whole_module=module)
    pytester.makeini("[pytest]\n")
    result = pytester.runpytest_subprocess("-p", "tests.support.skip_list", "--continue-on-collection-errors")
    assert result.parseoutcomes() == {"skipped": 1, "failed": 2, "errors": 3}
    said = result.stdout.str()
    assert "1 x no Docker" in said
    assert said.count("does not list: 'tired'") >= 4 and 'does not list: "could not import' in said
