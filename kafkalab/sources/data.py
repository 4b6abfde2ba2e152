"""Where the files of datasets/ are, in a checkout and in an installed package."""

from __future__ import annotations

from pathlib import Path

from kafkalab.errors import BadInput

_PACKAGE = Path(__file__).resolve().parent.parent

#: A wheel carries datasets/ as kafkalab/_datasets; in a checkout the folder stands beside the package.
FOLDERS = (_PACKAGE / "_datasets", _PACKAGE.parent / "datasets")


def dataset(name: str, *, folders: tuple[Path, ...] = FOLDERS) -> Path:
    """The path of a file of datasets/, such as ``"europe_places.json"``.

    :raises BadInput: there is no such file; the error lists those there are.
    """
    present: list[str] = []
    for folder in folders:
        files = {path.name: path for path in folder.glob("*.*") if path.is_file()}
        if name in files:
            return files[name]
        present += sorted(files)
    raise BadInput(
        f"There is no dataset called {name!r}.",
        seen=f"datasets: {', '.join(present)}" if present else f"no files in {' or '.join(map(str, folders))}",
        do="Use one of those names." if present else "Install kafkalab again, or run it from a full checkout.",
    )
