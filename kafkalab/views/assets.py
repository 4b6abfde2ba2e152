"""The one script and the one style sheet of each view, as anywidget takes them.

The modules in ``static/`` are written apart; anywidget loads ``_esm`` as one blob, in which an import of
``"./shared.js"`` finds nothing. So each view's are joined beforehand (``make frontend``), and the readable result lies
in ``static/joined/``: no build step and no Node where kafkalab is used. A test holds the two together.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from kafkalab.errors import KafkalabError


@cache
def esm(name: str) -> str:
    """The script of the view ``name`` with everything it imports, as one ES module.

    :raises KafkalabError: there is none.
    """
    return _read(f"{name}.js")


@cache
def css(name: str) -> str:
    """The style of the view ``name``: the sheets of every module it is joined from, the shared look first.

    :raises KafkalabError: there is none.
    """
    return _read(f"{name}.css")


def _read(file: str) -> str:
    try:
        return (files("kafkalab.views") / "static" / "joined" / file).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise KafkalabError(
            f"The front-end file {file} is missing.", do="install kafkalab again (in a checkout: make frontend)"
        ) from error
