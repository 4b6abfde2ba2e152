"""Signs of long work: a bar in a terminal, plain lines elsewhere, a few words in a cell that checks an answer."""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import uuid4

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


#: Seconds without a sign; most checks are through by then.
_QUIET = 1.0


@contextmanager
def working(words: str, quiet: float = _QUIET) -> Iterator[None]:
    """Show the words while the block runs, once ``quiet`` seconds are over, and take them back at its end.

    Outside a notebook it shows nothing.
    """
    # A notebook's kernel has loaded IPython; kafkalab itself does not import it.
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if getattr(shell, "kernel", None) is None:
        yield
        return
    place = {"display_id": f"kafkalab-{uuid4().hex}"}
    lock, shown, over = threading.Lock(), threading.Event(), threading.Event()

    def show() -> None:
        with lock, suppress(Exception):  # a sign that cannot be shown must not cost a learner the answer
            if not over.is_set():
                shell.display_pub.publish({"text/plain": words}, transient=place)
                shown.set()

    # The output belongs to the cell that asks: on another thread the kernel knows by the context which one that is.
    timer = threading.Timer(quiet, contextvars.copy_context().run, (show,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with lock, suppress(Exception):
            over.set()
            if shown.is_set():
                shell.display_pub.publish({"text/plain": ""}, transient=place, update=True)
