"""Views on one page: a notebook with several views holds the style sheets of them all, in any order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kafkalab.views.assets import css
from tests.browser import test_group_view_page as group_view
from tests.browser import test_ledger_view_page as ledger_view
from tests.browser import test_metadata_view_page as metadata_view
from tests.browser import test_partitioner_view_page as partitioner_view
from tests.browser import test_progress_page as progress
from tests.browser import test_record_view_page as record_view
from tests.browser import test_stream_view_page as stream_view
from tests.browser import test_timeline_page as timeline
from tests.browser.cluster_page import state as cluster
from tests.browser.test_durability_view_page import picture as durability
from tests.browser.test_predict_page import number
from tests.browser.view_page import ViewPage, live_state
from tests.unit.views.log_samples import drawn_logs

Open = Callable[..., ViewPage]

VIEWS: dict[str, Callable[[], dict[str, Any]]] = {
    "cluster_view": cluster,
    "durability_view": durability,
    "group_view": group_view.death,
    "ledger_view": ledger_view.picture,
    "log_view": drawn_logs,
    "metadata_view": metadata_view.drawn,
    "partitioner_view": partitioner_view.picture,
    "predict_view": lambda: {**number().drawn(), "live": True},
    "progress_view": lambda: progress.picture("right", "wrong"),
    "record_view": record_view.picture,
    "stream_view": stream_view.state,
    "timeline_view": timeline.death,
}

# What is copied takes a while: only what tells a leak, by name.
_STYLES = """() => {
  const sides = ["top", "right", "bottom", "left"];
  const names = [
    "display", "position", "width", "height", "color", "backgroundColor", "fontFamily", "fontSize", "fontWeight",
    "lineHeight", "opacity", "cursor", "overflow", "gap", "flexDirection", "alignItems", "justifyContent",
    "borderRadius", "containerType",
    ...sides.flatMap((side) => [`padding-${side}`, `margin-${side}`, `border-${side}`]),
  ];
  return [...document.querySelectorAll("#root *")].map((node) => {
    const style = getComputedStyle(node);
    return [`${node.tagName} ${node.getAttribute("class") ?? ""}`, names.map((name) => [name, style[name]])];
  });
}"""


@pytest.mark.parametrize("view", VIEWS)
def test_the_sheets_of_the_other_views_change_nothing(open_view: Open, view: str) -> None:
    traits = {**live_state(VIEWS[view](), live=False), "topic": ""}
    page = open_view(view, traits, width=1280, reduced_motion="reduce").page
    before = page.evaluate(_STYLES)
    assert len(before) > 10
    page.add_style_tag(content="\n".join(css(other) for other in (*VIEWS, "truck_map") if other != view))
    after = page.evaluate(_STYLES)
    changed = {
        f"{node}: {name}: {was} → {now}"
        for (node, style), (_, later) in zip(before, after, strict=True)
        for (name, was), (_, now) in zip(style, later, strict=True)
        if was != now
    }
    assert not changed, "\n".join(sorted(changed)[:40])
