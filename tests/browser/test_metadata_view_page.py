"""MetadataView's front end in a real browser: the tree, keys, what is asked for, lanes, time lines, hostile content."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from kafkalab.state.metadata_log import MetadataRecord
from kafkalab.state.znode_reading import Znode
from kafkalab.views.metadata_events import Entry
from kafkalab.views.metadata_view import MetadataView
from tests.browser.accessibility import audit
from tests.browser.view_page import ViewPage
from tests.unit.views.metadata_samples import KRAFT, ZOOKEEPER, T, broker, tree_of, znode
from tests.unit.views_samples import HOSTILE, LONG, TURNED

Open = Callable[..., ViewPage]
#: For the fixture ``show``.
VIEW, PAGE = "metadata_view", {"width": 1100}
Drawn = dict[str, Any]

KILLED = [
    Entry(T, "you", "you killed broker 102", "here"),
    Entry(
        T + 2.47, "gone", "its session expired", "watch", "NodeDeleted", "/brokers/ids/102", short="102's session over"
    ),
    *(
        Entry(
            T + 2.5,
            "leader",
            f"t P{i}: leader 102 → 101",
            "watch",
            "NodeDataChanged",
            f"/s/{i}",
            "leader",
            isr="shrank",
        )
        for i in range(3)
    ),
]


def drawn(nodes: dict[str, Znode | None] | None = None, entries: list[Entry] | None = None, **more: Any) -> Drawn:
    """A state with the samples' ZooKeeper, as the kernel would draw it."""
    view = MetadataView.of(ZOOKEEPER, znodes=tree_of(101) if nodes is None else nodes)
    (side,) = view._sides
    side.happened.add(KILLED if entries is None else entries)
    state = {"sides": {"0": side.drawn()}}
    state["sides"]["0"] |= {"connection": {"state": "connected", "since": T, "session": "0xabc"}, **more}
    view.close()
    return state


def kraft(records: tuple[MetadataRecord, ...] | None = None, **more: Any) -> Drawn:
    view = MetadataView.of(KRAFT, records=records)
    (side,) = view._sides
    side.happened.add([Entry(T, "you", "you killed broker 102", "here")])
    state = {"sides": {"0": side.drawn() | more}}
    view.close()
    return state


def row(view: ViewPage, path: str) -> Locator:
    return view.page.locator(f"[role=treeitem][data-path='{path}']")


def active(view: ViewPage) -> str:
    found: str = view.page.evaluate(
        "document.getElementById(document.querySelector('[role=tree]').getAttribute('aria-activedescendant')).dataset.path"
    )
    return found


def asked(view: ViewPage, verb: str) -> list[Drawn]:
    return [m for m in view.sent if m.get("do") == verb]


def test_the_tree_says_what_is_ephemeral_whose_it_is_and_what_is_missed(show: Open) -> None:
    view = show(drawn())
    expect(row(view, "/brokers/ids/101")).to_contain_text("⚡ 101")
    expect(row(view, "/brokers/ids/101")).to_contain_text("ephemeral")
    expect(row(view, "/brokers/ids/102")).to_contain_text("not there")
    expect(view.page.get_by_role("treeitem", name="controller ephemeral v0 broker 101")).to_be_visible()
    expect(view.page.get_by_role("treeitem", name="brokers persistent v0")).to_be_visible()
    detail = view.page.locator(".kl-detail")
    expect(detail).to_contain_text("lives and dies with session 0x105")
    expect(detail).to_contain_text("Broker 101 is the controller")
    expect(detail.locator("pre")).to_contain_text('"brokerid": 101')


