from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings

from kafkalab.state.changes import SUMMED_FROM, changes
from kafkalab.state.model import (
    KINDS,
    Broker,
    Event,
    Group,
    GroupOffset,
    Member,
    Partition,
    Quorum,
    QuorumNode,
    Snapshot,
    Topic,
)
from tests.unit.state.strategies import snapshots


def told(a: Snapshot, b: Snapshot, events: tuple[Event, ...]) -> None:
    """The events alone lead from the one snapshot to the other."""
    up = {x.id for x in a.brokers if x.alive}
    up -= {e.broker for e in events if e.kind == "broker_down" and e.broker is not None}
    up |= {e.broker for e in events if e.kind in ("broker_up", "broker_added") and e.broker is not None}
    assert up == {x.id for x in b.brokers if x.alive}
    names = {t.name for t in a.topics}
    names -= {e.topic for e in events if e.kind == "topic_deleted" and e.topic}
    names |= {e.topic for e in events if e.kind == "topic_created" and e.topic}
    assert names == {t.name for t in b.topics}
    leaders, isrs = set(), set()
    for new in b.topics:
        old = a.topic(new.name)
        if old is not None and len(new.partitions) >= len(old.partitions):
            pairs = list(zip(old.partitions, new.partitions, strict=False))
            leaders |= {new.name for was, now in pairs if was.leader != now.leader}
            isrs |= {new.name for was, now in pairs if set(was.isr) != set(now.isr)}
    assert {e.topic for e in events if e.kind.startswith("leader_")} == leaders
    assert {e.topic for e in events if e.kind.startswith("isr_")} == isrs
    # A group that cannot be asked neither loses members nor rebalances.
    hidden = {g.group_id for s in (a, b) for g in s.groups if g.state == "Unknown"}
    members = Counter((e.group, e.kind) for e in events if e.kind in ("member_left", "member_joined", "rebalanced"))
    assert not [group for group, _ in members if group in hidden]
    for group in b.groups:
        before = a.group(group.group_id)
        if before is not None and group.group_id not in hidden:
            were, are = {m.member_id for m in before.members}, {m.member_id for m in group.members}
            assert members[group.group_id, "member_left"] == len(were - are)
            assert members[group.group_id, "member_joined"] == len(are - were)


@settings(max_examples=60)
@given(snapshots, snapshots)
def test_events_tell_every_difference_and_nothing_else(a: Snapshot, b: Snapshot) -> None:
    def turned(s: Snapshot) -> Snapshot:
        groups = tuple(replace(g, members=g.members[::-1], offsets=g.offsets[::-1]) for g in s.groups[::-1])
        return replace(s, brokers=s.brokers[::-1], topics=s.topics[::-1], groups=groups)

    assert changes(a, replace(a, at=b.at, problems=("cannot be asked",))) == ()
    events = changes(a, b)
    assert changes(turned(a), turned(b)) == events
    order = [list(KINDS).index(e.kind) for e in events]
    assert order == sorted(order), "causes come first"
    assert {e.at for e in events} <= {b.at}
    assert len(set(events)) == len(events)
    told(a, b, events)


# the sentences


def snap(
    *partitions: Partition, alive: tuple[int, ...] = (101, 102, 103), controller: int = 101, groups=(), **more
) -> Snapshot:
    names = dict.fromkeys(p.topic for p in partitions)
    topics = tuple(Topic(n, tuple(p for p in partitions if p.topic == n), n.startswith("__")) for n in names)
    brokers = tuple(Broker(id, "127.0.0.1", 9000 + id, id in alive) for id in (101, 102, 103))
    return Snapshot("c", "zookeeper", controller, 1.0, brokers, topics, tuple(groups), **more)


def texts(a: Snapshot, b: Snapshot) -> list[str]:
    return [e.text for e in changes(a, b)]


def test_a_killed_broker_is_told_as_a_story() -> None:
    before = snap(
        Partition("trucks_gps", 1, 101, (101, 102, 103), (101, 102, 103)),
        Partition("trucks_gps", 3, 102, (102, 103, 101), (102, 103, 101)),
        Partition("single", 0, 102, (102,), (102,)),
        controller=102,
    )
    after = snap(
        Partition("trucks_gps", 1, 101, (101, 102, 103), (101, 103)),
        Partition("trucks_gps", 3, 103, (102, 103, 101), (103, 101)),
        Partition("single", 0, None, (102,), (102,)),
        alive=(101, 103),
    )
    assert texts(before, after) == [
        "broker 102 is down",
        "controller 102 → 101",
        "single P0 has no leader (was 102)",
        "trucks_gps P3: leader 102 → 103",
        "ISR of trucks_gps P1: 101,102,103 → 101,103",
        "ISR of trucks_gps P3: 102,103,101 → 103,101",
    ]
    back = ["broker_up", "controller_moved", "leader_moved", "leader_elected", "isr_grew", "isr_grew"]
    assert [e.kind for e in changes(after, before)] == back


