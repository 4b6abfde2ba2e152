"""Hidden cases: what an instructor asks of an answer beyond the lab's own check. They never leave the grader.

A folder of them holds, for lab 02, ``02.json`` and ``cases_02.py``, or one of the two:

    {"02.1": [{"args": ["a", 3], "returns": 1}, {"args": ["b", 3], "returns": 0}],
     "02.2": [{"is": 7}]}

    def judge_02_1(answer, cluster):
        if call(answer, "a", 12) != 5:
            raise Wrong("Try it with more partitions.")
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kafkalab.checks.exercise import Exercise, Result
from kafkalab.checks.judging import NotAttempted, Wrong, call, listed
from kafkalab.errors import BadInput, KafkalabError

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

#: What a learner is told of a case: that there is one.
HIDDEN = "The lab's own check says right; one of your instructor's further cases does not."


@dataclass(frozen=True, slots=True)
class Cases:
    """The hidden cases of one lab. ``plain``: what its JSON holds; ``code``: the text of its Python."""

    plain: dict[str, list[dict[str, Any]]]
    code: str = ""

    @classmethod
    def read(cls, folder: Path | None, lab: str) -> Cases:
        """Those of a lab in a folder; without any, none.

        :raises BadInput: a file is not as it should be.
        """
        if folder is None:
            return cls({})
        if not folder.is_dir():
            raise BadInput(f"{folder} is not a folder of cases.", do="Give the folder of 02.json, cases_02.py …")
        plain, code = folder / f"{lab}.json", folder / f"cases_{lab}.py"
        try:
            found = cls(
                _plain(plain) if plain.is_file() else {}, code.read_text(encoding="utf-8") if code.is_file() else ""
            )
            found.judges()
        except (OSError, ValueError) as error:
            raise BadInput(f"The cases in {folder} cannot be read.", seen=str(error)) from error
        except Exception as error:  # whatever the instructor's code does when it is loaded
            raise BadInput(f"{code} cannot be run.", seen=f"{type(error).__name__}: {error}") from error
        return found

    def judges(self) -> dict[str, Callable[[Any, Any], Any]]:
        """The functions in the Python: exercise → function."""
        plain_call = partial(call, returns=False)
        names: dict[str, Any] = {"Wrong": Wrong, "call": plain_call, "listed": listed, "__name__": "cases"}
        exec(compile(self.code, "the instructor's cases", "exec"), names)
        return {
            name.removeprefix("judge_").replace("_", "."): judge
            for name, judge in names.items()
            if name.startswith("judge_") and callable(judge)
        }

    def judge(self, exercise: Exercise, answer: Any, cluster: Cluster) -> Result | None:
        """What the cases object to in an answer that the lab's check takes for right; None if they do not."""
        try:
            for case in self.plain.get(exercise.id, ()):
                _hold(case, answer)
            judge = self.judges().get(exercise.id)
            if judge is not None:
                judge(answer, cluster)
        except Wrong as no:
            return exercise.told("wrong", str(no) if str(no) else HIDDEN)
        except NotAttempted:
            return exercise.told("wrong", HIDDEN)
        except KafkalabError as error:
            return exercise.told("could not be judged", f"In the instructor's cases: {error.what}")
        except Exception as error:
            return exercise.told(
                "could not be judged", f"The instructor's cases did not work ({type(error).__name__}: {error})."
            )
        return None


def _hold(case: dict[str, Any], answer: Any) -> None:
    """:raises Wrong: the answer is another one; it does not say which case it was."""
    if "is" in case:
        if _plainly(answer) != _plainly(case["is"]):
            raise Wrong(HIDDEN)
        return
    try:
        given = call(answer, *case["args"], returns=False)
    except Wrong:
        raise Wrong(HIDDEN) from None
    if _plainly(given) != _plainly(case["returns"]):
        raise Wrong(HIDDEN)


def _plainly(value: Any) -> Any:
    """Tuples as lists, which is all that JSON has; and True is not 1."""
    if isinstance(value, list | tuple):
        return [_plainly(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plainly(one) for key, one in value.items()}
    return ("bool", value) if isinstance(value, bool) else value


def _plain(path: Path) -> dict[str, list[dict[str, Any]]]:
    found = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError(f"{path.name}: an object is wanted, with the exercises' ids")
    for id, cases in found.items():
        if not isinstance(cases, list):
            raise ValueError(f"{path.name}: {id} wants a list of cases")
        for case in cases:
            called = isinstance(case, dict) and "returns" in case and isinstance(case.get("args"), list)
            if not called and not (isinstance(case, dict) and "is" in case):
                raise ValueError(f'{path.name}: {id}: a case is {{"args": […], "returns": …}} or {{"is": …}}')
    return found