def test_keys_walk_open_and_close_the_tree(show: Open) -> None:
    view = show(drawn())
    keys = view.page.keyboard
    view.page.get_by_role("tree").focus()
    keys.press("Home")
    assert active(view) == "/"
    for key, path in (("ArrowDown", "/brokers"), ("ArrowRight", "/brokers/ids"), ("ArrowRight", "/brokers/ids/101")):
        keys.press(key)
        assert active(view) == path
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    expect(row(view, "/brokers/ids")).to_have_attribute("aria-expanded", "false")
    expect(row(view, "/brokers/ids/101")).to_have_count(0)
    keys.press("c")
    assert active(view) == "/controller"
    keys.press("End")
    assert active(view) == "/controller"
    keys.type("br")
    assert active(view) == "/brokers"
    assert [m["path"] for m in asked(view, "select")][:2] == ["/", "/brokers"]


def test_what_is_opened_and_in_sight_is_asked_for(show: Open) -> None:
    nodes = tree_of(101) | {"/brokers/topics": znode("/brokers/topics", children=None)}
    nodes["/brokers/topics"] = znode("/brokers/topics", children=["a", "b"])
    topics = drawn(nodes)
    del topics["sides"]["0"]["tree"]["c"]["brokers"]["c"]["topics"]["c"]
    view = show(topics)
    row(view, "/brokers/topics").locator(".kl-tree-arrow").click()
    assert asked(view, "open") == [{"do": "open", "side": 0, "path": "/brokers/topics"}]
    expect(row(view, "/brokers/topics")).to_contain_text("reading…")
    view.draw(drawn(nodes))
    expect(row(view, "/brokers/topics/b")).to_be_visible()
    view.page.wait_for_function("sent.some((m) => m.do === 'see')")
    assert asked(view, "see")[-1]["paths"] == ["/brokers/topics/a", "/brokers/topics/b"]


def test_a_tree_of_a_thousand_topics_draws_only_what_is_in_sight(show: Open) -> None:
    nodes = tree_of(101) | {"/brokers/topics": znode("/brokers/topics", children=[f"topic-{i}" for i in range(1000)])}
    view = show(drawn(nodes))
    row(view, "/brokers/topics").locator(".kl-tree-arrow").click()
    view.page.get_by_role("tree").focus()
    began = time.monotonic()
    for _ in range(20):
        view.page.keyboard.press("PageDown")
    assert time.monotonic() - began < 10
    assert view.page.locator("[role=treeitem]").count() < 60
    assert active(view).startswith("/brokers/topics/topic-2")
    expect(row(view, active(view))).to_have_attribute("aria-setsize", "1000")
    expect(row(view, active(view))).to_be_visible()


@pytest.mark.parametrize("motion, moves", [("no-preference", True), ("reduce", False)])
def test_what_changed_is_marked_and_flashes_unless_motion_is_unwanted(show: Open, motion: str, moves: bool) -> None:
    view = show(drawn(), reduced_motion=motion)
    expect(row(view, "/brokers/ids/101")).to_be_visible()
    assert view.page.locator(".kl-tree-changed").count() == 0
    nodes = tree_of(101) | {"/brokers/ids/101": znode("/brokers/ids/101", {"host": "x", "port": 1}, owner=9, zxid=77)}
    view.draw(drawn(nodes))
    changed = view.page.locator(".kl-tree-changed")
    expect(changed).to_have_count(1)
    assert changed.get_attribute("data-path") == "/brokers/ids/101"
    assert (changed.evaluate("e => getComputedStyle(e).animationName") != "none") is moves


def test_a_watch_that_fired_leads_to_its_node(show: Open) -> None:
    view = show(drawn())
    log = view.page.get_by_role("log")
    expect(log).to_contain_text("+2.47 s")
    expect(log).to_contain_text("3 partitions have another leader")
    log.get_by_role("button", name="/brokers/ids/102").press("Enter")
    assert active(view) == "/brokers/ids/102"
    assert asked(view, "select")[-1]["path"] == "/brokers/ids/102"