def test_many_partitions_share_a_sentence() -> None:
    for topic, many in (("__consumer_offsets", 2), ("trucks_gps", SUMMED_FROM)):
        before = snap(*(Partition(topic, i, 102, (102, 103), (102, 103)) for i in range(many)))
        after = snap(*(Partition(topic, i, 103, (102, 103), (103,)) for i in range(many)))
        moved, shrank = changes(before, after)
        assert (moved.kind, moved.partition, moved.broker) == ("leader_moved", None, 103)
        assert moved.text == f"leaders of {many} partitions of {topic}: 102 → 103 ({many})"
        assert (shrank.kind, shrank.partition, shrank.broker) == ("isr_shrank", None, 102)
        assert shrank.text == f"ISR of {many} partitions of {topic}: without 102"


def test_a_topic_with_fewer_partitions_is_another_topic() -> None:
    two = snap(Partition("t", 0, 101, (101,), (101,)), Partition("t", 1, 101, (101,), (101,)))
    one = snap(Partition("t", 0, 102, (102,), (102,)))
    assert texts(two, one) == ["topic t deleted", "topic t created: 1 partition, replication factor 1"]
    assert texts(replace(one, topics=()), two) == ["topic t created: 2 partitions, replication factor 1"]
    assert texts(snap(Partition("t", 0, 101, (101,), (101,))), two) == ["t: 1 → 2 partitions"]


def member(name: str, *partitions: int) -> Member:
    return Member(f"{name}-0123", name, "/127.0.0.1", tuple(("trucks_gps", p) for p in partitions))


def test_a_group_shares_its_work_anew() -> None:
    def dash(state: str, *members: Member) -> Snapshot:
        return snap(groups=[Group("dash", state, 101, members)])

    alone = dash("Stable", member("A", 0, 1, 2, 5))
    joining = dash("PreparingRebalance", member("A"), member("B"))
    settled = dash("Stable", member("A", 0, 1), member("B", 2, 5), member("C"))
    assert texts(snap(), alone) == ["group dash appeared (Stable: A holds trucks_gps P0–P2 P5)"]
    assert texts(alone, joining) == ["group dash: Stable → PreparingRebalance", "group dash: B joined (2 members now)"]
    assert texts(joining, settled)[2:] == [
        "group dash rebalanced: A holds trucks_gps P0–P1; B holds trucks_gps P2 P5; C stands by",
    ]
    gone = dash("Stable", member("A", 0, 1), member("C"))
    assert texts(settled, gone)[0] == "group dash: B left (2 members now)"
    assert texts(settled, snap()) == ["group dash is gone"]
    twins = (Member("x-1111", "app", "", (("t", 0),)), Member("x-2222", "app", "", (("t", 1),)))
    (told,) = texts(snap(), snap(groups=[Group("g", "Stable", 101, twins)]))
    assert "app…1111 holds t P0; app…2222 holds t P1" in told


def test_groups_without_a_coordinator_are_told_together() -> None:
    known = [Group(f"g{i}", "Stable", 102, (member("A", 0),)) for i in range(9)]
    lost = [Group(f"g{i}", "Unknown", None) for i in range(9)]
    (gone,) = texts(snap(groups=known), snap(groups=lost))
    assert gone.startswith("groups g0, g1, g2, g3, g4, g5, 3 more cannot be asked")
    (again,) = texts(snap(groups=lost[:1]), snap(groups=known[:1]))
    assert again.startswith("group g0 can be asked again")


def test_commits_are_summed_a_topic_and_marked_as_chatty() -> None:
    def at(*committed: int | None) -> Snapshot:
        rows = tuple(GroupOffset("trucks_gps", p, c, None) for p, c in enumerate(committed))
        return snap(groups=[Group("dash", "Stable", 101, (), rows)])

    back, further = changes(at(10, 20, None, 7, 5), at(15, 27, 3, 2, None))
    assert (back.kind, back.chatty, further.kind, further.chatty) == ("rewound", False, "committed", True)
    assert "back by 5 offsets" in back.text and "forward by 12 offsets" in further.text


def test_who_keeps_the_metadata_is_told_where_it_is_not_a_broker() -> None:
    def kept(kind: str, leader: int | None, *alive: int, of: tuple[int, ...] = (1, 2, 3)) -> Snapshot:
        nodes = tuple(QuorumNode(id, None, id in alive) for id in of)
        return snap(quorum=Quorum(kind, leader, 1, nodes))  # type: ignore[arg-type]

    assert texts(kept("zookeeper", 1, 1, 2), kept("zookeeper", 2, 2, 3)) == [
        "ZooKeeper 1 does not answer",
        "ZooKeeper 3 answers again",
        "ZooKeeper's leader 1 → 2",
    ]
    moved = texts(kept("kraft", 1, 1, 2), kept("kraft", 2, 2, 3))
    assert moved == ["controller 1 does not answer", "controller 3 answers again"]
    led = kept("zookeeper", 1, 1, of=(1,))
    silent = texts(led, kept("zookeeper", None, of=(1,)))[-1]
    assert silent == "ZooKeeper's leader 1 → unknown", "who is silent has not said that nobody leads"
    combined = kept("kraft", 101, 102, of=(102,))
    assert texts(combined, kept("kraft", 101, of=(102,))) == []
