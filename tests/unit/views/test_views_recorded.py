"""Views of a recording: a moment in, the picture of that moment out; and while it goes on, the cluster as it is."""

from __future__ import annotations

from typing import Any

import pytest

from kafkalab import Cluster, ClusterView, LogView, PartitionerView, RecordView, TruckMap
from kafkalab.errors import NotSupported
from kafkalab.handles.recording import Recording
from kafkalab.waiting import wait_until
from tests.unit.history.recorded_logs import BEGAN, TOPIC, LogTape, two_leaders
from tests.unit.views.every_view import fleet
from tests.unit.views.test_truck_map import rows


@pytest.fixture
def recording() -> Recording:
    return two_leaders().recording


def test_the_logs_of_a_moment_with_what_groups_committed_and_no_consumers(recording: Recording) -> None:
    view = LogView(recording, TOPIC)
    recording.playhead.seek(2.5)
    state = view.state
    assert (state["recorded"], state["at"]) == (True, None)
    assert [state["lanes"]["0"][k] for k in ("leader", "epoch", "start", "high", "end")] == [101, 0, 0, 4, 6]
    assert [c[4] for c in state["tails"]["0"]["cells"]] == ["a", "b", "c", None, "x", "y"]
    assert state["groups"]["dashboard"]["0"] == {"committed": 1, "member": "c1"}
    recording.playhead.seek(7)
    assert [c[4] for c in view.state["tails"]["0"]["cells"]] == ["a", "b", "c", None, "d", "e", "f"]
    with pytest.raises(NotSupported, match="recording"):
        view.follow("C1", object())


def test_windows_are_answered_from_the_moment_that_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    tape = LogTape()
    tape.cluster(0, (0, 0))
    tape.batch(1, 0, *("k" for _ in range(300)))
    tape.left_out(2, 300, 500)
    tape.cluster(2, (10, 500))
    view = LogView(tape.recording, TOPIC)
    heard: list[dict[str, Any]] = []
    monkeypatch.setattr(view, "answer", lambda message: heard.append(message["windows"]["0"]))
    for at, start, end in ((2.0, 5, 20), (2.0, 295, 310), (0.5, 5, 20)):
        tape.recording.playhead.seek(at)
        view.do_look({"windows": {"0": [start, end], "3": [0, 5]}, "id": 7})
    assert [[c[0] for c in window["cells"]] for window in heard] == [[*range(10, 20)], [*range(295, 300)], []]
    assert heard[1]["blank"] == [(300, 310)]


def test_a_record_that_was_not_there_yet_or_no_more_or_never_says_so(recording: Recording) -> None:
    late = LogTape()
    late.left_out(1, 0, 3)
    late.cluster(2, (0, 3))
    for of, at, partition, offset, why in (
        (recording, 0.5, 0, 3, "no record at offset 3 yet"),
        (recording, 1, 0, 3, ""),
        (recording, 8, 0, 1, "offset 1 has been deleted"),
        (recording, 0.5, 0, None, "no record yet"),
        (recording, 2, 4, 0, "no partition 4"),
        (LogTape().recording, 0, 0, 0, "has not been read yet"),
        (late.recording, 2, 0, 1, "more records came than a recording can hold"),
    ):
        view = RecordView(of, TOPIC, partition, offset)
        of.playhead.seek(at)
        trouble = view.state["trouble"]
        assert why in trouble and bool(why) == bool(trouble)


def test_the_bytes_are_those_that_the_leader_handed_out_and_no_copies_are_claimed(recording: Recording) -> None:
    view = RecordView(recording, TOPIC, 0, 4)
    texts = {}
    for at in (5.5, 2.5):
        recording.playhead.seek(at)
        state = view.state
        value = next(i for block in state["blocks"] for i in block["items"] if i["id"] == "value")
        texts[at] = (bytes.fromhex(value["hex"]).decode(), state["read"])
        assert (state["copies"], state["valid"]) == ([], True)
    handed = "as broker {}, the leader, handed it out when this was recorded"
    assert texts == {2.5: ("x@2", handed.format(101)), 5.5: ("d@5", handed.format(102))}
    view.do_go({"offset": 1})
    assert (view.offset, view.state["steps"]["next"]) == (1, 2)
    view.do_go({"offset": None})
    assert view.offset == 3  # the newest that was committed
    recording.playhead.seek(7)
    assert view.offset == 6


def test_the_keys_of_a_moment() -> None:
    tape = LogTape()
    tape.cluster(0, (0, 0))
    tape.batch(1, 0, "a", "b", None, "a")
    tape.batch(1, 0, "c", p=1)
    tape.cluster(1, (0, 4))
    tape.batch(3, 4, "a")
    tape.given(3, [101, 0, 1, 3, "AAAA"], p=1)
    tape.cluster(3, (1, 5), (0, 3))
    view = PartitionerView(tape.recording, TOPIC)
    for at, partitions, expected in (
        (3, 2, {"a": {"0": 2}, "b": {"0": 1}, "c": {"1": 1}}),
        (1, 1, {"a": {"0": 2}, "b": {"0": 1}}),
        (0.5, 1, {}),
    ):
        tape.recording.playhead.seek(at)
        assert {key["text"]: key["at"] for key in view.state["keys"].values()} == expected, at
        assert (view.state["partitions"], view.state["nulls"]) == (partitions, {"0": 1} if expected else {}), at


