"""Lets JupyterLab show the pictures that the labs come with before a cell is run.

JupyterLab shows no picture of a notebook it has not seen run: it could hold a script. Here every output is compared
with the pictures of this package; a notebook that holds anything else is left as JupyterLab finds it.
"""

from __future__ import annotations

import base64
import logging
import re
from html import escape, unescape
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

#: A view's picture begins with a title and a description; a figure of matplotlib's has a description.
_SAID = [re.compile(rf"<{tag}\b[^>]*>([^<]+)<") for tag in ("title", "desc", "dc:description")]
#: The longest alternative text, characters.
_LONGEST = 600


def picture(svg: str) -> dict[str, str]:
    """An SVG as the output of a cell: an image that is never wider than its page, with its own words beside it."""
    found = [unescape(match[1]) for match in (pattern.search(svg) for pattern in _SAID) if match]
    said = " · ".join(" ".join(text.split()) for text in found)[:_LONGEST]
    image = base64.b64encode(svg.encode()).decode()
    fits = "max-width:100%;height:auto"
    return {
        "text/html": f'<img alt="{escape(said)}" style="{fits}" src="data:image/svg+xml;base64,{image}">',
        "text/plain": f"Picture, taken from a run: {said}",
    }


def trust_pictures(notebooks: Path, pictures: Path) -> list[str]:
    """Sign the notebooks of a folder whose only outputs are these pictures; the names of those it signed.

    :param pictures: the folder of the ``.svg`` files.
    """
    import nbformat
    from nbformat.sign import NotebookNotary

    known = [picture(path.read_text(encoding="utf-8")) for path in pictures.glob("*.svg")]
    signed = []
    try:
        notary = NotebookNotary()  # type: ignore[no-untyped-call]
        for path in sorted(notebooks.glob("*.ipynb")):
            try:
                book = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
            except Exception as error:  # nbformat has several unrelated exceptions for "this is no notebook"
                log.debug("%s: %s", path, error)
                continue
            if _only(book, known):
                notary.sign(book)  # type: ignore[no-untyped-call]
                signed.append(path.name)
    except Exception as error:  # a picture is not worth a JupyterLab that does not start
        log.warning("Pictures in the labs may not be shown until their cells are run: %s", error)
    return signed


def _only(book: Any, known: list[dict[str, str]]) -> bool:
    outputs = [output for cell in book.cells for output in cell.get("outputs", ())]
    return bool(outputs) and all(
        output["output_type"] == "display_data"
        and {kind: "".join(text) for kind, text in output["data"].items()} in known
        for output in outputs
    )
