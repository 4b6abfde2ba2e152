"""Progress bars for long work: a bar in a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Called with (done, total, what), in the caller's units; from one thread, as often as the caller likes.
Report = Callable[[int, int, str], None]


def silent(done: int, total: int, what: str) -> None:
    """Report nothing."""


@contextmanager
def bar(title: str) -> Iterator[Report]:
    """Show a progress bar on standard error (rich draws it in notebooks too); it appears with the first report."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not (console.is_terminal or console.is_jupyter):
        said: set[int] = set()

        def lines(done: int, total: int, what: str) -> None:
            quarter = 4 * done // total if total else 4
            if quarter not in said:
                said.add(quarter)
                print(f"{title}: {25 * quarter} % {what}", file=sys.stderr)

        yield lines
        return

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[what]}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task: list[TaskID] = []

        def draw(done: int, total: int, what: str) -> None:
            if not task:
                task.append(progress.add_task(title, total=total, what=what))
            progress.update(task[0], completed=done, total=total, what=what)

        yield draw