def test_the_time_line_shows_what_followed_and_what_clients_waited_for(show: Open) -> None:
    view = show(drawn())
    lines = view.page.locator(".kl-times-row")
    assert [" ".join(text.split()) for text in lines.locator(".kl-times-mark").all_inner_texts()] == [
        "✕ +2.47 s 102's session over",
        "♛ +2.50 s 3 partitions led by another",
        "◌ +2.50 s ISR of 3 partitions shrank",
    ]
    expect(lines.nth(0)).to_contain_text("nobody knows yet")
    expect(lines.nth(1)).to_contain_text("101 goes on")
    expect(lines.nth(2)).to_contain_text("what it led cannot be read or written")
    view.draw(drawn(entries=[*KILLED, Entry(T + 60, "you", "you started broker 102", "here")]))
    choice = view.page.get_by_label("after which action")
    assert choice.input_value() == "0"
    expect(lines.locator(".kl-times-mark")).to_have_count(0)
    choice.select_option("1")
    expect(lines.locator(".kl-times-mark")).to_have_count(3)


def test_two_clusters_stand_beside_each_other_on_one_time_axis(show: Open) -> None:
    both = {"sides": {"0": drawn()["sides"]["0"], "1": kraft()["sides"]["0"]}}
    view = show(both, width=1400)
    one, two = (side.bounding_box() for side in view.page.locator(".kl-side").all())
    assert one and two
    assert one["x"] + one["width"] <= two["x"] and one["y"] == two["y"]
    assert view.page.locator(".kl-times-side").count() == 2
    assert view.page.locator(".kl-times-axis").count() == 1


def test_lanes_end_where_the_logs_do(show: Open) -> None:
    view = show(kraft())
    ends = {id: view.page.locator(f".kl-lane[data-node='{id}'] .kl-lane-log").bounding_box() for id in (1, 2, 3, 102)}
    width = {id: box["width"] for id, box in ends.items() if box}
    assert width[1] > width[2] > width[3] > width[102] * 0.99
    expect(view.page.locator(".kl-lane[data-node='102']")).to_contain_text("71 behind · last fetched 35 s ago · fenced")
    expect(view.page.locator(".kl-lane").first).to_contain_text("leader, voter")
    assert [e.get_attribute("data-node") for e in view.page.locator(".kl-lane").all()] == ["1", "2", "3", "101", "102"]


def test_the_log_is_read_when_asked(show: Open) -> None:
    view = show(kraft())
    view.page.get_by_role("button", name="read the log").click()
    assert asked(view, "log") == [{"do": "log", "side": 0}]
    record = MetadataRecord(498, T + 3.09, "BrokerRegistrationChangeRecord", {"brokerId": 102, "fenced": 1})
    view.draw(kraft((record,)))
    rows = view.texts(".kl-record-table tbody tr")
    assert rows == ["498 +3.09 s ✕ BrokerRegistrationChangeRecord broker 102 is fenced: it may lead nothing"]
    expect(view.page.locator(".kl-times-mark")).to_contain_text("+3.09 s")


def test_nodes_are_broken_from_the_bar_by_keyboard(show: Open) -> None:
    node = {"state": "running", "verbs": ["stop", "kill"], "busy": None}
    view = show(drawn(targets={"controller": node | {"is": "broker-101"}, "broker-102": node}))
    choice = view.page.get_by_label("node", exact=True)
    assert choice.input_value() == "broker-102"
    choice.focus()
    choice.select_option("controller")
    expect(view.page.locator(".kl-act")).to_contain_text("now broker 101")
    view.page.keyboard.press("Tab")
    view.page.keyboard.press("Tab")
    view.page.keyboard.press("Enter")
    assert asked(view, "act") == [{"do": "act", "target": "controller", "verb": "kill"}]
    busy = node | {"busy": "kill"}
    view.draw(drawn(targets={"controller": busy | {"is": "broker-101"}, "broker-102": node}))
    assert view.page.evaluate("document.activeElement.dataset.verb") == "kill"
    view.page.keyboard.press("Enter")
    assert len(asked(view, "act")) == 1


