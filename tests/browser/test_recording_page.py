"""The page of a recorded leader election: opened from disk with no network, it scrubs, plays and jumps."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from kafkalab import Cluster
from kafkalab.state.model import Event
from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.hostile import IDS, TEXTS, faults
from tests.browser.recording_file import TOPIC, election, leaders, moment, opened
from tests.browser.view_page import box
from tests.support.records import fill
from tests.unit.views.cluster_samples import HEALTHY
from tests.unit.views.recorded_samples import Tape


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a recorded election, made by hand; a real one is recorded once, below."""
    return election().to_html(tmp_path_factory.mktemp("page") / "election.html")


RECORDING = election()
KILLED = moment(RECORDING, "you")


@pytest.mark.deep
def test_a_real_election_is_gone_through_by_what_happened(
    one_cluster: Cluster, new_topic: Callable[[str], str], browser: Browser, tmp_path: Path
) -> None:
    topic, moves = new_topic("page"), ("leader_moved", "leader_elected")
    one_cluster.create_topic(topic, partitions=3, replication=3)
    with one_cluster.record() as recording:
        fill(one_cluster, topic, 60)
        found = one_cluster.snapshot().topic(topic)
        assert found is not None and found.partitions[0].leader is not None
        broker = one_cluster.broker(found.partitions[0].leader)
        broker.kill()
        wait_until(lambda: any(e.kind in moves and e.topic == topic for e in recording.events), 30, "the election")
        broker.start()
        one_cluster.wait_for(lambda s: not any(p.under_replicated for p in s.partitions()), 60, "every replica")
        wait_until(lambda: any(e.kind == "isr_grew" for e in recording.events), 30, "the recording to have it")
    one_cluster.delete_topic(topic)
    killed = next(e.at for e in recording.events if e.kind == "you") - recording.header.began
    moved = next(e.at for e in recording.events if e.kind in moves and e.topic == topic) - recording.header.began
    before, after = leaders(recording, topic, killed), leaders(recording, topic, moved)
    assert before != after
    with opened(browser, recording.to_html(tmp_path / "election.html")) as shown:
        page = shown.page
        times = page.locator("#happened a[data-t]").evaluate_all("(all) => all.map((link) => Number(link.dataset.t))")
        for at, expected in ((killed, before), (moved, after), (killed, before)):
            page.locator("#happened a[data-t]").nth([abs(t - at) < 0.001 for t in times].index(True)).click()
            assert abs(shown.at - at) < 0.002
            wait_until(lambda: shown.leaders(topic) == expected, 10, f"the leaders of {at}")  # noqa: B023
            expect(page.locator("#happened tr[aria-current]")).to_have_count(1)
        expect(page.locator("#view-cluster .kl-event").last).to_contain_text("you killed broker")


def test_a_link_opens_it_at_its_moment_and_it_scrubs_plays_and_jumps(file: Path, browser: Browser) -> None:
    assert file.stat().st_size < 2_000_000
    with opened(browser, file, f"#t={KILLED:.3f}") as shown:
        page = shown.page
        assert shown.at == pytest.approx(KILLED, abs=0.001)
        # Its picture is unpacked when it comes into sight.
        wait_until(lambda: shown.leaders(TOPIC) == leaders(RECORDING, TOPIC, KILLED), 10, "the leaders of its moment")
        page.get_by_role("button", name="copy link to this moment").click()
        expect(page.locator(".kl-page-copied")).to_have_text(re.compile("copied|copy it from here"))
        page.evaluate("location.hash = '#t=0.5'")
        wait_until(lambda: shown.at == 0.5, 10, "it to go there")
        slider = page.get_by_role("slider", name="moment of the recording")
        end = float(slider.get_attribute("aria-valuemax") or 0)
        assert end == pytest.approx(RECORDING.seconds, abs=0.01)
        bar = box(slider)
        page.mouse.move(bar["x"] + 5, bar["y"] + bar["height"] / 2)
        page.mouse.down()
        page.mouse.move(bar["x"] + bar["width"] * 0.5, bar["y"] + bar["height"] / 2, steps=8)
        page.mouse.up()
        assert 0.3 * end < shown.at < 0.7 * end
        slider.press("Home")
        assert shown.at == 0
        slider.press("ArrowRight")
        assert shown.at == pytest.approx(0.1, abs=0.01)
        slider.press("PageDown")
        first = shown.at
        page.get_by_role("button", name="to the next event").click()
        assert shown.at > first
        slider.press("End")
        assert shown.at == pytest.approx(end, abs=0.01)
        wait_until(lambda: shown.leaders(TOPIC) == leaders(RECORDING, TOPIC, end), 10, "the leaders of its end")
        # Nobody stands behind it: no button acts.
        assert page.locator("#view-cluster .kl-buttons").count() == 0
        slider.press("Home")
        page.get_by_label("how fast it plays").select_option(label="×60")
        page.get_by_role("button", name="play", exact=True).click()
        expect(slider).to_have_attribute("aria-valuenow", f"{end:.3f}")
        expect(page.get_by_role("button", name="play", exact=True)).to_be_visible()
        page.get_by_label("how fast it plays").select_option(label="×1")
        slider.press("Home")
        slider.press(" ")
        wait_until(lambda: shown.at > 0.2, 10, "it to play")
        page.get_by_role("button", name="pause").click()
        still = shown.at
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert shown.at == still


