"""DurabilityMatrix: acks × min.insync.replicas × brokers up, every cell really run, and every record's fate counted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kafkalab.errors import BadInput, KafkalabError, NotSupported
from kafkalab.experiments.durability.cell import Cell, chosen
from kafkalab.experiments.durability.round import Round
from kafkalab.experiments.durability.topics import Breaker
from kafkalab.progressbar import bar, silent
from kafkalab.state.log.log_dir import LocalLogDir

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.views.durability.view import DurabilityView

MOST_RECORDS = 2000
_NO_DISK = "Only the disk of a broker that is a process on this machine can be lost here."
#: Steps of a round that are told; for the bar.
_STEPS = 9


class Halted(KafkalabError):
    """Somebody wanted the run to end; the cluster is healed."""


@dataclass(frozen=True, slots=True)
class DurabilityResult:
    """What was run so far. ``rounds``: what was done, step by step, for each number of brokers up."""

    mode: str | None
    records: int
    cells: tuple[Cell, ...]
    rounds: dict[int, tuple[str, ...]]

    def cell(self, acks: object, min_insync: int, brokers_up: int, fault: str = "killed") -> Cell:
        """One cell.

        :raises BadInput: it was not asked for.
        """
        for wanted in chosen(acks, min_insync, brokers_up, fault):
            for cell in self.cells:
                if cell.setting == wanted:
                    return cell
        raise BadInput("That cell is not part of this matrix.")

    def to_dict(self, most_ids: int | None = None) -> dict[str, Any]:
        """Plain JSON. ``most_ids``: of each cell's lost ids only so many."""
        return {
            "mode": self.mode,
            "records": self.records,
            "cells": [cell.to_dict(most_ids) for cell in self.cells],
            "rounds": {str(k): list(steps) for k, steps in self.rounds.items()},
        }


