"""ClusterView in a real JupyterLab on a real cluster: it says what the tools say, soon, and is worked by keyboard."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import NewTopic
from playwright.sync_api import Page, expect

from kafkalab import Cluster
from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.jupyter_page import LONG, Notebook
from tests.browser.studio import Studio

VIEW = ".kl-cluster"
SHOW = "view = cluster.view()\nview"
#: anywidget gives a view's script two seconds to load; here it finds at once that they are over.
OVER = """
const timeout = AbortSignal.timeout;
AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms === 2000 ? 0 : ms);
"""
LINE = re.compile(r"Partition: (\d+)\tLeader: (\d+|none)\tReplicas: ([\d,]*)\tIsr: ([\d,]*)")
ROUNDS, CHANGES = 3, 12

#: (partition, broker) → what the broker is to the partition.
Parts = dict[tuple[int, int], str]


def told(cluster: Cluster, topic: str) -> Parts:
    """By Kafka's own tool."""
    parts: Parts = {}
    for partition, leader, replicas, isr in LINE.findall(cluster.tool("kafka-topics", "--describe", "--topic", topic)):
        for id in replicas.split(","):
            part = "leader" if id == leader else "follower" if id in isr.split(",") else "out"
            parts[int(partition), int(id)] = part
    assert parts
    return parts


def drawn(page: Page, topic: str) -> Parts:
    """By the picture."""
    chips: list[list[str]] = page.locator(f"[data-chip^='{topic}/']").evaluate_all(
        "(all) => all.map((n) => [n.dataset.chip, n.className.match(/kl-(leader|follower|behind|down)/)[1]])"
    )
    out = {"behind": "out", "down": "out"}
    return {(int(c.split("/")[1]), int(c.split("/")[2])): out.get(part, part) for c, part in chips}


def same(page: Page, cluster: Cluster, topic: str) -> None:
    """Wait until the picture says what the tool says: the tool takes a second, in which more may happen."""
    seen: list[Parts] = []

    def agree() -> bool:
        seen[:] = [told(cluster, topic), drawn(page, topic)]
        return seen[0] == seen[1]

    wait_until(agree, 60, "the picture to say what kafka-topics says", seen=lambda: f"tool {seen[0]}, page {seen[1]}")


def tab_to(page: Page, label: str) -> None:
    """Press Tab until the keyboard is on the button of that name."""
    start = page.evaluate_handle("document.activeElement").as_element()
    assert start is not None
    way: list[str] = []
    for _ in range(2):
        for _ in range(60):
            way.append(page.evaluate("document.activeElement?.getAttribute('aria-label') ?? ''"))
            if way[-1] == label:
                return
            page.keyboard.press("Tab")
        # JupyterLab, while it is still opening, takes the keyboard to itself once.
        start.focus()
    pytest.fail(f"Tab does not lead to {label!r}: {way}")


def shot(notebook: Notebook, path: Path) -> None:
    notebook.show(notebook.page.locator(VIEW).first)
    notebook.screenshot(path)


@pytest.mark.timeout(400)
def test_a_broker_is_killed_and_started_by_keyboard_and_catches_up_before_the_learners_eyes(
    studio: Studio, artifacts: Path, new_topic: Callable[[str], str]
) -> None:
    topic = new_topic("seen")
    studio.page.add_init_script(OVER)
    notebook = studio(f"cluster.create_topic({topic!r}, partitions=6, replication=3)", SHOW)
    page, cluster = notebook.page, studio.cluster
    page.get_by_label("topics shown").first.select_option(topic)
    expect(page.locator(f"[data-chip^='{topic}/'].kl-leader")).to_have_count(6)
    same(page, cluster, topic)
    audit(page, VIEW)
    throttle(cluster, topic, 1_000_000)

    page.get_by_label("topics shown").first.focus()
    tab_to(page, "kill broker 102")
    page.keyboard.press("Enter")
    expect(page.locator("[data-broker='102'].kl-is-down").first).to_be_visible(timeout=LONG)
    expect(page.locator(f"[data-chip^='{topic}/'].kl-leader")).to_have_count(6, timeout=LONG)
    same(page, cluster, topic)
    expect(page.get_by_role("log").first).to_contain_text("you killed broker 102")
    expect(page.get_by_role("button", name="start broker 102").first).to_be_focused()

    produce(cluster, topic, 30_000)
    collect(page, f"[data-chip='{topic}/0/102'] .kl-late")
    page.keyboard.press("Enter")
    expect(page.locator(f"[data-chip^='{topic}/'][data-chip$='/102'].kl-behind").first).to_be_visible(timeout=LONG)
    expect(page.locator(".kl-late:not(:empty)").first).to_be_visible(timeout=LONG)
    shot(notebook, artifacts / "view-cluster-behind.png")
    expect(page.locator(f"[data-chip^='{topic}/'][data-chip$='/102']:is(.kl-follower, .kl-leader)")).to_have_count(
        6, timeout=LONG
    )
    numbers = page.evaluate("window.collected")
    assert numbers == sorted(numbers, reverse=True), "it only ever gets nearer"
    assert len(set(numbers)) >= 3, numbers
    same(page, cluster, topic)
    audit(page, VIEW)
    shot(notebook, artifacts / "view-cluster-light.png")
    notebook.theme("JupyterLab Dark")
    audit(page, VIEW)
    shot(notebook, artifacts / "view-cluster-dark.png")
    notebook.theme("JupyterLab Light")
    # It complains, and its view was as lively as any other.
    assert set(notebook.errors) == {"[anywidget] Failed to initialize model."}

    # A kernel that was restarted knows nothing of the picture, whose cell is run again.
    page.evaluate("window.notebook().sessionContext.session.kernel.restart()")
    expect(page.locator(".kl-standstill").filter(has_text="No news from the kernel since")).to_be_visible()
    expect(page.get_by_role("button", name="kill broker 102")).to_be_disabled()
    expect(page.locator(".kl-live")).to_be_hidden()
    shot(notebook, artifacts / "view-cluster-no-news.png")
    notebook.run(0, 0)
    notebook.run(2, 2)
    expect(page.locator(".kl-live.kl-on")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("button", name="kill broker 102")).to_be_enabled()


