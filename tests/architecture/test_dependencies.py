"""Each dependency is declared, used, locked by hash, and has its reason in CONTRIBUTING.md."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from tests.architecture.tree import ROOT, imports, modules

#: Declared and used, though no module imports them: `kafkalab lab` starts JupyterLab, which loads ipywidgets. Labs
#: import confluent-kafka, and run under `pytest --nbval-lax`. Spark loads the last three.
STARTED = {"confluent-kafka", "ipywidgets", "jupyterlab", "nbval", "pytest", "pandas", "protobuf", "pyarrow"}
STARTED.add("python-snappy")  # kafka-python unpacks with it


def _name(requirement: str) -> str:
    """The normalised name at the head of a requirement."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match[0]).lower()


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DECLARED = set(map(_name, PROJECT["project"]["dependencies"]))
FOR_DEVELOPERS = {_name(one) for extra in PROJECT["project"]["optional-dependencies"].values() for one in extra}
FOR_DEVELOPERS -= {"kafkalab"}
FOR_BUILDING = {
    _name(one)
    for group in (PROJECT["build-system"]["requires"], *PROJECT["dependency-groups"].values())
    for one in group
}
FOR_THE_FRONT_END = set(json.loads((ROOT / "frontend" / "package.json").read_text(encoding="utf-8"))["devDependencies"])


def _locked(lock: Path) -> dict[str, str]:
    """Name → the text of its entry."""
    entries = re.split(r"\n(?=[a-zA-Z0-9])", lock.read_text(encoding="utf-8").rstrip())
    return {_name(entry): entry for entry in entries}


def test_what_the_package_imports_is_declared_and_what_is_declared_is_imported() -> None:
    known = modules()
    labs = {f"labs.{path.stem}": path for path in (ROOT / "labs" / "source").glob("*.py")}
    found = [one for name, path in (known | labs).items() for one in imports(name, path, known)]
    tops = {one.imported.partition(".")[0] for one in found}
    owners = packages_distributions()
    used = {
        _name(owner)
        for top in tops - {"kafkalab", "__future__"} - set(sys.stdlib_module_names)
        for owner in owners.get(top, [f"not installed: {top}"])
    }
    assert used - DECLARED == set()
    assert DECLARED - used - STARTED == set()


def test_every_dependency_has_its_reason() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("## Dependencies\n")[2].partition("\n## ")[0]
    reasons = dict(re.findall(r"^\| `([^`]+)` \| (.{20,}) \|$", section, flags=re.MULTILINE))
    assert set(reasons) == DECLARED | FOR_DEVELOPERS | FOR_BUILDING | FOR_THE_FRONT_END


def test_the_front_ends_lock_holds_every_package_with_its_hash_and_no_address() -> None:
    lock = json.loads((ROOT / "frontend" / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert {f"node_modules/{name}" for name in FOR_THE_FRONT_END} <= set(packages)
    for name, entry in packages.items():
        assert entry["integrity"].startswith("sha512-"), name
        assert "resolved" not in entry, name


def test_the_locks_hold_every_dependency_at_one_version_with_hashes_and_no_address() -> None:
    everything = _locked(ROOT / "requirements.lock")
    building = _locked(ROOT / "requirements-build.lock")
    assert (DECLARED | FOR_DEVELOPERS) - set(everything) == set()
    assert FOR_BUILDING - set(building) == set()
    twice = everything.keys() & building.keys()
    assert {name for name in twice if everything[name].split()[0] != building[name].split()[0]} == set()
    for name, entry in (everything | building).items():
        assert re.match(r"[^=\s]+==\d", entry), name
        assert "--hash=sha256:" in entry, name
        assert "/" not in entry, name
