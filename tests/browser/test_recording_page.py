"""The page of a recorded leader election: opened from disk with no network, it scrubs, plays and jumps."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from kafkalab import Cluster
from kafkalab.state.event import Event
from kafkalab.waiting import wait_until
from tests.browser.accessibility import audit
from tests.browser.hostile import IDS, TEXTS, faults
from tests.browser.recording_file import Election, elect, opened
from tests.unit.views.recorded_samples import Tape
from tests.unit.views_samples import HEALTHY

_made: list[Election] = []


@pytest.fixture
def election(
    one_cluster: Cluster, new_topic: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> Election:
    """Recorded once for all tests here, on the real cluster."""
    if not _made:
        _made.append(elect(one_cluster, new_topic("page"), tmp_path_factory.mktemp("page") / "election.html"))
    return _made[0]


def test_the_page_is_one_small_file_and_shows_what_the_snapshots_say_before_and_after(
    election: Election, browser: Browser
) -> None:
    assert election.path.stat().st_size < 2_000_000
    killed = election.moment("you")
    moved = max(
        e.at
        for e in election.recording.events
        if e.kind in ("leader_moved", "leader_elected") and e.topic == election.topic
    )
    moved -= election.recording.header.began
    before, after = election.leaders(killed), election.leaders(moved)
    assert before != after
    with opened(browser, election.path) as shown:
        page = shown.page
        lines = page.locator("#happened tr[data-kind]")
        assert lines.count() > 4
        page.locator("#happened tr[data-kind='you'] a").first.click()
        assert abs(shown.at - killed) < 0.002
        wait_until(lambda: shown.leaders(election.topic) == before, 10, "the page to show what was before")
        times = page.locator("#happened a[data-t]").evaluate_all("(all) => all.map((link) => Number(link.dataset.t))")
        page.locator("#happened a[data-t]").nth([abs(t - moved) < 0.001 for t in times].index(True)).click()
        wait_until(lambda: shown.leaders(election.topic) == after, 10, "the page to show the election")
        expect(page.locator("#happened tr[aria-current]")).to_have_count(1)
        # And back again: time runs both ways.
        page.locator("#happened tr[data-kind='you'] a").first.click()
        wait_until(lambda: shown.leaders(election.topic) == before, 10, "the page to show what was before")
        assert (
            page.locator("#view-cluster_view .kl-event")
            .last.inner_text()
            .endswith("killed broker " + str(_killed(election)))
        )
        # Nobody stands behind it: no button acts.
        assert page.locator("#view-cluster_view .kl-buttons").count() == 0


def _killed(election: Election) -> int:
    return int(next(e.text for e in election.recording.events if e.kind == "you").split()[-1])


def test_it_scrubs_by_mouse_and_keyboard_plays_pauses_and_jumps(election: Election, browser: Browser) -> None:
    with opened(browser, election.path) as shown:
        page = shown.page
        slider = page.get_by_role("slider", name="moment of the recording")
        end = float(slider.get_attribute("aria-valuemax") or 0)
        assert end == pytest.approx(election.recording.seconds, abs=0.01)
        box = slider.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] / 2, steps=8)
        page.mouse.up()
        assert 0.3 * end < shown.at < 0.7 * end
        slider.press("Home")
        assert shown.at == 0
        # Where the focus is shows at its thumb: a ring round the whole would hide the times below it.
        assert slider.evaluate("(node) => getComputedStyle(node).outlineStyle") == "none"
        slider.press("ArrowRight")
        assert shown.at == pytest.approx(0.1, abs=0.01)
        slider.press("PageDown")
        first = shown.at
        page.get_by_role("button", name="to the next event").click()
        assert shown.at > first
        slider.press("End")
        assert shown.at == pytest.approx(end, abs=0.01)
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


def test_a_link_opens_it_at_its_moment(election: Election, browser: Browser) -> None:
    killed = election.moment("you")
    with opened(browser, election.path, f"#t={killed:.3f}") as shown:
        assert shown.at == pytest.approx(killed, abs=0.001)
        assert shown.leaders(election.topic) == election.leaders(killed)
        shown.page.get_by_role("button", name="copy link to this moment").click()
        expect(shown.page.locator(".kl-page-copied")).to_have_text(re.compile("copied|copy it from here"))
        shown.page.evaluate("location.hash = '#t=0.5'")
        wait_until(lambda: shown.at == 0.5, 10, "it to go there")


def test_every_view_is_there_and_one_of_several_is_chosen_by_keyboard(election: Election, browser: Browser) -> None:
    with opened(browser, election.path) as shown:
        page = shown.page
        links = page.get_by_role("navigation", name="views on this page").get_by_role("link")
        assert links.all_inner_texts()[:3] == ["The cluster", "Logs", "Consumer groups"]
        for i in range(links.count()):
            links.nth(i).click()
            section = page.locator(str(links.nth(i).get_attribute("href")))
            section.locator(".kl-page-panel .kl-hands > .kl").first.wait_for()
            assert section.locator("img").count() == 0, "the still picture gave way to the view"
        tabs = page.locator("#view-log_view [role=tab]")
        if tabs.count() > 1:
            tabs.first.focus()
            page.keyboard.press("End")
            expect(tabs.last).to_be_focused()
            expect(tabs.last).to_have_attribute("aria-selected", "true")
            expect(page.locator("#view-log_view .kl-page-panel:visible")).to_have_count(1)
            page.keyboard.press("Home")
        assert page.locator(".kl-error").count() == 0


def test_a_log_can_be_gone_back_in_to_its_beginning(election: Election, browser: Browser) -> None:
    with opened(browser, election.path, f"#t={election.recording.seconds:.3f}") as shown:
        log = shown.page.locator("#view-log_view")
        log.scroll_into_view_if_needed()
        log.get_by_role("tab", name=election.topic).or_(log.locator("h2")).first.click()
        log.locator(".kl-log-controls:visible").get_by_label("go to", exact=True).select_option("start")
        for lane in log.locator(".kl-log-lane:visible").all():
            # A lane that is out of sight is not drawn.
            lane.scroll_into_view_if_needed()
            first = lane.locator(".kl-log-cell[data-o='0']")
            expect(first).to_have_attribute("aria-label", re.compile(r"offset 0: key k\d"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_passes_the_audit_and_fits_at_every_width(
    election: Election, browser: Browser, artifacts: Path, scheme: str
) -> None:
    moment = f"#t={election.moment('you') + 0.5:.3f}"
    with opened(browser, election.path, moment, color_scheme=scheme, reduced_motion="reduce") as shown:
        page = shown.page
        expect(page.locator(".kl-page-still")).to_have_count(0)
        for width in (600, 900, 1280, 1600):
            page.set_viewport_size({"width": width, "height": 900})
            # Views take their new width when they hear of it, a frame or so later.
            wait_until(lambda: page.evaluate(_FITS), 10, f"the page to fit into {width}")
            if width in (600, 1280):
                page.screenshot(path=artifacts / f"view-recording-page-{scheme}-{width}.png")
        assert page.evaluate("document.getAnimations().length") == 0
        audit(page, "html")
        other = "light" if scheme == "dark" else "dark"
        page.get_by_label("colours").select_option(other)
        page.get_by_role("checkbox", name="larger").check()
        assert _dark(page.locator("#view-cluster_view .kl-cluster").evaluate(_GROUND)) == (other == "dark")
        assert _dark(page.locator(".kl-page").evaluate(_GROUND)) == (other == "dark")
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == other
        assert page.locator("#view-cluster_view .kl-cluster.kl-presenter").count() == 1
        wait_until(lambda: page.evaluate(_FITS), 10, "the larger page to fit")
        audit(page, "html")


_PADDED = "(all) => all.map((box) => parseFloat(getComputedStyle(box).paddingLeft) >= 8)"
_FITS = "document.documentElement.scrollWidth <= innerWidth"
_GROUND = "(node) => getComputedStyle(node).backgroundColor"


def _dark(colour: str) -> bool:
    return max(float(part) for part in re.findall(r"[\d.]+", colour)[:3]) < 100


def test_while_it_is_scrolled_the_time_line_stays_in_sight_and_smaller(election: Election, browser: Browser) -> None:
    with opened(browser, election.path) as shown:
        page, bar = shown.page, shown.page.locator("#kl-time")
        expect(page.locator(".kl-page-still")).to_have_count(0)
        large = bar.bounding_box()
        page.locator("#view-group_view h2").scroll_into_view_if_needed()
        page.mouse.wheel(0, 700)
        expect(bar).to_have_class(re.compile("kl-page-small"))
        small = bar.bounding_box()
        assert large is not None
        assert small is not None
        assert abs(small["y"]) <= 1
        assert small["height"] < 0.6 * large["height"]
        expect(page.get_by_role("slider", name="moment of the recording")).to_be_in_viewport()
        page.evaluate("scrollTo(0, 0)")
        expect(bar).not_to_have_class(re.compile("kl-page-small"))
        assert bar.bounding_box() == large


def test_without_scripts_it_is_a_picture_of_the_end_and_a_table_of_what_happened(
    election: Election, browser: Browser, artifacts: Path
) -> None:
    with opened(browser, election.path, java_script_enabled=False) as shown:
        page = shown.page
        page.screenshot(path=artifacts / "view-recording-page-without-scripts.png", full_page=True)
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Recording of {election.recording.header.name}")
        picture = page.get_by_role("img").first
        expect(picture).to_be_visible()
        assert "broker" in (picture.get_attribute("alt") or "").lower()
        expect(page.get_by_role("row", name=re.compile("you killed broker"))).to_be_visible()
        expect(page.locator(".kl-page-note")).to_be_visible()
        page.get_by_text("the same as tables").first.click()
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
        made.state(1 + i / 10, f"ledger/{text}", {"sent": 1, "lost": 1, "lost_ids": [text]})
    path = made.recording.to_html(tmp_path / "hostile.html", title=TEXTS["attribute"])
    with opened(browser, path, "#t=2.5") as shown:
        page = shown.page
        expect(page.locator(".kl-page-still")).to_have_count(0)
        for tab in page.get_by_role("tab").all():
            tab.click()
        page.get_by_role("slider", name="moment of the recording").press("End")
        assert faults(page, "#kl-page") == []
        # What views say of their troubles does not touch its frame.
        assert set(page.locator("#kl-page :is(.kl-notice, .kl-error)").evaluate_all(_PADDED)) == {True}
        assert page.title() == TEXTS["attribute"]
        page.set_viewport_size({"width": 620, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
