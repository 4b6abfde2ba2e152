"""LedgerView in a real JupyterLab, over a real topic: what it counts is what lies in the log."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio

pytestmark = pytest.mark.deep

SHOW = """from kafka import KafkaProducer
from kafkalab import Ledger
from kafkalab.checks.topics import read_all

ledger = Ledger()
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, enable_idempotence=False)

def send(number, told=True):
    id = f"T-{{number}}"
    if told:
        ledger.sent(id, key="T")
    sent = producer.send({topic!r}, key=b"T", value=id.encode())
    sent.add_callback(lambda _: ledger.acknowledged(id))

ledger.view(topic={topic!r})"""
#: One is kept back and comes late, two are sent twice, and one is claimed to be acknowledged and never was sent.
RUN = """ledger.sent("T-100", key="T")
for number in range(101, 140):
    send(number)
send(100, told=False)
for number in (120, 121):
    send(number, told=False)
producer.close()
ledger.sent("T-999", key="T")
ledger.acknowledged("T-999")"""
READ = """for record in read_all(cluster.bootstrap_servers, {topic!r}):
    ledger.seen(record.value.decode(), (record.partition, record.offset))"""


def test_it_counts_what_is_in_the_log(studio: Studio, new_topic: Callable[[str], str]) -> None:
    topic, page = new_topic("ledger"), studio.page
    studio.cluster.create_topic(topic, partitions=1, replication=3)
    notebook = studio(SHOW.format(topic=topic))
    view = page.locator(".kl-ledger")
    expect(view).to_contain_text("Nothing has been sent yet.", timeout=LONG)
    notebook.add(RUN)
    numbers = view.locator(".kl-lg-number")
    expect(numbers).to_have_text(["41", "41", "0"], timeout=LONG)
    notebook.add(READ.format(topic=topic))
    expect(numbers).to_have_text(["41", "41", "40"], timeout=LONG)

    # What it names is what Kafka's own consumer finds in the log.
    printed = studio.cluster.tool(
        "kafka-console-consumer", "--topic", topic, "--from-beginning", "--max-messages", "42", "--timeout-ms", "20000"
    )
    log = [line for line in printed.splitlines() if line.startswith("T-")]
    twice = sorted({id for id in log if log.count(id) > 1})
    assert len(log) == 42 and "T-999" not in log
    ids = {kind: view.locator(f"[data-kind={kind}] .kl-lg-id") for kind in ("lost", "duplicated", "out_of_order")}
    expect(ids["lost"]).to_have_text(["T-999"], timeout=LONG)
    expect(ids["duplicated"]).to_have_text(twice)
    assert log.index("T-100") > log.index("T-139")
    expect(ids["out_of_order"]).to_have_text(["T-100"])
    expect(view.locator(".kl-lg-verdict")).to_contain_text("1 of 41", timeout=LONG)

    # The kernel is asked by keyboard, and tells where the log holds it.
    view.get_by_label("id of a record").focus()
    page.keyboard.type(twice[0])
    page.keyboard.press("Enter")
    places = [f"P0 offset {i}" for i, id in enumerate(log) if id == twice[0]]
    expect(view.locator(".kl-lg-places .kl-pill")).to_have_text(places, timeout=LONG)
