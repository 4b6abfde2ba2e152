"""What a watch, a record or a snapshot tells, and what is drawn of it: list, time line, tree and lanes."""

from __future__ import annotations

import json
from dataclasses import replace

from kafkalab.state.metadata.log import MetadataRecord
from kafkalab.state.metadata.znodes import Znode, changed
from kafkalab.state.model import DONE, Event, NodeState, Verb, called
from kafkalab.views.metadata.events import LINES_KEPT, Entry, Happened, from_watcher
from kafkalab.views.metadata.records import from_records, quorum_drawn
from kafkalab.views.metadata.znodes import DATA_SHOWN, about, detail, from_watch, pretty
from tests.unit.views.metadata_samples import KRAFT, STATE, T, broker, controller, event, state, znode


def told(word: str, before: Znode | None, after: Znode | None, **verbs: str) -> Entry:
    return from_watch(event(word, before, after), {name.replace("_", "-"): verb for name, verb in verbs.items()})


def test_why_a_session_ended_is_told_by_what_the_learner_did() -> None:
    for verb, node, why in (
        ("kill", "broker_102", "its session expired:"),
        ("stop", "broker_102", "it closed its session"),
        ("kill", "broker_101", "its session ended;"),
    ):
        entry = told("NodeDeleted", broker(102), None, **{node: verb})
        assert (entry.kind, entry.where) == ("gone", "/brokers/ids/102")
        assert entry.text.startswith(why)


def test_sessions_and_controllers_come_and_go() -> None:
    new = told("NodeCreated", None, broker(102))
    anew = told("NodeDataChanged", broker(102), broker(102, owner=0xB0))
    same = told("NodeDataChanged", broker(102), broker(102))
    assert [e.kind for e in (new, anew, same)] == ["came", "came", "other"]
    assert f"in session 0x{0xA0 + 102:x}" in new.text and "anew" in anew.text
    for before, after, short in (
        (controller(101), None, "101 → nobody"),
        (controller(101), controller(103), "101 → 103"),
        (None, controller(103), "nobody → 103"),
    ):
        entry = told("…", before, after)
        assert (entry.kind, entry.short) == ("controller", short)


def test_a_partitions_state_tells_leader_and_isr() -> None:
    both = state(102, [101, 102])
    for before, after, kind, isr, text in (
        (both, state(-1, [101], 1), "leaderless", "shrank", "nobody leads, ISR 101, 102 → 101"),
        (state(-1, [101], 1), state(101, [101], 2), "leader", "", "leader nobody → 101, epoch 2"),
        (both, state(101, [101], 1), "leader", "shrank", "leader 102 → 101, epoch 1, ISR 101, 102 → 101"),
        (state(102, [101]), both, "isr", "grew", "ISR 101 → 101, 102"),
        (both, state(102, [101, 103]), "isr", "changed", "ISR 101, 102 → 101, 103"),
        (both, state(102, [102, 101], 5), "other", "", "written again, leader epoch 5"),
    ):
        entry = told("NodeDataChanged", before, after)
        assert (entry.kind, entry.isr, entry.text) == (kind, isr, f"t P0: {text}")


def test_children_that_came_and_went_and_what_no_watch_told() -> None:
    before = znode("/brokers/topics", children=["a", "b", "c", "d", "e"])
    after = znode("/brokers/topics", children=["e", "<b>"])
    entry = told("NodeChildrenChanged", before, after)
    assert (entry.kind, entry.text) == ("topic", "below it: a, b, c and 1 more gone; <b> new")
    assert told("", state(102, [102]), state(101, [101], 1)).word == "changed meanwhile"
    assert changed(None, before) and changed(before, replace(before, zxid=10**9)) and not changed(before, before)


def test_records_refer_to_what_earlier_ones_said() -> None:
    of_x = {"topicId": "X", "partitionId": 0}
    told = [
        ("TopicRecord", {"name": "trucks", "topicId": "X"}, "topic"),
        ("PartitionRecord", {**of_x, "leader": 102, "isr": [101, 102]}, "topic"),
        ("PartitionChangeRecord", {**of_x, "leader": 101, "isr": [101]}, "leader"),
        ("BrokerRegistrationChangeRecord", {"brokerId": 102, "fenced": 1}, "gone"),
        ("BrokerRegistrationChangeRecord", {"brokerId": 102, "fenced": -1}, "came"),
        ("PartitionChangeRecord", {**of_x, "isr": [101, 102]}, "isr"),
        ("PartitionChangeRecord", {"topicId": "Y", "partitionId": 1, "leader": -1}, "leaderless"),
        ("LeaderChange", {"leaderId": 3}, "controller"),
        ("SomethingNewRecord", {"a": "b" * 100}, "other"),
    ]
    found = from_records([MetadataRecord(n, T, type, data) for n, (type, data, _) in enumerate(told)])
    assert [e.kind for e in found] == [kind for _, _, kind in told]
    assert [found[2].isr, found[5].isr, found[1].isr] == ["shrank", "grew", ""]
    assert (found[2].text, found[6].text) == ("trucks P0: leader 101, ISR 101", "id Y P1: nobody leads")


