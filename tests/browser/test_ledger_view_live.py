"""LedgerView in a real JupyterLab, over a real topic: what it counts is what lies in the log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import audit
from tests.browser.jupyter_page import LONG, Notebook
from tests.browser.studio import Studio

VIEW = ".kl-ledger"
SEND = """from kafka import KafkaProducer
from kafkalab import Ledger
from kafkalab.checks.topics import read_all

ledger, topic = Ledger(), "{topic}"
cluster.create_topic(topic, partitions=1, replication=3)
producer = KafkaProducer(bootstrap_servers=cluster.bootstrap_servers, enable_idempotence=False)

def send(number, told=True):
    id = f"T0042-{{number:06d}}"
    if told:
        ledger.sent(id, key="T0042")
    sent = producer.send(topic, key=b"T0042", value=id.encode())
    sent.add_callback(lambda _: ledger.acknowledged(id))

view = ledger.view(topic=topic)
view"""
#: One is kept back and comes late, two are sent twice, and one is claimed to be acknowledged and never was sent.
RUN = """ledger.sent("T0042-000100", key="T0042")
for number in range(101, 400):
    send(number)
send(100, told=False)
for number in (200, 201):
    send(number, told=False)
producer.flush()
ledger.sent("T0042-999999", key="T0042")
ledger.acknowledged("T0042-999999")"""
READ = """for record in read_all(cluster.bootstrap_servers, topic):
    ledger.seen(record.value.decode(), (record.partition, record.offset))
producer.close()"""


def shots(notebook: Notebook, artifacts: Path) -> None:
    notebook.page.set_viewport_size({"width": 1400, "height": 1500})  # all of it in one picture
    for theme, name in (("JupyterLab Dark", "dark"), ("JupyterLab Light", "light")):
        notebook.theme(theme)
        audit(notebook.page, VIEW)
        notebook.page.locator(VIEW).screenshot(path=artifacts / f"view-ledger-{name}.png")


@pytest.mark.timeout(300)
def test_it_follows_the_records_of_a_real_topic(
    studio: Studio, artifacts: Path, new_topic: Callable[[str], str]
) -> None:
    topic = new_topic("ledger")
    notebook = studio(SEND.format(topic=topic))
    page = notebook.page
    view = page.locator(VIEW)
    expect(view).to_contain_text("Nothing has been sent yet.", timeout=LONG)
    notebook.add(RUN)
    numbers = view.locator(".kl-lg-number")
    expect(numbers).to_have_text(["301", "301", "0"], timeout=LONG)
    notebook.add(READ)
    expect(numbers).to_have_text(["301", "301", "300"], timeout=LONG)

    # What it names is what Kafka's own consumer finds in the log.
    printed = studio.cluster.tool(
        "kafka-console-consumer", "--topic", topic, "--from-beginning", "--timeout-ms", "4000"
    )
    log = [line for line in printed.splitlines() if line.startswith("T0042-")]
    twice = sorted({id for id in log if log.count(id) > 1})
    assert len(log) == 302 and "T0042-999999" not in log
    ids = {kind: view.locator(f"[data-kind={kind}] .kl-lg-id") for kind in ("lost", "duplicated", "out_of_order")}
    expect(ids["lost"]).to_have_text(["T0042-999999"], timeout=LONG)
    expect(ids["duplicated"]).to_have_text(twice)
    assert log.index("T0042-000100") > log.index("T0042-000399")
    expect(ids["out_of_order"]).to_have_text(["T0042-000100"])
    expect(view.locator(".kl-lg-verdict")).to_contain_text("✗ 1 of 301 acknowledged records is lost", timeout=LONG)

    # The kernel is asked by keyboard, and tells where the log holds it.
    view.get_by_label("id of a record").focus()
    page.keyboard.type(twice[0])
    page.keyboard.press("Enter")
    places = view.locator(".kl-lg-places .kl-pill")
    expect(places).to_have_text([f"P0 offset {i}" for i, id in enumerate(log) if id == twice[0]], timeout=LONG)
    shots(notebook, artifacts)
    assert notebook.errors == []
