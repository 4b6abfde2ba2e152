"""MetadataView of recordings: tree, watches and records as they were at any moment, whoever recorded them."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

import pytest

from kafkalab.cluster.backend import NodeState
from kafkalab.errors import NotSupported
from kafkalab.state.metadata_log import MetadataRecord
from kafkalab.state.moment import Moment
from kafkalab.state.recorded_metadata import (
    DATA_RECORDED,
    RecordedMetadata,
    record_told,
    watch_of,
    watch_told,
    znode_of,
    znode_told,
)
from kafkalab.state.recording import Recording
from kafkalab.state.znode_reading import Znode
from kafkalab.views.metadata_view import MetadataView
from tests.unit.views.metadata_samples import KRAFT, ZOOKEEPER, T, broker, controller, event, state, tree_of, znode
from tests.unit.views.recorded_samples import NONSENSE, Tape

STATE = "/brokers/topics/t/partitions/0/state"


def told(nodes: dict[str, Znode | None]) -> dict[str, Any]:
    return {path: znode_told(node) for path, node in nodes.items()}


def happened(tape: Tape, at: float, kind: str, text: str, broker: int | None = None) -> None:
    tape.item(at, "events", {"at": T + at, "kind": kind, "text": text, "broker": broker})


def nodes(tape: Tape, at: float, **states: str) -> None:
    named = {name.replace("_", "-"): is_now for name, is_now in states.items()}
    tape.state(at, "nodes", {n: asdict(NodeState(n, "broker", int(n[-3:]), s)) for n, s in named.items()})  # type: ignore[arg-type]


def zookeeper() -> Tape:
    """Broker 101, the controller, is killed at 5 s: its session ends at 8 s, and 102 takes over."""
    tape = Tape(T)
    first: dict[str, Znode | None] = {**tree_of(101, 102), STATE: state(101, [101, 102])}
    tape.state(0.0, "snapshot", replace(ZOOKEEPER, at=T).to_dict())
    nodes(tape, 0.0, broker_101="running", broker_102="running")
    tape.state(0.5, "znodes", told(first))
    happened(tape, 5.0, "you", "you killed broker 101", 101)
    nodes(tape, 5.1, broker_101="stopped", broker_102="running")
    then = {
        **first, "/brokers/ids": znode("/brokers/ids", children=["102"]), "/brokers/ids/101": None,
        "/controller": controller(102), STATE: state(102, [102], 1),
    }  # fmt: skip
    for at, path, word in (
        (8.0, "/brokers/ids/101", "NodeDeleted"),
        (8.01, "/brokers/ids", "NodeChildrenChanged"),
        (8.02, "/controller", "NodeDataChanged"),
        (8.2, STATE, "NodeDataChanged"),
    ):
        tape.item(at, "watches", watch_told(event(word, first[path], then[path], T + at)))
    tape.state(8.3, "znodes", told(then))
    happened(tape, 8.4, "broker_down", "broker 101 is down", 101)
    tape.state(8.4, "snapshot", replace(ZOOKEEPER, at=T + 8.4, controller=102).to_dict())
    tape.state(20.0, "snapshot", replace(ZOOKEEPER, at=T + 20, controller=102).to_dict())
    return tape


def kraft() -> Tape:
    """Records of the log, read when the recording ended: the topic's is from before it began."""
    tape = Tape(T, "kraft")
    tape.state(0.0, "snapshot", replace(KRAFT, at=T).to_dict())
    happened(tape, 3.0, "you", "you killed broker 101", 101)
    happened(tape, 6.4, "broker_down", "broker 101 is fenced", 101)
    tape.state(10.0, "snapshot", replace(KRAFT, at=T + 10).to_dict())
    for at, offset, type, data in (
        (-50.0, 4, "TopicRecord", {"name": "trucks", "topicId": "x"}),
        (-49.9, 5, "PartitionRecord", {"topicId": "x", "partitionId": 0, "leader": 101, "isr": [101, 102]}),
        (6.0, 90, "BrokerRegistrationChangeRecord", {"brokerId": 101, "fenced": 1}),
        (6.0, 91, "PartitionChangeRecord", {"topicId": "x", "partitionId": 0, "leader": 102, "isr": [102]}),
    ):
        tape.item(at, "metadata", record_told(MetadataRecord(offset, T + at, type, data)))
    return tape