@pytest.mark.parametrize(
    "state, words", [("suspended", "SUSPENDED: no ZooKeeper answers"), ("lost", "LOST: our session")]
)
def test_a_connection_that_is_gone_is_told(show: Open, state: str, words: str) -> None:
    view = show(drawn(connection={"state": state, "since": T, "session": ""}))
    expect(view.page.locator("[data-connection]")).to_contain_text(words)
    expect(row(view, "/controller")).to_be_visible()


def test_a_zookeeper_whose_place_is_not_known_is_said_and_how_to_give_it(show: Open) -> None:
    problem = 'If you may reach it: MetadataView(cluster, zookeeper="host:2181").'
    view = show(drawn(problem=problem, tree=None, connection=None, details={}))
    expect(view.page.locator(".kl-notice")).to_contain_text(problem)
    expect(view.page.get_by_role("tree")).to_be_hidden()


def test_hostile_content_is_only_ever_text(show: Open) -> None:
    evil = [HOSTILE, TURNED, LONG, "__proto__", "constructor", '"><script>alert(1)</script>']
    nodes = tree_of(101) | {
        "/": znode("/", children=[*(name.replace("/", "∕") for name in evil), "brokers", "controller"]),
        "/controller": znode(
            "/controller", b"\xff\xfe" + HOSTILE.encode() + TURNED.encode() + b"x" * 1_000_000, owner=1
        ),
    }
    entries = [Entry(T, "you", text, "here") for text in evil]
    entries += [Entry(T, "gone", text, "watch", text, f"/{text}", short=text) for text in evil]
    records = tuple(MetadataRecord(i, T, text, {text: text}) for i, text in enumerate(evil))
    one = drawn(nodes, entries, name=HOSTILE + TURNED, kafka=TURNED, problem=HOSTILE, error=TURNED + HOSTILE)
    two = kraft(records, name=LONG, targets={text: {"state": "", "verbs": ["kill"], "busy": None} for text in evil})
    both = {"sides": {"0": one["sides"]["0"], "1": two["sides"]["0"]}}
    view = show(both, width=1400)
    text = view.page.locator("body").inner_text()
    assert HOSTILE[:20] in text
    assert TURNED not in text and "\u202e" not in text
    assert len(view.page.content()) < 500_000
    assert view.page.locator("img, script:not([type=module])").count() == 0
    assert row(view, "/__proto__").count() == 1


@pytest.mark.parametrize(
    "body",
    ["data-jp-theme-light=true", 'data-jp-theme-light=false style="--jp-layout-color1:#111;--jp-ui-font-color1:#eee"'],
)
@pytest.mark.parametrize("width, presenter", [(1400, False), (700, True)])
def test_it_is_readable_in_both_themes_and_nothing_leaves_its_frame(
    show: Open, body: str, width: int, presenter: bool
) -> None:
    record = MetadataRecord(498, T + 3.09, "BrokerRegistrationChangeRecord", {"brokerId": 102, "fenced": 1})
    both = {"sides": {"0": drawn()["sides"]["0"], "1": kraft((record,))["sides"]["0"]}}
    view = show(both, body=body, width=width, presenter=presenter)
    expect(row(view, "/controller")).to_be_visible()
    audit(view.page, ".kl-metadata")
    found = view.contrasts(
        ".kl-metadata :is(.kl-times-mark, .kl-tree-name, .kl-lane-words, .kl-happening b, .kl-pill, .kl-detail li span)"
    )
    assert len(found) > 20
    assert [one for one in found if one[1] < 4.5] == []
    assert view.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert broker(101) is not None


def test_leaving_ends_it(show: Open) -> None:
    view = show(drawn())
    view.page.evaluate("leave()")
    assert view.page.evaluate("Object.values(model.listeners).flat().length") == 0
    assert asked(view, "gone")
