"""Exercise: a question with a check, three hints and a solution."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import resources
from typing import Any, Concatenate, Final, Generic, Literal, ParamSpec, TypeVar, cast

from kafkalab.errors import BadInput, KafkalabError, Unreachable
from kafkalab.exercises.judging import BLANK, NotAttempted, Wrong, is_blank, taken
from kafkalab.exercises.progress import remember
from kafkalab.exercises.result import Outcome, Result, card, code_block, inline, variable
from kafkalab.progressbar import working

# --- Method: a method whose repr, when a learner forgets the parentheses, says what to type.


_P = ParamSpec("_P")
_R = TypeVar("_R")


class _Bound(partial[Any]):
    """A method bound to an object."""

    def __repr__(self) -> str:
        blank = "…" if ... in (getattr(self.func, "__defaults__", None) or ()) else ""
        return f"Type the parentheses too: {self.args[0].name_in_labs}.{self.func.__name__}({blank})"


class Method(Generic[_P, _R]):
    """Decorates a method of a class with ``name_in_labs``: ``q1.hint`` alone in a cell says to type ``q1.hint()``."""

    def __init__(self, method: Callable[Concatenate[Any, _P], _R]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __get__(self, one: Any, owner: type) -> Callable[_P, _R]:
        if one is None:
            return cast("Callable[_P, _R]", self._method)
        bound = _Bound(self._method, one)
        bound.__doc__ = self.__doc__
        return bound


Judge = Callable[[Any], str]

_SET_UP: Final = "Run the set-up cell again, which brings back what is down, and then this one."


@dataclass(frozen=True, slots=True)
class Note:
    """A hint or a solution, shown as a card."""

    head: str
    text: str
    code: str = ""

    def __repr__(self) -> str:
        return "\n".join(part for part in (f"{self.head}. {self.text}".strip(), self.code) if part)

    def _repr_html_(self) -> str:
        body = inline(self.text) + (code_block(self.code) if self.code else "")
        return card(kind="note", head=self.head, aside="", body=body)


@dataclass(slots=True, repr=False)
class Exercise:
    """A question of a lab.

    :param id: lab, dot, number: "00.1".
    :param judge: the function that judges an answer, see :mod:`kafkalab.exercises.judging`; it sees the answer and the
        cluster, never the printed output.
    :param hints: three, each telling more than the one before.
    :param where: the place where a grader runs the judge. "outside": in a process of its own. "kernel": in the
        notebook's kernel, for a judge that needs its Spark session, say; a notebook can cheat such a judge more easily.

    ``said`` holds every result of the check in this kernel, the newest last.
    """

    id: str
    title: str
    points: int
    question: str
    judge: Judge
    hints: tuple[str, str, str]
    where: Literal["outside", "kernel"] = "outside"
    said: list[Result] = field(default_factory=list, repr=False)
    _hinted: int = field(default=0, repr=False)

    @Method
    def check(self, answer: Any = BLANK) -> Result:
        """Judge an answer; never raises, whatever the answer is or does."""
        result = self._check(answer)
        self.said.append(result)
        remember(result)
        return result

    def _check(self, answer: Any) -> Result:
        if is_blank(answer):
            return self.told("not attempted", "Put your answer where the ... is, and run the cell again.")
        try:
            with working(f"Checking {self.id} …"):
                return self.told("right", self.judge(taken(answer)))
        except Wrong as no:
            return self.told("wrong", str(no))
        except NotAttempted as empty:
            return self.told("not attempted", str(empty) or "Nothing to judge yet.")
        except Unreachable as error:
            return self.told("could not be judged", f"{error.what} {_SET_UP}")
        except KafkalabError as error:
            return self.told("could not be judged", f"{error.what} {error.do or _SET_UP}")
        except Exception as error:
            said = str(error).strip().splitlines()
            seen = f"{type(error).__name__}" + (f": {said[0]}" if said else "")
            return self.told(
                "could not be judged",
                f"The check itself could not finish ({seen}). Your answer is not to blame. {_SET_UP}",
            )

    @Method
    def hint(self, number: int | None = None) -> Note:
        """Return the next hint, or hint ``number`` (1 to 3).

        :raises BadInput: for any other number.
        """
        last = len(self.hints)
        if number is None:
            self._hinted += 1
            if self._hinted > last:
                solution = f"`{self.name_in_labs}.solution()`"
                return Note("There are no more hints", f"The last one was: {self.hints[-1]} Still stuck? {solution}")
            number = self._hinted
        if number not in range(1, last + 1):
            raise BadInput(f"There is no hint {number}.", do=f"Ask for a hint from 1 to {last}.")
        return Note(f"Hint {number} of {last}", self.hints[number - 1])

    @Method
    def solution(self) -> Note:
        """Return one solution. There are others: the check looks at what an answer does, not at how it is written."""
        told = f"{self.title}. This is one way; the check accepts others that do the same."
        return Note(f"A solution of {self.id}", told, _solutions(self.id.split(".")[0]).get(self.id, ""))

    def told(self, outcome: Outcome, reason: str) -> Result:
        """Return a result with the points that an outcome gives."""
        return Result(self.id, outcome, self.points if outcome == "right" else 0, self.points, reason)

    @property
    def name_in_labs(self) -> str:
        """The exercise's variable in the labs: ``q1`` for 02.1."""
        return variable(self.id)

    def _shown(self) -> tuple[str, str, str]:
        points = "1 point" if self.points == 1 else f"{self.points} points"
        return f"{self.id} {self.title}", points, f"{self.question} Stuck? `{self.name_in_labs}.hint()`"

    def __repr__(self) -> str:
        return "{} ({}). {}".format(*self._shown())

    def _repr_html_(self) -> str:
        head, points, told = self._shown()
        return card(kind="note", head=head, aside=points, body=inline(told))


@cache
def _solutions(lab: str) -> dict[str, str]:
    """Return the solutions of a lab by exercise id; ``labs/build.py`` writes their file from the lab's source."""
    file = resources.files("kafkalab.course").joinpath(f"lab_{lab}").joinpath("solutions.json")
    if not file.is_file():
        return {}
    out: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return out
