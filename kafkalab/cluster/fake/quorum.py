"""Who keeps the fake's metadata: a ZooKeeper ensemble or KRaft's voters, and whom they elect. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from kafkalab.cluster.spec import Mode


@dataclass(frozen=True, slots=True)
class Voters:
    """The voters by id, their leader (None: no majority) and the leader's epoch.

    Which of several able voters wins is luck in Kafka; here it is always the same: in ZooKeeper the highest id, as
    there when all know the same, and in KRaft the next id after the leader that was.
    """

    kind: Mode
    ids: tuple[int, ...]
    leader: int | None = None
    epoch: int = 0
    last: int = 0


def voted(voters: Voters, answering: Collection[int]) -> Voters:
    """The voters after an election, if one was due."""
    able = [id for id in voters.ids if id in answering]
    if 2 * len(able) <= len(voters.ids):
        return replace(voters, leader=None)
    if voters.leader in able:
        return voters
    later = [id for id in able if id > voters.last]
    leader = max(able) if voters.kind == "zookeeper" else (later or able)[0]
    # A ZooKeeper that stands alone holds no elections and counts none.
    epoch = 0 if voters.kind == "zookeeper" and len(voters.ids) == 1 else voters.epoch + 1
    return replace(voters, leader=leader, epoch=epoch, last=leader)
