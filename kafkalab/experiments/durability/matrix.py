"""DurabilityMatrix: runs acks × min.insync.replicas × brokers up on a real cluster, and counts what each cell lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kafkalab.errors import BadInput, KafkalabError, NotSupported
from kafkalab.experiments.durability.cell import Cell, Setting, chosen
from kafkalab.experiments.durability.round import Round
from kafkalab.progressbar import Report, bar, silent
from kafkalab.state.log.segments import LocalLogDir

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.views.durability.view import DurabilityView

MOST_RECORDS = 2000
_NO_DISK = "kafkalab can take away a disk only from a broker that runs as a process on this machine."
#: Number of steps that a round reports; for the progress bar.
_STEPS = 9


class Halted(KafkalabError):
    """The run was ended by :meth:`DurabilityMatrix.halt`; the cluster is healed."""


@dataclass(frozen=True, slots=True)
class DurabilityResult:
    """The results so far. ``rounds``: the steps carried out for each number of brokers up, in words."""

    mode: str | None
    records: int
    cells: tuple[Cell, ...]
    rounds: dict[int, tuple[str, ...]]

    def cell(self, acks: object, min_insync: int, brokers_up: int, fault: str = "killed") -> Cell:
        """Return one cell.

        :raises BadInput: the cell is not part of this matrix.
        """
        wanted = chosen(acks, min_insync, brokers_up, fault)
        found = next((cell for cell in self.cells if cell.setting in wanted), None)
        if found is None:
            raise BadInput("That cell is not part of this matrix.")
        return found

    def to_dict(self, most_ids: int | None = None) -> dict[str, Any]:
        """Return the results as plain JSON. ``most_ids``: most lost ids to list for each cell; None: all."""
        return {
            "mode": self.mode,
            "records": self.records,
            "cells": [cell.to_dict(most_ids) for cell in self.cells],
            "rounds": {str(k): list(steps) for k, steps in self.rounds.items()},
        }


class DurabilityMatrix:
    """Runs every setting of acks and min.insync.replicas on a real cluster, to find what it loses at the worst moment.

    For each number of brokers up, all cells share one failure. Half of the records are sent in calm. Then the followers
    are paused, so that only the leader has the next records. Then the leader is paused too, gets more records, and is
    killed. It comes back with its log (fault ``"killed"``) or, for other partitions, without it (``"disk lost"``).
    At the end all records are read back and counted by id. docs/decisions/0008 gives the reasons.

    >>> matrix = DurabilityMatrix(cluster)  # doctest: +SKIP
    >>> matrix.run()  # doctest: +SKIP

    :param cluster: one with three brokers or more, all running. They are broken, so other programs on it suffer too.
    :param records: number of records sent to each cell.
    :param acks: the values to run: "0", "1", "all", or several; None: every value. The same goes for
        ``min_insync``, ``brokers_up`` and ``fault``.
    :raises NotSupported: kafkalab does not run the cluster's nodes, or the cluster is a model in memory.
    :raises BadInput: there are fewer than three brokers, or a value is not part of the matrix.
    """

    def __init__(
        self,
        cluster: Cluster,
        records: int = 200,
        *,
        acks: object = None,
        min_insync: object = None,
        brokers_up: object = None,
        fault: object = None,
        quiet: bool = False,
    ) -> None:
        settings = chosen(acks, min_insync, brokers_up, fault)
        if not isinstance(records, int) or not 4 <= records <= MOST_RECORDS:
            raise BadInput(f"Give each cell 4 to {MOST_RECORDS} records.", seen=f"records={records!r}")
        _check(cluster)
        self._cluster, self._records, self._quiet = cluster, records, quiet
        self._lock = threading.Lock()
        self._running = threading.Lock()
        self._halt = threading.Event()
        self._listeners: list[Callable[[], None]] = []
        self._cells = {setting: Cell(setting) for setting in settings}
        self._rounds: dict[int, tuple[str, ...]] = {}
        self._step, self._done = "", 0
        self._view: DurabilityView | None = None

    def run(self) -> DurabilityResult:
        """Run every cell and return the results; this takes about 10 seconds for each number of brokers up.

        If it is interrupted (Ctrl-C, or the view's button), it heals the cluster and deletes its topics before it ends.
        Cells that are done keep their results until the next run, which starts from the beginning.

        :raises BadInput: not every node is up, or the matrix is running already.
        :raises Halted: :meth:`halt` was called.
        """
        if not self._running.acquire(blocking=False):
            raise BadInput("The matrix is already running.")
        try:
            self._halt.clear()
            self._begin()
            with nullcontext(silent) if self._quiet else bar("The durability matrix") as progress:
                runnable = [s for s, cell in self._cells.items() if cell.state != "not possible"]
                for up in dict.fromkeys(s.brokers_up for s in runnable):
                    self._round(up, [s for s in runnable if s.brokers_up == up], progress)
        finally:
            self._step = ""
            self._running.release()
            self._changed()
        return self.result

    def halt(self) -> None:
        """End the run at its next step: it heals the cluster, and :meth:`run` raises :class:`Halted`."""
        self._halt.set()

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._running.locked()

    @property
    def result(self) -> DurabilityResult:
        """The results so far."""
        with self._lock:
            return DurabilityResult(self._cluster.mode, self._records, tuple(self._cells.values()), dict(self._rounds))

    def now(self) -> dict[str, Any]:
        """Return the results with few lost ids, and the progress of a run, as plain JSON for a view."""
        return {
            **self.result.to_dict(most_ids=12),
            "cluster": self._cluster.name,
            "running": self.running,
            "progress": {"done": self._done, "of": self._of, "step": self._step},
        }

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` after each change, on the thread that runs the matrix; return a function that ends this."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    @property
    def _of(self) -> int:
        return _STEPS * len({s.brokers_up for s in self._cells})

    def _begin(self) -> None:
        """Forget the last run; cells with a lost disk are not possible where the brokers' disks are out of reach."""
        nodes = self._cluster.nodes()
        if down := [n.name for n in nodes if n.state != "running"]:
            raise BadInput("Every node must be up when the matrix is run.", seen=f"not running: {', '.join(down)}")
        disks = isinstance(self._cluster.log_dir(next(n.id for n in nodes if n.role == "broker")), LocalLogDir)
        with self._lock:
            for s in self._cells:
                possible = disks or s.fault != "disk lost"
                self._cells[s] = Cell(s) if possible else Cell(s, "not possible", why=_NO_DISK)
            self._rounds, self._done = {}, 0

    def _round(self, up: int, settings: list[Setting], progress: Report) -> None:
        def tell(steps: list[str], cells: Iterable[Cell]) -> None:
            self._take(cells, up, steps)
            progress(self._done, self._of, self._step)

        try:
            self._take([Cell(s, "running") for s in settings], up, ["creating the topics"])
            self._take(Round(self._cluster, settings, self._records, tell, self._check_halt).run())
        except BaseException:
            # A cell that was still running has no result, because its records were not read back.
            self._take(Cell(s) for s in settings)
            raise

    def _take(self, cells: Iterable[Cell], up: int = 0, steps: list[str] | None = None) -> None:
        with self._lock:
            self._cells.update({cell.setting: cell for cell in cells})
            if steps is not None:
                self._rounds[up] = tuple(steps)
                self._step = f"{up} of 3 brokers up: {steps[-1]}"
                self._done = min(self._of, self._done + 1)
        self._changed()

    def _changed(self) -> None:
        for listener in list(self._listeners):
            listener()

    def _check_halt(self) -> None:
        if self._halt.is_set():
            raise Halted("The run was stopped before it had finished.", do="Start again: matrix.run()")

    # how it is displayed

    def view(self, *, presenter: bool = False) -> DurabilityView:
        """Return the picture, live while the matrix runs."""
        from kafkalab.views.durability.view import DurabilityView

        return DurabilityView(self, presenter=presenter)

    def _shown(self) -> DurabilityView:
        if self._view is None:
            self._view = self.view()
        return self._view

    def __repr__(self) -> str:
        return repr(self._shown())

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return self._shown()._repr_mimebundle_(**kwargs)


def _check(cluster: Cluster) -> None:
    do = "Start one: Cluster(brokers=3)."
    if not cluster.capabilities.clients:
        raise NotSupported("This cluster is a model in memory, so it cannot really lose anything.", do=do)
    if not cluster.nodes():
        raise NotSupported("The matrix breaks brokers, so it does not run on somebody else's cluster.", do=do)
    if (brokers := sum(n.role == "broker" for n in cluster.nodes())) < 3:
        what = "The matrix needs three brokers, because each partition has three replicas."
        raise BadInput(what, seen=f"brokers: {brokers}", do=do)
