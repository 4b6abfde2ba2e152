"""GroupView in a real JupyterLab on a real cluster: it shows what Kafka's tools print, and measures a death."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from kafkalab import Cluster
from kafkalab.waiting import wait_until
from tests.browser.drawn import readers
from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio
from tests.integration import one_member
from tests.integration.tools_output import assignment_without_topics, table
from tests.support.group_members import members

pytestmark = pytest.mark.deep

SHOW = "from kafkalab import GroupView\nGroupView(cluster, {group!r})"


def agreed(page: Page, cluster: Cluster, group: str, *sizes: int) -> dict[str, list[int]]:
    """Waits until the page shows members that hold so many partitions each, and the tool prints the same."""
    seen: list[dict[str, list[int]]] = [{}, {}]

    def same() -> bool:
        seen[0] = readers(page)
        if sorted(map(len, seen[0].values())) != list(sizes):
            return False
        # A group that settles may rebalance once more while the tool is asked.
        rows = table(cluster.tool("kafka-consumer-groups", "--describe", "--members", "--verbose", "--group", group))
        seen[1] = {r["CLIENT-ID"]: [p for ps in assignment_without_topics(r["ASSIGNMENT"]) for p in ps] for r in rows}
        return seen[0] == seen[1]

    wait_until(same, 90, f"members with {sizes} partitions", seen=lambda: f"the page: {seen[0]}, the tool: {seen[1]}")
    return seen[0]


def test_a_members_death_is_measured(studio: Studio, new_topic: Callable[[str], str]) -> None:
    topic, group = new_topic("trucks"), new_topic("dashboard")
    cluster, page = studio.cluster, studio.page
    cluster.create_topic(topic, partitions=2)
    studio(SHOW.format(group=group))
    with members(cluster, group, topic, "C1", "C2", "C3") as running:
        found = agreed(page, cluster, group, 0, 1, 1)
        # A member that is killed says no word: whoever stands by takes over when its session has timed out.
        victim = next(client for client, held in sorted(found.items()) if held)
        (lost,) = found[victim]
        running[victim].kill()
        agreed(page, cluster, group, 1, 1)
        line = page.locator(".kl-group .kl-pause", has_text=f"{victim} died").filter(has_text="nobody read")
        expect(line).to_contain_text(f"its session timed out after {one_member.SESSION:g} s", timeout=LONG)
        told = re.search(r"nobody read P(\d) for ([\d.]+) s", line.inner_text().replace("\n", " "))
        assert told is not None
        # Its last heartbeat may have been some moments before it died.
        assert int(told[1]) == lost and float(told[2]) > 0.5 * one_member.SESSION
        # By the keyboard: the pause is chosen, and shown large, with its length in the gap.
        line.get_by_role("button").focus()
        page.keyboard.press("Enter")
        gap = page.locator(f".kl-bars [data-bar^='{topic}/{lost}@'][data-what='silent']")
        expect(gap.locator("text")).to_have_text(f"{told[2]} s")
