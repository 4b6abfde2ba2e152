"""The folders for jars, clusters with their logs, and datasets; the profile, which sets how much memory JVMs get.

``KAFKALAB_CACHE`` moves the jars, ``KAFKALAB_HOME`` the clusters and logs.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, Literal

import platformdirs

from kafkalab.errors import BadInput, KafkalabError

#: Prefix of the file that is written to check that a folder can be written.
WRITABLE = ".writable-"


def cache_dir() -> Path:
    """Return the folder of things that can be fetched again (jars); it may not exist yet."""
    return Path(os.environ.get("KAFKALAB_CACHE") or platformdirs.user_cache_path("kafkalab")).expanduser().absolute()


def home_dir() -> Path:
    """Return the folder of clusters and their logs; it may not exist yet."""
    return Path(os.environ.get("KAFKALAB_HOME") or platformdirs.user_data_path("kafkalab")).expanduser().absolute()


def make_dir(path: Path, variable: str, error: type[KafkalabError] = KafkalabError) -> Path:
    """Make a private folder and check that it can be written; the error names the variable that moves it elsewhere."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        probe = path / f"{WRITABLE}{os.getpid()}"
        probe.write_bytes(b"x")
        probe.unlink()
    except OSError as e:
        raise error(
            f"The folder {path} cannot be written to.",
            seen=f"{type(e).__name__}: {e.strerror or e}",
            do=f"Free space or fix its permissions, or set {variable} to a folder that you can write to.",
        ) from e
    return path


def write_whole(path: Path, content: str | bytes, mode: int = 0o644) -> None:
    """Write a file completely or not at all, because another process may read or run it at this moment."""
    draft = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())  # otherwise a power cut may leave an empty file under the new name
        draft.chmod(mode)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


# --- The files of datasets/, in a checkout and in an installed package.


_PACKAGE = Path(__file__).resolve().parent

#: A wheel carries datasets/ as kafkalab/_datasets; in a checkout the folder stands beside the package.
FOLDERS = (_PACKAGE / "_datasets", _PACKAGE.parent / "datasets")


def dataset(name: str, *, folders: tuple[Path, ...] = FOLDERS) -> Path:
    """Return the path of a file of datasets/, such as ``"europe_places.json"``.

    :raises BadInput: there is no such file; the error lists the files there are.
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


# --- Profile: how much memory kafkalab gives to the JVMs it starts. ``KAFKALAB_PROFILE`` chooses.


Profile = Literal["lesson", "small"]
_PROFILES: Final[dict[str, Profile]] = {"lesson": "lesson", "small": "small"}


def profile() -> Profile:
    """Return ``lesson``, or ``small`` for a machine with 1 to 2 GB of memory.

    :raises BadInput: the variable holds another word.
    """
    said = os.environ.get("KAFKALAB_PROFILE") or "lesson"
    if said not in _PROFILES:
        names = ", ".join(_PROFILES)
        raise BadInput(f"There is no profile {said!r}.", seen=f"KAFKALAB_PROFILE={said}", do=f"Profiles: {names}")
    return _PROFILES[said]
