"""DurabilityView: the records lost with each setting of acks and min.insync.replicas, cell by cell, during the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from kafkalab.errors import NotSupported
from kafkalab.views.durability.picture import Picture, blocks, drawn
from kafkalab.views.live import LiveView


class Experiment(Protocol):
    """The experiment that the view shows, such as :class:`kafkalab.experiments.durability.matrix.DurabilityMatrix`."""

    def now(self) -> dict[str, Any]:
        """Return the result so far, and how far the run has come, as plain JSON."""

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` when something changed; return a function that stops this."""

    def run(self) -> Any:
        """Run every cell."""

    def halt(self) -> None:
        """End a run early."""


class DurabilityView(LiveView):
    """The durability matrix: acks × min.insync.replicas × brokers up. ``matrix.view()`` makes one.

    :param experiment: the experiment that is shown, and run by the view's button; None for a still picture.
    :param result: the result that a still picture shows.
    """

    NAME: ClassVar[str] = "durability"
    BLOCKS = staticmethod(blocks)

    def __init__(
        self, experiment: Experiment | None, *, result: Mapping[str, Any] | None = None, presenter: bool = False
    ) -> None:
        self._experiment = experiment
        self._result = dict(result or {})
        super().__init__(None, presenter=presenter, live=experiment is not None)

    @classmethod
    def of(cls, result: Any, *, presenter: bool = False) -> DurabilityView:
        """Return a still picture of a result, or of its plain JSON (``to_dict()``)."""
        plain = result if isinstance(result, Mapping) else result.to_dict()
        return cls(None, result=plain, presenter=presenter)

    def do_run(self, message: dict[str, Any]) -> None:
        """Run every cell, because the button was pressed."""
        self.fault("")
        self._real().run()

    def do_halt(self, message: dict[str, Any]) -> None:
        """End the run at its next step."""
        self._real().halt()

    def _real(self) -> Experiment:
        if self._experiment is None:
            raise NotSupported("This is a still picture: there is no cluster behind it.")
        return self._experiment

    def _drawn(self) -> Picture:
        if self._experiment is None:
            return drawn(self._result)
        return drawn(self._experiment.now(), live=True)

    def _start_feed(self) -> None:
        if self._experiment is not None:
            self._leave = self._experiment.subscribe(self.redraw)
            self.redraw()  # draws what changed while no page showed it
