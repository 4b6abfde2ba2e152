"""Run: a streaming query with its checkpoint, its progress, and readable errors."""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kafkalab.errors import BadInput, KafkalabError, WaitTimeout
from kafkalab.home import home_dir, make_dir
from kafkalab.state.stream import Report, plain
from kafkalab.streams import jvm
from kafkalab.streams.jvm import StreamFailed, failed, jvm_ended
from kafkalab.views.static import Block, to_html, to_text
from kafkalab.views.stream.picture import History, blocks, drawn
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery
    from pyspark.sql.streaming.readwriter import DataStreamWriter

# Name → Run. It keeps each Run until that is stopped: one that is garbage-collected would remove its checkpoint.
_running: dict[str, Run] = {}


def start(
    writer: DataStreamWriter,
    name: str,
    *,
    every: float = 1.0,
    once: bool = False,
    checkpoint: str | Path | None = None,
    keep: bool = False,
) -> Run:
    """Start a stream: ``start(df.writeStream.format("memory"), "trucks")``. It replaces one of the same name.

    :param writer: tells Spark what to do with the rows; the sinks of :mod:`kafkalab.streams.sinks` make one.
    :param every: seconds between two micro-batches; 0 begins the next as soon as one ends.
    :param once: read the records that are there now, in as many batches as it takes, and end.
    :param checkpoint: the folder in which the stream remembers how far it is. A folder given here is kept, and the next
        run goes on from it. Without one, a temporary folder is used, and removed at :meth:`Run.stop`.
    :param keep: keep the checkpoint in the folder that :func:`checkpoint_of` gives for the name, so that the next run
        of that name goes on from it; :func:`forget` removes it.
    :raises BadInput: the name is empty or, with ``keep``, no name for a folder; or ``every`` is below 0.
    :raises StreamFailed: Spark refuses the query.
    """
    if not name or every < 0:
        raise BadInput(
            "A stream needs a name, and a time of 0 or more between batches.", seen=f"{name!r}, every={every}"
        )
    if name in _running:
        _running[name].stop()
    if keep and checkpoint is None:
        checkpoint = make_dir(checkpoint_of(name), "KAFKALAB_HOME")
    folder = Path(checkpoint) if checkpoint else Path(tempfile.mkdtemp(prefix="kafkalab-checkpoint-"))
    writer = writer.queryName(name).option("checkpointLocation", folder.absolute().as_uri())
    writer = writer.trigger(availableNow=True) if once else writer.trigger(processingTime=f"{every} seconds")
    try:
        query = writer.start()
    except Exception as error:
        if checkpoint is None:
            shutil.rmtree(folder, ignore_errors=True)
        raise failed(name, str(error)) from None
    return Run(name, query, folder, keep=checkpoint is not None)


def checkpoint_of(name: str) -> Path:
    """Return the folder of a kept stream's checkpoint, under ``KAFKALAB_HOME``; it may not exist yet.

    :raises BadInput: the name is no name for a folder.
    """
    if not re.fullmatch(r"\w[\w.-]{0,79}", name, re.ASCII):
        raise BadInput(
            f"A stream called {name!r} cannot keep its checkpoint.",
            do="Give it a name of letters, digits, dots, dashes and underscores, or a folder: checkpoint=….",
        )
    return home_dir() / "checkpoints" / name


def forget(name: str) -> None:
    """Stop a kept stream and remove its checkpoint, so that its next run begins anew; it need not exist.

    :raises BadInput: the name is no name for a folder.
    """
    folder = checkpoint_of(name)
    if name in _running:
        _running[name].stop()
    shutil.rmtree(folder, ignore_errors=True)


def stop_all() -> None:
    """Stop every stream that this process started; for the first and the last cell of a notebook."""
    for run in list(_running.values()):
        run.stop()