def test_every_view_is_there_and_one_of_several_is_chosen_by_keyboard(file: Path, browser: Browser) -> None:
    with opened(browser, file, f"#t={RECORDING.seconds:.3f}") as shown:
        page = shown.page
        links = page.get_by_role("navigation", name="views on this page").get_by_role("link")
        assert links.all_inner_texts()[:3] == ["The cluster", "Logs", "Consumer groups"]
        for i in range(links.count()):
            links.nth(i).click()
            section = page.locator(str(links.nth(i).get_attribute("href")))
            section.locator(".kl-page-panel .kl-hands > .kl").first.wait_for()
            assert section.locator(".kl-page-tables").count() == 0, "the tables gave way to the view"
        tabs = page.locator("#view-log").get_by_role("tab")
        expect(tabs).to_have_count(2)
        assert sorted(tabs.all_inner_texts()) == ["alerts", TOPIC]
        tabs.first.focus()
        page.keyboard.press("End")
        expect(tabs.last).to_be_focused()
        expect(tabs.last).to_have_attribute("aria-selected", "true")
        expect(page.locator("#view-log .kl-page-panel:visible")).to_have_count(1)
        page.keyboard.press("Home")
        expect(tabs.first).to_be_focused()
        assert page.locator(".kl-error").count() == 0


@pytest.mark.deep
def test_its_frame_passes_the_audit_and_fits_at_every_width(file: Path, browser: Browser) -> None:
    with opened(browser, file, f"#t={KILLED + 0.5:.3f}", color_scheme="dark", reduced_motion="reduce") as shown:
        page = shown.page
        expect(page.locator(".kl-page-still")).to_have_count(0)
        for width in (600, 900, 1280, 1600):
            page.set_viewport_size({"width": width, "height": 900})
            # Views take their new width when they hear of it, a frame or so later.
            wait_until(lambda: page.evaluate(_FITS), 10, f"the page to fit into {width}")
        assert page.evaluate("document.getAnimations().length") == 0
        grounds = [page.locator(part) for part in ("#view-cluster .kl-cluster", ".kl-page")]
        assert [_dark(ground.evaluate(_GROUND)) for ground in grounds] == [True, True]
        audit(page, "html", without=".kl-page-panel")
        page.get_by_label("colours").select_option("light")
        page.get_by_role("checkbox", name="larger").check()
        assert [_dark(ground.evaluate(_GROUND)) for ground in grounds] == [False, False]
        assert page.locator("#view-cluster .kl-cluster.kl-presenter").count() == 1
        wait_until(lambda: page.evaluate(_FITS), 10, "the larger page to fit")
        audit(page, "html", without=".kl-page-panel")


_FITS = "document.documentElement.scrollWidth <= innerWidth"
_GROUND = "(node) => getComputedStyle(node).backgroundColor"


def _dark(colour: str) -> bool:
    return max(float(part) for part in re.findall(r"[\d.]+", colour)[:3]) < 100


def test_without_scripts_it_is_tables_and_what_happened(file: Path, browser: Browser) -> None:
    with opened(browser, file, java_script_enabled=False) as shown:
        page = shown.page
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Recording of {RECORDING.header.name}")
        expect(page.locator("#happened").get_by_role("row", name=re.compile("you killed broker"))).to_be_visible()
        expect(page.locator(".kl-page-note")).to_be_visible()
        expect(page.get_by_role("columnheader", name=re.compile("Broker")).first).to_be_visible()


def test_what_was_recorded_is_only_ever_text(browser: Browser, tmp_path: Path) -> None:
    made = Tape(1_000_000.0)
    made.recording.header = replace(made.recording.header, name=TEXTS["script"], label=TEXTS["image"])
    hostile = HEALTHY.to_dict()
    like, group = hostile["topics"][0], hostile["groups"][0]
    hostile["topics"] = [
        {**like, "name": text, "partitions": [{**p, "topic": text} for p in like["partitions"]]}
        for text in IDS.values()
    ]
    hostile["groups"] = [
        {**group, "group_id": text, "members": [{**group["members"][0], "client_id": text}]} for text in IDS.values()
    ]
    made.state(0.0, "snapshot", HEALTHY.to_dict())
    made.state(1.0, "snapshot", {**hostile, "at": 1_000_001.0})
    for i, (name, text) in enumerate(TEXTS.items()):
        made.item(1 + i / 10, "events", asdict(Event(1_000_001 + i / 10, "you", text)))
        made.item(1 + i / 10, "named", text[:80] or name)
        if name in ("image", "script", "prototype", "turned"):  # a ledger is a tab, with all of its view
            made.state(1 + i / 10, f"ledger/{text}", {"sent": 1, "lost": 1, "lost_ids": [text]})
    path = made.recording.to_html(tmp_path / "hostile.html", title=TEXTS["attribute"])
    with opened(browser, path, "#t=2.5") as shown:
        page = shown.page
        expect(page.locator(".kl-page-still")).to_have_count(0)
        for tab in page.get_by_role("tab").all():
            tab.click()
        page.get_by_role("slider", name="moment of the recording").press("End")
        assert faults(page, "#kl-page") == []
        assert page.title() == TEXTS["attribute"]
        page.set_viewport_size({"width": 620, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
