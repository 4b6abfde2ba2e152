"""MetadataView in a real JupyterLab on real clusters of both kinds: what it shows is what Kafka's own tools print."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from kafkalab import Cluster
from kafkalab.waiting import wait_until
from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio
from tests.integration.tools_output import last_json, pairs
from tests.support.clusters import heal, warm

pytestmark = pytest.mark.deep

SHOW = """from kafkalab import MetadataView
MetadataView(cluster, Cluster.attach({other!r}))"""


@pytest.fixture
def other(home: Path) -> Iterator[Cluster]:
    """The one without ZooKeeper; healed, and without the test's topic."""
    found = warm("kraft")
    yield found
    heal(found)
    for topic in found.snapshot().topics:
        if topic.name.startswith("both-"):
            found.delete_topic(topic.name)


def row(page: Page, path: str) -> Locator:
    return page.locator(f"[role=treeitem][data-path='{path}']")


def open_by_keyboard(page: Page, topic: str) -> str:
    """Down to the state of a partition, by the tree's arrows; its path."""
    keys = page.keyboard
    page.locator(".kl-metadata").get_by_role("tree").focus()
    path = "/brokers/topics"
    row(page, path).click()
    for name in (topic, "partitions", "0", "state"):
        # Its children are counted: before that, there is nothing to open.
        expect(row(page, path)).to_contain_text("↓")
        keys.press("ArrowRight")
        expect(row(page, path)).to_have_attribute("aria-expanded", "true")
        path = f"{path}/{name}"
        expect(row(page, path)).to_be_visible()

        def reached(path: str = path) -> bool:
            """Other topics may come and go meanwhile."""
            keys.press("ArrowDown")
            return row(page, path).get_attribute("aria-selected") == "true"

        wait_until(reached, 30, f"{path} to be chosen", period=0.1)
    return path


def shrunk(view: Locator) -> list[int]:
    """Of how many partitions the ISR shrank, as the time line of each side says in one mark or several."""
    sides = view.locator(".kl-times-rows").evaluate_all(
        "all => all.map((e) => [...e.querySelectorAll('[data-row=isr] .kl-times-mark')].map((m) => m.textContent))"
    )
    found = [[re.search(r"ISR of (\d+) partitions? shrank", text) for text in marks] for marks in sides]
    return [sum(int(match[1]) for match in side if match) for side in found]


@pytest.mark.timeout(400)
def test_one_failure_in_both_modes(studio: Studio, other: Cluster, new_topic: Callable[[str], str]) -> None:
    topic, cluster, page = new_topic("both"), studio.cluster, studio.page
    for each in (cluster, other):
        each.create_topic(topic, partitions=6, replication=3)
    notebook = studio(SHOW.format(other=other.name))
    view = notebook.show(page.locator(".kl-metadata"))
    expect(view.locator(".kl-side[data-kind=kraft] .kl-lane")).to_have_count(3, timeout=LONG)

    # The tree is ZooKeeper's.
    expect(row(page, "/controller")).to_contain_text("⚡")
    printed = cluster.tool("zookeeper-shell", "ls", "/brokers/ids")
    ids = set(re.findall(r"^\[(.*)\]$", printed, re.MULTILINE)[-1].split(", "))
    listed = page.locator("[role=treeitem][data-path^='/brokers/ids/']")
    expect(listed).to_have_count(len(ids))
    assert {path.split("/")[-1] for path in listed.evaluate_all("all => all.map((e) => e.dataset.path)")} == ids
    path = open_by_keyboard(page, topic)
    expect(view.locator(".kl-detail")).to_contain_text(f"{topic} P0: broker")
    shown = last_json(view.locator(".kl-detail pre").inner_text().replace("\n", ""))
    assert shown == last_json(cluster.tool("zookeeper-shell", "get", path))

    # The lanes are the quorum's; their log grows, so that the tool is asked in between.
    leader = view.locator(".kl-lane").first.get_attribute("data-node")
    told = pairs(other.tool("kafka-metadata-quorum", "describe", "--status"))
    assert leader == told["LeaderId"]
    head = view.locator(".kl-side[data-kind=kraft] .kl-lanes-head")
    expect(head).to_contain_text(f"epoch {told['LeaderEpoch']}")
    mark = head.get_by_title("a majority of the voters")
    wait_until(
        lambda: int(re.sub(r"\D", "", mark.inner_text()) or -1) >= int(told["HighWatermark"]), 30, "the watermark"
    )

    # One failure in both, by the bar and the keyboard. Not the leader's: whoever is elected after it has never heard of
    # the one that died.
    victim = next(b for b in (102, 103) if str(b) != leader)
    view.get_by_label("node", exact=True).select_option(f"broker-{victim}")
    expect(view.locator(".kl-act")).to_contain_text("in both at the same moment")
    kill = view.get_by_role("button", name="kill", exact=True)
    kill.focus()
    page.keyboard.press("Enter")
    for side in ("zookeeper", "kraft"):
        happened = view.locator(f".kl-side[data-kind={side}] .kl-happened")
        expect(happened).to_contain_text(f"you killed broker {victim}")
    watched = view.locator(".kl-side[data-kind=zookeeper]").get_by_role("log")
    expect(watched).to_contain_text(f"NodeDeleted /brokers/ids/{victim}", timeout=LONG)
    expect(watched).to_contain_text("its session expired")
    expect(row(page, f"/brokers/ids/{victim}")).to_contain_text("not there")
    expect(view.locator("[data-row=noticed] .kl-times-mark")).to_have_count(2, timeout=LONG)
    expect(view.locator(f".kl-lane[data-node='{victim}']")).to_contain_text("last fetched", timeout=LONG)
    view.get_by_role("button", name="read the log").click()
    fenced = view.locator(".kl-record-table [data-type=BrokerRegistrationChangeRecord]").first
    expect(fenced).to_contain_text(f"broker {victim} is fenced", timeout=LONG)
    # The log knows the moment.
    expect(view.locator("[data-row=noticed] .kl-times-mark").nth(1)).not_to_contain_text("≤")
    # On a busy machine two looks may see the half of it each; other topics may be there, too.
    wait_until(lambda: min(shrunk(view)) >= 6, 60, "both ISRs", seen=lambda: str(shrunk(view)))

    view.get_by_role("button", name="start", exact=True).press("Enter")
    expect(watched).to_contain_text(f"NodeCreated /brokers/ids/{victim}", timeout=LONG)
    expect(row(page, f"/brokers/ids/{victim}")).to_contain_text("⚡", timeout=LONG)
    wait_until(lambda: other.broker(victim).state == "running", 30, "the other's broker to run")