def side(view: MetadataView, at: float, number: str = "0") -> dict[str, Any]:
    recording = view._recording
    assert recording is not None
    found: dict[str, Any] = view.drawn_at(recording.at(at))["sides"][number]
    return found


def test_the_tree_as_it_was_with_what_is_open_at_first() -> None:
    view = MetadataView(zookeeper().recording)
    before, after = side(view, 3.0), side(view, 9.0)
    ids = before["tree"]["c"]["brokers"]["c"]["ids"]["c"]
    assert set(ids) == {"101", "102"} and ids["101"]["e"] is True
    assert after["tree"]["c"]["brokers"]["c"]["ids"]["c"]["101"] == {"gone": True}
    assert before["details"]["/controller"]["about"].startswith("Broker 101 is the controller")
    assert after["details"]["/controller"]["about"].startswith("Broker 102 is the controller")
    assert before["details"]["/brokers/ids/102"]["session"] == "0x106", "without asking anybody"
    assert (before["name"], before["kafka"], before["kind"]) == ("the lab", "Kafka 3.9.2 · ZooKeeper", "zookeeper")
    assert before["targets"] == {} and before["recorded"] is True
    assert before["connection"] is None
    first = side(view, 0.2)
    assert (first["tree"], first["lines"], first["quorum"]["leader"]) == (before["tree"], [], 1)


def test_without_zookeepers_address_there_is_no_tree_and_that_is_said() -> None:
    tape = Tape(T)
    tape.state(0.0, "snapshot", replace(ZOOKEEPER, at=T).to_dict())
    happened(tape, 2.0, "broker_down", "broker 101 is down", 101)
    found = side(MetadataView(tape.recording), 3.0)
    assert found["tree"] is None and "was not recorded" in found["problem"]
    assert [line["by"] for line in found["lines"]] == ["snapshot"], "nobody told of it sooner"


def test_watches_are_told_as_far_as_they_had_fired() -> None:
    view = MetadataView(zookeeper().recording)
    assert side(view, 4.9)["lines"] == side(view, 4.9)["actions"].get("lines", [])
    (killed,) = side(view, 7.0)["lines"]
    assert (killed["text"], killed["by"]) == ("you killed broker 101", "here")
    lines = side(view, 8.1)["lines"]
    assert [line["word"] for line in lines[1:]] == ["NodeDeleted", "NodeChildrenChanged", "NodeDataChanged"]
    assert lines[1]["since"] == 3.0
    assert "its session expired: nobody kept it alive" in lines[1]["text"]
    everything = side(view, 20.0)
    assert len(everything["lines"]) == 5, "what watches told is not told again by snapshots"
    assert [line["n"] for line in everything["lines"]] == [1, 2, 3, 4, 5]
    (action,) = everything["actions"].values()
    assert [(m["t"], m["text"]) for m in action["rows"]["controller"]] == [(3.02, "101 → 102")]
    assert action["rows"]["leaders"][0]["t"] == 3.2
    (half,) = side(view, 8.1)["actions"].values()
    assert half["rows"]["leaders"] == [] and half["rows"]["noticed"][0]["t"] == 3.0


def test_a_process_that_ended_without_a_note_is_told() -> None:
    tape = Tape(T)
    nodes(tape, 0.0, broker_102="running")
    nodes(tape, 4.0, broker_102="stopped")
    view = MetadataView(tape.recording)
    assert side(view, 3.9)["lines"] == []
    assert [line["text"] for line in side(view, 4.0)["lines"]] == ["broker 102: running → stopped"]
    tape.state(4.5, "snapshot", replace(ZOOKEEPER, at=T + 4.5).to_dict())
    nodes(tape, 5.0, broker_102="running")
    assert len(side(view, 5.0)["lines"]) == 1, "the cluster may have ended there"
    tape.state(5.5, "snapshot", replace(ZOOKEEPER, at=T + 5.5).to_dict())
    assert len(side(view, 5.5)["lines"]) == 2


