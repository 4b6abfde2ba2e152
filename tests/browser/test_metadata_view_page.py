"""MetadataView's front end in a real browser: the tree, keys, what is asked for, lanes, time lines, recordings."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from kafkalab.history.tracks.metadata import znode_told
from kafkalab.state.metadata.log import MetadataRecord
from kafkalab.views.metadata.events import Entry
from kafkalab.views.metadata.view import MetadataView
from tests.browser.samples import KILLED, kraft
from tests.browser.samples import zookeeper as drawn
from tests.browser.view_page import Open, ViewPage, box, live_state
from tests.unit.views import metadata_samples as recorded
from tests.unit.views.metadata_samples import T, tree_of, znode

#: For the fixture ``show``.
VIEW, PAGE = "metadata", {"width": 1100}


def row(view: ViewPage, path: str) -> Locator:
    return view.page.locator(f"[role=treeitem][data-path='{path}']")


def active(view: ViewPage) -> str:
    found: str = view.page.evaluate(
        "document.getElementById(document.querySelector('[role=tree]').getAttribute('aria-activedescendant')).dataset.path"
    )
    return found


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
    keys.press("End")
    assert active(view) == "/controller"
    assert [m["path"] for m in view.asked("select")][:2] == ["/", "/brokers"]


def test_what_is_opened_is_asked_for(show: Open) -> None:
    nodes = tree_of(101) | {"/brokers/topics": znode("/brokers/topics", children=None)}
    nodes["/brokers/topics"] = znode("/brokers/topics", children=["a", "b"])
    topics = drawn(nodes)
    del topics["sides"]["0"]["tree"]["c"]["brokers"]["c"]["topics"]["c"]
    view = show(topics)
    row(view, "/brokers/topics").locator(".kl-tree-arrow").click()
    assert view.asked("open") == [{"do": "open", "side": 0, "path": "/brokers/topics"}]
    expect(row(view, "/brokers/topics")).to_contain_text("reading…")
    view.draw(drawn(nodes))
    expect(row(view, "/brokers/topics/b")).to_be_visible()


def test_what_changed_is_marked_and_flashes(show: Open) -> None:
    view = show(drawn(), reduced_motion="no-preference")
    expect(row(view, "/brokers/ids/101")).to_be_visible()
    assert view.page.locator(".kl-tree-changed").count() == 0
    nodes = tree_of(101) | {"/brokers/ids/101": znode("/brokers/ids/101", {"host": "x", "port": 1}, owner=9, zxid=77)}
    view.draw(drawn(nodes))
    changed = view.page.locator(".kl-tree-changed")
    expect(changed).to_have_count(1)
    assert changed.get_attribute("data-path") == "/brokers/ids/101"
    expect(changed).not_to_have_css("animation-name", "none")


def test_a_watch_that_fired_leads_to_its_node(show: Open) -> None:
    view = show(drawn())
    log = view.page.get_by_role("log")
    expect(log).to_contain_text("+2.47 s")
    expect(log).to_contain_text("3 partitions have another leader")
    log.get_by_role("button", name="/brokers/ids/102").press("Enter")
    assert active(view) == "/brokers/ids/102"
    assert view.asked("select")[-1]["path"] == "/brokers/ids/102"


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


def test_lanes_end_where_the_logs_do_and_the_log_is_read_when_asked(show: Open) -> None:
    view = show(kraft())
    width = {id: box(view.page.locator(f"[data-node='{id}'] .kl-lane-log"))["width"] for id in (1, 2, 3, 102)}
    assert width[1] > width[2] > width[3] > width[102] * 0.99
    expect(view.page.locator(".kl-lane[data-node='102']")).to_contain_text("71 behind · last fetched 35 s ago")
    expect(view.page.locator(".kl-lane").first).to_contain_text("leader, voter")
    assert [e.get_attribute("data-node") for e in view.page.locator(".kl-lane").all()] == ["1", "2", "3", "101", "102"]

    # The log is read when asked for.
    view.page.get_by_role("button", name="read the log").click()
    assert view.asked("log") == [{"do": "log", "side": 0}]
    record = MetadataRecord(498, T + 3.09, "BrokerRegistrationChangeRecord", {"brokerId": 102, "fenced": 1})
    view.draw(kraft((record,)))
    rows = view.texts(".kl-record-table tbody tr")
    assert len(rows) == 1 and rows[0].startswith("498 +3.09 s ✕ BrokerRegistrationChangeRecord broker 102 is fenced")
    expect(view.page.locator(".kl-times-mark")).to_contain_text("+3.09 s")


def test_nodes_are_broken_from_the_bar_by_keyboard(show: Open) -> None:
    node = {"state": "running", "verbs": ["stop", "kill"], "busy": None}
    view = show(drawn(targets={"controller": node | {"node": "broker-101"}, "broker-102": node}))
    choice = view.page.get_by_label("node", exact=True)
    assert choice.input_value() == "broker-102"
    choice.focus()
    choice.select_option("controller")
    expect(view.page.locator(".kl-act")).to_contain_text("now broker 101")
    view.page.keyboard.press("Tab")
    view.page.keyboard.press("Tab")
    view.page.keyboard.press("Enter")
    assert view.asked("act") == [{"do": "act", "target": "controller", "verb": "kill"}]
    busy = node | {"busy": "kill"}
    view.draw(drawn(targets={"controller": busy | {"node": "broker-101"}, "broker-102": node}))
    assert view.page.evaluate("document.activeElement.dataset.verb") == "kill"
    view.page.keyboard.press("Enter")
    assert len(view.asked("act")) == 1


def test_a_connection_that_is_gone_or_cannot_be_made_is_told(show: Open) -> None:
    view = show(drawn())
    for state in ("suspended", "lost"):
        view.draw(drawn(connection={"state": state, "since": T, "session": ""}))
        expect(view.page.locator("[data-connection]")).to_contain_text(state.upper())
        expect(row(view, "/controller")).to_be_visible()
    problem = 'MetadataView(cluster, zookeeper="host:2181")'
    view.draw(drawn(problem=problem, tree=None, connection=None, details={}))
    expect(view.page.locator(".kl-notice")).to_contain_text(problem)
    expect(view.page.get_by_role("tree")).to_be_hidden()


def test_of_a_recording_what_was_not_recorded_is_said_and_nobody_is_asked(open_view: Open) -> None:
    tape = recorded.zookeeper()
    nodes = dict(tape.recording.facts.value("znodes", 3.0))
    nodes["/brokers"] = znode_told(znode("/brokers", children=["ids", "topics"]))
    nodes["/brokers/topics"] = znode_told(znode("/brokers/topics", children=None)) | {"child_count": 7}
    tape.state(20.5, "znodes", nodes)
    metadata, at = MetadataView(tape.recording), tape.recording.at
    view = open_view(VIEW, live_state(metadata.drawn_at(at(20.5))), width=1100)
    row(view, "/brokers/topics").locator(".kl-tree-arrow").click()
    expect(row(view, "/brokers/topics")).to_contain_text("not recorded")
    expect(view.page.locator(".kl-act")).to_be_hidden()
    expect(view.page.locator(".kl-side-pills")).to_contain_text("as it was at")
    # Lines come and go with time, and stand in their order.
    kinds = "() => [...document.querySelectorAll('.kl-happening')].map((li) => li.dataset.kind)"
    all_of_them = ["you", "gone", "children", "controller", "leader"]
    view.draw(metadata.drawn_at(at(6.0)))
    assert view.page.evaluate(kinds) == ["you"]
    drawn = metadata.drawn_at(at(20.0))
    side = drawn["sides"]["0"]
    for lines in (side["lines"], side["lines"][2:], side["lines"]):
        view.draw({**drawn, "sides": {"0": {**side, "lines": lines}}})
        assert view.page.evaluate(kinds) == all_of_them[-len(lines) :]
    # A click that shows a node may ask; nothing waits for it.
    assert {message["do"] for message in view.asked()} <= {"select"}


def test_recorded_records_come_and_go_with_time_and_no_button_reads_them(open_view: Open) -> None:
    recording = recorded.kraft().recording
    metadata = MetadataView(recording)
    view = open_view(VIEW, live_state(metadata.drawn_at(recording.at(10.0))), width=1100)
    offsets = view.page.locator(".kl-record-table tbody td.kl-number")
    expect(offsets).to_have_text(["91", "90", "5", "4"])
    view.draw(metadata.drawn_at(recording.at(3.0)))
    expect(offsets).to_have_text(["5", "4"])
    expect(view.page.get_by_role("button", name="read the log")).to_have_count(0)
