"""What a watch, a record or a snapshot tells, in Kafka's terms."""

from __future__ import annotations

import pytest

from kafkalab.state.event import Event
from kafkalab.state.metadata_log import MetadataRecord
from kafkalab.state.znodes import ZnodeEvent, ZnodeUpdate
from kafkalab.views.metadata_events import Ending, explains, from_watcher
from kafkalab.views.metadata_records import from_records
from kafkalab.views.metadata_side import Side
from kafkalab.views.metadata_watches import from_watch
from tests.unit.views.metadata_samples import T, broker, controller, event, state, znode


@pytest.mark.parametrize(
    "note, why",
    [
        ("you killed broker 102", "its session expired: nobody kept it alive"),
        ("you stopped broker 102", "it closed its session as it stopped"),
        ("you killed broker 101", "its session ended"),
        ("", "its session ended"),
    ],
)
def test_why_a_session_ended_is_told_by_what_the_learner_did(note: str, why: str) -> None:
    ending = Ending()
    ending.learn(note)
    entry = from_watch(event("NodeDeleted", broker(102), None), ending)
    assert (entry.kind, entry.word, entry.where, entry.broker) == ("gone", "NodeDeleted", "/brokers/ids/102", 102)
    assert entry.text == f"{why}; broker 102 is no longer registered"


@pytest.mark.parametrize(
    "deed, state, known",
    [
        ("you killed broker 102", "stopped", True),
        ("you stopped broker 102", "stopped", True),
        ("you started broker 102", "stopped", False),
        ("you started broker 102", "running", True),
        ("you killed broker 101", "stopped", False),
    ],
)
def test_only_a_deed_that_leads_to_it_explains_how_a_node_is(deed: str, state: str, known: bool) -> None:
    assert explains(deed, "broker 102", state) is known


class Asked:
    """A cluster, and its watcher, that counts how often it was asked to look at once."""

    def __init__(self) -> None:
        self.times = 0

    def watcher(self) -> Asked:
        return self

    def refresh(self) -> None:
        self.times += 1


@pytest.mark.parametrize(
    "told, times",
    [
        (event("NodeDeleted", broker(102), None), 1),
        (event("NodeCreated", None, controller(101)), 1),
        (event("NodeDataChanged", state(101, [101]), state(101, [101])), 0),
    ],
    ids=["broker gone", "controller", "nothing new"],
)
def test_what_zookeeper_tells_the_watcher_looks_for_at_once(told: ZnodeEvent, times: int) -> None:
    asked = Asked()
    side = Side(asked, None, lambda _: None)  # type: ignore[arg-type]
    side.heard_znodes(ZnodeUpdate(events=(told,)))
    assert asked.times == times


def test_a_broker_that_comes_back_has_another_session() -> None:
    new = from_watch(event("NodeCreated", None, broker(102)), Ending())
    anew = from_watch(event("NodeDataChanged", broker(102), broker(102, owner=0xB0)), Ending())
    same = from_watch(event("NodeDataChanged", broker(102), broker(102)), Ending())
    assert (new.kind, new.text) == ("came", f"broker 102 registered itself, in session 0x{0xA0 + 102:x}")
    assert (anew.kind, "anew" in anew.text) == ("came", True)
    assert same.kind == "other"


def test_who_is_first_to_create_the_node_is_the_controller() -> None:
    lost = from_watch(event("NodeDeleted", controller(101), None), Ending())
    moved = from_watch(event("NodeDeleted", controller(101), controller(103)), Ending())
    made = from_watch(event("NodeCreated", None, controller(103)), Ending())
    assert [e.kind for e in (lost, moved, made)] == ["controller"] * 3
    assert [e.short for e in (lost, moved, made)] == ["101 → nobody", "101 → 103", "nobody → 103"]
    assert "nobody is the controller" in lost.text