def test_records_stand_at_the_time_at_which_they_were_written() -> None:
    view = MetadataView(kraft().recording)
    early, late = side(view, 5.0), side(view, 6.0)
    assert early["kind"] == "kraft"
    assert list(early["log"]["records"]) == ["4", "5"]
    assert list(late["log"]["records"]) == ["4", "5", "90", "91"]
    assert late["log"]["records"]["91"]["text"] == "trucks P0: leader 102, ISR 102"
    (action,) = side(view, 10.0)["actions"].values()
    (noticed,) = action["rows"]["noticed"]
    assert (noticed["t"], noticed["exact"]) == (3.0, True), "the log knows better than two snapshots"
    assert early["quorum"]["leader"] == 1 and early["log"]["problem"] == ""


def test_why_there_are_no_records_is_said() -> None:
    tape = Tape(T, "kraft")
    tape.state(0.0, "snapshot", replace(KRAFT, at=T).to_dict())
    view = MetadataView(tape.recording)
    assert "was not read" in side(view, 0.0)["log"]["problem"]
    tape.state(1.0, "metadata_read", {"at": T + 1, "problem": "The disks are out of reach."})
    assert side(view, 1.0)["log"] == {
        "reading": False, "at": None, "records": None, "problem": "The disks are out of reach."
    }  # fmt: skip


@pytest.mark.parametrize("make", [zookeeper, kraft])
def test_forth_and_back_a_moment_is_the_same(make: Any) -> None:
    recording = make().recording
    moments = [0.0, 0.5, 3.0, 5.0, 6.0, 8.0, 8.015, 8.25, 8.5, 10.0]
    view = MetadataView(recording)
    forth = [side(view, t) for t in moments]
    back = [side(view, t) for t in reversed(moments)][::-1]
    fresh = [side(MetadataView(recording), t) for t in moments]
    assert forth == back == fresh


def test_what_is_still_being_recorded_is_told_as_it_comes() -> None:
    whole, tape = zookeeper().recording, Tape(T)
    view = MetadataView(tape.recording)
    for at, track, sort, fact in sorted(whole.facts, key=lambda fact: fact[0]):
        tape.recording.put(at, track, sort, fact)
        tape.recording.grown()
    assert view.state["sides"]["0"] == side(MetadataView(whole), 20.0)
    # What comes late, as a record of the log does, takes its place among what is told.
    happened(tape, 2.0, "you", "you paused broker 102", 102)
    tape.state(20.5, "metadata_read", {"at": T + 20.5, "problem": ""})
    tape.recording.grown()
    assert [line["text"] for line in view.state["sides"]["0"]["lines"]][:2] == [
        "you paused broker 102",
        "you killed broker 101",
    ]
    view.close()


def test_two_recordings_side_by_side_each_follow_their_own_playhead() -> None:
    one, two = zookeeper().recording, kraft().recording
    view = MetadataView(one, two)
    one.playhead.seek(3.0)
    two.playhead.seek(7.0)
    sides = view.state["sides"]
    assert (sides["0"]["kind"], len(sides["0"]["lines"])) == ("zookeeper", 0)
    assert (sides["1"]["kind"], len(sides["1"]["log"]["records"])) == ("kraft", 4)
    two.playhead.seek(1.0)
    assert len(view.state["sides"]["1"]["log"]["records"]) == 2
    view.close()
    before = view.state["sides"]
    two.playhead.seek(8.0)
    assert view.state["sides"] is before


def test_nothing_can_be_done_to_the_past_but_look() -> None:
    recording = zookeeper().recording
    view = MetadataView(recording)
    with pytest.raises(NotSupported, match="This is a recording"):
        view.do_act({"target": "controller", "verb": "kill"})
    with pytest.raises(NotSupported, match="This is a recording"):
        view.do_log({"side": 0})
    view.do_open({"side": 0, "path": "/config"})
    view.do_see({"side": 0, "paths": ["/config"]})
    view.do_select({"side": 0, "path": STATE})
    recording.playhead.seek(3.0)
    assert "broker 101 leads, in sync: 101, 102" in view.state["sides"]["0"]["details"][STATE]["about"]
    view.close()


