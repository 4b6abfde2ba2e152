"""ClusterView's front end on a plain page: what it is drawn from, what is on it, what it asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from kafkalab.state.event import Event
from kafkalab.state.model import Snapshot
from kafkalab.views.cluster_drawn import drawn
from kafkalab.views.event_lines import EventLines
from tests.browser.view_page import ViewPage, live_state
from tests.unit.views_samples import HEALTHY, nodes

Open = Callable[..., ViewPage]


def state(snapshot: Snapshot | None = HEALTHY, *events: Event, **options: Any) -> dict[str, Any]:
    """What the kernel has the view drawn from."""
    lines = EventLines()
    lines.add(events)
    given = {"nodes": nodes(), "name": "lab", "label": "local processes", "version": "3.9.2", **options}
    return {**drawn(snapshot, **given), "events": lines.list()}


@pytest.fixture
def show(open_view: Open) -> Open:
    """Opens plain pages with the view; ``traits`` besides what it is drawn from."""

    def show(drawn: dict[str, Any], traits: dict[str, Any] | None = None, **page: Any) -> ViewPage:
        return open_view("cluster_view", {**live_state(drawn), "topic": "", **(traits or {})}, **page)

    return show


def chips(view: ViewPage, broker: int) -> list[str]:
    """ "leader P0" and so on, of one broker's column, in the order of the page."""
    found = []
    for chip in view.page.locator(f"[data-broker='{broker}'] .kl-chip").all():
        part = re.search(r"kl-(leader|follower|behind|down)", chip.get_attribute("class") or "")
        assert part
        found.append(f"{part[1]} {chip.locator('.kl-p').inner_text()}")
    return found


def asked(view: ViewPage) -> list[Any]:
    """What was pressed, oldest first."""
    return [message for message in view.sent if message["do"] == "act"]
