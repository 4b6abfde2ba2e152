"""TruckMap: a live map of trucks, by partition, speed or geofence; it needs no tiles and no network."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, cast

import numpy.typing as npt
import traitlets

from kafkalab.errors import BadInput, NotSupported
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.history.tracks.logs import Reported, trucks_at
from kafkalab.views import static
from kafkalab.views.live import Heard, css, esm
from kafkalab.views.map.geography import geography
from kafkalab.views.map.looks import ColourBy, Fences, Geofence, blocks
from kafkalab.views.map.table import TruckTable, drawn, table
from kafkalab.views.static import Block

#: Minimum number of seconds between two frames sent to the front end, which moves the trucks smoothly between them.
FRAME_SECONDS = 0.1


class TruckMap(Heard):
    """Trucks on a map: colour and shape show the partition, and a tail shows where a moving truck came from.

    ``TruckMap()`` shows the positions given to :meth:`update`. ``TruckMap(recording, "trucks_gps")`` shows where the
    trucks of a topic were at the moment at which the recording's playhead stands, and follows it until :meth:`close`.

    :param recording: a recording of a cluster with trucks.
    :param topic: the recording's topic with the trucks' reports; records that are no reports are skipped.
    :param outline: name of the map; datasets/ has "europe".
    :param title: text above the map; by default the topic of a recording.
    :param geofences: named areas to draw, at most 26; where two overlap, a truck belongs to the first.
    :param colour_by: what a mark shows: "partition", "speed" or "geofence"; the learner can change it.
    :param presenter: everything larger, for a projector.
    :raises BadInput: there is no such outline, or one of the geofences is no :class:`Geofence`.

    ``selected`` is the id of the truck marked on the map, or "". ``following`` is the id of the truck that is kept in
    the middle, with its path of the last minutes. Both, and ``colour_by``, can be set, and follow the learner's choice.
    """

    NAME: ClassVar[str] = "map"
    _esm = esm(NAME)
    _css = css(NAME)

    title = traitlets.Unicode("").tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    following = traitlets.Unicode("").tag(sync=True)
    colour_by = traitlets.Enum(["partition", "speed", "geofence"], "partition").tag(sync=True)
    presenter = traitlets.Bool(False).tag(sync=True)
    # The data that the front end draws. Frames go as bytes: 18 kB for 1000 trucks, and nothing to parse.
    geography = traitlets.Dict().tag(sync=True)
    fences: traitlets.List[dict[str, Any]] = traitlets.List().tag(sync=True)
    truck_ids: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True)
    frame = traitlets.Bytes(b"").tag(sync=True)
    unplaced = traitlets.Int(0).tag(sync=True)
    #: Unix time of the positions on a recording's map; None for a map that is fed by :meth:`update`.
    at = traitlets.Float(None, allow_none=True).tag(sync=True)

    def __init__(
        self,
        recording: Recording | None = None,
        topic: str = "trucks_gps",
        *,
        outline: str = "europe",
        title: str | None = None,
        geofences: Sequence[Geofence] = (),
        colour_by: ColourBy = "partition",
        presenter: bool = False,
    ) -> None:
        if recording is not None and not isinstance(recording, Recording):
            raise BadInput(
                "A TruckMap is made of a recording, or of nothing.", seen=repr(recording)[:60],
                do='TruckMap(recording, "trucks_gps"), or TruckMap(outline="europe")',
            )  # fmt: skip
        self.topic = topic
        self._recording = recording
        self._shown: Mapping[str, Reported] = {}
        self._moving = threading.Lock()
        self._unsubscribe: Callable[[], None] | None = None
        self._table = TruckTable()
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._sent_at = float("-inf")
        self._timer: threading.Timer | None = None
        self._ended = False
        self._outline = geography(outline)
        self._fences = Fences(geofences, self._outline.projection)
        super().__init__(
            title=title if title is not None else topic if recording is not None else "Trucks",
            geography=self._outline.to_dict(),
            fences=self._fences.to_list(),
            colour_by=colour_by,
            presenter=presenter,
        )
        if recording is not None:
            self._unsubscribe = recording.playhead.subscribe(self._moved)
            self._moved()

    def drawn_at(self, moment: Moment) -> dict[str, Any]:
        """Return the map at a moment of the recording, as plain JSON (see :mod:`kafkalab.views.map.table`).

        A page without a kernel gives this to the front end as its ``state``, beside the traits that stay
        (``geography``, ``fences``, ``colour_by``, …). When there is a state, the front end draws it instead of a frame.
        """
        trucks = trucks_at(moment, self.topic)
        return drawn(trucks, self.title, moment.began + _latest(trucks) if trucks else None)

    @property
    def geofences(self) -> tuple[Geofence, ...]:
        """The areas on the map; set the whole tuple to change them.

        :raises BadInput: when set: one is no :class:`Geofence`, or there are more than 26.
        """
        return self._fences.fences

    @geofences.setter
    def geofences(self, geofences: Sequence[Geofence]) -> None:
        self._fences = Fences(geofences, self._outline.projection)
        self.fences = self._fences.to_list()

    def inside(self, name: str) -> tuple[str, ...]:
        """Return the ids of the trucks that are in the geofence of this name now.

        :raises BadInput: there is no geofence of this name.
        """
        names = [fence.name for fence in self._fences.fences]
        if name not in names:
            raise BadInput(f"There is no geofence {name!r}.", seen=", ".join(names) or "none is drawn")
        with self._lock:
            own = self._fences.of(self._table.latitude, self._table.longitude) == names.index(name)
            return tuple(id for id, good in zip(self._table.ids, own.tolist(), strict=True) if good)

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
        on Earth are counted (``unplaced``) and not drawn.

        :raises BadInput: columns of different lengths, or a number that is no partition.
        :raises NotSupported: the map shows a recording.
        """
        self._require_told()
        with self._lock:
            self._table.update(truck_ids, latitude, longitude, partition, speed, heading)
            if self._ended:
                return
            wait = self._sent_at + FRAME_SECONDS - time.monotonic()
            if self._timer is not None:
                return
            if wait > 0:
                self._timer = threading.Timer(wait, self._push)
                self._timer.daemon = True
                self._timer.start()
                return
        self._push()

    def clear(self) -> None:
        """Take all trucks off the map.

        :raises NotSupported: the map shows a recording.
        """
        self._require_told()
        with self._lock:
            self._table.clear()
        self._push()

    def close(self) -> None:
        """Take the map off the page; a second time does nothing."""
        if "_lock" not in vars(self):
            # Python also closes a widget whose constructor failed; there is nothing to release then.
            super().close()
            return
        with self._lock:
            self._ended = True
            if self._timer is not None:
                self._timer.cancel()
            unsubscribe, self._unsubscribe = self._unsubscribe, None
        if unsubscribe is not None:
            unsubscribe()
        super().close()

    def _require_told(self) -> None:
        if self._recording is not None:
            raise NotSupported("This map shows a recording.", do="For a map that you update yourself, use TruckMap().")

    def _moved(self) -> None:
        """Show the moment of the playhead, which calls this on the thread that moved it."""
        assert self._recording is not None
        with self._moving:
            moment = self._recording.moment()
            trucks = trucks_at(moment, self.topic)
            if trucks == self._shown or self._ended:
                return
            found = table(trucks)
            with self._lock:
                self._shown, self._table = trucks, found
            self._push(moment.began + _latest(trucks) if trucks else None)

    def _push(self, at: float | None = None) -> None:
        with self._sending:
            with self._lock:
                self._timer = None
                if self._ended:
                    return
                self._sent_at = time.monotonic()
                ids, frame, unplaced = self._table.ids, self._table.pack(), self._table.unplaced
            # All in one message, because a frame with other ids would name the wrong trucks.
            with self.hold_sync():
                if len(ids) != len(self.truck_ids) or ids != tuple(self.truck_ids):
                    self.truck_ids = list(ids)
                self.at = at
                self.frame = frame
                self.unplaced = unplaced

    def __repr__(self) -> str:
        return static.to_text(self._blocks())

    def to_html(self) -> str:
        """Return the map as tables, for places without scripts."""
        return static.to_html(self._blocks())

    def _blocks(self) -> list[Block]:
        with self._lock:
            return blocks(self._table, self.title, cast(ColourBy, self.colour_by), self._fences)

    def _repr_mimebundle_(self, **kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        data["text/html"] = self.to_html()
        return data, metadata


def _latest(trucks: Mapping[str, Reported]) -> float:
    return max(truck.at for truck in trucks.values())
