"""The suites of the check: which tests run together in one process, in which tier, and how long that takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ".venv/bin/python"


@dataclass(frozen=True)
class Tier:
    """A depth of the check. ``seconds``: its budget on two cores, without the set-up."""

    marks: str
    seconds: int
    options: tuple[str, ...] = ()


TIERS = {
    "check": Tier("not deep and not nightly", 60),
    "test": Tier("not deep and not nightly", 420),
    "all": Tier("not nightly", 2700),
    "nightly": Tier("", 10800, ("--hypothesis-profile=random",)),
}


@dataclass(frozen=True)
class Suite:
    """Tests that one process runs, because they share what is slow to start.

    ``seconds`` by tier: how long it takes beside another one, which gives the order; a tier that is not there has
    nothing of it. ``paths`` are globs below tests/; ``but`` what of them is another suite's. Suites that share a word
    in ``alone`` never run side by side.
    """

    name: str
    seconds: dict[str, int]
    paths: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    alone: frozenset[str] = frozenset()
    commands: tuple[tuple[str, ...], ...] = field(default=())
    options: tuple[str, ...] = ()

    def files(self) -> list[str]:
        """Its test files, relative to the checkout."""
        found = {path for glob in self.paths for path in (ROOT / "tests").glob(glob)}
        found -= {path for glob in self.but for path in (ROOT / "tests").glob(glob)}
        return sorted(path.relative_to(ROOT).as_posix() for path in found)


_ESLINT = ("frontend/node_modules/.bin/eslint", "--config", "frontend/eslint.config.js", "kafkalab/views", "frontend")
_STYLE = ((".venv/bin/ruff", "check", "."), (".venv/bin/ruff", "format", "--check", "."), (".venv/bin/mypy",), _ESLINT)
#: What files, modules and labs may look like.
_FORM = ("architecture/test_*.py", "unit/**/test_views_assets.py", "unit/**/test_lab_sources.py")
_OWN = tuple(f"integration/test_{name}.py" for name in ("cli", "java_wheel", "owner", "robust_*", "shapes"))
_SPARK = ("integration/test_stream*.py",)

SUITES = (
    Suite("style", {"check": 40, "test": 15, "all": 5}, commands=_STYLE),
    Suite("architecture", {"check": 20, "test": 15, "all": 20, "nightly": 20}, _FORM),
    Suite("unit", {"test": 40, "all": 40, "nightly": 300}, ("unit/**/test_*.py",), ("unit/views/test_*.py", *_FORM)),
    Suite("views", {"test": 20, "all": 20, "nightly": 200}, ("unit/views/test_*.py",), _FORM),
    Suite("pages", {"test": 120, "all": 190, "nightly": 150}, ("browser/test_*_page.py",)),
    Suite("live", {"test": 40, "all": 250, "nightly": 500}, ("browser/test_*.py",), ("browser/test_*_page.py",)),
    Suite("brokers", {"test": 185, "all": 470, "nightly": 900}, ("integration/test_*.py",), (*_OWN, *_SPARK)),
    Suite("spark", {"test": 30, "all": 430, "nightly": 500}, _SPARK, alone=frozenset({"spark"})),
    Suite("own", {"test": 40, "all": 220, "nightly": 500}, _OWN),
    Suite("backends", {"test": 60, "all": 700, "nightly": 900}, ("contract/test_*.py", "docker/**/test_*.py")),
    Suite("labs-kafka", {"test": 45, "all": 1150, "nightly": 1100}, ("labs/test_labs_kafka.py",)),
    Suite("labs-spark", {"all": 900, "nightly": 900}, ("labs/test_labs_spark.py",), alone=frozenset({"spark"})),
    Suite("grading", {"test": 35, "all": 310, "nightly": 150}, ("labs/test_*.py",), ("labs/test_labs_*.py",)),
)


def of_tier(tier: str) -> list[Suite]:
    """The suites that a tier runs, longest first."""
    return sorted((s for s in SUITES if tier in s.seconds), key=lambda s: -s.seconds[tier])
