"""Judges of lab 05 that ask the cluster: brokers without a topic, a bootstrap string, the leader's address."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from kafkalab.checks.judging import Wrong, call, function_needed, listed, text
from kafkalab.checks.lab_05_brokers import PREFIX, place
from kafkalab.cluster import probe
from kafkalab.cluster.growth import carry_out
from kafkalab.cluster.topics import asking
from kafkalab.errors import KafkalabError

if TYPE_CHECKING:
    from kafkalab.cluster.cluster import Cluster
    from kafkalab.state.model import Partition, Snapshot

#: Brokers that a bootstrap string must survive the loss of.
_LOST: Final = 2
#: Addresses that are looked at.
_MOST: Final = 30
#: Kafka's number for an election of the preferred leader.
_PREFERRED: Final = 0


def without(cluster: Cluster, answer: Any) -> str:
    """Judge 05.1 on topics made for it, which lie where nobody could know."""
    function_needed(answer)
    brokers = _alive(cluster, 3)
    first, second, *_ = random.sample(brokers, len(brokers))
    for held in (
        {0: [first, second]},  # one leads and one follows: both hold it
        {0: [second], 1: [first], 2: [first]},
        {n: [id] for n, id in enumerate(random.sample(brokers, len(brokers)))},  # nobody is without
    ):
        with _placed(cluster, held) as topic:
            _compare(call(answer, topic), held, brokers)
    return "Right for a topic with followers, for one that lies on two brokers, and for one that lies on all."


def _compare(got: Any, held: Mapping[int, Sequence[int]], brokers: Sequence[int]) -> None:
    items = listed(got, "What your function returns", int, most=1000)
    holders = {id for ids in held.values() for id in ids}
    lies = "; ".join(f"P{number} on {', '.join(map(str, ids))}" for number, ids in held.items())
    facts = f"A topic with {lies}, in a cluster of {', '.join(map(str, brokers))}:"
    for item in items:
        if item in held and item not in brokers:
            raise Wrong(f"{facts} {item} is a partition's number. It says nothing about the broker that holds it.")
        if item not in brokers:
            raise Wrong(f"{facts} there is no broker {item}.")
        if item in holders:
            led = item in {ids[0] for ids in held.values()}
            what = "leads a partition of it" if led else "follows the leader, and so holds every record as well"
            raise Wrong(f"{facts} {item} {what}.")
    if missing := sorted(set(brokers) - holders - set(items)):
        raise Wrong(f"{facts} {missing[0]} is missing. No partition lies on it, for no broker has everything.")


def survivors(cluster: Cluster, answer: Any) -> str:
    """Judge 05.3: every address is asked who it is, and the brokers behind them are counted."""
    said = text(answer, "A bootstrap string").strip()
    if said.endswith(","):
        raise Wrong("There is nothing after the last comma.")
    if ";" in said or len(said.split()) > said.count(",") + 1:
        raise Wrong("Several addresses have commas between them, and nothing else.")
    given = [part.strip() for part in said.split(",")]
    if len(given) > _MOST:
        raise Wrong(f"{len(given)} addresses are more than anybody needs.")
    snapshot = cluster.snapshot()
    behind: dict[str, int] = {}
    for one in given:
        host, _, port = one.rpartition(":")
        if not host or not (port.isdecimal() and int(port) < 65_536) or "/" in host:
            raise Wrong(f"{one[:60]!r} is not an address. One is written host:port, with nothing else.")
        behind[one] = _who(snapshot, host, int(port))
    distinct = set(behind.values())
    if len(distinct) < len(given):
        twice = next(id for id in behind.values() if list(map(behind.get, given)).count(id) > 1)
        raise Wrong(f"{len(given)} addresses, and several lead to broker {twice}: they go down together.")
    if len(distinct) <= _LOST:
        names = " and ".join(map(str, sorted(distinct)))
        raise Wrong(f"With {names} down, a client that knows only this has nobody to ask.")
    if len(distinct) > _LOST + 1:
        raise Wrong(f"That works, and is longer than it must be: {_LOST} may be down, and you name {len(distinct)}.")
    return f"Whichever {_LOST} are down, one of {', '.join(map(str, sorted(distinct)))} is left to be asked."


def _who(snapshot: Snapshot, host: str, port: int) -> int:
    """The broker behind an address."""
    try:
        found = probe.ask(host, port, 5.0)
    except UnicodeError as error:  # no machine can have that name
        found = str(error)
    if isinstance(found, str):
        raise Wrong(
            f"No broker answers at {host[:60]}:{port}. A bootstrap server is a broker, at its port for clients."
        )
    if found.cluster_id != snapshot.cluster_id:
        raise Wrong(f"{host}:{port} is a broker of another cluster.")
    owner = next((b.id for b in snapshot.brokers if b.port == port), None)
    if owner is None:
        raise KafkalabError(f"Which broker is behind {host}:{port} could not be told.", do="Run the cell again.")
    return owner


def leader_address(cluster: Cluster, answer: Any) -> str:
    """Judge 05.2 on a topic whose leaders are not always the first replica, nor the first in sync, nor who is asked."""
    function_needed(answer)
    asked, first, second, *_ = random.sample(_alive(cluster, 3), 3)
    with _placed(cluster, {0: [first, second], 1: [second, first], 2: [first, second]}) as topic:
        # The same brokers in another order: the second is preferred from now on, and the first goes on leading.
        carry_out(cluster.bootstrap_servers, {(topic, 0): [second, first], (topic, 2): [second, first]})
        cluster.wait_for(
            lambda s: all(p.preferred_leader == second for p in _partitions(s, topic)),
            20,
            "the replicas to be in their new order",
        )
        # Of partition 2 the second leads now, and comes after the first among those in sync.
        asking(cluster.bootstrap_servers, lambda admin: admin.elect_leaders(_PREFERRED, {topic: [2]}))
        snapshot = cluster.wait_for(
            lambda s: _partitions(s, topic)[2].leader == second, 20, "the preferred leader to lead partition 2"
        )
        at = {b.id: f"{b.host}:{b.port}" for b in snapshot.brokers}
        for partition in _partitions(snapshot, topic):
            got = text(call(answer, at[asked], topic, partition.partition), "An address")
            leader = partition.leader
            if got.replace("localhost", "127.0.0.1") == at.get(leader or 0):
                continue
            facts = f"P{partition.partition} is led by {leader}."
            if got == at[asked]:
                raise Wrong(f"{facts} {got} is the address that your function was given: {asked} only tells the way.")
            other = next((id for id, address in at.items() if address == got), None)
            if other is None:
                raise Wrong(f"{facts} {got[:60]!r} is not the address of a broker.")
            if other in partition.replicas:
                preferred = (
                    "the first of its replicas" if other == partition.preferred_leader else "one of its replicas"
                )
                raise Wrong(f"{facts} {got} is {other}, {preferred}, which follows at this moment.")
            raise Wrong(f"{facts} {got} is {other}, which has nothing of that partition.")
    return f"From {asked}, which has nothing of the topic, to the leader of each partition."


def _partitions(snapshot: Snapshot, topic: str) -> list[Partition]:
    return [p for p in snapshot.partitions() if p.topic == topic]


def _alive(cluster: Cluster, least: int) -> list[int]:
    alive = sorted(b.id for b in cluster.snapshot().brokers if b.alive)
    if len(alive) < least:
        raise KafkalabError(f"Only {len(alive)} brokers are up.", do="Start the others: run the set-up cell again.")
    return alive


@contextmanager
def _placed(cluster: Cluster, held: Mapping[int, Sequence[int]]) -> Iterator[str]:
    """A topic that lies there, with a name nobody else has, deleted at the end."""
    name = f"{PREFIX}check-{uuid.uuid4().hex[:8]}"
    place(cluster, name, held)
    try:
        yield name
    finally:
        cluster.delete_topic(name)