def test_the_map_follows_the_playhead_both_ways_until_it_is_closed() -> None:
    trucks = fleet()
    shown = TruckMap(trucks, TOPIC)
    seen = {}
    for at in (4, 0.5, 1, 2, 3, 2, 0.5, 4):
        trucks.playhead.seek(at)
        seen[at] = (shown.state["ids"], len(rows(shown.state)), shown.state["at"])
    both = (["A", "B"], 2, BEGAN + 3)
    assert seen == {0.5: ([], 0, None), 1: (["A"], 1, BEGAN + 1), 2: (["A", "B"], 2, BEGAN + 2), 3: both, 4: both}
    two, moved = (rows(shown.drawn_at(trucks.at(t))) for t in (2, 3))
    assert two == [([500000, 100000], 800, 0, 0, -1), ([0, 100000], 800, 45, 1, -1)]
    assert moved == [([510001, 100000], 800, 45, 0, -1), two[1]]
    with pytest.raises(NotSupported, match="shows a recording"):
        shown.update(["C"], [1], [2])
    shown.close()
    trucks.playhead.seek(1)
    assert shown.state["ids"] == ["A", "B"]


def shown(view: ClusterView) -> list[tuple[bool, list[str]]]:
    """Of each broker, whether it is alive and what its buttons are."""
    return [(broker["alive"], broker["node"]["verbs"]) for broker in view.state["brokers"].values()]


def test_a_moment_that_cannot_be_drawn_is_a_sentence_and_the_others_are_shown(
    recording: Recording, caplog: pytest.LogCaptureFixture
) -> None:
    recording.put(9, "snapshot", "set", [["set", ["topics"], [{"name": "<img src=x>"}]]])
    view = LogView(recording, TOPIC)
    assert view.state["fault"].startswith("This moment of the recording could not be shown: KeyError")
    recording.playhead.seek(7)
    assert (view.state["fault"], view.state["lanes"]["0"]["end"]) == ("", 7)
    assert "could not be shown" in caplog.text


def test_a_view_that_begins_at_a_moment_that_cannot_be_drawn_begins_with_a_sentence(recording: Recording) -> None:
    recording.put(9, "snapshot", "set", [["set", ["brokers", 0, "id"], {}]])
    view = ClusterView(recording)
    assert set(view.state) == {"n", "fault"} and "could not be shown" in view.state["fault"] and repr(view)
    recording.playhead.seek(7)
    assert view.state["fault"] == "" and view.state["brokers"]


def test_a_picture_that_fails_leaves_the_earlier_one_with_a_sentence(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = LogView(recording, TOPIC)
    recording.playhead.seek(7)
    before = view.state
    with monkeypatch.context() as broken:
        broken.setattr(LogView, "_drawn", lambda self: {"lanes": 1 / 0})
        recording.playhead.seek(5)
    fault = "This moment of the recording could not be shown: ZeroDivisionError: division by zero"
    assert view.state == {**before, "n": before["n"] + 1, "fault": fault}
    recording.playhead.seek(6)
    assert view.state["fault"] == ""


def test_buttons_are_there_only_while_the_cluster_is_shown_as_it_is() -> None:
    with Cluster(backend="fake") as cluster:
        cluster.create_topic("a", 3)
        with cluster.record() as recording:
            wait_until(lambda: recording.at(0).nodes, 20, "the first snapshot with its nodes")
            cluster.broker(102).kill()
            wait_until(lambda: any(e.kind == "leader_moved" for e in recording.events), 20, "the election")
            view = ClusterView(recording)
            assert shown(view)[1] == (False, ["start"]) and view.state["at"] is None
            assert view.state["events"][0]["text"] == "you killed broker 102"
            for do in ("whole", "gone"):
                view._asked(None, {"do": do, "eye": "a", "n": -1}, None)
            recording.playhead.seek(0)
            assert shown(view)[1] == (False, ["start"]), "nobody looks"
            view._asked(None, {"do": "whole", "eye": "b", "n": -1}, None)
            assert (shown(view), view.state["events"]) == ([(True, [])] * 3, [])
            assert view.state["at"] is not None, "the page says which moment this is"
            with pytest.raises(NotSupported, match="the past"):
                recording.act("broker-102", "start")
            recording.playhead.to_live()
            view.do_act({"node": "broker-102", "verb": "start"})
            assert cluster.node("broker-102").state == "running"
            recording.stop()
            view.do_act({"node": "broker-101", "verb": "kill"})
            assert "nothing in it can be changed" in view.state["events"][-1]["text"]
            view.close()
