"""MetadataView of recordings: tree, watches and records as they were at any moment."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from kafkalab.state.moment import Moment
from kafkalab.state.recorded_metadata import DATA_RECORDED, RecordedMetadata, watch_of, watch_told, znode_of, znode_told
from kafkalab.state.recording import Recording
from kafkalab.views.metadata_view import MetadataView
from tests.unit.views.metadata_samples import (
    KRAFT,
    STATE,
    ZOOKEEPER,
    T,
    broker,
    event,
    happened,
    kraft,
    nodes,
    state,
    told,
    tree_of,
    znode,
    zookeeper,
)
from tests.unit.views.recorded_samples import Tape


def side(recording: Recording, at: float) -> dict[str, Any]:
    found: dict[str, Any] = MetadataView(recording).drawn_at(recording.at(at))["sides"]["0"]
    return found


def test_the_tree_as_it_was_with_what_is_open_at_first() -> None:
    recording = zookeeper().recording
    first, before, after = (side(recording, t) for t in (0.2, 3.0, 9.0))
    ids = before["tree"]["c"]["brokers"]["c"]["ids"]["c"]
    assert set(ids) == {"101", "102"} and ids["101"]["e"] is True
    assert after["tree"]["c"]["brokers"]["c"]["ids"]["c"]["101"] == {"gone": True}
    for when, controller in ((before, 101), (after, 102)):
        assert when["details"]["/controller"]["about"].startswith(f"Broker {controller} is the controller")
    assert before["details"]["/brokers/ids/102"]["session"] == "0x106", "without asking anybody"
    assert (before["name"], before["kafka"], before["kind"]) == ("the lab", "Kafka 3.9.2 · ZooKeeper", "zookeeper")
    assert (before["targets"], before["recorded"], before["connection"]) == ({}, True, None)
    assert (first["tree"], first["lines"], first["quorum"]["leader"]) == (before["tree"], [], 1)


def test_watches_are_told_as_far_as_they_had_fired() -> None:
    recording = zookeeper().recording
    assert side(recording, 4.9)["lines"] == []
    half, everything = side(recording, 8.1), side(recording, 20.0)
    assert [(line["text"], line["by"]) for line in half["lines"][:1]] == [("you killed broker 101", "here")]
    assert [line["word"] for line in half["lines"][1:]] == ["NodeDeleted", "NodeChildrenChanged", "NodeDataChanged"]
    assert half["lines"][1]["since"] == 3.0
    assert "its session expired: nobody kept it alive" in half["lines"][1]["text"]
    # What watches told is not told again by snapshots.
    assert [line["n"] for line in everything["lines"]] == [1, 2, 3, 4, 5]
    (action,) = everything["actions"].values()
    assert [(m["t"], m["text"]) for m in action["rows"]["controller"]] == [(3.02, "101 → 102")]
    assert action["rows"]["leaders"][0]["t"] == 3.2
    (action,) = half["actions"].values()
    assert action["rows"]["leaders"] == [] and action["rows"]["noticed"][0]["t"] == 3.0


def test_a_process_that_ended_without_a_note_is_told() -> None:
    tape = Tape(T)
    nodes(tape, 0.0, broker_102="running")
    nodes(tape, 4.0, broker_102="stopped")
    assert side(tape.recording, 3.9)["lines"] == []
    assert [line["text"] for line in side(tape.recording, 4.0)["lines"]] == ["broker 102: running → stopped"]
    tape.state(4.5, "snapshot", replace(ZOOKEEPER, at=T + 4.5).to_dict())
    nodes(tape, 5.0, broker_102="running")
    assert len(side(tape.recording, 5.0)["lines"]) == 1, "the cluster may have ended there"
    tape.state(5.5, "snapshot", replace(ZOOKEEPER, at=T + 5.5).to_dict())
    assert len(side(tape.recording, 5.5)["lines"]) == 2


def test_records_stand_at_the_time_at_which_they_were_written() -> None:
    recording = kraft().recording
    early, late = side(recording, 5.0), side(recording, 6.0)
    assert (early["kind"], early["quorum"]["leader"], early["log"]["problem"]) == ("kraft", 1, "")
    assert list(early["log"]["records"]) == ["4", "5"]
    assert list(late["log"]["records"]) == ["4", "5", "90", "91"]
    assert late["log"]["records"]["91"]["text"] == "trucks P0: leader 102, ISR 102"
    (action,) = side(recording, 10.0)["actions"].values()
    (noticed,) = action["rows"]["noticed"]
    assert (noticed["t"], noticed["exact"]) == (3.0, True), "the log knows better than two snapshots"


def test_what_was_not_recorded_is_said() -> None:
    tape = Tape(T)
    tape.state(0.0, "snapshot", replace(ZOOKEEPER, at=T).to_dict())
    happened(tape, 2.0, "broker_down", "broker 101 is down", 101)
    found = side(tape.recording, 3.0)
    assert found["tree"] is None and "was not recorded" in found["problem"]
    assert [line["by"] for line in found["lines"]] == ["snapshot"], "nobody told of it sooner"
    tape = Tape(T, "kraft")
    tape.state(0.0, "snapshot", replace(KRAFT, at=T).to_dict())
    assert "was not read" in side(tape.recording, 0.0)["log"]["problem"]
    tape.state(1.0, "metadata_read", {"at": T + 1, "problem": "The disks are out of reach."})
    log = side(tape.recording, 1.0)["log"]
    assert (log["records"], log["problem"]) == (None, "The disks are out of reach.")


def test_what_is_still_being_recorded_is_told_as_it_comes() -> None:
    whole, tape = zookeeper().recording, Tape(T)
    view = MetadataView(tape.recording)
    for at, track, sort, fact in sorted(whole.facts, key=lambda fact: fact[0]):
        tape.recording.put(at, track, sort, fact)
        tape.recording.grown()
    assert view.state["sides"]["0"] == side(whole, 20.0)
    # What comes late, as a record of the log does, takes its place among what is told.
    happened(tape, 2.0, "you", "you paused broker 102", 102)
    tape.state(20.5, "metadata_read", {"at": T + 20.5, "problem": ""})
    tape.recording.grown()
    texts = [line["text"] for line in view.state["sides"]["0"]["lines"]]
    assert texts[0] == "you paused broker 102" and len(texts) == 6
    view.close()


def test_two_recordings_each_follow_their_own_playhead() -> None:
    one, two = zookeeper().recording, kraft().recording
    view = MetadataView(one, two)
    one.playhead.seek(3.0)
    assert [view.state["sides"][n]["kind"] for n in "01"] == ["zookeeper", "kraft"]
    two.playhead.seek(5.0)
    assert list(view.state["sides"]["1"]["log"]["records"]) == ["4", "5"]
    two.playhead.seek(7.0)
    assert len(view.state["sides"]["1"]["log"]["records"]) == 4
    assert view.state["sides"]["0"]["lines"] == []
    view.do_open({"side": 0, "path": "/config"})
    view.do_see({"side": 0, "paths": ["/config"]})
    view.do_select({"side": 0, "path": STATE})
    assert "broker 101 leads, in sync: 101, 102" in view.state["sides"]["0"]["details"][STATE]["about"]
    view.close()
    before = view.state["sides"]
    two.playhead.seek(8.0)
    assert view.state["sides"] is before


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


def test_what_did_not_change_is_not_read_again() -> None:
    some = {f"/brokers/topics/t/partitions/{i}/state": state(101, [101], partition=i) for i in range(400)}
    tape = Tape(T)
    tape.state(0.0, "znodes", told({**tree_of(101), **some}))
    metadata = RecordedMetadata(tape.recording.facts)
    first, again = (metadata.znodes(Moment(tape.recording.facts, 0.0, T)) for _ in range(2))
    assert len(first) > 400 and all(again[path] is node for path, node in first.items())
