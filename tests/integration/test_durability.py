"""Every cell of the durability matrix, really run, held to what Kafka's documentation promises of it."""

from __future__ import annotations

import pytest

from kafkalab import Cluster
from kafkalab.checks.durability_cell import Setting
from kafkalab.checks.durability_matrix import DurabilityMatrix, Halted
from kafkalab.errors import BadInput
from tests.support.clusters import warm

RECORDS = 40
CALM, ALONE, GONE = 20, 10, 10

# What the documentation says, in our words.
# - Producer, acks=0: nothing is waited for; a record counts as sent with the socket, and no guarantee is given.
# - acks=1: the leader answers without waiting for followers; if it fails before they have copied, the record is lost.
# - acks=all: the leader waits for all replicas in the ISR; the record is kept as long as one of these lives.
# - Topic, min.insync.replicas: with acks=all, and only then, so many replicas must be in the ISR, or the producer
#   gets NotEnoughReplicas (NotEnoughReplicasAfterAppend if the ISR shrank meanwhile).
# - unclean.leader.election.enable=false: a replica out of the ISR is not elected.
KEEPS, MAY_LOSE, REFUSES = "keeps what it acknowledged", "may lose what it acknowledged", "refuses to write"

#: (acks, min.insync.replicas, brokers up) → the promise, for as long as one replica of the ISR lives.
PROMISE = {
    **{("0", least, up): MAY_LOSE for least in (1, 2, 3) for up in (3, 2, 1)},
    **{("1", least, up): MAY_LOSE for least in (1, 2, 3) for up in (3, 2, 1)},
    ("all", 1, 3): KEEPS, ("all", 2, 3): KEEPS, ("all", 3, 3): KEEPS,
    ("all", 1, 2): KEEPS, ("all", 2, 2): KEEPS, ("all", 3, 2): REFUSES,
    ("all", 1, 1): KEEPS, ("all", 2, 1): REFUSES, ("all", 3, 1): REFUSES,
}  # fmt: skip


def promised(s: Setting) -> str:
    """With the leader alone, a lost disk is the end of the last replica in the ISR: nothing is promised then."""
    promise = PROMISE[s.acks, s.min_insync, s.brokers_up]
    return MAY_LOSE if promise == KEEPS and s.brokers_up == 1 and s.fault == "disk lost" else promise


def lost_numbers(s: Setting) -> range:
    """Which records the worst moment costs, by their number, where the setting does not promise to keep them."""
    if promised(s) != MAY_LOSE:
        return range(0)
    acknowledged = RECORDS if s.acks == "0" else CALM + ALONE
    if s.brokers_up > 1:
        return range(CALM, acknowledged)  # what the followers never had
    # Alone, the leader's log is all there is; and what it never read is nowhere.
    return range(acknowledged) if s.fault == "disk lost" else range(CALM + ALONE, acknowledged)


@pytest.mark.timeout(300)
def test_every_cell_is_really_run_and_agrees_with_the_documentation(home: object) -> None:
    cluster = warm("zookeeper")
    matrix = DurabilityMatrix(cluster, RECORDS, quiet=True)
    states: set[str] = set()
    matrix.subscribe(lambda: states.update(cell.state for cell in matrix.result.cells))
    result = matrix.run()

    assert len(result.cells) == 54
    for cell in result.cells:
        s, counted = cell.setting, cell.ledger
        assert cell.state == "done" and counted is not None, s
        promise = promised(s)
        told = (s, counted)
        assert counted.sent == RECORDS, told
        assert counted.lost_ids == tuple(f"{s.name}-{n:04d}" for n in lost_numbers(s)), told
        assert counted.duplicated == counted.strangers == counted.redelivered == 0, told
        if promise == REFUSES:
            assert (counted.acknowledged, counted.seen, cell.refused) == (0, 0, RECORDS), told
            assert cell.error == "NotEnoughReplicasError", told
        elif s.acks == "0":
            assert counted.acknowledged == RECORDS and cell.refused == 0, told
        else:
            # Of acks=all the followers' pause keeps the second stretch back, unless nobody follows.
            good = CALM + (ALONE if s.acks == "1" or s.brokers_up == 1 else 0)
            assert (counted.acknowledged, cell.refused) == (good, RECORDS - good), told
        assert counted.seen == counted.acknowledged - counted.lost, told
        assert cell.why
    # What may be lost was lost: the run held the worst moment of each setting, and did not just happen to go well.
    lossless = {c.setting for c in result.cells if promised(c.setting) == MAY_LOSE and c.ledger and not c.ledger.lost}
    assert lossless == {Setting("1", least, 1, "killed") for least in (1, 2, 3)}

    # The cells filled in while it ran, nothing is left behind, and everybody is well.
    assert states == {"not run", "running", "done"}
    snapshot = cluster.snapshot()
    assert not [t.name for t in snapshot.topics if t.name.startswith("durability")]
    assert all(n.state == "running" for n in cluster.nodes())
    assert not any(p.under_replicated for p in snapshot.partitions())


@pytest.mark.timeout(200)
@pytest.mark.parametrize("moment", ["paused", "killed"])
def test_ended_early_the_cluster_is_healed_and_the_topics_are_gone(one_cluster: Cluster, moment: str) -> None:
    matrix = DurabilityMatrix(one_cluster, RECORDS, acks="1", min_insync=2, brokers_up=3, fault="killed", quiet=True)

    def ctrl_c() -> None:
        if moment in " ".join(matrix.result.rounds.get(3, ())):
            if moment == "paused":
                raise KeyboardInterrupt
            matrix.halt()

    matrix.subscribe(ctrl_c)
    with pytest.raises(KeyboardInterrupt if moment == "paused" else Halted):
        matrix.run()
    assert not matrix.running
    assert [cell.state for cell in matrix.result.cells] == ["not run"]
    assert all(n.state == "running" for n in one_cluster.nodes())
    assert not [t.name for t in one_cluster.snapshot().topics if t.name.startswith("durability")]


def test_a_cluster_that_is_not_whole_is_not_broken_further(one_cluster: Cluster) -> None:
    matrix = DurabilityMatrix(one_cluster, brokers_up=3, quiet=True)
    one_cluster.broker(103).pause()
    with pytest.raises(BadInput, match="Every node must be up"):
        matrix.run()
    one_cluster.broker(103).resume()
    assert {cell.state for cell in matrix.result.cells} == {"not run"}
