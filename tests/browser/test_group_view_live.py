"""GroupView in a real JupyterLab on a real cluster: it shows what Kafka's tools print, and measures a death."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen

import pytest
from playwright.sync_api import Page, expect

from kafkalab import Cluster
from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.studio import Studio
from tests.integration import one_member
from tests.integration.tools_output import assignment_without_topics, table
from tests.support.clusters import warm

Start = Callable[[Cluster, str, str, str], Popen[bytes]]

_VIEW = """from kafkalab.views.group_view import GroupView

view = GroupView(cluster, "{group}")
view"""


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a member, ``start(cluster, group, client, topic)``; whoever still runs is killed at the end."""
    running: list[Popen[bytes]] = []

    def start(cluster: Cluster, group: str, client: str, topic: str) -> Popen[bytes]:
        command = [sys.executable, str(one_member.__file__), cluster.bootstrap_servers, group, client, topic]
        process = Popen(command, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL)
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.wait()
        assert process.stdin is not None
        process.stdin.close()


def shown(page: Page) -> dict[str, list[int]]:
    """Client → the partitions that the page says it reads; {} while the group is not settled."""
    found: dict[str, list[int]] = page.evaluate(
        """() => {
          if (!document.querySelector(".kl-group .kl-state")?.textContent.includes("Stable")) return {};
          const members = [...document.querySelectorAll(".kl-group .kl-client")].map((n) => [n.textContent, []]);
          const found = Object.fromEntries(members);
          for (const part of document.querySelectorAll(".kl-group .kl-part")) {
            const reader = part.textContent.match(/read by (.*)$/)?.[1];
            if (reader) found[reader].push(Number(part.dataset.item.split("/").at(-1)));
          }
          return found;
        }"""
    )
    return found


def by_tool(cluster: Cluster, group: str) -> dict[str, list[int]]:
    """The same as ``kafka-consumer-groups --describe --members --verbose`` prints it."""
    rows = table(cluster.tool("kafka-consumer-groups", "--describe", "--members", "--verbose", "--group", group))
    return {row["CLIENT-ID"]: [p for ps in assignment_without_topics(row["ASSIGNMENT"]) for p in ps] for row in rows}


def agreed(page: Page, cluster: Cluster, group: str, *sizes: int) -> dict[str, list[int]]:
    """Waits until the page shows members that hold so many partitions each, and the tool prints the same."""
    seen: list[dict[str, list[int]]] = [{}, {}]

    def same() -> bool:
        seen[0] = shown(page)
        if sorted(map(len, seen[0].values())) != list(sizes):
            return False
        # A group that settles may rebalance once more while the tool is asked.
        seen[1] = by_tool(cluster, group)
        return seen[0] == seen[1]

    wait_until(same, 90, f"members with {sizes} partitions", seen=lambda: f"the page: {seen[0]}, the tool: {seen[1]}")
    return seen[0]


@pytest.mark.timeout(240)
def test_a_group_is_seen_and_the_death_of_a_member_is_measured(
    studio: Studio, new_topic: Callable[[str], str], start: Start, artifacts: Path
) -> None:
    topic, group = new_topic("trucks"), new_topic("dashboard")
    cluster = warm("zookeeper")
    cluster.create_topic(topic, partitions=3)
    notebook = studio(_VIEW.format(group=group))
    page = notebook.page
    expect(page.locator(".kl-group")).to_be_visible()
    members = {client: start(cluster, group, client, topic) for client in ("C1", "C2", "C3", "C4")}
    found = agreed(page, cluster, group, 0, 1, 1, 1)
    # A member that is killed says no word: whoever stands by takes over when its session has timed out.
    victim = next(client for client, held in sorted(found.items()) if held)
    (lost,) = found[victim]
    members[victim].kill()
    agreed(page, cluster, group, 1, 1, 1)
    line = page.locator(".kl-group .kl-pause", has_text=f"{victim} died").filter(has_text="nobody read")
    expect(line).to_contain_text(f"and its session timed out after {one_member.SESSION:g} s", timeout=20_000)
    text = line.inner_text().replace("\n", " ")
    told = re.search(r"nobody read P(\d) for ([\d.]+) s", text)
    assert told, text
    assert int(told[1]) == lost
    assert 0.5 * one_member.SESSION <= float(told[2]) < one_member.SESSION + 30
    # The same by the keyboard alone: the pause is chosen, and shown large, with its length in the gap.
    line.get_by_role("button").focus()
    page.keyboard.press("Enter")
    gap = page.locator(f".kl-bars [data-bar^='{topic}/{lost}@'][data-what='silent']")
    expect(gap).to_have_count(1)
    expect(gap.locator("text")).to_have_text(f"{told[2]} s")
    # A polite good-bye, and the two that are left share all.
    leaver = next(client for client in members if client != victim)
    stdin = members[leaver].stdin
    assert stdin is not None
    stdin.close()
    agreed(page, cluster, group, 1, 2)
    expect(page.locator(".kl-group .kl-pause", has_text=f"{leaver} left").first).to_be_visible(timeout=20_000)
    assert notebook.errors == []
    for theme in ("Light", "Dark"):
        notebook.theme(f"JupyterLab {theme}")
        audit(page, ".kl-group")
        notebook.show(page.locator(".kl-group"))
        notebook.screenshot(artifacts / f"view-group-{theme.lower()}.png")
    assert notebook.errors == []
