"""The list, the time line, the tree and the lanes, as plain JSON; and the static forms made of them."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

from kafkalab.cluster.backend import NodeState
from kafkalab.state.event import Event
from kafkalab.state.metadata_log import MetadataRecord
from kafkalab.views.metadata_events import Entry, from_watcher
from kafkalab.views.metadata_happened import LINES_KEPT, Happened
from kafkalab.views.metadata_paths import DATA_SHOWN, about, pretty
from kafkalab.views.metadata_quorum import quorum_drawn, records_drawn
from kafkalab.views.metadata_tree import CHILDREN_LISTED, detail, tree
from kafkalab.views.metadata_view import MetadataView
from tests.unit.views.metadata_samples import KRAFT, ZOOKEEPER, T, broker, controller, state, tree_of, znode


def you(at: float, text: str = "you killed broker 102") -> Entry:
    return Entry(at, "you", text, "here")


def watched(at: float, kind: str, key: str = "", where: str = "", **more: str) -> Entry:
    return Entry(at, kind, f"text of {kind}", "watch", "NodeDataChanged", where, key=key, **more)  # type: ignore[arg-type]


def test_entries_of_one_key_and_moment_are_one_line() -> None:
    happened = Happened()
    happened.add([you(T)])
    happened.add(
        watched(T + 3 + i / 100, "leader", "leader", f"/brokers/topics/t/partitions/{i}/state") for i in range(5)
    )
    happened.add([watched(T + 9, "leader", "leader", "/x")])
    first, crowd, late = happened.lines()
    assert (first["since"], crowd["since"], late["since"]) == (0.0, 3.0, 9.0)
    assert crowd["text"] == "5 partitions have another leader"
    assert crowd["where"] == "/brokers/topics/t/partitions/…/state"
    assert len(crowd["parts"]) == 5
    assert late["parts"] == []


def test_only_the_newest_lines_are_kept() -> None:
    happened = Happened()
    happened.add(watched(T + i, "other") for i in range(LINES_KEPT + 50))
    lines = happened.lines()
    assert (len(lines), lines[0]["n"], lines[-1]["n"]) == (LINES_KEPT, 51, LINES_KEPT + 50)


def test_an_ensemble_that_loses_its_leader_has_a_row_of_its_own() -> None:
    happened = Happened()
    happened.add([you(T, "you killed zookeeper 3")])
    told = [("quorum_node_down", "ZooKeeper 3 is down"), ("quorum_leader_moved", "ZooKeeper's leader 3 → none")]
    happened.add(entry for kind, text in told if (entry := from_watcher(Event(T + 0.5, kind, text))))
    (action,) = happened.time_lines().values()
    assert [(m["t"], m["text"]) for m in action["rows"]["quorum"]] == [(0.5, text) for _, text in told]
    happened.add([you(T + 9)])
    assert "quorum" not in happened.time_lines()[str(int((T + 9) * 1000))]["rows"]


def test_a_time_line_begins_with_each_action_and_ends_with_the_next() -> None:
    happened = Happened()
    happened.add(
        [
            you(T),
            watched(T + 2.5, "gone", short="broker 102's session over"),
            watched(T + 2.6, "leader", "leader", "/a", isr="shrank"),
            watched(T + 2.7, "leader", "leader", "/b", isr="shrank"),
            you(T + 20, "you started broker 102"),
            watched(T + 23, "came", short="broker 102 registered"),
        ]
    )
    killed, started = happened.time_lines().values()
    assert killed["rows"]["noticed"] == [{"t": 2.5, "kind": "gone", "text": "broker 102's session over", "exact": True}]
    assert killed["rows"]["leaders"] == [
        {"t": 2.7, "kind": "leader", "text": "2 partitions led by another", "exact": True}
    ]
    assert killed["rows"]["isr"] == [{"t": 2.7, "kind": "shrank", "text": "ISR of 2 partitions shrank", "exact": True}]
    assert killed["rows"]["controller"] == []
    moved = Happened()
    moved.add(
        [
            you(T),
            watched(T + 2.52, "controller", short="103 → nobody"),
            watched(T + 2.53, "controller", short="nobody → 102"),
        ]
    )
    (failover,) = moved.time_lines().values()
    assert [(m["t"], m["text"]) for m in failover["rows"]["controller"]] == [(2.53, "103 → 102")]
    assert [m["t"] for m in started["rows"]["noticed"]] == [3.0]


def test_the_log_is_believed_more_than_what_was_seen_between_two_snapshots() -> None:
    happened = Happened()
    happened.add([you(T), Entry(T + 3.4, "gone", "broker 102 is down", "snapshot", short="broker 102 fenced")])
    happened.add([Entry(T + 9.0, "gone", "broker 103 is down", "snapshot", short="broker 103 fenced")])
    (before,) = happened.time_lines().values()
    assert [(m["t"], m["exact"]) for m in before["rows"]["noticed"]] == [(3.4, False), (9.0, False)]
    happened.learn_exactly([Entry(T + 3.01, "gone", "fenced", "record", short="broker 102 fenced")])
    (after,) = happened.time_lines().values()
    assert [(m["t"], m["exact"]) for m in after["rows"]["noticed"]] == [(3.01, True), (9.0, False)]


def test_the_tree_shows_what_was_read_and_what_is_missed() -> None:
    drawn = tree(
        {**tree_of(101, 103), "/brokers/topics": znode("/brokers/topics", children=["__proto__"])}, ["/brokers/ids/102"]
    )
    ids = drawn["c"]["brokers"]["c"]["ids"]
    assert list(ids["c"]) == ["101", "103", "102"]
    assert ids["k"] == 2
    assert ids["c"]["102"] == {"gone": True}
    assert ids["c"]["101"] == {"k": 0, "v": 1, "z": 1, "s": "127.0.0.1:9101", "e": True, "c": {}}
    assert drawn["c"]["controller"]["s"] == "broker 101"
    assert drawn["c"]["brokers"]["c"]["topics"]["c"] == {"__proto__": {}}


def test_a_node_with_very_many_children_lists_the_first() -> None:
    many = [f"t{i:06}" for i in range(CHILDREN_LISTED + 10)]
    drawn = tree({"/": znode("/", children=many)})
    assert (drawn["k"], len(drawn["c"])) == (len(many), CHILDREN_LISTED)


def test_a_node_in_full() -> None:
    found = detail("/brokers/ids/102", {"/brokers/ids/102": broker(102)})
    assert found is not None
    assert found["session"] == f"0x{0xA0 + 102:x}"
    assert found["about"] == "Broker 102 is registered here while its session lives, at 127.0.0.1:9102."
    assert json.loads(found["data"]) == {"host": "127.0.0.1", "port": 9102}
    assert detail("/controller", {"/controller": None}) == {"there": False, "about": about("/controller")}
    assert detail("/x", {}) is None


def test_data_of_any_kind_is_shown_as_text_and_cut() -> None:
    assert pretty(znode("/x", b"\xff\xfe plain \x00")) == "\\xff\\xfe plain \x00"
    long = pretty(znode("/x", b"x" * 1_000_000))
    assert len(long) < DATA_SHOWN + 40
    assert long.endswith("more bytes")
    evil = detail("/x", {"/x": znode("/x", {"a": "\u202e<b>"})})
    assert evil is not None
    assert "\u202e" not in evil["data"]


def test_every_known_node_has_its_sentence() -> None:
    assert about("/controller", controller(103).data).startswith("Broker 103 is the controller")
    assert about("/brokers/topics/t/partitions/0/state", state(-1, []).data) == (
        "t P0: nobody leads, in sync: nobody, leader epoch 0."
    )
    assert about("/brokers/topics/t/partitions/0/state", b"no JSON") == "t P0: who leads, and who is in sync."
    for path in (
        "/",
        "/isr_change_notification",
        "/config/topics/t",
        "/brokers/topics/t/partitions",
        "/zookeeper/quota",
    ):
        assert about(path).endswith("."), path
    assert about("/somebody/elses") == ""


def test_lanes_say_who_is_how_far_behind_and_when_it_was_heard_last() -> None:
    nodes = [NodeState("broker-101", "broker", 101, "paused"), NodeState("zookeeper-1", "zookeeper", 1, "running")]
    drawn = quorum_drawn(KRAFT, nodes)
    assert drawn is not None
    assert (drawn["leader"], drawn["epoch"], drawn["end"], drawn["mark"]) == (1, 3, 500, 499)
    lanes = drawn["nodes"]
    assert [lanes[id]["part"] for id in lanes] == ["leader", "follower", "down", "follower", "down"]
    assert [lanes[id]["role"] for id in lanes] == ["leader", "follower", "voter", "observer", "observer"]
    assert [lanes[id]["seen"] for id in lanes] == [0, 0, 35, 0, 35]
    assert (lanes["102"]["fenced"], lanes["101"]["fenced"]) == (True, False)
    assert (lanes["101"]["state"], lanes["1"]["state"]) == ("paused", None)


def frozen_zookeeper() -> MetadataView:
    events = [Event(T, "you", "you killed broker 102"), Event(T + 3, "broker_down", "broker 102 is down", broker=102)]
    return MetadataView.of(ZOOKEEPER, znodes=tree_of(101), events=events)


def frozen_kraft() -> MetadataView:
    records = [MetadataRecord(498, T + 3, "BrokerRegistrationChangeRecord", {"brokerId": 102, "fenced": 1, "x": "<b>"})]
    return MetadataView.of(KRAFT, records=records, events=[Event(T, "you", "you <i>killed</i> broker 102")])


def test_static_forms_say_what_the_picture_shows() -> None:
    for view, words in (
        (frozen_zookeeper(), ["⚡ 101", "✕ 102", "controller 101"]),
        (frozen_kraft(), ["♛ 1", "✕ 102", "last fetched 35 s ago"]),
    ):
        text = repr(view)
        assert all(word in text for word in words), text
        assert "102" in view.to_html()
        svg = ET.fromstring(view.to_svg())
        assert "controller" in "".join(svg.itertext())
        view.close()


def test_static_forms_escape() -> None:
    view = frozen_kraft()
    assert "<i>" not in view.to_html()
    assert "&lt;i&gt;" in view.to_html()
    view.close()


def test_records_are_drawn_by_offset() -> None:
    found = records_drawn([MetadataRecord(498, T, "BrokerRegistrationChangeRecord", {"brokerId": 102, "fenced": 1})])
    assert found["498"]["type"] == "BrokerRegistrationChangeRecord"
    assert found["498"]["kind"] == "gone"
