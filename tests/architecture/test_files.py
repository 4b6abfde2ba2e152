"""What no file of the project may be or say, and how the rooms are furnished: one noun a file, folders for prefixes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import PurePosixPath

from tests.architecture.tree import ROOT, imports, modules, own_files

LONGEST = 600
#: Lines of code in a lab's source: some forty cells.
LONGEST_LAB = 650

# Put together from pieces, so that this file does not hold what it looks for.
_PIECES = (
    "repo.+maven", "repo1.+maven", "py+pi.org", "files.python+hosted", "registry.npm+js", "crates.+io", "proxy.go+lang",
    "deb.deb+ian", "snapshot.deb+ian", "conda.ana+conda", "registry-1.+docker", "ghcr.+io", "quay.+io",
)  # fmt: skip
HOSTS = tuple(host.replace("+", "") for host in _PIECES)
PATHS = tuple(f"/{name}/" for name in ("work", "farm", "root"))
HOMES = re.compile("/(?:home|Users)" + r"/\w")


def _texts() -> dict[str, str]:
    found = {}
    for path in own_files():
        data = path.read_bytes()
        if b"\0" not in data:
            found[path.relative_to(ROOT).as_posix()] = data.decode("utf-8")
    return found


def faults(text: str) -> list[str]:
    """Registry hosts and paths of one machine that stand in a text."""
    low = text.lower()
    return [host for host in HOSTS if host in low] + [path for path in PATHS if path in text] + HOMES.findall(text)


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    texts = _texts()
    assert "pyproject.toml" in texts
    assert {name: found for name, text in texts.items() if (found := faults(text))} == {}


def _length(name: str, text: str) -> int:
    """Lines; of a lab only those of code, because the rest of its one source is the lesson's prose."""
    lines = text.splitlines()
    return sum(not line.startswith("#") for line in lines) if name.startswith("labs/source/") else len(lines)


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    kinds = (".py", ".js", ".ts", ".css", ".sh")
    # A bundle is made of files that are held to it.
    texts = {name: text for name, text in _texts().items() if name.endswith(kinds) and "/bundle." not in name}
    lengths = {name: _length(name, text) for name, text in texts.items()}
    assert "kafkalab/errors.py" in lengths
    too_long = {name: length for name, length in lengths.items() if length > LONGEST}
    # A lab is read cell by cell; how long a cell may be is another test's affair.
    labs = {name for name, length in too_long.items() if name.startswith("labs/source/") and length <= LONGEST_LAB}
    assert {name: length for name, length in too_long.items() if name not in labs} == {}


#: A module of the package that is shorter, and that only a neighbour in its own folder imports, belongs into that one.
SHORT = 100
#: Files directly in a folder of the package.
MOST_FILES = 25
#: A room has no more files that begin alike: three are a folder.
ALIKE = 2
#: What stands apart though it is short: it must not cost what its neighbour imports, or a process starts with it.
APART = {
    "kafkalab.views.predict.view": "checks make predictions without a widget",
    "kafkalab.views.progress.view": "the command line shows progress without a widget",
}


def lonely(lines: dict[str, int], importers: dict[str, set[str]]) -> list[str]:
    """Short modules whose only importer is a neighbour with room for them."""
    found = []
    for name, length in lines.items():
        (only, *more) = sorted(importers.get(name, ())) or ("",)
        near = only.rpartition(".")[0] == name.rpartition(".")[0]
        if near and not more and length < SHORT and length + lines[only] <= LONGEST and name not in APART:
            found.append(f"{name} ({length} lines) belongs into {only}")
    return found


def test_no_short_module_serves_only_its_neighbour() -> None:
    known = modules()
    lines = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in known.items()}
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for name, path in known.items():
        for one in imports(name, path, known):
            if one.imported in known and one.imported != name:
                importers[one.imported].add(name)
    course = {name for name in known if name.startswith("kafkalab.course.")}
    packages = {name for name, path in known.items() if path.name in ("__init__.py", "__main__.py")}
    assert lonely({n: k for n, k in lines.items() if n not in course | packages}, importers) == []
    assert lonely({"kafkalab.a.b": 20, "kafkalab.a.c": 80}, {"kafkalab.a.b": {"kafkalab.a.c"}}) != []


def test_a_folder_is_a_room_one_can_take_in() -> None:
    files = [path.relative_to(ROOT) for path in own_files() if path.is_relative_to(ROOT / "kafkalab")]
    count = Counter(str(file.parent) for file in files)
    assert len(count) > 20 and {folder: n for folder, n in count.items() if n > MOST_FILES} == {}
    for folder in count:
        names = [PurePosixPath(file).stem for file in files if str(file.parent) == folder and file.suffix == ".py"]
        alike = Counter(stem.partition("_")[0] for stem in names if not stem.startswith("_"))
        assert {prefix: n for prefix, n in alike.items() if n > ALIKE} == {}, folder


def _named(text: str) -> list[str]:
    """The paths that a text names, as `kafkalab/state/watch.py` or `kafkalab/views`."""
    return re.findall(r"`((?:kafkalab|labs|docs)/[\w./-]+)`", text)


def test_the_tour_and_the_newcomers_walk_lead_to_what_is_there() -> None:
    """The tour crosses at most fifteen files, and a sentence of the walk names at most two places."""
    back = (ROOT / "docs/tour.md").read_text(encoding="utf-8").partition("\n## Back")[2]
    steps = re.findall(r"^\d+\. (.*)", back, re.M)
    crossed = {step.partition("`")[2].partition("`")[0] for step in steps}
    walk = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## To change X")[2].partition("\n## ")[0]
    sentences = [_named(line) for line in re.findall(r"^\d+\. (.*)", walk, re.M)]
    assert len(steps) == len(crossed) <= 15 and "kafkalab/state/watch.py" in crossed
    assert len(sentences) >= 10 and all(1 <= len(places) <= 2 for places in sentences)
    named = [*crossed, *(place for places in sentences for place in places)]
    assert [place for place in named if not (ROOT / place).exists()] == []
