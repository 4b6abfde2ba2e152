"""What a watch, a record or a snapshot tells, in Kafka's terms."""

from __future__ import annotations

from kafkalab.state.event import Event
from kafkalab.state.metadata_log import MetadataRecord
from kafkalab.state.znode_reading import Znode
from kafkalab.views.metadata_events import Ending, Entry, explains, from_watcher
from kafkalab.views.metadata_records import from_records
from kafkalab.views.metadata_watches import from_watch
from tests.unit.views.metadata_samples import T, broker, controller, event, state, znode


def told(word: str, before: Znode | None, after: Znode | None, note: str = "") -> Entry:
    ending = Ending()
    ending.learn(note)
    return from_watch(event(word, before, after), ending)


def test_why_a_session_ended_is_told_by_what_the_learner_did() -> None:
    for note, why in (
        ("you killed broker 102", "its session expired: nobody kept it alive"),
        ("you stopped broker 102", "it closed its session as it stopped"),
        ("you killed broker 101", "its session ended"),
    ):
        entry = told("NodeDeleted", broker(102), None, note)
        assert (entry.kind, entry.word, entry.where, entry.broker) == ("gone", "NodeDeleted", "/brokers/ids/102", 102)
        assert entry.text == f"{why}; broker 102 is no longer registered"


def test_only_a_deed_that_leads_to_it_explains_how_a_node_is() -> None:
    for deed, now, known in (
        ("you killed broker 102", "stopped", True),
        ("you started broker 102", "stopped", False),
        ("you started broker 102", "running", True),
        ("you killed broker 101", "stopped", False),
    ):
        assert explains(deed, "broker 102", now) is known, deed


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


def test_other_nodes_are_told_too() -> None:
    before = znode("/brokers/topics", children=["a", "b", "c", "d", "e"])
    after = znode("/brokers/topics", children=["e", "<b>"])
    entry = told("NodeChildrenChanged", before, after)
    assert (entry.kind, entry.text) == ("topic", "below it: a, b, c and 1 more gone; <b> new")
    some = znode("/x/y", b"old"), znode("/x/y", b"new!", version=3)
    for was, now in ((None, some[1]), (some[0], None), some):
        said = told("NodeDataChanged", was, now)
        assert said.kind == "other" and said.text
    missed = told("", state(102, [102]), state(101, [101], 1))
    assert (missed.word, missed.kind) == ("changed meanwhile", "leader"), "no watch told of it"


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
        ("BrokerRegistrationChangeRecord", {"brokerId": 102, "inControlledShutdown": 1}, "other"),
        ("SomethingNewRecord", {"a": "b" * 100}, "other"),
    ]
    found = from_records([MetadataRecord(n, T, type, data) for n, (type, data, _) in enumerate(told)])
    assert [e.kind for e in found] == [kind for _, _, kind in told]
    assert [found[2].isr, found[5].isr, found[1].isr] == ["shrank", "grew", ""]
    assert found[2].text == "trucks P0: leader 101, ISR 101"
    assert found[6].text == "id Y P1: nobody leads" and len(found[9].text) < 60


def test_what_is_no_metadata_is_left_to_other_views() -> None:
    assert from_watcher(Event(T, "rebalanced", "group g …")) is None
    down = from_watcher(Event(T, "broker_down", "broker 102 is down", broker=102))
    assert down is not None and (down.kind, down.by, down.short) == ("gone", "snapshot", "broker 102 down")
