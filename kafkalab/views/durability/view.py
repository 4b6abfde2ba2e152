"""DurabilityView: what each setting of acks and min.insync.replicas lost, cell by cell, filling in while it is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from kafkalab.errors import NotSupported
from kafkalab.views.durability.picture import drawn
from kafkalab.views.durability.still import to_html, to_svg, to_text
from kafkalab.views.live import Drawn, Forms, LiveView


class Experiment(Protocol):
    """What the view shows; :class:`kafkalab.experiments.durability.matrix.DurabilityMatrix` is one."""

    def now(self) -> dict[str, Any]:
        """The result so far, and how far the run has come, as plain JSON."""

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` when something changed; returns what ends that."""

    def run(self) -> Any:
        """Run all of it."""

    def halt(self) -> None:
        """End a run early."""


class Counted(Protocol):
    """A result that stands still."""

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""


class DurabilityView(LiveView):
    """acks × min.insync.replicas × brokers up. ``matrix.view()`` makes one.

    :param experiment: what is shown, and run by the view's button; None for a picture that stands still.
    :param result: what such a picture shows.
    """

    NAME: ClassVar[str] = "durability"
    FORMS: ClassVar[Forms] = Forms(to_svg, to_html, to_text)

    def __init__(
        self, experiment: Experiment | None, *, result: Mapping[str, Any] | None = None, presenter: bool = False
    ) -> None:
        self._experiment = experiment
        self._result = dict(result or {})
        self._unhear: Callable[[], None] | None = None
        super().__init__(None, presenter=presenter, live=experiment is not None)

    @classmethod
    def of(cls, result: Counted | Mapping[str, Any], *, presenter: bool = False) -> DurabilityView:
        """A picture of a result, or of its plain JSON, that stands still."""
        plain = result if isinstance(result, Mapping) else result.to_dict()
        return cls(None, result=plain, presenter=presenter)

    def do_run(self, message: dict[str, Any]) -> None:
        """Run every cell; asked for by the button."""
        self.fault("")
        self._real().run()

    def do_halt(self, message: dict[str, Any]) -> None:
        """End the run at its next step."""
        self._real().halt()

    def _real(self) -> Experiment:
        if self._experiment is None:
            raise NotSupported("This picture stands still: there is no cluster behind it.")
        return self._experiment

    def _drawn(self) -> Drawn:
        if self._experiment is None:
            return drawn(self._result)
        return drawn(self._experiment.now(), live=True)

    def _start_feed(self) -> None:
        if self._experiment is not None:
            self._unhear = self._experiment.subscribe(self.redraw)
            self.redraw()  # what was missed while nobody looked

    def _stop_feed(self) -> None:
        unhear, self._unhear = self._unhear, None
        if unhear is not None:
            unhear()
