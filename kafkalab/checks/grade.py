"""grade: run notebooks from the top and gather what every check in them said."""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kafkalab.checks.exercise import OUTCOMES, RESULT_MIME, Exercise, Result
from kafkalab.errors import BadInput
from kafkalab.progress import Report, silent

#: Cell metadata of an exercise: its id. Notebook metadata: {"kafkalab": {"lab": "00"}}.
CELL_KEY = "exercise"


@dataclass(frozen=True, slots=True)
class NotebookGrade:
    """What one notebook earned; one :class:`Result` for each of its lab's exercises, answered or not.

    ``stopped``: a sentence for each cell that ended with an error.
    """

    notebook: str
    questions: tuple[Result, ...]
    stopped: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        """Points earned."""
        return sum(q.points for q in self.questions)

    @property
    def out_of(self) -> int:
        """Points that could be earned."""
        return sum(q.out_of for q in self.questions)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "notebook": self.notebook,
            "points": self.points,
            "out_of": self.out_of,
            "questions": [q.to_dict() for q in self.questions],
            "stopped": list(self.stopped),
        }


@dataclass(frozen=True, slots=True)
class GradeReport:
    """What each notebook earned."""

    notebooks: tuple[NotebookGrade, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON of ``kafkalab grade --json``."""
        return {"notebooks": [n.to_dict() for n in self.notebooks]}

    def __str__(self) -> str:
        lines = []
        for grade in self.notebooks:
            lines.append(f"{grade.notebook}: {grade.points} of {grade.out_of}")
            lines.extend(f"  {question}" for question in grade.questions)
            lines.extend(f"  {sentence}" for sentence in grade.stopped)
        return "\n".join(lines)


@dataclass(slots=True)
class _Run:
    """What was seen of a notebook that was run: the results, and the error that each cell ended with."""

    results: dict[str, Result] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)
    stopped: str = ""

    def sentences(self) -> tuple[str, ...]:
        """What went wrong, for people."""
        cells = [f"Cell {index + 1} stopped with {error}" for index, error in sorted(self.errors.items())]
        return (*cells, self.stopped) if self.stopped else tuple(cells)


def grade(
    notebooks: Sequence[str | Path],
    *,
    cell_seconds: float = 180.0,
    notebook_seconds: float = 1800.0,
    progress: Report = silent,
) -> GradeReport:
    """Run each notebook from its first cell to its last in a fresh kernel of its own, and gather its results.

    A notebook is not changed. A cell that takes too long is interrupted and the next one runs; once the notebook's
    time is up, every cell that is left gets a second.

    :param cell_seconds: how long one cell may take.
    :param notebook_seconds: how long all cells of a notebook may take.
    :raises BadInput: for a file that is missing or no notebook; nothing has been run then.
    """
    read = [(Path(path), _read(Path(path))) for path in notebooks]
    return GradeReport(
        tuple(_grade_one(path, book, cell_seconds, notebook_seconds, progress) for path, book in read),
    )


def _read(path: Path) -> Any:
    import nbformat

    try:
        return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    except OSError as error:
        raise BadInput(f"{path} cannot be read.", seen=error.strerror or str(error), do="Check the path.") from None
    except Exception as error:  # nbformat has several unrelated exceptions for "this is no notebook"
        said = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise BadInput(f"{path} is not a Jupyter notebook.", seen=said, do="Give a file ending in .ipynb.") from None


def _grade_one(path: Path, book: Any, cell_seconds: float, notebook_seconds: float, progress: Report) -> NotebookGrade:
    run = _execute(path, book, cell_seconds, notebook_seconds, progress)
    expected = _exercises(book)
    if not expected:
        return NotebookGrade(str(path), tuple(run.results[id] for id in sorted(run.results)), run.sentences())
    return NotebookGrade(str(path), tuple(_judge(exercise, book, run) for exercise in expected), run.sentences())


def _execute(path: Path, book: Any, cell_seconds: float, notebook_seconds: float, progress: Report) -> _Run:
    from nbclient import NotebookClient
    from nbclient.exceptions import DeadKernelError

    run = _Run()
    end = time.monotonic() + notebook_seconds

    def seconds_for(cell: Any) -> float:
        return max(1.0, min(cell_seconds, end - time.monotonic()))

    def executed(cell: Any, cell_index: int, execute_reply: Mapping[str, Any]) -> None:
        content = execute_reply["content"]
        if content["status"] == "error":
            run.errors[cell_index] = f"{content['ename']}: {content['evalue']}".splitlines()[0]
        for output in cell.get("outputs", ()):
            found = _result(output)
            if found is not None:
                run.results[found.exercise] = found
        progress(cell_index + 1, len(book.cells), path.name)

    client = NotebookClient(
        book,
        timeout_func=seconds_for,
        allow_errors=True,
        interrupt_on_timeout=True,
        error_on_timeout={
            "ename": "TooSlow",
            "evalue": f"the cell was interrupted after {cell_seconds:g} s",
            "traceback": [],
        },
        on_cell_executed=executed,
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
    except DeadKernelError:
        run.stopped = "The notebook's kernel died before all of it was judged."
    return run


def _result(output: Mapping[str, Any]) -> Result | None:
    """The result in an output, if it holds one that is well formed; a notebook may display anything."""
    data = output.get("data", {}).get(RESULT_MIME)
    if not isinstance(data, Mapping) or data.get("outcome") not in OUTCOMES:
        return None
    id, points, out_of, reason = (data.get(key) for key in ("id", "points", "out_of", "reason"))
    if not (isinstance(id, str) and isinstance(points, int) and isinstance(out_of, int) and isinstance(reason, str)):
        return None
    return Result(id, data["outcome"], points, out_of, reason)


def _exercises(book: Any) -> tuple[Exercise, ...]:
    """The exercises of the notebook's lab, whether or not the learner left their cells in."""
    lab = str(book.metadata.get("kafkalab", {}).get("lab", ""))
    if not re.fullmatch(r"\d\d", lab):
        return ()
    try:
        module = importlib.import_module(f"kafkalab.checks.lab_{lab}")
    except ModuleNotFoundError:
        raise BadInput(
            f"There is no lab {lab}.", do="Update kafkalab, or open the notebook that came with it."
        ) from None
    out: tuple[Exercise, ...] = module.exercises(None)
    return out


def _judge(exercise: Exercise, book: Any, run: _Run) -> Result:
    """What the notebook's own check said of an exercise, or why it said nothing."""
    found = run.results.get(exercise.id)
    if found is not None:
        # The points are the lab's, not what the notebook claims.
        points = exercise.points if found.outcome == "right" else 0
        return Result(exercise.id, found.outcome, points, exercise.points, found.reason)
    cells = {cell.metadata.get(CELL_KEY): index for index, cell in enumerate(book.cells)}
    index = cells.get(exercise.id)
    if run.stopped:
        return Result(exercise.id, "could not be judged", 0, exercise.points, run.stopped)
    if index is None:
        return Result(exercise.id, "not attempted", 0, exercise.points, "Its cell is not in the notebook.")
    exercise_cells = {i for id, i in cells.items() if id is not None}
    for at, error in sorted(run.errors.items()):
        if at < index and at not in exercise_cells:
            # A lab that broke down before the exercise is not the answer's fault.
            reason = f"An earlier cell (number {at + 1}) stopped with {error}"
            return Result(exercise.id, "could not be judged", 0, exercise.points, reason)
    if index in run.errors:
        return Result(exercise.id, "wrong", 0, exercise.points, f"The cell stopped with {run.errors[index]}")
    return Result(exercise.id, "not attempted", 0, exercise.points, "Its cell does not run the check.")
