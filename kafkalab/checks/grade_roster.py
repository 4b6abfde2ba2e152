"""Roster: who should have handed in, and which file is whose."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kafkalab.checks.grade_report import Learner
from kafkalab.errors import BadInput

_COLUMNS = ("name", "id", "email", "file")


@dataclass(frozen=True, slots=True)
class Roster:
    """The learners of a class."""

    learners: tuple[Learner, ...]

    @classmethod
    def read(cls, path: Path) -> Roster:
        """A CSV file with a header: ``name``, then ``id`` or ``email`` or both, and ``file`` where that is known.

        :raises BadInput: it cannot be read, or lacks a column.
        """
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"The roster {path} cannot be read.", seen=str(error), do="Give a CSV in UTF-8.") from None
        head = text.partition("\n")[0]
        reader = csv.DictReader(io.StringIO(text), delimiter=";" if head.count(";") > head.count(",") else ",")
        columns = {(name or "").strip().lower(): name for name in reader.fieldnames or ()}
        if "name" not in columns:
            raise BadInput(
                f"The roster {path} has no column named name.",
                seen=f"its first line: {head.strip()[:100]!r}",
                do="Begin it with a line such as: name,id,email",
            )
        rows = [
            [(row.get(columns[c]) or "").strip() if c in columns else "" for c in _COLUMNS]
            for row in reader
            if any(row)
        ]
        learners = tuple(Learner(*row) for row in rows if row[0])
        if not learners:
            raise BadInput(f"The roster {path} lists nobody.", do="Write a line for each learner below the first one.")
        return cls(learners)

    def owners(self, files: Iterable[Path]) -> dict[Path, Learner]:
        """Which file is whose; a file that could be of several, or of none, is left out."""
        return {path: owner for path in files if (owner := self.owner(path)) is not None}

    def owner(self, path: Path) -> Learner | None:
        """Whose file this is: by the roster's own word for it, else by an id, an e-mail address or a name in the file's
        name, or in that of its folder; None where no one, or more than one, can be meant.
        """
        for place in (path.name, path.parent.name):
            for test in (_by_file, _by_id, _by_email, _by_name):
                found = [learner for learner in self.learners if test(learner, place)]
                if len(found) == 1:
                    return found[0]
                if found:
                    return None
        return None

    def without(self, owners: Iterable[Learner]) -> tuple[Learner, ...]:
        """Who is not among them."""
        there = set(owners)
        return tuple(learner for learner in self.learners if learner not in there)


def find(given: Sequence[Path]) -> list[Path]:
    """The files meant by files, folders (with what is below them) and patterns; each once, in order.

    A folder named like a notebook is a hand-in too: it is graded as what it is.

    :raises BadInput: nothing is there by one of these names.
    """
    found: dict[Path, None] = {}
    for path in given:
        if path.is_dir() and path.suffix != ".ipynb":
            inside = sorted(p for p in path.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
        elif path.exists() or path.is_symlink():
            inside = [path]
        else:
            absolute = path.absolute()
            inside = sorted(Path(absolute.anchor).glob(str(absolute.relative_to(absolute.anchor))))
        if not inside:
            raise BadInput(f"There is no notebook at {path}.", do="Give .ipynb files, folders of them, or a pattern.")
        found |= dict.fromkeys(inside)
    return list(found)


def _by_file(learner: Learner, place: str) -> bool:
    return bool(learner.file) and learner.file.rpartition("/")[2] == place


def _by_id(learner: Learner, place: str) -> bool:
    return _stands_in(learner.id, place)


def _by_email(learner: Learner, place: str) -> bool:
    return _stands_in(learner.email, place) or _stands_in(learner.email.partition("@")[0], place)


def _by_name(learner: Learner, place: str) -> bool:
    words = _words(learner.name)
    return bool(words) and words <= _words(place)


def _stands_in(what: str, place: str) -> bool:
    """Whether it is there as a whole: 17 is not in 2017."""
    return bool(what) and re.search(rf"(?<![^\W_]){re.escape(what)}(?![^\W_])", place, re.IGNORECASE) is not None


def _words(text: str) -> set[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
    return set(re.findall(r"[a-z0-9]+", plain)) or {text.casefold()} - {""}
