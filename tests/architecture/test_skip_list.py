"""A skip that CONTRIBUTING.md does not list fails the run; one that it lists is counted and shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.skip_list import CONTRIBUTING, HEADING, listed_reasons

pytest_plugins = ["pytester"]


def test_reasons_are_read_from_their_own_section() -> None:
    text = f"| `before` | x |\n{HEADING}\n\n| reason |\n|---|\n| `no Docker` | x |\n\n## Next\n| `after` | x |\n"
    assert listed_reasons(text) == {"no Docker"}


def test_a_missing_section_is_an_error() -> None:
    with pytest.raises(LookupError, match="no heading"):
        listed_reasons("# Nothing here\n")


def test_the_real_list_can_be_read() -> None:
    listed_reasons(CONTRIBUTING.read_text(encoding="utf-8"))


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A small project with this project's conftest and a list of its own."""
    tests = Path(__file__).resolve().parents[1]
    (pytester.path / "tests").mkdir()
    for name in ("__init__.py", "conftest.py", "skip_list.py"):
        (pytester.path / "tests" / name).write_text((tests / name).read_text(encoding="utf-8"), encoding="utf-8")
    (pytester.path / "CONTRIBUTING.md").write_text(f"{HEADING}\n\n| `no Docker` | x |\n", encoding="utf-8")
    # Each of these starts pytest anew, and the plugins of the real suite are most of what that takes.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini("[pytest]\naddopts = --import-mode=importlib\npythonpath = .\n")
    return pytester


def _outcomes(run: pytest.Pytester, body: str) -> tuple[dict[str, int], str]:
    (run.path / "tests" / "test_it.py").write_text(f"import pytest\n{body}\n", encoding="utf-8")
    result = run.runpytest_subprocess("tests")
    return result.parseoutcomes(), result.stdout.str()


def test_a_listed_skip_is_counted(run: pytest.Pytester) -> None:
    outcomes, output = _outcomes(run, "def test_a(): pytest.skip('no Docker')")
    assert outcomes == {"skipped": 1}
    assert "1 x no Docker" in output


@pytest.mark.parametrize(
    "body",
    [
        "def test_a(): pytest.skip('tired')",
        "@pytest.mark.skip(reason='tired')\ndef test_a(): pass",
        "@pytest.mark.skipif(True, reason='tired')\ndef test_a(): pass",
        "@pytest.mark.xfail(reason='tired')\ndef test_a(): assert False",
        "@pytest.fixture\ndef x(): pytest.skip('tired')\ndef test_a(x): pass",
    ],
)
def test_an_unlisted_skip_fails(run: pytest.Pytester, body: str) -> None:
    outcomes, output = _outcomes(run, body)
    assert set(outcomes) <= {"failed", "errors"}
    assert "does not list: 'tired'" in output


def test_an_unlisted_skip_of_a_whole_module_fails(run: pytest.Pytester) -> None:
    outcomes, output = _outcomes(run, "pytest.importorskip('no_such_module_at_all')\ndef test_a(): pass")
    assert outcomes == {"errors": 1}
    assert "does not list" in output
