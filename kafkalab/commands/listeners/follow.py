"""The listener doctor: follows the way of a client, bootstrap → metadata → each advertised address, hop by hop."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from kafkalab.commands.listeners.address import Address
from kafkalab.commands.listeners.hop import Hop
from kafkalab.commands.listeners.judge import hopeless, judged
from kafkalab.commands.listeners.way import Way, walk


def follow(servers: Sequence[Address], timeout: float = 3.0) -> list[Hop]:
    """Every hop from these bootstrap servers on. Asks, and changes nothing; ``timeout``: seconds for each question."""
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda address: walk(address, timeout), servers))
        hops = [hop for way in given for hop in way.hops]
        hops += _two_clusters(given)
        # The same address, given by the user or advertised by several, is followed once.
        announced: dict[tuple[int, Address], Way] = {}
        for way in given:
            for id, address in way.heard.brokers.items() if way.heard else ():
                announced.setdefault((id, address), way)
        found = {way.address: way for way in given}
        ends = {address for (_, address), way in announced.items() if not hopeless(address, way)} - found.keys()
        found.update(zip(ends, pool.map(lambda address: walk(address, timeout), ends), strict=True))
    # What is known of a broker by having met it, wherever that was.
    met = {way.heard.own: way for way in found.values() if way.heard is not None and way.heard.own is not None}
    for (id, address), via in sorted(announced.items(), key=lambda item: (item[0][0], str(item[0][1]))):
        hops += judged(id, address, via, None if hopeless(address, via) else found[address], met.get(id))
    return hops


def _two_clusters(given: Sequence[Way]) -> list[Hop]:
    """A failing hop for each bootstrap server that is of another cluster than the first that answered."""
    heard = [way for way in given if way.heard is not None]
    wrong = []
    for way in heard[1:]:
        assert way.heard is not None and heard[0].heard is not None
        ours, theirs = heard[0].heard.cluster_id, way.heard.cluster_id
        if ours != theirs:
            seen = f"cluster {theirs}, and {heard[0].address} belongs to cluster {ours}"
            why = "A client asks any of its bootstrap servers and takes the answer for the whole truth."
            do = "Name servers of one cluster only; brokers of one cluster share one ZooKeeper, or one cluster.id."
            wrong.append(Hop("identity", str(way.address), False, seen, why, do))
    return wrong