@pytest.mark.parametrize(
    "before, after, kind, isr, text",
    [
        (state(102, [101, 102]), state(-1, [101], 1), "leaderless", "shrank", "t P0: nobody leads, ISR 101, 102 → 101"),
        (state(-1, [101], 1), state(101, [101], 2), "leader", "", "t P0: leader nobody → 101, epoch 2"),
        (
            state(102, [101, 102]),
            state(101, [101], 1),
            "leader",
            "shrank",
            "t P0: leader 102 → 101, epoch 1, ISR 101, 102 → 101",
        ),
        (state(101, [101]), state(101, [101, 102]), "isr", "grew", "t P0: ISR 101 → 101, 102"),
        (state(101, [101, 102]), state(101, [101, 103]), "isr", "changed", "t P0: ISR 101, 102 → 101, 103"),
        (state(101, [101, 102]), state(101, [102, 101], 5), "other", "", "t P0: written again, leader epoch 5"),
    ],
)
def test_a_partitions_state_tells_leader_and_isr(before, after, kind, isr, text) -> None:  # type: ignore[no-untyped-def]
    entry = from_watch(event("NodeDataChanged", before, after), Ending())
    assert (entry.kind, entry.isr, entry.text) == (kind, isr, text)


def test_children_that_came_and_went_are_named() -> None:
    before = znode("/brokers/topics", children=["a", "b", "c", "d", "e"])
    after = znode("/brokers/topics", children=["e", "<img src=x onerror=alert(1)>"])
    entry = from_watch(event("NodeChildrenChanged", before, after), Ending())
    assert (entry.kind, entry.text) == (
        "topic",
        "below it: a, b, c and 1 more gone; <img src=x onerror=alert(1)> new",
    )
    nothing = from_watch(event("NodeChildrenChanged", after, after), Ending())
    assert nothing.text == "below it something changed, and changed back"


@pytest.mark.parametrize("before, after", [(None, "new"), ("old", None), ("old", "new")])
def test_any_other_node_is_told_too(before: str | None, after: str | None) -> None:
    was, now = (None if d is None else znode("/x/y", d.encode(), version=len(d)) for d in (before, after))
    said = from_watch(event("NodeDataChanged", was, now), Ending())
    assert (said.kind, bool(said.text)) == ("other", True)


def test_a_change_that_no_watch_told_says_so() -> None:
    entry = from_watch(event("", state(102, [102]), state(101, [101], 1)), Ending())
    assert (entry.word, entry.kind) == ("changed meanwhile", "leader")


def test_records_refer_to_what_earlier_ones_said() -> None:
    told = from_records(
        [
            MetadataRecord(1, T, "TopicRecord", {"name": "trucks", "topicId": "X"}),
            MetadataRecord(
                2, T, "PartitionRecord", {"topicId": "X", "partitionId": 0, "leader": 102, "isr": [101, 102]}
            ),
            MetadataRecord(
                3, T, "PartitionChangeRecord", {"topicId": "X", "partitionId": 0, "leader": 101, "isr": [101]}
            ),
            MetadataRecord(4, T, "BrokerRegistrationChangeRecord", {"brokerId": 102, "fenced": 1}),
            MetadataRecord(5, T, "BrokerRegistrationChangeRecord", {"brokerId": 102, "fenced": -1}),
            MetadataRecord(6, T, "PartitionChangeRecord", {"topicId": "X", "partitionId": 0, "isr": [101, 102]}),
            MetadataRecord(7, T, "PartitionChangeRecord", {"topicId": "Y", "partitionId": 1, "leader": -1}),
            MetadataRecord(8, T, "LeaderChange", {"leaderId": 3}),
            MetadataRecord(9, T, "BrokerRegistrationChangeRecord", {"brokerId": 102, "inControlledShutdown": 1}),
            MetadataRecord(10, T, "SomethingNewRecord", {"a": "b" * 100}),
        ]
    )
    assert [e.kind for e in told] == [
        *("topic", "topic", "leader", "gone", "came", "isr", "leaderless", "controller", "other", "other")
    ]
    assert told[2].text == "trucks P0: leader 101, ISR 101"
    assert [told[2].isr, told[5].isr, told[1].isr] == ["shrank", "grew", ""]
    assert told[3].text == "broker 102 is fenced: it may lead nothing"
    assert told[6].text == "id Y P1: nobody leads"
    assert "wants to stop" in told[8].text
    assert len(told[9].text) < 60


def test_what_is_no_metadata_is_left_to_other_views() -> None:
    assert from_watcher(Event(T, "rebalanced", "group g …")) is None
    you = from_watcher(Event(T, "you", "you killed broker 102"))
    down = from_watcher(Event(T, "broker_down", "broker 102 is down", broker=102))
    assert you is not None and down is not None
    assert (you.kind, you.by, down.kind, down.by, down.short) == (
        "you",
        "here",
        "gone",
        "snapshot",
        "broker 102 down",
    )