class DurabilityMatrix:
    """What each setting of acks and min.insync.replicas can lose, run on a real cluster at the worst moment.

    For each number of brokers up, one failure serves all cells: half of the records are sent while all is calm; then
    the followers stand still, so that what the leader takes nobody else has; then the leader stands still too, and is
    killed. It comes back with its log (fault ``"killed"``) or, for other partitions, without it (``"disk lost"``).
    Everything is read back, and each record's fate counted by its id. docs/decisions/0008 gives the reasons.

    >>> matrix = DurabilityMatrix(cluster)  # doctest: +SKIP
    >>> matrix.run()  # doctest: +SKIP

    :param cluster: three brokers or more, all running, that can be broken; whatever runs on it feels the failures.
    :param records: to each cell.
    :param acks: run a part only: "0", "1", "all", or several; likewise ``min_insync``, ``brokers_up``, ``fault``.
    :raises NotSupported: for somebody else's cluster, and for the model in memory.
    :raises BadInput: for fewer than three brokers, and for values that are not there.
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
        """Run every cell, and return what came of them; some 10 seconds for each number of brokers up.

        Interrupted (Ctrl-C, or the view's button), it heals the cluster and deletes its topics first. Cells that were
        done stay done; a run after that begins anew.

        :raises BadInput: not every broker is up, or it is running already.
        """
        if not self._running.acquire(blocking=False):
            raise BadInput("The matrix is being run already.")
        try:
            self._halt.clear()
            self._check_whole()
            with self._lock:
                self._cells = {setting: Cell(setting) for setting in self._cells}
                self._rounds, self._done = {}, 0
            self._leave_out_disks()
            with nullcontext(silent) if self._quiet else bar("The durability matrix") as progress:
                self._run(lambda: progress(self._done, self._of, self._step))
        finally:
            self._step = ""
            self._running.release()
            self._changed()
        return self.result

    def halt(self) -> None:
        """Let a run end at its next step; it heals the cluster, and raises :class:`Halted` where it was called."""
        self._halt.set()

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._running.locked()

    @property
    def result(self) -> DurabilityResult:
        """What was run so far."""
        with self._lock:
            return DurabilityResult(self._cluster.mode, self._records, tuple(self._cells.values()), dict(self._rounds))

    def now(self) -> dict[str, Any]:
        """For a view: the result as plain JSON with few ids, and how far a run has come."""
        return {
            **self.result.to_dict(most_ids=12),
            "cluster": self._cluster.name,
            "running": self.running,
            "progress": {"done": self._done, "of": self._of, "step": self._step},
        }

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` whenever something changed, on the thread that runs the matrix; returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    @property
    def _of(self) -> int:
        return _STEPS * len({s.brokers_up for s in self._cells})

    def _run(self, progress: Callable[[], None]) -> None:
        breaker = Breaker(self._cluster)
        runnable = [s for s, cell in self._cells.items() if cell.state != "not possible"]
        try:
            for up in dict.fromkeys(s.brokers_up for s in runnable):
                part = [s for s in runnable if s.brokers_up == up]

                def tell(steps: list[str], cells: Iterable[Cell], up: int = up) -> None:
                    self._take(cells, up, steps)
                    progress()

                self._take([replace(self._cells[s], state="running") for s in part], up, ["making the topics"])
                found = Round(self._cluster, part, self._records, breaker, tell, self._check_halt).run()
                self._take(found, up, None)
        except BaseException:
            # What was under way counts for nothing: it was not read back.
            self._take([Cell(s) for s, cell in self._cells.items() if cell.state == "running"], 0, None)
            raise
        finally:
            self._step = "healing the cluster"
            try:
                self._changed()
            finally:
                breaker.heal()

    def _take(self, cells: Iterable[Cell], up: int, steps: list[str] | None) -> None:
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
            raise Halted("The run was ended before it was done.", do="matrix.run() begins anew.")

    def _check_whole(self) -> None:
        down = [n.name for n in self._cluster.nodes() if n.state != "running"]
        if down:
            raise BadInput("Every node must be up when the matrix is run.", seen=f"not running: {', '.join(down)}")

    def _leave_out_disks(self) -> None:
        """The cells of a lost disk are told as not possible where the disks are out of reach."""
        if not isinstance(self._cluster.log_dir(self._brokers()[0]), LocalLogDir):
            lost = [s for s in self._cells if s.fault == "disk lost"]
            self._cells.update({s: Cell(s, "not possible", why=_NO_DISK) for s in lost})

    def _brokers(self) -> list[int]:
        return [n.id for n in self._cluster.nodes() if n.role == "broker"]

    # how it shows itself

    def view(self, *, presenter: bool = False) -> DurabilityView:
        """The picture, live while the matrix is run."""
        from kafkalab.views.durability.view import DurabilityView

        return DurabilityView(self, presenter=presenter)

    def _shown(self) -> DurabilityView:
        if self._view is None:
            self._view = self.view()
        return self._view

    def to_svg(self) -> str:
        """The picture as one static SVG."""
        return self._shown().to_svg()

    def to_html(self) -> str:
        """The picture as tables."""
        return self._shown().to_html()

    def __repr__(self) -> str:
        from kafkalab.views.durability.picture import drawn
        from kafkalab.views.durability.still import to_text

        return to_text(drawn(self.now()))

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        return self._shown()._repr_mimebundle_(**kwargs)


def _check(cluster: Cluster) -> None:
    if not cluster.capabilities.clients:
        raise NotSupported("A model in memory loses nothing for real.", do="Start a real one: Cluster(brokers=3).")
    if not cluster.nodes():
        raise NotSupported(
            "The matrix breaks brokers, and somebody else's cluster is not broken.", do="Start one: Cluster(brokers=3)."
        )
    brokers = sum(n.role == "broker" for n in cluster.nodes())
    if brokers < 3:
        raise BadInput(
            "The matrix needs three brokers: each record is to have three replicas.",
            seen=f"{brokers} of them",
            do="Start one with three: Cluster(brokers=3).",
        )
