"""Timeline in a real JupyterLab on a real cluster: a broker dies, and all views go back to before that and forth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from kafka import KafkaProducer
from playwright.sync_api import Locator, Page, expect

from kafkalab import Cluster
from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio
from tests.browser.test_cluster_view_live import drawn, tab_to, told
from tests.browser.test_log_view_live import described

SHOW = """from IPython.display import display
from kafkalab import ClusterView, LogView

recording = cluster.record()
bar, view = recording.timeline(), ClusterView(recording, topic={topic!r})
display(bar, view, LogView(recording, {topic!r}))"""


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="moment of the recording").first


def at(page: Page) -> float:
    return float(slider(page).get_attribute("aria-valuenow") or -1)


def dead(page: Page) -> Locator:
    """Broker 102 as ClusterView draws it when it is down."""
    return page.locator(".kl-cluster [data-broker='102'].kl-is-down").first


def produce(cluster: Cluster, topic: str, count: int) -> None:
    with_all = {"acks": "all", "enable_idempotence": False}
    producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, **with_all)
    try:
        for i in range(count):
            producer.send(topic, b"%d" % i, partition=i % 3)
        producer.flush(60)
    finally:
        producer.close()


@pytest.mark.timeout(400)
def test_a_death_is_looked_at_again_forth_and_back_by_mouse_and_by_keys(
    studio: Studio, artifacts: Path, new_topic: Callable[[str], str]
) -> None:
    topic = new_topic("again")
    notebook = studio(f"cluster.create_topic({topic!r}, partitions=3, replication=3)", SHOW.format(topic=topic))
    page, cluster = notebook.page, studio.cluster
    up, where = page.locator(".kl-tl-up").first, page.locator(".kl-tl-where").first
    expect(up).to_have_text("● 3 of 3 brokers up", timeout=LONG)
    expect(where).to_have_text("● live")
    expect(page.locator(f".kl-cluster [data-chip^='{topic}/'].kl-leader")).to_have_count(3, timeout=LONG)
    produce(cluster, topic, 300)
    written = dict.fromkeys(range(3), (0, 100))
    wait_until(lambda: described(page) == written, 60, "the records", seen=lambda: str(described(page)))
    first = drawn(page, topic)
    wait_until(lambda: at(page) > 2, 60, "two seconds to be recorded")

    # Live, the view of the recording has the cluster's buttons.
    page.get_by_label("topics shown").first.focus()
    tab_to(page, "kill broker 102")
    page.keyboard.press("Enter")
    lines = page.locator(".kl-tl-lines").first
    expect(lines).to_contain_text("you killed broker 102", timeout=LONG)
    expect(lines).to_contain_text("broker 102 is down", timeout=LONG)
    expect(dead(page)).to_be_visible(timeout=LONG)
    expect(up).to_have_text("✕ 2 of 3 brokers up")
    expect(page.locator(f".kl-cluster [data-chip^='{topic}/'].kl-leader")).to_have_count(3, timeout=LONG)
    wait_until(lambda: drawn(page, topic) == told(cluster, topic), 60, "the picture to say what kafka-topics says")
    after = drawn(page, topic)

    # Back by mouse: the picture is that of before, and nothing of the past can be broken again.
    box = slider(page).bounding_box()
    assert box
    page.mouse.click(box["x"] + 4, box["y"] + box["height"] / 2)
    expect(up).to_have_text("● 3 of 3 brokers up")
    expect(dead(page)).to_have_count(0, timeout=LONG)
    expect(where).to_contain_text("ago, recorded")
    expect(page.get_by_label("kill broker 102")).to_have_count(0)
    assert drawn(page, topic) == first != after
    nothing = dict.fromkeys(range(3), (0, 0))
    wait_until(lambda: described(page) == nothing, 60, "no records yet", seen=lambda: str(described(page)))

    # Forth by keys, from event to event, until the cluster has noticed; Space plays, and what is played catches up.
    slider(page).focus()
    wait_until(lambda: step(page, "broker 102 is down"), 60, "the event in which the broker went down")
    assert "broker 102 is down" in (slider(page).get_attribute("aria-valuetext") or "")
    expect(dead(page)).to_be_visible(timeout=LONG)
    page.keyboard.press("Home")
    expect(dead(page)).to_have_count(0, timeout=LONG)
    page.get_by_label("how fast it plays").first.select_option("5")
    slider(page).focus()
    page.keyboard.press("Space")
    expect(dead(page)).to_be_visible(timeout=LONG)
    expect(where).to_have_text("● live", timeout=LONG)

    # To the election by its line.
    election = lines.get_by_role("button").filter(has_text="leader")
    election.first.click()
    expect(lines.locator("[aria-current=true]")).to_be_visible()
    expect(dead(page)).to_be_visible(timeout=LONG)
    wait_until(lambda: drawn(page, topic) == after, 60, "the leaders after the election")
    wait_until(lambda: described(page) == written, 60, "the records that were there then")

    # A moment gets a name, and is found again from live.
    slider(page).focus()
    wait_until(lambda: step(page, "you killed", "PageUp"), 60, "the kill")
    page.keyboard.press("Shift+ArrowLeft")
    field = page.get_by_role("textbox", name="name of this moment").first
    field.fill("before the crash <b>")
    field.press("Enter")
    chip = page.locator(".kl-tl-chip").first
    expect(chip).to_contain_text("★ before the crash <b>", timeout=LONG)
    audit(page, ".kl-timeline")
    notebook.show(page.locator(".kl-timeline").first)
    notebook.screenshot(artifacts / "view-timeline-light.png")
    page.get_by_role("button", name="live", exact=True).first.click()
    expect(dead(page)).to_be_visible(timeout=LONG)
    tab_to(page, "start broker 102")
    page.keyboard.press("Enter")
    expect(up).to_have_text("● 3 of 3 brokers up", timeout=LONG)
    expect(lines).to_contain_text("broker 102 is up", timeout=LONG)
    wait_until(lambda: drawn(page, topic) == told(cluster, topic), 60, "the picture to say what kafka-topics says")
    chip.click()
    expect(where).to_contain_text("ago, recorded")
    wait_until(lambda: drawn(page, topic) == first, 60, "the picture of before the crash")
    notebook.theme("JupyterLab Dark")
    audit(page, ".kl-timeline")
    notebook.show(page.locator(".kl-timeline").first)
    notebook.screenshot(artifacts / "view-timeline-dark.png")
    notebook.theme("JupyterLab Light")

    # What was recorded outlives the recorder, in the kernel that holds it.
    notebook.add("recording.stop(); recording.playhead.jump('broker_down'); print(bar)")
    # Which of the lines of that moment are printed depends on how many there are: topics of others are in it too.
    expect(page.locator(".jp-OutputArea-output").filter(has_text="▶").last).to_contain_text("2 of 3 brokers up")
    expect(dead(page)).to_be_visible(timeout=LONG)
    assert notebook.errors == []


def step(page: Page, text: str, key: str = "PageDown") -> bool:
    """Go on to the next event; whether one of its moment says that."""
    before = at(page)
    page.keyboard.press(key)
    assert at(page) != before, "there is no further event"
    now = page.locator(".kl-tl-lines li:not(.kl-tl-later)").all_inner_texts()
    moment = page.locator(".kl-tl-now time").first.inner_text()
    return any(text in line and line.strip().startswith(moment) for line in now)