def throttle(cluster: Cluster, topic: str, bytes_a_second: int) -> None:
    """Kafka's own brake on what broker 102 copies of a topic once it is out of sync, so that it can be watched."""
    alter = ("kafka-configs", "--alter")
    throttled = "follower.replication.throttled.replicas=*"
    cluster.tool(*alter, "--entity-type", "topics", "--entity-name", topic, "--add-config", throttled)
    rate = f"follower.replication.throttled.rate={bytes_a_second}"
    cluster.tool(*alter, "--entity-type", "brokers", "--entity-name", "102", "--add-config", rate)


def produce(cluster: Cluster, topic: str, count: int) -> None:
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, acks=1, enable_idempotence=False)
    try:
        # Into one partition: a follower is given 1 MB of each at a time, so six of them would arrive in two strides.
        for _ in range(count):
            producer.send(topic, b"x" * 200, partition=0)
        producer.flush(60)
    finally:
        producer.close()


def collect(page: Page, selector: str) -> None:
    """From now on keep every number that stands there, in the order in which they do."""
    page.evaluate(
        """(selector) => {
            window.collected = [];
            const look = () => {
                const number = Number(document.querySelector(selector)?.textContent.replace(/[^0-9]/g, ""));
                if (number && window.collected.at(-1) !== number) window.collected.push(number);
            };
            new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
        }""",
        selector,
    )


@pytest.mark.timeout(300)
def test_a_change_on_a_broker_is_soon_on_the_screen(
    studio: Studio, new_topic: Callable[[str], str], record_property: Callable[[str, object], None]
) -> None:
    """From the moment in which Kafka has said yes to whoever asked for the change; the median of twelve. Each change is
    made right after the last was drawn, so that it waits for nearly a whole period until somebody looks.

    The best of up to three rounds counts, for a machine that is busy with other things says nothing of the view.
    """
    notebook = studio(SHOW, "print(cluster.watcher().period)")
    page, cluster = notebook.page, studio.cluster
    period = cluster.watcher().period
    medians = []
    admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
    try:
        for _ in range(ROUNDS):
            took = sorted(waits(page, admin, [new_topic("soon") for _ in range(CHANGES)]))
            medians.append(statistics.median(took))
            print(f"change to screen, ms: {[round(1000 * t) for t in took]}, median {1000 * medians[-1]:.0f}")
            if medians[-1] < 0.5:
                break
    finally:
        admin.close()
    record_property("change to screen, median ms", round(1000 * min(medians)))
    # A look begins at most a period after the change; what comes on top is the look, the patch, and the drawing.
    assert min(medians) < period + 0.25
    assert notebook.errors == []


def waits(page: Page, admin: KafkaAdminClient, topics: list[str]) -> list[float]:
    """Seconds until each of these changes was drawn: a topic is created, and its row appears in the page."""
    page.evaluate(
        """() => {
            window.seen = {};
            const look = () => document.querySelectorAll(".kl-cluster tr[data-topic]").forEach((row) => {
                window.seen[row.dataset.topic] ??= Date.now() / 1000;
            });
            new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
            look();
        }"""
    )
    took = []
    for topic in topics:
        admin.create_topics([NewTopic(name=topic, num_partitions=1, replication_factor=3)])
        done = time.time()
        took.append(wait_until(lambda topic=topic: page.evaluate("(t) => window.seen[t]", topic), 60, topic) - done)
    return took
