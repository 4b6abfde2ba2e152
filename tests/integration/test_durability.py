"""Cells of the durability matrix, really run, held to what Kafka's documentation promises of them."""

from __future__ import annotations

from typing import Any

import pytest

from kafkalab import Cluster
from kafkalab.errors import BadInput
from kafkalab.experiments.durability.cell import Setting
from kafkalab.experiments.durability.matrix import DurabilityMatrix, Halted
from tests.support.traces import in_sync

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


def promised(s: Setting) -> str:
    """For as long as one replica of the ISR lives; with the leader alone, a lost disk is the end of the last one."""
    if s.acks != "all":
        return MAY_LOSE
    if s.brokers_up < s.min_insync:
        return REFUSES
    return MAY_LOSE if s.brokers_up == 1 and s.fault == "disk lost" else KEEPS


def lost_numbers(s: Setting) -> range:
    """Which records the worst moment costs, by their number, where the setting does not promise to keep them."""
    if promised(s) != MAY_LOSE:
        return range(0)
    acknowledged = RECORDS if s.acks == "0" else CALM + ALONE
    if s.brokers_up > 1:
        return range(CALM, acknowledged)  # what the followers never had
    # Alone, the leader's log is all there is; and what it never read is nowhere.
    return range(acknowledged) if s.fault == "disk lost" else range(CALM + ALONE, acknowledged)


CELLS = [
    pytest.param({"min_insync": 2, "brokers_up": 3, "fault": "killed"}, 3, id="three"),
    pytest.param(
        {"min_insync": (1, 3), "brokers_up": (1, 2), "fault": "disk lost"}, 12, marks=pytest.mark.deep, id="a dozen"
    ),
    pytest.param({}, 54, marks=pytest.mark.nightly, id="all"),
]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("chosen, count", CELLS)
def test_cells_agree_with_the_documentation(one_cluster: Cluster, chosen: dict[str, Any], count: int) -> None:
    cluster = one_cluster
    matrix = DurabilityMatrix(cluster, RECORDS, quiet=True, **chosen)
    # A cluster that is not whole is not broken further.
    cluster.broker(103).pause()
    with pytest.raises(BadInput, match="Every node must be up"):
        matrix.run()
    cluster.broker(103).resume()
    assert {cell.state for cell in matrix.result.cells} == {"not run"}
    states: set[str] = set()
    matrix.subscribe(lambda: states.update(cell.state for cell in matrix.result.cells))
    result = matrix.run()

    assert len(result.cells) == count
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
    assert lossless <= {Setting("1", least, 1, "killed") for least in (1, 2, 3)}

    # The cells filled in while it ran, nothing is left behind, and everybody is well.
    assert states >= {"running", "done"}
    whole(cluster)


def whole(cluster: Cluster) -> None:
    """Everybody is up and comes back in sync, and the matrix's topics are gone."""
    assert not [t.name for t in cluster.snapshot().topics if t.name.startswith("durability")]
    assert all(n.state == "running" for n in cluster.nodes())
    in_sync(cluster)


@pytest.mark.timeout(200)
@pytest.mark.deep
@pytest.mark.parametrize("moment, end", [("paused", KeyboardInterrupt), ("killed", Halted)])
def test_ended_early(one_cluster: Cluster, moment: str, end: type[BaseException]) -> None:
    matrix = DurabilityMatrix(one_cluster, RECORDS, acks="1", min_insync=2, brokers_up=3, fault="killed", quiet=True)

    def then() -> None:
        if moment in " ".join(matrix.result.rounds.get(3, ())):
            if end is KeyboardInterrupt:
                raise KeyboardInterrupt
            matrix.halt()

    matrix.subscribe(then)
    with pytest.raises(end):
        matrix.run()
    assert not matrix.running
    assert [cell.state for cell in matrix.result.cells] == ["not run"]
    whole(one_cluster)
