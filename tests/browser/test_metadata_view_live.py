"""MetadataView in a real JupyterLab on real clusters: what it shows is what Kafka's own tools print."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from kafkalab import Cluster
from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio
from tests.integration.tools_output import last_json, pairs

_VIEW = """from kafkalab.views.metadata_view import MetadataView

view = MetadataView(cluster)
view"""
_BOTH = """from kafkalab.views.metadata_view import MetadataView

other = Cluster(brokers=3, mode="kraft", quiet=True)
for each in (cluster, other):
    each.create_topic("{topic}", partitions=6, replication=3)
both = MetadataView(cluster, other)
both"""

NewTopic = Callable[[str], str]


def row(page: Page, path: str) -> Locator:
    return page.locator(f"[role=treeitem][data-path='{path}']")


def ls(cluster: Cluster, path: str) -> set[str]:
    """What zookeeper-shell lists."""
    printed = cluster.tool("zookeeper-shell", "ls", path)
    return set(re.findall(r"^\[(.*)\]$", printed, re.MULTILINE)[-1].split(", "))


def listed(page: Page, path: str) -> set[str]:
    """What the tree lists below a node, but for what is missed there."""
    rows = page.locator(f"[role=treeitem][data-path^='{path}/']:not(.kl-tree-gone)")
    return {p.removeprefix(f"{path}/") for p in rows.evaluate_all("all => all.map((e) => e.dataset.path)")}


def shrunk(view: Locator) -> list[int]:
    """Of how many partitions the ISR shrank, as the time line of each side says in one mark or several."""
    sides = view.locator(".kl-times-rows").evaluate_all(
        "all => all.map((e) => [...e.querySelectorAll('[data-row=isr] .kl-times-mark')].map((m) => m.textContent))"
    )
    found = [[re.search(r"ISR of (\d+) partitions? shrank", text) for text in marks] for marks in sides]
    return [sum(int(match[1]) for match in side if match) for side in found]


@pytest.mark.timeout(400)
def test_the_tree_is_zookeepers_and_a_killed_broker_is_told_by_its_watch(
    studio: Studio, page: Page, artifacts: Path, new_topic: NewTopic
) -> None:
    notebook = studio(_VIEW)
    cluster = studio.cluster
    topic = new_topic("watched")
    cluster.create_topic(topic, partitions=3, replication=3)
    view = notebook.show(page.locator(".kl-metadata").first)
    expect(row(page, "/controller")).to_contain_text("⚡")
    assert listed(page, "/brokers/ids") == ls(cluster, "/brokers/ids") == {"101", "102", "103"}
    data = last_json(view.locator(".kl-detail pre").inner_text().replace("\n", ""))
    assert data == last_json(cluster.tool("zookeeper-shell", "get", "/controller"))

    # By keyboard alone: down to the state of a partition, by its arrows and by typing its name.
    keys = page.keyboard
    view.get_by_role("tree").focus()
    keys.press("Home")
    path = f"/brokers/topics/{topic}/partitions/0/state"
    keys.type("top", delay=20)
    parent = "/brokers/topics"
    for name in (topic, "partitions", "0", "state"):
        # Its children are counted: before that, there is nothing to open.
        expect(row(page, parent)).to_contain_text("↓")
        keys.press("ArrowRight")
        expect(row(page, parent)).to_have_attribute("aria-expanded", "true")
        parent = f"{parent}/{name}"
        expect(row(page, parent)).to_be_visible()
        keys.type(name, delay=5)
        expect(row(page, parent)).to_have_attribute("aria-selected", "true")
    assert parent == path
    expect(view.locator(".kl-detail")).to_contain_text(f"{topic} P0: broker")
    shown = last_json(view.locator(".kl-detail pre").inner_text().replace("\n", ""))
    assert shown == last_json(cluster.tool("zookeeper-shell", "get", path))

    # The same failure that a learner causes: by the bar, with the keyboard.
    dying = cluster.broker(102)
    choice = view.get_by_label("node", exact=True)
    choice.focus()
    assert choice.input_value() == "broker-102"
    keys.press("Tab")
    keys.press("Tab")
    expect(view.get_by_role("button", name="kill", exact=True)).to_be_focused()
    keys.press("Enter")
    log = view.get_by_role("log")
    expect(log).to_contain_text("you killed broker 102")
    expect(log).to_contain_text("NodeDeleted /brokers/ids/102", timeout=LONG)
    expect(log).to_contain_text("its session expired: nobody kept it alive")
    expect(row(page, "/brokers/ids/102")).to_contain_text("not there")
    assert ls(cluster, "/brokers/ids") == {"101", "103"}
    expect(view.locator("[data-row=noticed] .kl-times-mark")).to_contain_text("broker 102's session over")
    expect(view.locator("[data-row=isr] .kl-times-mark").first).to_contain_text("shrank")
    assert dying.state == "stopped"
    audit(page, ".kl-metadata")
    view.evaluate("(e) => e.scrollIntoView()")
    notebook.screenshot(artifacts / "view-metadata-light.png")
    notebook.theme("JupyterLab Dark")
    view.evaluate("(e) => e.scrollIntoView()")
    notebook.screenshot(artifacts / "view-metadata-dark.png")
    notebook.theme("JupyterLab Light")

    view.get_by_role("button", name="start", exact=True).press("Enter")
    expect(log).to_contain_text("NodeCreated /brokers/ids/102", timeout=LONG)
    expect(row(page, "/brokers/ids/102")).to_contain_text("⚡", timeout=LONG)
    wait_until(lambda: dying.state == "running", 30, "the broker to run")
    assert notebook.errors == []


@pytest.mark.timeout(500)
def test_one_failure_told_by_zookeeper_and_by_krafts_own_log(
    studio: Studio, page: Page, artifacts: Path, new_topic: NewTopic
) -> None:
    notebook = studio(_BOTH.format(topic=new_topic("both")))
    view = notebook.show(page.locator(".kl-metadata").first)
    expect(view.locator(".kl-side[data-kind=kraft] .kl-lane")).to_have_count(3, timeout=LONG)
    expect(row(page, "/controller")).to_be_visible()

    # Not the leader's: whoever is elected after it has never heard of the one that died.
    leader = view.locator(".kl-lane").first.get_attribute("data-node")
    victim = "103" if leader != "103" else "101"
    view.get_by_label("node", exact=True).select_option(f"broker-{victim}")
    expect(view.locator(".kl-act")).to_contain_text("in both at the same moment")
    view.get_by_role("button", name="kill", exact=True).click()
    for side in ("zookeeper", "kraft"):
        expect(view.locator(f".kl-side[data-kind={side}] .kl-happened")).to_contain_text(f"you killed broker {victim}")
    expect(view.locator("[data-row=noticed] .kl-times-mark")).to_have_count(2, timeout=LONG)
    dead = view.locator(f".kl-lane[data-node='{victim}']")
    expect(dead).to_contain_text("last fetched", timeout=LONG)
    view.get_by_role("button", name="read the log").click()
    expect(view.locator(".kl-record-table [data-type=BrokerRegistrationChangeRecord]").first).to_contain_text(
        f"broker {victim} is fenced", timeout=LONG
    )
    expect(view.locator("[data-row=noticed] .kl-times-mark").nth(1)).not_to_contain_text("≤")
    # On a busy machine two looks may see the half of it each; ZooKeeper's cluster has topics of others too.
    wait_until(lambda: shrunk(view)[0] >= 6 == shrunk(view)[1], 60, "both ISRs", seen=lambda: str(shrunk(view)))
    audit(page, ".kl-metadata")
    view.evaluate("(e) => e.scrollIntoView()")
    notebook.screenshot(artifacts / "view-metadata-both-light.png")
    notebook.theme("JupyterLab Dark")
    view.evaluate("(e) => e.scrollIntoView()")
    notebook.screenshot(artifacts / "view-metadata-both-dark.png")
    notebook.theme("JupyterLab Light")

    # What the lanes say is what Kafka's own tool says; their log grows meanwhile, so the tool is asked in between.
    notebook.add('print(other.tool("kafka-metadata-quorum", "describe", "--status"))')
    printed = [str(o.get("text", "")) for o in notebook.outputs() if o["output_type"] == "stream"]
    told = pairs(next(text for text in printed if "LeaderId" in text))
    assert leader == told["LeaderId"]
    head = view.locator(".kl-side[data-kind=kraft] .kl-lanes-head")
    expect(head).to_contain_text(f"epoch {told['LeaderEpoch']}")
    mark = int(re.sub(r"\D", "", head.get_by_title("a majority of the voters").inner_text()))
    assert mark >= int(told["HighWatermark"]) - 5
    assert notebook.errors == []
    notebook.add("both.close(); other.stop()")
    assert notebook.tracebacks() == []
