"""Moment: a cluster's picture that stays as it is when the cluster goes on; and pictures in JupyterLab's colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kafkalab.views.cluster_drawn import drawn
from kafkalab.views.cluster_svg import to_svg
from kafkalab.views.cluster_text import to_text

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster

#: JupyterLab's own colours, where there are any: its theme need not be the system's.
_COLOURS: Final = {
    "bg": "--jp-layout-color0,#fff",
    "ink": "--jp-content-font-color1,#1b1f24",
    "soft": "--jp-content-font-color2,#596068",
    "line": "--jp-border-color1,#d8dde2",
    "panel": "--jp-layout-color2,#f6f8fa",
    "accent": "--jp-brand-color1,#1f6feb",
    "ok": "--jp-success-color1,#1a7f5a",
    "warn": "--jp-warn-color1,#b35900",
    "bad": "--jp-error-color1,#b3261e",
}


def in_theme(svg: str) -> str:
    """A picture of ours as HTML that follows the page's theme and fits its width."""
    colours = ";".join(f"--kl-{name}:var({value})" for name, value in _COLOURS.items())
    return svg.replace("<svg ", f'<svg style="{colours};max-width:100%;height:auto" ', 1)


class Moment:
    """A cluster at this moment, as its view would draw it, without the buttons.

    :param title: what is to be seen; it stands where the cluster's name would.
    :param topic: the one topic to show; empty: all.
    """

    def __init__(self, cluster: Cluster, title: str, topic: str = "") -> None:
        snapshot = cluster.snapshot()
        picture = drawn(
            snapshot, cluster.nodes(), name=title, label=cluster.label, version=cluster.version,
            mode=cluster.mode or "", error=None, busy={}, buttons=False,
        )  # fmt: skip
        self._drawn = {**picture, "at": snapshot.at}
        self._topic = topic

    def to_svg(self) -> str:
        """The picture, for light and dark pages."""
        return to_svg(self._drawn, topic=self._topic)

    def _repr_html_(self) -> str:
        return in_theme(self.to_svg())

    def __repr__(self) -> str:
        return to_text(self._drawn)