def you(at: float, verb: Verb = "kill", node: str = "broker-102") -> Entry:
    return Entry(at, "you", DONE[verb].format(called(node)), "here")


def watched(at: float, kind: str, where: str = "", **more: str) -> Entry:
    key = kind if where else ""
    return Entry(at, kind, f"text of {kind}", "watch", "NodeDataChanged", where, key=key, **more)  # type: ignore[arg-type]


def telling(*entries: Entry) -> Happened:
    happened = Happened()
    happened.add(entries)
    return happened


def test_entries_of_one_key_and_moment_are_one_line() -> None:
    many = [watched(T + 3 + i / 100, "leader", STATE.replace("0", str(i))) for i in range(5)]
    first, crowd, late = telling(you(T), *many, watched(T + 9, "leader", "/x")).lines()
    assert (first["since"], crowd["since"], late["since"]) == (0.0, 3.0, 9.0)
    assert crowd["text"] == "5 partitions have another leader"
    assert crowd["where"] == "/brokers/topics/t/partitions/…/state"
    assert (len(crowd["parts"]), late["parts"]) == (5, [])
    lines = telling(*(watched(T + i, "other") for i in range(LINES_KEPT + 50))).lines()
    assert [line["n"] for line in lines] == [*range(51, LINES_KEPT + 51)], "the newest are kept"


def test_a_time_line_begins_with_each_action_and_ends_with_the_next() -> None:
    quorum = from_watcher(Event(T + 0.5, "quorum_node_down", "ZooKeeper 3 is down"))
    assert quorum is not None
    killed, started = telling(
        you(T), quorum,
        watched(T + 2.5, "gone", short="broker 102's session over"),
        watched(T + 2.52, "controller", short="103 → nobody"), watched(T + 2.53, "controller", short="nobody → 102"),
        watched(T + 2.6, "leader", "/a", isr="shrank"), watched(T + 2.7, "leader", "/b", isr="shrank"),
        you(T + 20, "start"),
        watched(T + 23, "came", short="broker 102 registered"),
    ).time_lines()  # fmt: skip
    assert {name: [(m["t"], m["kind"], m["text"]) for m in marks] for name, marks in killed["rows"].items()} == {
        "noticed": [(2.5, "gone", "broker 102's session over")],
        "leaders": [(2.7, "leader", "2 partitions led by another")],
        "isr": [(2.7, "shrank", "ISR of 2 partitions shrank")],
        "controller": [(2.53, "controller", "103 → 102")],
        "quorum": [(0.5, "quorum", "ZooKeeper 3 is down")],
    }
    assert [m["t"] for m in started["rows"]["noticed"]] == [3.0]
    assert "quorum" not in started["rows"]


def test_a_node_in_full() -> None:
    found = detail("/brokers/ids/102", {"/brokers/ids/102": broker(102)})
    assert found is not None and "session" in found
    assert (found["session"], json.loads(found["data"])) == (f"0x{0xA0 + 102:x}", {"host": "127.0.0.1", "port": 9102})
    assert "at 127.0.0.1:9102" in found["about"]
    assert detail("/controller", {"/controller": None}) == {"about": about("/controller")}
    assert detail("/x", {}) is None
    assert pretty(znode("/x", b"\xff\xfe plain \x00")) == "\\xff\\xfe plain \x00"
    assert len(pretty(znode("/x", b"x" * 1_000_000))) < DATA_SHOWN + 40
    assert about("/controller", controller(103).data).startswith("Broker 103 is the controller")
    assert about(STATE, state(-1, []).data) == "t P0: nobody leads, in sync: nobody, leader epoch 0."


def test_lanes_say_who_is_how_far_behind_and_when_it_was_heard_last() -> None:
    nodes = [NodeState("broker-101", "broker", 101, "paused"), NodeState("zookeeper-1", "zookeeper", 1, "running")]
    drawn = quorum_drawn(KRAFT, nodes)
    assert drawn is not None
    assert (drawn["leader"], drawn["epoch"], drawn["end"], drawn["mark"]) == (1, 3, 500, 499)
    assert {id: (x["part"], x["role"], x["seen"]) for id, x in drawn["nodes"].items()} == {
        "1": ("leader", "leader", 0), "2": ("follower", "follower", 0), "3": ("down", "voter", 35),
        "101": ("follower", "observer", 0), "102": ("down", "observer", 35),
    }  # fmt: skip
    assert [drawn["nodes"][id]["fenced"] for id in ("101", "102")] == [False, True]
    assert [drawn["nodes"][id]["state"] for id in ("101", "1")] == ["paused", None]