def test_a_node_is_recorded_with_so_much_of_its_data() -> None:
    node = replace(broker(101), data=b"\xff" * 9000, size=9000)
    back = znode_of(node.path, json.loads(json.dumps(znode_told(node))))
    assert back == replace(node, data=b"\xff" * DATA_RECORDED)
    many = [f"t{i}" for i in range(500)]
    before, after = znode("/brokers/topics", children=many), znode("/brokers/topics", children=[*many, "new"])
    fired = json.loads(json.dumps(watch_told(event("NodeChildrenChanged", before, after))))
    assert len(json.dumps(fired)) < 1000
    again = watch_of(fired)
    assert again is not None and (again.appeared, again.vanished) == (("new",), ())


def test_so_much_is_recorded_and_a_moment_is_drawn_at_once() -> None:
    nodes = {f"/brokers/topics/t/partitions/{i}/state": state(101, [101], partition=i) for i in range(400)}
    tape = Tape(T)
    tape.state(0.0, "znodes", told({**tree_of(101), **nodes}))
    metadata = RecordedMetadata(tape.recording.facts)
    first = metadata.znodes(Moment(tape.recording.facts, 0.0, T))
    again = metadata.znodes(Moment(tape.recording.facts, 0.0, T))
    assert all(again[path] is node for path, node in first.items()), "what did not change is not read again"


@pytest.mark.parametrize("wrong", NONSENSE, ids=lambda value: repr(value)[:20])
def test_whatever_a_stranger_recorded_nothing_is_raised(wrong: Any) -> None:
    for tape in (zookeeper(), kraft()):
        spoilt: Recording = tape.recording
        good = znode_told(controller(101))
        tape.state(21.0, "znodes", wrong)
        for n, key in enumerate(good):
            tape.state(22.0 + n, "znodes", {"/": znode_told(tree_of(101)["/"]), "/controller": {**good, key: wrong}})
        data = json.dumps({"leader": wrong, "isr": wrong, "leader_epoch": wrong}) if wrong == wrong else "{}"
        tape.state(31.0, "znodes", {STATE: znode_told(znode(STATE, data.encode()[:3000])), "": None, "/x" * 99: None})
        for n, at in enumerate((wrong, T + 32)):
            tape.item(32.0, "watches", {"at": at, "type": "NodeDeleted", "path": STATE, "before": wrong, "after": None})
            fields = {"topicId": wrong, "partitionId": wrong, "leader": wrong, "isr": wrong, "brokerId": wrong}
            for m, type in enumerate(("PartitionChangeRecord", "PartitionRecord", "LeaderChange", "<b>")):
                tape.item(32.0, "metadata", {"offset": 200 + 10 * n + m, "at": at, "type": type, "data": fields})
            tape.item(32.0, "events", {"at": at, "kind": "you", "text": "you killed broker 9", "broker": wrong})
        for track in ("watches", "metadata", "events"):
            tape.item(33.0, track, wrong)
        tape.state(34.0, "nodes", wrong)
        tape.state(34.5, "nodes", {"broker-101": {"name": wrong}})
        tape.state(35.0, "metadata_read", wrong)
        tape.state(36.0, "snapshot", {**ZOOKEEPER.to_dict(), "mode": wrong, "quorum": wrong, "controller": wrong})
        tape.state(37.0, "snapshot", wrong)
        view = MetadataView(spoilt)
        for at in (3.0, *range(20, 38)):
            spoilt.playhead.seek(at)
            json.dumps(view.state, allow_nan=False)
        assert "<img src=x" not in view.to_html() + view.to_svg() and repr(view)
        spoilt.playhead.seek(9.0)
        assert len(view.state["sides"]["0"]["lines"]) >= 2, "what is sound is still shown"
        view.close()
