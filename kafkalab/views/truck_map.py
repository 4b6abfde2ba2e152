"""TruckMap: the fleet live on a map, coloured by partition; a canvas of our own, no tiles, nothing from the network."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

import anywidget
import numpy.typing as npt
import traitlets

from kafkalab.views.assets import css, esm
from kafkalab.views.geography import geography
from kafkalab.views.truck_map_html import to_html
from kafkalab.views.truck_table import TruckTable

#: Seconds between two frames sent to the front end, at least. It glides between them.
FRAME_SECONDS = 0.1


class TruckMap(anywidget.AnyWidget):
    """Trucks on a map: colour and shape say the partition, a tail says where a moving truck came from.

    :param outline: which map; datasets/ has "europe".
    :param title: what stands above it.
    :raises BadInput: there is no such outline.

    ``selected`` is the id of the truck marked on the map, "" for none; it can be set, and follows the learner's choice.
    """

    _esm = esm("truck_map")
    _css = css("truck_map")

    title = traitlets.Unicode("").tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    # What the front end draws. Frames go as bytes: 18 kB for 1000 trucks, and nothing to parse.
    geography = traitlets.Dict().tag(sync=True)
    truck_ids: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True)
    frame = traitlets.Bytes(b"").tag(sync=True)
    unplaced = traitlets.Int(0).tag(sync=True)

    def __init__(self, outline: str = "europe", *, title: str = "Trucks") -> None:
        self._table = TruckTable()
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._sent_at = float("-inf")
        self._timer: threading.Timer | None = None
        self._outline = geography(outline)
        super().__init__(title=title, geography=self._outline.to_dict())

    def update(
        self,
        truck_ids: Sequence[object],
        latitude: npt.ArrayLike,
        longitude: npt.ArrayLike,
        partition: npt.ArrayLike | None = None,
        speed: npt.ArrayLike | None = None,
        heading: npt.ArrayLike | None = None,
    ) -> None:
        """Trucks were seen: move those named, add the new ones, leave the others where they are. From any thread.

        Columns of one length: degrees, whole numbers for ``partition``, km/h, degrees clockwise from north. Cheap: at
        most ten frames a second go to the browser, the last one always does. Rows that name no place on Earth are
        counted (``unplaced``) and not drawn.

        :raises BadInput: columns of different lengths, or a partition that is none.
        """
        with self._lock:
            self._table.update(truck_ids, latitude, longitude, partition, speed, heading)
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
        """Take all trucks off the map."""
        with self._lock:
            self._table.clear()
        self._push()

    def close(self) -> None:
        """Take the map off the page; a second time does nothing."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
        super().close()

    def _push(self) -> None:
        with self._sending:
            with self._lock:
                self._timer = None
                self._sent_at = time.monotonic()
                ids, frame, unplaced = self._table.ids, self._table.pack(), self._table.unplaced
            # One message: a frame without the ids it counts by would name the wrong trucks.
            with self.hold_sync():
                if len(ids) != len(self.truck_ids) or ids != tuple(self.truck_ids):
                    self.truck_ids = list(ids)
                self.frame = frame
                self.unplaced = unplaced

    def __repr__(self) -> str:
        with self._lock:
            return f"{self.title}: {self._table.summary()}"

    def _repr_html_(self) -> str:
        with self._lock:
            return to_html(self._outline, self._table, self.title)

    def _repr_mimebundle_(self, **kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        data["text/html"] = self._repr_html_()
        return data, metadata
