"""StreamView in a real JupyterLab: a Spark query over a real topic, compared with Spark's and Kafka's own words."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.jupyter_page import LONG, Notebook
from tests.browser.studio import Studio

SET_UP = """import json

import kafkalab
from kafkalab import Fleet, Publisher
from kafkalab.streams import jobs, run
from kafkalab.views.stream_view import StreamView
from pyspark.sql import functions as sf

cluster.create_topic("{topic}", partitions=4, replication=3)
publisher = Publisher(cluster.bootstrap_servers, Fleet(trucks=300), "{topic}", lapse=20).start()
spark = kafkalab.spark(master="local[2]")
good = jobs.good_records(jobs.parse(jobs.read_trucks(spark, cluster.bootstrap_servers, "{topic}")))
counted = good.withWatermark("time", "30 seconds").groupBy(sf.window("time", "1 minute"), "partition").count()
stream = run.start(counted.writeStream.format("noop").outputMode("update"), "windows", every=1.0)
None"""
SLIDER = "input.kl-st-slider"


def execute(notebook: Notebook, source: str) -> str:
    """Run some code in the last cell; what it printed."""
    last = len(notebook.sources) - 1
    notebook.page.evaluate(
        "([i, source]) => window.notebook().content.widgets[i].model.sharedModel.setSource(source)", [last, source]
    )
    notebook.run(last, last)
    assert notebook.tracebacks() == []
    return "".join(str(out.get("text", "")) for out in notebook.outputs() if out["number"] == last)


def chosen(notebook: Notebook) -> int:
    return int(notebook.page.locator(SLIDER).input_value())


def shown(notebook: Notebook) -> dict[str, int]:
    """The tables' numbers, by the head of their row and column, without what makes them readable."""
    found: list[list[str]] = notebook.page.locator(".kl-st-details tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.children].map((cell) => cell.firstChild?.textContent ?? ''))"
    )
    numbers: dict[str, int] = {}
    for first, *rest in found:
        for i, text in enumerate(rest):
            if whole := re.fullmatch(r"([\d\u202f]+)(?: ms| records)?", text):
                numbers[first if len(rest) == 1 else f"{first} {i}"] = int(whole[1].replace("\u202f", ""))
    return numbers


def compare(page: dict[str, int], report: dict[str, Any]) -> None:
    """What stands in the tables against what Spark reported of that batch."""
    assert page["rows read"] == report["numInputRows"]
    for phase, ms in report["durationMs"].items():
        if phase != "triggerExecution" and ms < 1000:
            assert page[phase] == ms, phase
    (source,), (operator,) = report["sources"], report["stateOperators"]
    (offsets,) = source["endOffset"].values()
    for partition, end in offsets.items():
        assert page[f"P{partition} 1"] == end
    assert page["stateStoreSave 0"] == operator["numRowsTotal"]
    assert page["stateStoreSave 1"] == operator["numRowsUpdated"]
    assert page["dropped as too late"] == operator["numRowsDroppedByWatermark"]


@pytest.mark.timeout(400)
def test_a_running_query_is_what_spark_and_kafka_say_it_is(studio: Studio, new_topic, artifacts) -> None:
    topic = new_topic("stream-view")
    notebook = studio(SET_UP.format(topic=topic), "view = StreamView(stream)\nview", "None")
    page, view = notebook.page, notebook.page.locator(".kl-stream")
    slider = page.locator(SLIDER)
    expect(slider).to_have_attribute("max", re.compile(r"^([6-9]|\d\d+)$"), timeout=LONG)
    expect(page.locator(".kl-st-standing")).to_contain_text("running")
    expect(page.locator(".kl-st-bar")).to_contain_text("a batch every 1 s")
    # The picture moves while a cell keeps the kernel busy.
    before = int(slider.get_attribute("max") or 0)
    execute(notebook, f"stream.wait_for(lambda p: p.batch > {before + 1})")
    wait_until(lambda: int(slider.get_attribute("max") or 0) > before, 30, "the picture to go on")

    # By keyboard: back to an earlier batch, whose numbers stand still, and are those that Spark reported.
    # JupyterLab moves the focus to a cell that has run, when it comes to it: a key may have to be pressed again.
    def earlier() -> bool:
        slider.focus()
        page.keyboard.press("ArrowLeft")
        return page.get_by_role("button", name="newest").get_attribute("aria-pressed") == "false"

    wait_until(earlier, 20, "the key to choose an earlier batch")
    number, seen = chosen(notebook), shown(notebook)
    told = execute(notebook, "print(json.dumps([json.loads(p.json) for p in stream.query.recentProgress]))")
    reports = {report["batchId"]: report for report in json.loads(told)}
    compare(seen, reports[number])
    assert chosen(notebook) == number, "a chosen batch stays chosen while new ones come"

    page.set_viewport_size({"width": 1400, "height": 1900})
    notebook.show(view)
    notebook.screenshot(artifacts / "view-stream-light.png")
    audit(page, ".kl-stream")
    notebook.theme("JupyterLab Dark")
    page.set_viewport_size({"width": 860, "height": 2700})
    notebook.show(view)
    notebook.screenshot(artifacts / "view-stream-dark.png")
    audit(page, ".kl-stream")
    notebook.theme("JupyterLab Light")
    page.set_viewport_size({"width": 1400, "height": 1000})

    # All is read: the lanes end where Kafka's own tool says that the partitions end.
    execute(notebook, "publisher.stop()\nstream.catch_up(90)\nNone")
    page.get_by_role("button", name="newest").focus()
    page.keyboard.press("Enter")
    told = studio.cluster.tool("kafka-get-offsets", "--topic", topic)
    ends = {int(p): int(end) for name, p, end in (line.rsplit(":", 2) for line in told.split()) if name == topic}
    assert len(ends) == 4
    lanes = page.locator(".kl-st-lane")

    def drawn() -> dict[int, int]:
        pairs = lanes.evaluate_all("(all) => all.map((g) => [g.dataset.lane, g.dataset.end])")
        return {int(key.rpartition("-")[2]): int(end) for key, end in pairs}

    wait_until(lambda: drawn() == ends, 30, "the lanes to end where the log ends", seen=lambda: f"{drawn()} {ends}")
    expect(page.locator(".kl-st-calm")).to_have_count(4)

    # The query ends, the view says so and asks no more; closed, it is gone.
    execute(notebook, "stream.stop()")
    expect(page.locator(".kl-st-standing")).to_contain_text("stopped")
    names = "import threading\nprint([t.name for t in threading.enumerate() if 'kafkalab-stream' in t.name])"
    wait_until(lambda: execute(notebook, names).strip() == "[]", 20, "its thread to end")
    execute(notebook, "view.close()\nspark.stop()")
    expect(view).to_have_count(0)
    assert notebook.errors == []
