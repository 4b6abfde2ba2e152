"""Kernel checks: executed inside a learner's kernel for an exercise that needs the kernel's own Spark.

The grader sends the *text* of this module there. It imports a fresh copy of kafkalab, because the notebook may have
patched its own, and judges with that. A notebook that has changed Python itself, or the libraries under kafkalab, can
still deceive it; the changes that are easy to see are reported. docs/grading.md says which risks remain.
"""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

_FUNCTIONS = ("isinstance", "sorted", "len", "getattr", "callable", "iter", "next", "exec", "eval", "compile", "repr")
#: Methods of IPython and ipykernel that a request passes through on its way to a cell's code.
_WAY = ("run_cell", "run_cell_async", "run_code", "run_ast_nodes", "user_expressions", "execute_request", "do_execute")
_KINDS = ("int", "str", "list", "dict", "bool", "set", "tuple", "float")


def judged(namespace: dict[str, Any], request: dict[str, str]) -> str:
    """Return outcome, reason, changes found, and the word that shows who asked, as JSON in hexadecimal digits."""
    changed = _changed()
    theirs = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "kafkalab"}
    for name in theirs:
        del sys.modules[name]
    try:
        said = {"word": request["word"], "changed": changed, **_check(namespace, request)}
    except BaseException as error:
        reason = f"The check itself could not finish ({type(error).__name__})."
        said = {"word": request["word"], "changed": changed, "outcome": "could not be judged", "reason": reason}
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "kafkalab"]:
            del sys.modules[name]
        sys.modules.update(theirs)
    return json.dumps(said).encode().hex()


def _check(namespace: dict[str, Any], request: dict[str, str]) -> dict[str, str]:
    module = importlib.import_module(f"kafkalab.course.lab_{request['exercise'].partition('.')[0]}.exercises")
    cluster = importlib.import_module("kafkalab.handles.cluster").Cluster.attach(request["cluster"])
    for name, one in list(sys.modules.items()):
        if name.partition(".")[0] == "kafkalab" and not str(one.__file__).startswith(request["package"]):
            raise ImportError(name)
    (exercise,) = (one for one in module.exercises(cluster) if one.id == request["exercise"])
    result = exercise.check(eval(request["expression"], namespace))
    return {"outcome": result.outcome, "reason": result.reason}


def _changed() -> list[str]:
    """Return the names of the parts of Python and IPython that a check relies on and that have been replaced."""
    import builtins

    own = type(len)
    found = [word for word in _FUNCTIONS if not isinstance(getattr(builtins, word), (own, type))]
    found += [kind for kind in _KINDS if getattr(builtins, kind).__module__ != "builtins"]
    for finder in sys.meta_path:
        if getattr(finder, "__module__", type(finder).__module__) == "__main__":
            found.append("the way modules are imported")
    return found + _diverted()


def _diverted() -> list[str]:
    """Return the names of the steps on a request's way that are not IPython's own any more."""
    shell = sys.modules["IPython.core.interactiveshell"].InteractiveShell._instance
    files = {
        getattr(module, "__file__", None)
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in ("IPython", "ipykernel")
    }
    found = [name for name in ("ast_transformers", "input_transformers_post") if getattr(shell, name)]
    for one in (shell, shell.kernel):
        for name in _WAY:
            code = getattr(getattr(type(one), name, None), "__code__", None)
            if name in vars(one) or (code is not None and code.co_filename not in files):
                found.append(name)
    return found
