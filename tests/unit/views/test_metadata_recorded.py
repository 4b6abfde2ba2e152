"""MetadataView of recordings: tree, watches and records as they were at any moment."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kafkalab.handles.recording import Recording
from kafkalab.views.metadata.view import MetadataView
from tests.unit.views.metadata_samples import KRAFT, STATE, ZOOKEEPER, T, kraft, zookeeper
from tests.unit.views.recorded_samples import Tape


def side(recording: Recording, at: float) -> dict[str, Any]:
    found: dict[str, Any] = MetadataView(recording).drawn_at(recording.at(at))["sides"]["0"]
    return found


def test_the_tree_and_the_watches_as_far_as_they_had_fired() -> None:
    recording = zookeeper().recording
    first, before, half, end = (side(recording, t) for t in (0.2, 4.9, 8.1, 20.0))
    assert (first["tree"], first["lines"], first["quorum"]["leader"]) == (before["tree"], [], 1)
    ids = before["tree"]["c"]["brokers"]["c"]["ids"]["c"]
    assert set(ids) == {"101", "102"} and ids["101"]["e"] is True
    assert end["tree"]["c"]["brokers"]["c"]["ids"]["c"]["101"] == {"gone": True}
    assert end["details"]["/controller"]["about"].startswith("Broker 102 is the controller")
    assert before["details"]["/brokers/ids/102"]["session"] == "0x106", "without asking anybody"
    assert (before["kind"], before["targets"], before["recorded"]) == ("zookeeper", {}, True)

    you, gone, *others = half["lines"]
    assert (before["lines"], you["text"], you["by"]) == ([], "you killed broker 101", "here")
    assert (gone["word"], gone["since"]) == ("NodeDeleted", 3.0)
    assert [line["word"] for line in others] == ["NodeChildrenChanged", "NodeDataChanged"]
    assert [line["n"] for line in end["lines"]] == [1, 2, 3, 4, 5], "what watches told, no snapshot tells again"
    (early,), (late,) = half["actions"], end["actions"]
    assert early["rows"]["leaders"] == [] and early["rows"]["noticed"][0]["t"] == 3.0
    assert [(m["t"], m["text"]) for m in late["rows"]["controller"]] == [(3.02, "101 → 102")]
    assert late["rows"]["leaders"][0]["t"] == 3.2


def test_records_stand_at_the_time_at_which_they_were_written() -> None:
    recording = kraft().recording
    early, late, end = (side(recording, at) for at in (5.0, 6.0, 10.0))
    assert (early["kind"], early["quorum"]["leader"], early["log"]["problem"]) == ("kraft", 1, "")
    assert [[r["offset"] for r in one["log"]["records"]] for one in (early, late)] == [[4, 5], [4, 5, 90, 91]]
    drawn = late["log"]["records"][2:]
    assert [one["kind"] for one in drawn] == ["gone", "leader"]
    assert drawn[1]["text"] == "trucks P0: leader 102, ISR 102"
    (action,) = end["actions"]
    (noticed,) = action["rows"]["noticed"]
    assert (noticed["t"], noticed["exact"]) == (3.0, True), "the log knows better than two snapshots"


def test_what_was_not_recorded_is_said() -> None:
    tape = Tape(T)
    tape.state(0.0, "snapshot", replace(ZOOKEEPER, at=T).to_dict())
    tape.happened(2.0, "broker_down", "broker 101 is down", broker=101)
    found = side(tape.recording, 3.0)
    assert found["tree"] is None and "was not recorded" in found["problem"]
    assert [line["by"] for line in found["lines"]] == ["snapshot"], "nobody told of it sooner"
    tape = Tape(T, "kraft")
    tape.state(0.0, "snapshot", replace(KRAFT, at=T).to_dict())
    assert "when it ends" in side(tape.recording, 0.0)["log"]["problem"]
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
    tape.acted(2.0, "pause", "broker-102")
    tape.state(20.5, "metadata_read", {"at": T + 20.5, "problem": ""})
    tape.recording.grown()
    texts = [line["text"] for line in view.state["sides"]["0"]["lines"]]
    assert texts[0] == "you paused broker 102" and len(texts) == 6
    view.close()


def test_two_recordings_each_follow_their_own_playhead() -> None:
    one, two = zookeeper().recording, kraft().recording
    view = MetadataView(one, two)
    one.playhead.seek(3.0)
    view.do_select({"side": 0, "path": STATE})
    two.playhead.seek(7.0)
    assert len(view.state["sides"]["1"]["log"]["records"]) == 4 and view.state["sides"]["0"]["lines"] == []
    assert "broker 101 leads, in sync: 101, 102" in view.state["sides"]["0"]["details"][STATE]["about"]
    view.close()
