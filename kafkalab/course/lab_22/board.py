"""The props of lab 22: a thousand trucks, with a ledger of what they send, and the map of the dashboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kafkalab.exercises.topics import publish
from kafkalab.experiments.ledger import Ledger
from kafkalab.sources.fleet import Fleet
from kafkalab.sources.publish import Publisher
from kafkalab.state.log.murmur2 import POSITIVE, murmur2
from kafkalab.waiting import wait_until

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.sources.report import Report
    from kafkalab.views.map.view import TruckMap

TOPIC: Final = "lab22-trucks_gps"
MARA: Final = "T0005"


class Trucks:
    """A thousand trucks, always the same, and the ``ledger`` of all reports that they send.

    ``minute``: their first minute, without two reports of Mara's that tunnels hold back. ``held``: one of these.
    ``seven``: the other one, and three reports of each of six trucks. All these have the same partition of ten.
    """

    def __init__(self, cluster: Cluster) -> None:
        self.ledger = Ledger()
        self._servers, fleet = cluster.bootstrap_servers, Fleet(trucks=1000)
        first, later = list(fleet.reports(0, 60)), list(fleet.reports(60, 120))
        older, held, _ = (report for report in first if report.truck_id == MARA)
        self.minute, self.held = [report for report in first if report not in (older, held)], [held]
        near = {r.truck_id for r in later if (murmur2(r.key) & POSITIVE) % 10 == (murmur2(held.key) & POSITIVE) % 10}
        self.seven = [*(report for report in later if report.truck_id in sorted(near - {MARA})[:6]), older]
        # They drive on from the third minute, ten times as fast as the clock: 500 reports a second.
        self._driving = Publisher(
            self._servers, fleet, TOPIC, lapse=10, since=120,
            on_sent=lambda report: self.ledger.sent(report.record_id),
            on_acknowledged=lambda report, *_: self.ledger.acknowledged(report.record_id),
        )  # fmt: skip

    def send(self, reports: list[Report]) -> int:
        """Send reports; return how many they are when all are acknowledged."""
        for report in reports:
            self.ledger.sent(report.record_id)
        publish(self._servers, TOPIC, [(report.key, report.value, None) for report in reports], together=True)
        for report in reports:
            self.ledger.acknowledged(report.record_id)
        return len(reports)

    def drive(self, reports: int) -> None:
        """Let the trucks drive on until :meth:`stop`, and wait until so many more reports are acknowledged."""
        goal = self._driving.start().stats().acknowledged + reports
        wait_until(lambda: self._driving.stats().acknowledged >= goal, 180, "more reports to be acknowledged")

    def stop(self) -> None:
        """Stop driving, and wait until all reports are acknowledged."""
        self._driving.stop()


def fleet_map() -> TruckMap:
    """Return the map of the dashboard, which a stream can update."""
    from kafkalab.views.map.view import TruckMap

    return TruckMap(title="Aylin's dashboard")
