"""The course's map: which statement is shown in which cell of which lab, and what judges it.

Statements are in labs/statements/NN.toml, one table each: ``says`` in our words, and ``now`` where
what people are told of Kafka is outdated or wrong. A cell of the lab names those it is about with
``covers="id other-id"``. From both comes docs/course-map.md.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jupytext
from cell_names import Names, number_of

LABS = Path(__file__).resolve().parent
MAP = LABS.parent / "docs" / "course-map.md"

_HEAD = """# What the course says, where it shows it, and what judges it

Made by `make labs` from `labs/statements` and the labs themselves. *Judged by* is what would notice if the statement
were false, or the learner thought otherwise: an exercise's check, a prediction that is compared with the cluster, or
output that the tests compare. In brackets stand the ids of the cells, without the lab's number. Where a statement is
often told in an outdated form, a second line says what holds today.
"""


@dataclass
class Statement:
    """One statement, and where a lab is about it.

    ``shown``: heading → the ids of the cells under it that are about it. ``judged``: what judges it there.
    """

    lab: str
    id: str
    says: str
    now: str = ""
    shown: dict[str, list[str]] = field(default_factory=dict)
    judged: list[str] = field(default_factory=list)


class Unknown(Exception):
    """A cell covers a statement that its lab does not have."""


def statements_of(source: Path) -> list[Statement]:
    """The statements of a lab with what its cells say of them.

    :raises Unknown: a cell names a statement that is not there.
    """
    file = LABS / "statements" / f"{number_of(source)}.toml"
    told: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    found = {id: Statement(source.stem, id, **entry) for id, entry in told.items()}
    heading = ""
    names = Names(number_of(source))
    for cell in jupytext.read(source, fmt="py:percent").cells:
        if cell.cell_type == "markdown":
            headings = re.findall(r"^##? (.+)$", cell.source, re.MULTILINE)
            heading = headings[-1] if headings else heading
        name = names.of(cell)
        for id in str(cell.metadata.get("covers", "")).split():
            if id not in found:
                raise Unknown(f"{source.name}: a cell covers {id!r}, which {file.name} does not have")
            statement = found[id]
            statement.shown.setdefault(heading, []).append(name.removeprefix(f"lab{number_of(source)}-"))
            judge = judge_of(cell)
            if judge and judge not in statement.judged:
                statement.judged.append(judge)
    return list(found.values())


def judge_of(cell: Any) -> str:
    """What judges in a cell: an exercise, a prediction, compared output; empty where nothing does."""
    if "exercise" in cell.metadata:
        return f"exercise {cell.metadata['exercise']}"
    if cell.cell_type != "code":
        return ""
    if found := re.search(r"(\w+)\.compare\(", cell.source):
        return f"prediction `{found[1]}`"
    if printed := re.search(r"^# <output>\n# ?(.+)$", cell.source, re.MULTILINE):
        said = printed[1].replace("|", "\\|").replace("`", "'")
        return f"output `{said[:40]}{'…' if len(said) > 40 else ''}`"
    return ""


def build(sources: Iterable[Path]) -> dict[Path, str]:
    """docs/course-map.md → its text."""
    parts = [_HEAD]
    for source in sources:
        statements = statements_of(source)
        if statements:
            parts.append(_table(source, statements))
    return {MAP: "\n".join(parts)}


def _table(source: Path, statements: list[Statement]) -> str:
    title = re.search(r"^# # (.+)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    assert title, source
    lines = [
        f"## [{title[1]}](../labs/{source.stem}.ipynb)\n",
        "| statement | shown in | judged by |",
        "|---|---|---|",
    ]
    for statement in statements:
        says = statement.says + (f"<br>**Today:** {statement.now}" if statement.now else "")
        shown = "<br>".join(
            f"{heading.replace('|', '&#124;')} ({', '.join(f'`{id}`' for id in ids)})"
            for heading, ids in statement.shown.items()
        )
        lines.append(f"| {says} | {shown} | {'<br>'.join(statement.judged)} |")
    return "\n".join(lines) + "\n"