class Run:
    """A running stream. Show it in a cell to see how it is doing; it goes on until :meth:`stop`."""

    def __init__(self, name: str, query: StreamingQuery, checkpoint: Path, *, keep: bool) -> None:
        self.name = name
        self.query = query
        self.checkpoint = checkpoint
        self._keep = keep
        # Removes the checkpoint at the end of the process too, in case stop() is never called.
        self._remove = None if keep else weakref.finalize(self, shutil.rmtree, checkpoint, True)
        _running[name] = self

    @property
    def active(self) -> bool:
        """Whether it is still running."""
        try:
            return bool(self.query.isActive)
        except Exception:  # py4j raises many kinds when Spark itself was stopped
            return False

    @property
    def error(self) -> StreamFailed | None:
        """The error that ended it; None while it runs, and after :meth:`stop`."""
        try:
            problem = None if self.query.isActive else self.query.exception()
        except Exception as error:
            return jvm_ended(str(error)) or failed(self.name, "Spark itself was stopped")
        return None if problem is None else failed(self.name, str(problem), jvm.log_tail(6))

    @property
    def progress(self) -> Report | None:
        """Spark's report of the newest micro-batch, with Spark's names; None before the first one has ended."""
        try:
            report = self.query.lastProgress
        except Exception:
            return None
        return None if report is None else plain(report)

    def recent(self) -> list[Report]:
        """Return the reports of the micro-batches that Spark still remembers (100), oldest first."""
        return [plain(report) for report in self.query.recentProgress]

    def catch_up(self, deadline: float = 60.0) -> Run:
        """Wait until the stream has processed all records that are in the source now.

        :param deadline: maximum seconds to wait.
        :raises StreamFailed: the stream ended on an error meanwhile.
        :raises WaitTimeout: it took longer.
        """
        problems: list[Exception] = []

        def work() -> None:
            try:
                self.query.processAllAvailable()
            except Exception as error:
                problems.append(error)

        # Spark's call has no timeout of its own, so it runs on a thread that can be left behind.
        thread = threading.Thread(target=work, name=f"kafkalab-catch-up-{self.name}", daemon=True)
        thread.start()
        thread.join(deadline)
        self._raise_if_failed()
        if thread.is_alive():
            raise WaitTimeout(
                f"Waited {deadline:g} s for the stream {self.name!r} to catch up; it did not.",
                seen=self._newest(),
                do="Check that every broker is up. Show the run, to see whether more records arrive than it processes.",
            )
        if problems:
            raise failed(self.name, str(problems[0]))
        return self

    def wait_for(self, condition: Callable[[Report], Any], deadline: float = 60.0, what: str = "") -> Report:
        """Wait until a micro-batch satisfies ``condition``, and return Spark's report of it.

        :raises StreamFailed: the stream ended on an error meanwhile.
        :raises WaitTimeout: no micro-batch did within ``deadline`` seconds.
        """

        def found() -> Report | None:
            self._raise_if_failed()
            progress = self.progress
            return progress if progress is not None and condition(progress) else None

        what = what or f"the stream {self.name!r} to get there"
        progress = wait_until(found, deadline, what, period=0.1, seen=self._newest)
        assert progress is not None
        return progress

    def wait(self, deadline: float = 120.0) -> Run:
        """Wait for a stream started with ``once=True`` to end by itself.

        :raises StreamFailed: it ended on an error.
        :raises WaitTimeout: it did not end within ``deadline`` seconds.
        """
        wait_until(lambda: not self.active, deadline, f"the stream {self.name!r} to end", period=0.1)
        self._raise_if_failed()
        return self

    def stop(self) -> None:
        """Stop the stream, after its present micro-batch if that ends soon; a second call does nothing."""
        try:
            self.query.stop()
        except Exception as error:
            if self.active:
                raise KafkalabError(
                    f"The stream {self.name!r} did not stop.",
                    seen=str(error).strip().splitlines()[0],
                    do="Its batch hangs. Start the brokers that it is waiting for, then stop the stream again.",
                ) from None
        finally:
            if not self.active:
                _running.pop(self.name, None) if _running.get(self.name) is self else None
                if self._remove is not None:
                    self._remove()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _raise_if_failed(self) -> None:
        error = self.error
        if error is not None:
            raise error

    def _newest(self) -> str:
        """Return what the newest micro-batch did, in a few words."""
        progress = self.progress
        if progress is None:
            return "no batch has ended yet"
        took = progress.get("durationMs", {}).get("triggerExecution", 0)
        return f"batch {progress['batchId']} read {progress['numInputRows']:,} records and took {took:,} ms"

    def _blocks(self) -> list[Block]:
        history = History()
        history.name = self.name
        with suppress(Exception):  # py4j raises many kinds when Spark itself was stopped
            for report in self.recent():
                history.add(report)
        error = self.error
        if error is not None:
            return blocks(drawn(history, "failed", reason=error.seen, advice=error.do))
        return blocks(drawn(history, "running" if self.active else "stopped"))

    def __repr__(self) -> str:
        return to_text(self._blocks())

    def _repr_html_(self) -> str:
        return to_html(self._blocks())
