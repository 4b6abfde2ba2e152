"""The props of lab 22: a thousand trucks, with a ledger of what they send, and the map of the dashboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kafkalab.course.lab_21.trouble import fleet_map as fleet_map  # the notebook calls it
from kafkalab.exercises.topics import publish
from kafkalab.experiments.ledger import Ledger
from kafkalab.sources.fleet import Fleet
from kafkalab.sources.publish import Publisher

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster
    from kafkalab.sources.report import Report

TOPIC: Final = "lab22-trucks_gps"
#: Six trucks whose reports are in the partition of Mara's, of ten.
NEAR: Final = ("T0007", "T0014", "T0018", "T0042", "T0043", "T0058")


class Trucks:
    """A thousand trucks, always the same, and the ``ledger`` of all reports that they send.

    ``minute``: their first minute, without two reports of Mara's that tunnels hold back. ``held``: one of these.
    ``seven``: the other one, and three reports of each of six trucks. ``driving`` sends what follows, ten times as fast
    as the clock: 500 reports a second.
    """

    def __init__(self, cluster: Cluster) -> None:
        self.ledger = Ledger()
        self._servers, fleet = cluster.bootstrap_servers, Fleet(trucks=1000)
        first, later = list(fleet.reports(0, 60)), list(fleet.reports(60, 120))
        older, held, _ = (report for report in first if report.truck_id == "T0005")
        self.minute, self.held = [report for report in first if report not in (older, held)], [held]
        self.seven = [*(report for report in later if report.truck_id in NEAR), older]
        self.driving = Publisher(
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
