"""Roster: the learners of a class, and which file belongs to which of them."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Sequence
from glob import glob
from pathlib import Path

from kafkalab.errors import BadInput
from kafkalab.grading.report import Learner

_COLUMNS = ("name", "id", "email", "file")

#: File names often lack the letters of a name (ß is already ss here). These have no accent that could be removed, or
#: are written as two by some people.
_ONE_LETTER = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})
_TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


def read(path: Path) -> tuple[Learner, ...]:
    """Read a CSV file with a header: ``name``, and ``id``, ``email`` and ``file`` as far as they are known.

    :raises BadInput: it cannot be read, has no column ``name``, or lists nobody.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The roster {path} cannot be read.", seen=str(error), do="Give a CSV in UTF-8.") from None
    head, _, rest = text.partition("\n")
    comma = ";" if head.count(";") > head.count(",") else ","
    columns = [name.strip().strip('"').lower() for name in head.split(comma)]
    rows = [
        {name: (value or "").strip() for name, value in row.items() if name in _COLUMNS}
        for row in csv.DictReader(io.StringIO(rest), columns, delimiter=comma)
    ]
    learners = tuple(Learner(**row) for row in rows if row.get("name"))
    if not learners:
        raise BadInput(
            f"The roster {path} lists no learners in a column called 'name'.",
            seen=f"its first line: {head.strip()[:100]!r}",
            do="Begin it with a line such as: name,id,email; then write a line for each learner.",
        )
    return learners


def owner(learners: Sequence[Learner], path: Path, lab: str = "") -> Learner | None:
    """Return the learner whose file this is; None if no learner fits, or more than one.

    The roster's column ``file`` counts first. Otherwise it is the only learner whose id, e-mail address or name is
    part of the file's name or of its folder's name.

    :param lab: the name of the lab's own notebook ("03a_messages"), which is ignored in the names.
    """
    places = [_without_lab(place, lab) for place in (path.parent.name, path.stem)]
    named = [one for one in learners if one.file and Path(one.file).name in (path.name, path.parent.name)]
    found = named or [one for one in learners if any(_is_meant(one, place) for place in places)]
    return found[0] if len(found) == 1 else None


def find(given: Sequence[Path]) -> list[Path]:
    """Return the files that are meant by files, folders (with their subfolders) and patterns; each once, in order.

    A folder named like a notebook is a hand-in too: its grade says that it is a folder.

    :raises BadInput: one of them matches no notebook.
    """
    found: dict[Path, None] = {}
    for path in given:
        if path.is_dir() and path.suffix != ".ipynb":
            inside = sorted(p for p in path.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
        elif path.exists() or path.is_symlink():
            inside = [path]
        else:
            inside = sorted(map(Path, glob(str(path), recursive=True)))
        if not inside:
            raise BadInput(f"There is no notebook at {path}.", do="Give .ipynb files, folders of them, or a pattern.")
        found |= dict.fromkeys(inside)
    return list(found)


def _without_lab(place: str, lab: str) -> str:
    """Remove the lab's name or else its number from a name, once, and also the suffix of a copy: "-Copy1", " (1)"."""
    place = unicodedata.normalize("NFC", re.sub(r"-Copy\d+$|\s*\(\d+\)$", "", place))
    number, *words = map(re.escape, lab.split("_"))
    rest = r"[\W_]+".join(["", *words])
    known = rf"(?<!\d){number}(?:{rest})?(?!\d)"
    return re.sub(known, " ", place, count=1, flags=re.IGNORECASE) if lab else place


def _is_meant(learner: Learner, place: str) -> bool:
    local = learner.email.partition("@")[0]
    # Short words before an @ are often first names, which other learners may have as well.
    for what in filter(None, [learner.id, learner.email, local if len(local) >= 4 else ""]):
        if re.search(rf"(?<![^\W_]){re.escape(what)}(?![^\W_])", place, re.IGNORECASE):  # 17 is not in 2017
            return True
    there, name = set().union(*_words(place)), _words(learner.name)
    return bool(name) and all(word & there for word in name)


def _words(text: str) -> list[set[str]]:
    """Return the possible spellings of each word of a text: Müller, Muller, Mueller."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text).casefold())
    return [{word, _plain(word), _plain(word.translate(_TWO_LETTERS))} for word in words]


def _plain(word: str) -> str:
    """Return a word without accents."""
    apart = unicodedata.normalize("NFKD", word.translate(_ONE_LETTER))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
