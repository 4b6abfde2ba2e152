"""TruckMap: a live map of trucks, by partition or geofence; it needs no tiles and no network."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import ClassVar, cast

import numpy.typing as npt
import traitlets

from kafkalab.errors import BadInput, NotSupported
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.history.tracks.logs import trucks_at
from kafkalab.views.live import LiveView
from kafkalab.views.map.geofences import Fences, Geofence
from kafkalab.views.map.geography import geography
from kafkalab.views.map.picture import ColourBy, Picture, Trucks, blocks
from kafkalab.views.static import Block

#: Minimum number of seconds between two frames sent to the front end, which moves the trucks smoothly between them.
FRAME_SECONDS = 0.1


class TruckMap(LiveView):
    """Trucks on a map: colour and shape show the partition, and a tail shows where a moving truck came from.

    ``TruckMap()`` shows the positions given to :meth:`update`. ``TruckMap(recording, "trucks_gps")`` shows where the
    trucks of a topic were at the moment at which the recording's playhead stands, and follows it until :meth:`close`.

    :param recording: a recording of a cluster with trucks.
    :param topic: the recording's topic with the trucks' reports; records that are no reports are skipped.
    :param title: text above the map; by default the topic of a recording.
    :param geofences: named areas to draw, at most 26; where two overlap, a truck belongs to the first.
    :param colour_by: what a mark shows: "partition" or "geofence"; the learner can change it.
    :param presenter: everything larger, for a projector.
    :raises BadInput: one of the geofences is no :class:`Geofence`.

    ``selected`` is the id of the truck marked on the map, or "". ``following`` is the id of the truck that is kept in
    the middle. Both, and ``colour_by``, can be set, and follow the learner's choice.
    """

    NAME: ClassVar[str] = "map"

    selected = traitlets.Unicode("").tag(sync=True)
    following = traitlets.Unicode("").tag(sync=True)
    colour_by = traitlets.Enum(["partition", "geofence"], "partition").tag(sync=True)
    geography = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        recording: Recording | None = None,
        topic: str = "trucks_gps",
        *,
        title: str | None = None,
        geofences: Sequence[Geofence] = (),
        colour_by: ColourBy = "partition",
        presenter: bool = False,
    ) -> None:
        if recording is not None and not isinstance(recording, Recording):
            raise BadInput(
                "A TruckMap is made of a recording, or of nothing.", seen=repr(recording)[:60],
                do='TruckMap(recording, "trucks_gps"), or TruckMap()',
            )  # fmt: skip
        self.topic = topic
        self.title = title if title is not None else topic if recording is not None else "Trucks"
        self._trucks = Trucks()
        self._at: float | None = None
        self._sent_at = float("-inf")
        self._timer: threading.Timer | None = None
        self._fences = Fences(geofences, geography().projection)
        super().__init__(
            recording, presenter=presenter, live=True, colour_by=colour_by, geography=geography().to_dict()
        )

    @property
    def geofences(self) -> tuple[Geofence, ...]:
        """The areas on the map; set the whole tuple to change them.

        :raises BadInput: when set: one is no :class:`Geofence`, or there are more than 26.
        """
        return self._fences.fences

    @geofences.setter
    def geofences(self, geofences: Sequence[Geofence]) -> None:
        self._fences = Fences(geofences, geography().projection)
        self.redraw()

    def inside(self, name: str) -> tuple[str, ...]:
        """Return the ids of the trucks that are in the geofence of this name now.

        :raises BadInput: there is no geofence of this name.
        """
        names = [fence.name for fence in self._fences.fences]
        if name not in names:
            raise BadInput(f"There is no geofence {name!r}.", seen=", ".join(names) or "none is drawn")
        with self._lock:
            inside = self._trucks.inside(self._fences)
            return tuple(id for id, n in zip(self._trucks.ids, inside, strict=True) if n == names.index(name))

    def update(
        self,
        truck_ids: Sequence[object],
        latitude: npt.ArrayLike,
        longitude: npt.ArrayLike,
        partition: npt.ArrayLike | None = None,
        speed: npt.ArrayLike | None = None,
        heading: npt.ArrayLike | None = None,
    ) -> None:
        """Move the trucks that were seen, add new ones, and leave the others where they are. Works from any thread.

        All columns have one length: degrees, whole numbers for ``partition``, km/h, degrees clockwise from north. Calls
        are cheap: at most ten frames a second go to the browser, and the last one always does. Rows that name no place
        on Earth are counted and not drawn.

        :raises BadInput: columns of different lengths, or a number that is no partition.
        :raises NotSupported: the map shows a recording.
        """
        self._require_told()
        with self._lock:
            self._trucks.update(truck_ids, latitude, longitude, partition, speed, heading)
            wait = self._sent_at + FRAME_SECONDS - time.monotonic()
            if self._timer is not None:
                return
            if wait <= 0:
                self._draw_now()
            else:
                self._timer = threading.Timer(wait, self._draw_now)
                self._timer.daemon = True
                self._timer.start()

    def clear(self) -> None:
        """Take all trucks off the map.

        :raises NotSupported: the map shows a recording.
        """
        self._require_told()
        with self._lock:
            self._trucks.clear()
            self._draw_now()

    def _draw_now(self) -> None:
        with self._lock:
            self._timer = None
            self._sent_at = time.monotonic()
            self.redraw()

    def _require_told(self) -> None:
        if self._recording is not None:
            raise NotSupported("This map shows a recording.", do="For a map that you update yourself, use TruckMap().")

    def _show(self, moment: Moment) -> None:
        reports = trucks_at(moment, self.topic)
        self._trucks.show(reports)
        self._at = moment.began + max(report.at for report in reports.values()) if reports else None

    def _drawn(self) -> Picture:
        return self._trucks.drawn(self._fences, self.title, self._at)

    def _blocks(self, drawn: Picture) -> list[Block]:
        return blocks(self._trucks, self.title, cast(ColourBy, self.colour_by), self._fences)
