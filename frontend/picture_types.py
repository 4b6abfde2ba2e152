"""Makes ``picture.d.ts`` of each view whose picture has types in Python: what crosses from Python is typed once.

In a view's folder, ``picture.py`` says with TypedDicts what is drawn, and its modules take the same types from
``import("./picture")``. ``make frontend`` writes the files; with ``--check`` this names those that are out of date.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

VIEWS = Path(__file__).resolve().parents[1] / "kafkalab" / "views"
HEAD = "// Made from picture.py by frontend/picture_types.py (make frontend): change it there.\n"
PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    object: "unknown",
    Any: "unknown",
}


def script(hint: Any) -> str:
    """The TypeScript of a type that JSON can hold; any other is an error."""
    if is_typeddict(hint):
        return str(hint.__name__)
    if hint in PLAIN:
        return PLAIN[hint]
    kind, args = get_origin(hint), get_args(hint)
    if kind is Literal:
        return " | ".join(f'"{one}"' if isinstance(one, str) else str(one).lower() for one in args)
    if kind in (Union, types.UnionType):
        return " | ".join(script(one) for one in args)
    if kind is NotRequired:
        return script(args[0])
    if kind in (list, Sequence) or (kind is tuple and args[-1] is Ellipsis):
        inner = script(args[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind is tuple:
        return f"[{', '.join(map(script, args))}]"
    if kind in (dict, Mapping):
        return f"Record<{script(args[0])}, {script(args[1])}>"
    raise TypeError(f"JSON has no {hint!r}")


def used(hint: Any, inside: tuple[Any, ...] = ()) -> Iterator[Any]:
    """The TypedDicts in a type, those in them first; they may come from other modules, and hold their own kind."""
    if hint in inside:
        return
    for inner in get_type_hints(hint).values() if is_typeddict(hint) else get_args(hint):
        yield from used(inner, (*inside, hint))
    if is_typeddict(hint):
        yield hint


def declared(name: str) -> str:
    """The declarations of one view, in the order of its picture.py; empty when its picture has no types."""
    module = import_module(f"kafkalab.views.{name}.picture")
    found = []
    for one in dict.fromkeys(one for named in vars(module).values() if is_typeddict(named) for one in used(named)):
        hints = get_type_hints(one, include_extras=True)
        lines = [
            f"  {key}{'?' if get_origin(hint) is NotRequired else ''}: {script(hint)};" for key, hint in hints.items()
        ]
        about = (one.__doc__ or "").partition("\n")[0]
        found.append("\n".join([f"/** {about} */", f"export interface {one.__name__} {{", *lines, "}\n"]))
    return HEAD + "\n" + "\n".join(found) if found else ""


def main(*, check: bool) -> int:
    """Write the files, or say which are not what they should be."""
    stale = []
    for picture in sorted(VIEWS.glob("*/picture.py")):
        file, wanted = picture.with_suffix(".d.ts"), declared(picture.parent.name)
        if (file.read_text(encoding="utf-8") if file.exists() else "") == wanted:
            continue
        stale.append(f"{picture.parent.name}/{file.name}")
        if check:
            continue
        if wanted:
            file.write_text(wanted, encoding="utf-8")
        else:
            file.unlink()
    if stale:
        print(
            f"Not what picture.py says: {', '.join(stale)}. Run: make frontend"
            if check
            else f"made again: {', '.join(stale)}"
        )
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv))
