"""Joins the ES modules and style sheets in ``static/`` into the one script and the one sheet that anywidget takes.

anywidget loads ``_esm`` as one blob, in which ``import … from "./shared.js"`` finds nothing. So the modules are written
apart, with ordinary imports between them, and joined here: what is imported comes first, each module once, the import
lines go, and so do the ``export`` words of all but the last. Everything then lives in one scope, which is why a name
defined twice is refused. No build step, no Node.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from kafkalab.errors import KafkalabError

_IMPORT = re.compile(r'^import\s*\{(?P<names>[^}]*)\}\s*from\s*"\./(?P<module>[\w-]+)\.js";?[ \t]*\n', re.MULTILINE)
_LEFT = re.compile(r"^\s*import\b[^;\n]*|\bimport\s*\([^)]*\)|^export\b.*\bfrom\b.*", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class)\b)", re.MULTILINE)
_TOP = re.compile(r"^(?P<export>export )?(?:async )?(?:function\*?|const|let|var|class) (?P<name>[\w$]+)", re.MULTILINE)


@cache
def esm(name: str) -> str:
    """The script of the view ``name`` with everything it imports, as one ES module; only its own exports are left.

    :raises KafkalabError: a file is missing, an import is not of a module beside it, a name is not exported there, or
        two of the joined modules define the same name.
    """
    own = _read(f"{name}.js")
    defined: dict[str, str] = {}
    parts: list[str] = []
    for module in _order(name):
        text = own if module == name else _read(f"{module}.js")
        for found in _TOP.finditer(text):
            if (other := defined.setdefault(found["name"], module)) != module:
                raise KafkalabError(
                    f"{other}.js and {module}.js both define {found['name']}.",
                    do="rename one: the joined modules share one scope",
                )
        text = _IMPORT.sub("", text)
        if left := _LEFT.search(text):
            raise KafkalabError(
                f"{module}.js has an import that cannot be joined.",
                seen=left[0].strip(),
                do='write it as import { names } from "./module.js"; with the module beside it',
            )
        parts.append(text if module == name else _EXPORT.sub("", text))
    return "\n".join(parts)


@cache
def css(name: str) -> str:
    """The style of the view ``name``: the sheets of every module it is joined from, in the same order, shared first.

    :raises KafkalabError: as :func:`esm`. A module without a sheet of its own is no error.
    """
    modules = _order(name)
    sheets = [
        module for module in ("shared", *modules) if (files("kafkalab.views") / "static" / f"{module}.css").is_file()
    ]
    return "\n".join(_read(f"{module}.css") for module in dict.fromkeys(sheets))


def _order(name: str) -> list[str]:
    """The modules that ``name`` needs, itself last, each after what it imports."""
    done: list[str] = []

    def visit(module: str, path: tuple[str, ...]) -> None:
        if module in path:
            raise KafkalabError("Front-end modules import each other in a circle.", seen=" → ".join((*path, module)))
        if module in done:
            return
        for found in _IMPORT.finditer(_read(f"{module}.js")):
            exported = {top["name"] for top in _TOP.finditer(_read(f"{found['module']}.js")) if top["export"]}
            for wanted in filter(None, (word.strip() for word in found["names"].split(","))):
                if wanted not in exported:
                    raise KafkalabError(
                        f"{module}.js imports {wanted}, which {found['module']}.js does not export.",
                        seen=", ".join(sorted(exported)),
                    )
            visit(found["module"], (*path, module))
        done.append(module)

    visit(name, ())
    return done


def _read(file: str) -> str:
    try:
        return (files("kafkalab.views") / "static" / file).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise KafkalabError(f"The front-end file {file} is missing.", do="install kafkalab again") from error
