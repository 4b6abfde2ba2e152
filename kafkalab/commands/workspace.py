"""Workspace: the learner's own folder of labs, with copies of the notebooks that kafkalab carries."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from kafkalab.checks.grade_book import FOLDERS
from kafkalab.errors import KafkalabError
from kafkalab.home import make_dir

#: What a learner reads and works in. The rest of a checkout's labs/ is how the notebooks are made.
WANTED = ("*.ipynb", "glossary.md", "solutions/*.ipynb")
#: In a folder that kafkalab filled: file → the sha256 of every edition of it that was copied there.
RECORD = ".kafkalab.json"


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder of labs that is ready, and the sentences that tell what is new in it."""

    folder: Path
    news: tuple[str, ...] = ()


def default_folder() -> Path:
    """Where a learner's labs are when no folder is named."""
    return Path.home() / "kafkalab-labs"


def carried_labs() -> Path:
    """The labs of this checkout (or, in an installed package, the ones it carries); learners work in copies of them."""
    for folder in FOLDERS:
        if folder.is_dir():
            return folder
    raise KafkalabError(
        "The labs are not where they should be.",
        seen=f"no {FOLDERS[0]}",
        do="Install kafkalab anew, or run it in a checkout.",
    )


def prepare(folder: Path, carried: Path | None = None) -> Workspace:
    """Fill a learner's folder, or bring it up to date without touching what the learner changed.

    A missing file is copied, and an unchanged one is replaced by a newer edition. A changed one stays, and its newer
    edition is put beside it, once. A folder of notebooks that kafkalab did not fill is left as it is.

    :raises KafkalabError: when the folder cannot be written.
    """
    folder = folder.expanduser().absolute()
    record = folder / RECORD
    try:
        if not record.exists() and any(folder.glob("*.ipynb")):
            return Workspace(folder)
        make_dir(folder, "KAFKALAB_LABS")
        return Workspace(folder, tuple(_update(folder, record, carried or carried_labs())))
    except OSError as e:
        raise KafkalabError(
            f"The labs cannot be copied to {folder}.",
            seen=f"{type(e).__name__}: {e.strerror or e}",
            do="Free space or fix its permissions, or name another folder: kafkalab lab --labs FOLDER",
        ) from e


def _update(folder: Path, record: Path, carried: Path) -> list[str]:
    given, news = _read(record), []
    for pattern in WANTED:
        for source in sorted(carried.glob(pattern)):
            name = source.relative_to(carried).as_posix()
            if sentence := _bring(source, folder / name, given.setdefault(name, [])):
                news.append(sentence)
    # In one step: half a record would take changed notebooks for new ones.
    written = record.with_suffix(".new")
    written.write_text(json.dumps(given, indent=1), encoding="utf-8")
    written.replace(record)
    return news


def _bring(source: Path, mine: Path, given: list[str]) -> str:
    """Copy one file if that harms nothing, and tell what is new. ``given``: the editions of it copied so far."""
    edition = _sum(source)
    new, first = edition not in given, not given
    if new:
        given.append(edition)
    if not mine.exists():
        mine.parent.mkdir(exist_ok=True)
        shutil.copyfile(source, mine)
        return "" if first else f"{mine.name} was missing; you have it again."
    now = _sum(mine)
    if now == edition:
        return ""
    if now in given:
        shutil.copyfile(source, mine)
        return f"{mine.name} is the newer edition now; you had not changed it."
    if not new:
        return ""
    beside = next(
        path for n in range(2, 1000) if not (path := mine.with_name(f"{mine.stem}-{n}{mine.suffix}")).exists()
    )
    shutil.copyfile(source, beside)
    return f"{mine.name} has a new edition: {beside.name}. Yours stays as it is."


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _read(record: Path) -> dict[str, list[str]]:
    """What was copied before; a record that cannot be read counts as none, so that every changed file stays."""
    try:
        said = json.loads(record.read_text(encoding="utf-8"))
        return {str(name): [str(edition) for edition in editions] for name, editions in said.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}
