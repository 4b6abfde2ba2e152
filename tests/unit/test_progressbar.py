"""The sign that a check is at work: in a real kernel, only when it takes long, and gone at the end."""

from __future__ import annotations

import time
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from kafkalab.progressbar import working

CODE = """
import time
from kafkalab.progressbar import working
with working("Checking 09.1 …", quiet=0.2):
    time.sleep({seconds})
    print("meanwhile")
"""


def outputs(seconds: float) -> list[Any]:
    book: Any = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CODE.format(seconds=seconds))])  # type: ignore[no-untyped-call]
    seen: list[str] = []

    class Watched(NotebookClient):
        def process_message(self, msg: Any, cell: Any, cell_index: int) -> Any:
            if "display" in msg["msg_type"]:
                seen.append(msg["content"]["data"]["text/plain"])
            return super().process_message(msg, cell, cell_index)

    Watched(book, timeout=60).execute()
    return [seen, [output.get("text", "") or output["data"]["text/plain"] for output in book.cells[0].outputs]]


@pytest.mark.parametrize(
    "seconds, seen, left",
    [(0.0, [], ["meanwhile\n"]), (1.0, ["Checking 09.1 …", ""], ["", "meanwhile\n"])],
)
def test_a_long_check_says_so_while_it_works(seconds: float, seen: list[str], left: list[str]) -> None:
    assert outputs(seconds) == [seen, left]


def test_outside_a_notebook_it_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with working("Checking", quiet=0.0):
        time.sleep(0.05)
    assert capsys.readouterr().out == ""
