"""Recording: the history of a cluster; all views can show any moment of it, without a broker."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kafkalab.history import recording
from kafkalab.history.recorder import follow

if TYPE_CHECKING:
    from kafkalab.views.timeline.view import Timeline


class Recording(recording.Recording):
    """A cluster's history. ``cluster.record()`` begins one, ``Recording.open(path)`` reads one from its file.

    All its views follow its :attr:`playhead`: ``ClusterView(recording)``, ``LogView(recording, "trucks_gps")``, ….
    """

    def timeline(self, *, presenter: bool = False) -> Timeline:
        """Return the bar to scrub, play and jump with; all views of the recording follow it."""
        from kafkalab.views.timeline.view import Timeline

        return Timeline(self, presenter=presenter)

    def to_html(
        self,
        path: str | Path,
        *,
        views: Sequence[object] | None = None,
        title: str | None = None,
        limit: int = 2_000_000,
    ) -> Path:
        """Write the recording as a page that plays in any browser, with no kernel, server or network; return its path.

        An older page of that name is replaced.

        :param views: kinds of view (``"ClusterView"``), or views made of this recording; None: all there are.
        :param limit: maximum size in bytes. A page that would be larger has fewer moments between events; a view that
            still does not fit is left out, and the page and a warning say so.
        :raises BadInput: not a view of this recording; another file has that name; nothing fits into ``limit``.
        """
        from kafkalab.views.page.page import to_html

        return to_html(self, path, views=views, title=title, limit=limit)

    def follow(self, what: Any, name: str | None = None) -> str:
        """Record a query or a ledger too, until the recording ends; return the name under which its views find it.

        :param what: a Spark query (``writeStream….start()``, or a run of :mod:`kafkalab.streams`), or a ledger.
        :param name: its name in the recording; None: the query's own, or "ledger".
        :raises BadInput: ``what`` is neither of these.
        :raises NotSupported: the recording has ended.
        """
        return follow(self, what, name)
