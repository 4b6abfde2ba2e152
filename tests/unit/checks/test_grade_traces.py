"""What an instructor is told of a learner's code: copies and what no answer needs, and nothing of honest hand-ins."""

from __future__ import annotations

from pathlib import Path

import pytest

from kafkalab.checks.grade_book import Book, Cell, labs, original, read
from kafkalab.checks.grade_restore import restore
from kafkalab.checks.grade_traces import traces
from kafkalab.checks.lab import exercises_of

SET_UP = Cell("up", "code", "from kafkalab.checks.topics import read_all\nimport os", {"tags": ["set-up"]})
ANSWER = Cell("a", "code", "def f(n):\n    ...", {"exercise": "99.1"})
CHECK = Cell("c", "code", "q1.check(f)\n# q1.hint()\n# q1.solution()", {"check": "99.1"})
LAB = Book((SET_UP, ANSWER, CHECK), "99")
SOLUTION = "def f(n):\n    found = n + 1\n    return found"


def told(answer: str, *more: str, solution: str = SOLUTION) -> list[str]:
    cells = (SET_UP, Cell("a", "code", answer, ANSWER.metadata), *(Cell("", "code", source) for source in more), CHECK)
    return traces(LAB, restore(LAB, Book(cells)), {"99.1": solution})


def test_a_copy_of_the_solution_is_told_however_it_is_dressed() -> None:
    copied = ["The answer to 99.1 is the solution that kafkalab comes with."]
    assert told(SOLUTION) == copied
    assert told("# all my own work\ndef f(n):\n  found=n+1 # !\n  return(found)\n", "f(3)") == copied
    assert told(SOLUTION.replace("found", "sum_")) == []
    short = "def f(n):\n    return n + 1"
    assert told(short, solution=short) == []


@pytest.mark.parametrize(
    "code, words",
    [
        ("f = exec(q1.solution().code)", ["exec", "solution"]),
        ("get_ipython().run_cell = 3", ["get_ipython"]),
        ("open(f'/proc/{os.getppid()}/mem')", ["/proc", "getppid"]),
        ("!cat /proc/1/environ", ["/proc"]),
        ("%%bash\ncat /proc/1/environ", ["/proc"]),
        ("import kafkalab.checks.judging as j", ["kafkalab.checks.judging"]),
        ("from kafkalab.checks import lab_00", ["kafkalab.checks.lab_00"]),
        ("__import__('kafkalab.checks.lab_00')", ["kafkalab.checks.lab_00"]),
        ("# q1.solution(), exec, /proc\nx = 'in the /process of a solution'", []),
        ("from kafkalab.checks.topics import read_all", []),
        ("%time f(3)\n!ls", []),
        ("def f(:", []),
    ],
)
def test_what_no_answer_needs_is_told_with_its_cell(code: str, words: list[str]) -> None:
    assert told("f = 3", code) == [f"`{word}` is used in cell 3." for word in words]


@pytest.mark.parametrize("number, path", sorted(labs().items()))
def test_a_lab_itself_gives_no_cause_and_its_solutions_are_known(number: str, path: Path) -> None:
    lab, solved = original(path), read(path.parent / "solutions" / path.name)
    solutions = {one.id: one.solution().code for one in exercises_of(number)(None)}
    assert traces(lab, restore(lab, lab), solutions) == []
    told = traces(lab, restore(lab, solved), solutions)
    assert set(told) <= {f"The answer to {id} is the solution that kafkalab comes with." for id in solutions}
    if number == "02":
        assert len(told) == 4
