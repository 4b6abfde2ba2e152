"""What every view does alike, in a real browser: a view gets all of it by a line in ``VIEWS``."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from kafkalab.exercises.predict.answers import leaders_of
from kafkalab.exercises.predict.prediction import Prediction
from kafkalab.experiments.ledger import Ledger
from kafkalab.history.tracks.logs import Reported
from kafkalab.state.metadata.log import MetadataRecord
from kafkalab.state.metadata.znodes import Znode
from kafkalab.state.model import Event
from kafkalab.views import live as views_live
from kafkalab.views.durability import picture as durability_picture
from kafkalab.views.group import picture as group_picture
from kafkalab.views.map.view import TruckMap
from kafkalab.views.metadata.events import Entry
from kafkalab.views.partitioner.picture import sent_record
from kafkalab.waiting import wait_until
from tests.browser import samples
from tests.browser.accessibility import audit, faint
from tests.browser.cluster_page import state as cluster
from tests.browser.hostile import IDS, TEXTS, faults
from tests.browser.samples import Drawn
from tests.browser.view_page import Open, ViewPage, live_state
from tests.support.plain import as_json
from tests.unit.views import group_samples, timeline_samples
from tests.unit.views.cluster_samples import HEALTHY, LONG, TURNED, WITHOUT_102, nodes
from tests.unit.views.cluster_samples import hostile as hostile_snapshot
from tests.unit.views.durability_samples import begun, result
from tests.unit.views.log_samples import SPANS, drawn_logs, record, windows
from tests.unit.views.metadata_samples import T, tree_of, znode
from tests.unit.views.stream_samples import reports

HOSTILE = TEXTS["image"]
#: More than a page may hold of it.
HUGE = 300_000
ILL = [HOSTILE, TURNED, LONG, *TEXTS.values()]


def hostile_cluster() -> Drawn:
    group, member = HEALTHY.groups[0], HEALTHY.groups[0].members[0]
    groups = tuple(replace(group, group_id=id, members=(replace(member, client_id=id),)) for id in IDS.values())
    racks = tuple(replace(b, rack=id) for b, id in zip(HEALTHY.brokers, ILL, strict=False))
    told = [Event(float(i), "group_created", f"group {id} created", group=id) for i, id in enumerate(ILL)]
    crowd = [Event(99.0, "isr_shrank", f"ISR of {HOSTILE} P{p}: 1 → 2", HOSTILE, p, 102) for p in range(5)]
    snapshot = hostile_snapshot()
    snapshot = replace(snapshot, groups=(*snapshot.groups, *groups), brokers=racks, problems=tuple(ILL))
    return cluster(snapshot, *told, *crowd, name=HOSTILE, label=HOSTILE, error=HOSTILE)


def hostile_durability() -> Drawn:
    plain: Drawn = {**result().to_dict(12), "cluster": HOSTILE, "rounds": {"3": ILL}}
    for one in plain["cells"]:
        one.update(why=HOSTILE, lost_words=TURNED, error=HOSTILE)
        for spell in one["spells"]:
            spell.update(name=HOSTILE, errors=[{"error": HOSTILE, "said": LONG, "times": 1}])
    return durability_picture.drawn(plain, live=True)


def hostile_group() -> Drawn:
    snapshot, history = group_samples.hostile([HOSTILE, TURNED, LONG, "fine"])
    return group_picture.drawn(snapshot, HOSTILE, history)


def hostile_ledger() -> Drawn:
    ledger = Ledger()
    for id in (*ILL, "y" * HUGE):
        ledger.acknowledged(id)
    return samples.ledger(ledger, topic=HOSTILE)


def hostile_logs() -> Drawn:
    ill = {
        "key": HOSTILE + LONG,
        "key_id": b"1",
        "value": TURNED + LONG,
        "headers": ((HOSTILE, TURNED), ("\\xff", None)),
    }
    drawn = drawn_logs(found=windows(p0_30=record(0, 30, **ill)), positions={HOSTILE: {0: 20}})
    held = {"0": {"committed": 20, "member": HOSTILE}}
    return drawn | {"topic": HOSTILE, "groups": {**drawn["groups"], HOSTILE: held}}


def hostile_metadata() -> Drawn:
    raw = b"\xff\xfe" + HOSTILE.encode() + TURNED.encode() + b"x" * HUGE
    ill: dict[str, Znode | None] = {
        "/": znode("/", children=[*{name.replace("/", "∕")[:300] for name in ILL}, "brokers", "controller"]),
        "/controller": znode("/controller", raw, owner=1),
    }
    entries = [Entry(T, "you", text, "here") for text in ILL]
    entries += [Entry(T, "gone", text, "watch", text, f"/{text}", short=text) for text in ILL]
    records = tuple(MetadataRecord(i, T, text, {text: text}) for i, text in enumerate(ILL))
    one = samples.zookeeper(tree_of(101) | ill, entries, name=HOSTILE, kafka=TURNED, problem=HOSTILE, error=HOSTILE)
    targets = {text: {"state": "", "verbs": ["kill"], "busy": None} for text in ILL}
    return {"sides": {"0": one["sides"]["0"], "1": samples.kraft(records, name=LONG, targets=targets)["sides"]["0"]}}


def hostile_keys() -> Drawn:
    keys = [*dict.fromkeys(text.encode() for text in ILL), b"\xff\xfe", b"x" * HUGE]
    return samples.partitioner(
        keys, sent=tuple(sent_record(i, key, 1, i, 10, "random") for i, key in enumerate(keys[:3]))
    )


def some_keys(**options: Any) -> Drawn:
    return samples.partitioner(samples.TRUCKS[:40], **options)


def hostile_question() -> Drawn:
    names = list(dict.fromkeys(TEXTS.values()))
    asked = Prediction.arrangement(HOSTILE, chips=names, places=names[:20], nowhere=TEXTS["script"])
    asked.lock(dict.fromkeys(names, names[1]))
    asked.compare(dict.fromkeys(names, HOSTILE), TEXTS["script"])
    return samples.predict(asked)


def hostile_record() -> Drawn:
    value = (HOSTILE + TURNED).encode() + b"\xff\xfe" + b"x" * HUGE
    headers = [(HOSTILE, TURNED.encode()), ("__proto__", b"\x00")]
    return samples.record(codec=1, odd=(HOSTILE.encode(), value, headers))


def hostile_stream() -> Drawn:
    ill = []
    for report in reports("windows"):
        source = {**report["sources"][0], "description": LONG}
        for name in ("startOffset", "endOffset", "latestOffset"):
            source[name] = source[name] and dict.fromkeys(("<img src=x>", TURNED), source[name]["trucks_gps"])
        operator = {**report["stateOperators"][0], "operatorName": HOSTILE, "customMetrics": {HOSTILE: 3, TURNED: 4}}
        ill.append({**report, "name": HOSTILE + TURNED, "sources": [source], "stateOperators": [operator],
                    "sink": {"description": HOSTILE, "numOutputRows": 4}})  # fmt: skip
    broken = {"standing": "failed", "reason": HOSTILE * 50, "advice": LONG, "message": TURNED}
    return samples.stream_picture.recorded(ill) | broken


def hostile_trucks() -> Drawn:
    trucks = {id: Reported(50.0, 10.0, 80.0, 0.0, i) for i, id in enumerate(IDS.values())}
    return samples.reported(trucks, HOSTILE, 1_000_000.0)


def hostile_progress() -> Drawn:
    drawn = samples.progress("right")
    for one in (*drawn["exercises"], *drawn["labs"]):
        one["title"] = HOSTILE
    return drawn


def hostile_recording() -> Drawn:
    return samples.timeline(7.0, timeline_samples.hostile())


def running_matrix() -> Drawn:
    return durability_picture.drawn(begun(), live=True)


def wide_group() -> Drawn:
    snapshot, history = group_samples.wide(partitions=14, members=3)
    return group_picture.drawn(snapshot, "wide", history)


def answered() -> Drawn:
    question = samples.question()
    question.lock({"P0": 101, "P1": 103})
    question.compare(leaders_of("trucks_gps"), of=HEALTHY)
    return samples.predict(question)


@dataclass(frozen=True)
class Case:
    """A view: what it is drawn from, what then, and what with names that mean harm."""

    now: Callable[[], Drawn]
    then: Callable[[], Drawn]
    hostile: Callable[[], Drawn]
    #: What is pressed to be told all of what means harm.
    press: str = "summary"
    #: What no kernel sends, in place of what it does.
    junk: Callable[[Drawn], Drawn] = dict.fromkeys


VIEWS = {
    "cluster": Case(cluster, lambda: cluster(WITHOUT_102, nodes=nodes(broker_102="stopped")), hostile_cluster),
    "durability": Case(running_matrix, samples.durability, hostile_durability, "[data-cell]:visible"),
    "group": Case(samples.group, wide_group, hostile_group, ".kl-pause button"),
    "ledger": Case(lambda: samples.ledger(moving=True), samples.ledger, hostile_ledger, ".kl-lg-id"),
    "log": Case(drawn_logs, lambda: drawn_logs({**SPANS, 0: (12, 38, 39)}), hostile_logs, "[data-o='30']"),
    "metadata": Case(samples.kraft, samples.zookeeper, hostile_metadata, "[role=treeitem]"),
    "partitioner": Case(some_keys, lambda: some_keys(now=12), hostile_keys, ".kl-dot-key"),
    "predict": Case(samples.predict, answered, hostile_question, junk=lambda _: {"chips": 1}),
    "progress": Case(lambda: samples.progress("wrong"), lambda: samples.progress("right"), hostile_progress),
    "record": Case(samples.record, lambda: samples.record(43, codec=4), hostile_record, "[role=option]"),
    "stream": Case(lambda: samples.stream("copy"), samples.stream, hostile_stream),
    "timeline": Case(samples.timeline, lambda: samples.timeline(30.0), hostile_recording, ".kl-tl-chip"),
    "map": Case(samples.recorded_map, lambda: samples.recorded_map(90, 60.0), hostile_trucks),
}
every_view = pytest.mark.parametrize("name", VIEWS)


@pytest.fixture
def show(open_view: Open) -> Open:
    """``show(name, drawn)`` opens a page with a view."""

    def show(name: str, drawn: Drawn, *, live: bool = True, **page: Any) -> ViewPage:
        traits = live_state(drawn, live=live)
        if name == "map":
            traits = samples.traits_of(TruckMap()) | traits | {"selected": drawn["ids"][0]}
        view = open_view(name, traits, **page)
        expect(view.page.locator("#root")).not_to_be_empty()
        return view

    return show


def test_every_view_is_in_the_table() -> None:
    drawn = {sheet.parent.name for sheet in Path(views_live.__file__).parent.rglob("bundle.css")}
    assert drawn - {"page"} == set(VIEWS)


# What is told to be new is told only to who saw the old.
WORDS = """() => [...root.querySelectorAll("*")]
  .filter((n) => n.childElementCount === 0 && n.checkVisibility() && !n.closest("[aria-live], .kl-hidden, svg"))
  .map((n) => n.textContent)"""


THEMES = {"light": ("#fff", "#212121"), "dark": ("#111", "#e0e0e0")}
PUT_ON = """([paper, ink, light]) => {
  document.body.dataset.jpThemeLight = light;
  document.body.style = `--jp-layout-color1:${paper};--jp-ui-font-color1:${ink};background:${paper}`;
}"""


#: Others are drawn anew in files of their own.
in_the_check = {"cluster", "metadata"}
whole = [name if name in in_the_check else pytest.param(name, marks=pytest.mark.deep) for name in VIEWS]


@pytest.mark.parametrize("name", whole)
def test_patches_lead_to_the_whole_state_everybody_can_read_it_and_faults_are_told(show: Open, name: str) -> None:
    now, then = VIEWS[name].now(), VIEWS[name].then()
    assert json.loads(json.dumps([now, then], allow_nan=False)) == as_json([now, then])
    view = show(name, now, width=600, reduced_motion="reduce")
    view.draw(then)
    whole = show(name, then, width=600, reduced_motion="reduce")
    # The map's words follow once a second.
    wait_until(lambda: view.page.evaluate(WORDS) == whole.page.evaluate(WORDS), 10, "both pages to say the same")
    assert len(whole.page.evaluate(WORDS)) > 5
    assert view.fits(), "600 px"
    for theme, (paper, ink) in THEMES.items():
        view.page.evaluate(PUT_ON, [paper, ink, theme == "light"])
        assert faint(view.page, "#root") == [], theme
    audit(view.page, "#root", contrast=False)
    view.set("presenter", True)
    assert view.page.evaluate("parseFloat(getComputedStyle(document.querySelector('.kl-presenter')).fontSize)") > 18
    for width in (600, 1300):
        view.page.set_viewport_size({"width": width, "height": 900})
        assert view.fits(), f"{width} px for a presenter"
    # What no kernel sends is told as a fault, and whoever leaves hears no more.
    view.tell({"n": 2, "patch": [["set", [], {**now, **VIEWS[name].junk(now), "n": 2}]]})
    expect(view.page.get_by_role("alert").first).to_contain_text("fault")
    assert view.faults
    view.page.evaluate("leave()")
    # A frame that was asked for before is drawn yet.
    view.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    view.faults.clear()
    assert view.page.evaluate("Object.values(model.listeners).flat().length") == 0
    assert view.sent[-1]["do"] == "gone"


@every_view
def test_nothing_in_a_name_can_act(show: Open, name: str) -> None:
    case = VIEWS[name]
    view = show(name, case.hostile(), width=700, height=3000)
    assert faults(view.page, "#root") == []
    assert "<img src=" in view.page.locator("#root").inner_text()
    view.page.locator(case.press).evaluate_all("(all) => all.forEach((one) => one.click())")
    assert faults(view.page, "#root") == []
    assert view.fits()
    # By a patch, too.
    view.draw(case.now())
    view.draw(case.hostile())
    assert faults(view.page, "#root") == []


#: What changes a cluster, a log or an answer.
DEEDS = {"act", "send", "grow", "run", "halt", "lock", "log", "name"}


@every_view
def test_without_a_kernel_or_motion_it_is_walked_by_keys_and_asks_for_no_deed(show: Open, name: str) -> None:
    case = VIEWS[name]
    drawn = case.then()
    closed = cluster(buttons=False) if name == "cluster" else drawn | ({"live": False} if "live" in drawn else {})
    view = show(name, case.now(), live=False, reduced_motion="reduce")
    view.draw(closed)
    page = view.page
    assert page.evaluate("document.getAnimations().length") == 0
    page.locator("button:visible").evaluate_all("(all) => all.forEach((one) => one.click())")
    assert {message["do"] for message in view.sent}.isdisjoint(DEEDS)
    page.evaluate("document.activeElement.blur()")
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        assert page.evaluate("root.contains(document.activeElement) && document.activeElement.checkVisibility()")
    else:
        pytest.fail("Tab does not lead out of it")


# Only what tells a leak; to copy it all takes a while.
STYLES = """() => [...document.querySelectorAll("#root *")].map((node) => {
  const { display, color, backgroundColor, font, cursor, padding, border, gap } = getComputedStyle(node);
  const { x, y, width, height } = node.getBoundingClientRect();
  const style = { display, color, backgroundColor, font, cursor, padding, border, gap, x, y, width, height };
  return [`${node.tagName} ${node.getAttribute("class") ?? ""}`, Object.entries(style)];
})"""


@pytest.mark.deep
@every_view
def test_the_sheets_of_other_views_change_nothing(show: Open, name: str) -> None:
    """A notebook with several views holds the style sheets of them all, in any order."""
    view = show(name, VIEWS[name].then(), live=False, width=1280, reduced_motion="reduce")
    assert view.fits()  # two frames later, what the first one draws and scrolls is there
    page = view.page
    before = page.evaluate(STYLES)
    assert len(before) > 10
    page.add_style_tag(content="\n".join(views_live.css(other) for other in VIEWS if other != name))
    after = page.evaluate(STYLES)
    changed = {
        f"{node}: {name}: {was} → {now}"
        for (node, style), (_, later) in zip(before, after, strict=True)
        for (name, was), (_, now) in zip(style, later, strict=True)
        if was != now
    }
    assert not changed, "\n".join(sorted(changed)[:40])
