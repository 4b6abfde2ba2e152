"""What no file of the project may be or say."""

from __future__ import annotations

import re

from tests.architecture.tree import ROOT, own_files

LONGEST = 620
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
    kinds = (".py", ".js", ".css", ".sh")
    # A bundle is made of files that are held to it.
    texts = {name: text for name, text in _texts().items() if name.endswith(kinds) and "/bundle." not in name}
    lengths = {name: _length(name, text) for name, text in texts.items()}
    assert "kafkalab/errors.py" in lengths
    too_long = {name: length for name, length in lengths.items() if length > LONGEST}
    # A lab is read cell by cell; how long a cell may be is another test's affair.
    labs = {name for name, length in too_long.items() if name.startswith("labs/source/") and length <= LONGEST_LAB}
    assert {name: length for name, length in too_long.items() if name not in labs} == {}
