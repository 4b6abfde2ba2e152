"""The listener doctor: follows the way of a client, bootstrap → metadata → each advertised address, hop by hop."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from kafkalab.commands.listeners import heard as hearing
from kafkalab.commands.listeners import wire, words
from kafkalab.commands.listeners.address import Address
from kafkalab.commands.listeners.heard import Heard
from kafkalab.commands.listeners.hop import Hop
from kafkalab.commands.listeners.stranger import Stranger
from kafkalab.commands.listeners.wire import Connected, Failed


@dataclass(frozen=True, slots=True)
class Way:
    """An address that was followed: its hops, what was heard at its end, and the failure that ended it before."""

    address: Address
    hops: tuple[Hop, ...]
    heard: Heard | None = None
    wrong: str = ""  # "name", or the kind of failure of the connection


def follow(servers: Sequence[Address], timeout: float = 3.0) -> list[Hop]:
    """Every hop from these bootstrap servers on. Asks, and changes nothing; ``timeout``: seconds for each question."""
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda address: _walk(address, timeout), servers))
        hops = [hop for way in given for hop in way.hops]
        hops += _two_clusters(given)
        # The same address, given by the user or advertised by several, is followed once.
        announced: dict[tuple[int, Address], Way] = {}
        for way in given:
            for id, address in way.heard.brokers.items() if way.heard else ():
                announced.setdefault((id, address), way)
        found = {way.address: way for way in given}
        ends = {address for (_, address), way in announced.items() if not _hopeless(address, way)} - found.keys()
        found.update(zip(ends, pool.map(lambda address: _walk(address, timeout), ends), strict=True))
    reached = {way.heard.own: way.address for way in found.values() if way.heard is not None}
    for (id, address), via in sorted(announced.items(), key=lambda item: (item[0][0], str(item[0][1]))):
        hops += _judged(id, address, via, None if _hopeless(address, via) else found[address], reached)
    return hops


def _walk(address: Address, timeout: float) -> Way:
    """As far towards a broker as it goes."""
    hops: list[Hop] = []

    def hop(step: str, ok: bool, seen: str, why: str = "", do: str = "") -> None:
        hops.append(Hop(step, str(address), ok, seen, why, do))  # type: ignore[arg-type]

    def end(wrong: str = "", heard: Heard | None = None) -> Way:
        return Way(address, tuple(hops), heard, wrong)

    ips = wire.resolve(address.host, address.port)
    if isinstance(ips, str):
        hop("name", False, f"{address.host} is unknown here: {ips}", *words.unresolved(address))
        return end("name")
    hop("name", True, f"{address.host} is {', '.join(ips)}" if ips != [address.host] else f"{address.host}, a number")
    connected = wire.connect(ips, address.port, timeout)
    if not isinstance(connected, Connected):
        seen = "; ".join(f"{ip}: {failed.words}" for ip, failed in connected)
        hop("connection", False, seen, *words.unconnected(address, connected))
        return end(connected[-1][1].kind)
    hop("connection", True, *_accepted(connected))
    known = hearing.speaks(connected.ip, address.port, timeout)
    if isinstance(known, Stranger):
        hop("protocol", False, known.seen, known.why, known.do)
        return end("stranger")
    answer = hearing.metadata(connected.ip, address.port, known, timeout)
    if isinstance(answer, Stranger):
        hop("protocol", False, answer.seen, answer.why, answer.do)
        return end("stranger")
    hop("protocol", True, "a Kafka broker, without TLS and without a login")
    if isinstance(answer, Failed):
        why = "It knows which requests there are and does not answer this one: it is starting, ending, or overloaded."
        hop("metadata", False, answer.words, why, "Read that broker's log, and try again in a minute.")
        return end(answer.kind)
    hop("metadata", bool(answer.brokers), *_metadata_words(answer, address))
    return end(heard=answer)


def _accepted(connected: Connected) -> tuple[str, str]:
    """What was seen and, where a number was passed over, what may come of it."""
    if not connected.before:
        return f"{connected.ip} accepts", ""
    others = "; ".join(f"{ip}: {failed.words}" for ip, failed in connected.before)
    why = (
        "The name stands for several addresses and the broker does not listen on all of them. A client that tries only "
        f"the first fails: to be sure, write {connected.ip}."
    )
    return f"{connected.ip} accepts ({others})", why


def _metadata_words(heard: Heard, address: Address) -> tuple[str, str, str]:
    """What was seen, why, do."""
    if not heard.brokers:
        why = "The brokers have not registered yet, or this one has lost its controller (or ZooKeeper)."
        return (
            f"cluster {heard.cluster_id}: no broker is registered",
            why,
            "Wait a moment; then read the brokers' logs.",
        )
    brokers = ", ".join(str(id) for id in sorted(heard.brokers))
    seen = f"cluster {heard.cluster_id}, brokers {brokers}"
    if heard.own is not None:
        seen += f"; this is {heard.own}"
    if orphans := heard.leads.get(-1, 0):
        seen += f"; {orphans} partitions without a leader"
    own = heard.brokers.get(heard.own) if heard.own is not None else None
    listeners = words.split(heard.settings.get("advertised.listeners", ""))
    name = next((n for n, a in listeners.items() if own and a == (own.host, own.port)), None)
    why = ""
    if name is not None:
        seen += f", on its listener {name}"
        if name == heard.settings.get("inter.broker.listener.name") and len(listeners) > 1:
            others = ", ".join(f"{n}://{h}:{p}" for n, (h, p) in listeners.items() if n != name)
            why = f"That listener is the one the brokers use among themselves; for clients there is {others}."
    return seen, why, ""


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


def _hopeless(address: Address, via: Way) -> bool:
    """Whether an advertised address is wrong whatever answers at it: everywhere; the client's own machine."""
    assert via.heard is not None
    return address.kind == "everywhere" or (address.kind == "loopback" and not _is_here(via.heard.ip))


def _is_here(ip: str) -> bool:
    """Whether a number is one of this machine's."""
    import psutil

    if Address(ip, 0).kind == "loopback":
        return True
    return any(a.address.partition("%")[0] == ip for addresses in psutil.net_if_addrs().values() for a in addresses)


def _judged(id: int, address: Address, via: Way, end: Way | None, reached: dict[int | None, Address]) -> list[Hop]:
    """The hops of an advertised address, with what it means that one of them fails, and the setting that mends it."""
    assert via.heard is not None
    total = sum(via.heard.leads.values())
    leads = via.heard.leads.get(id, 0)
    cost = f"; it leads {leads} of {total} partitions: no client from here can write or read those" if leads else ""
    wanted = reached.get(id) or Address(via.address.host, address.port)
    do = words.remedy(address, wanted, via.heard.settings, id, own=via.heard.own == id)
    if end is None:
        seen = (
            f"{address.host} cannot be gone to" if address.kind == "everywhere" else f"{address.host} is this machine"
        )
        return [Hop("name", str(address), False, seen + cost, words.advertised(address, via.address, "name"), do, id)]
    hops = [replace(hop, broker=id) for hop in end.hops]
    if end.heard is None:
        last = hops[-1]
        if last.step in ("name", "connection"):
            last = replace(last, why=words.advertised(address, via.address, end.wrong), do=do)
        return [*hops[:-1], replace(last, seen=last.seen + cost)]
    # The metadata hop said what the broker says of itself; of an advertised address only this is asked:
    return [*hops[:-1], _identity(id, address, via, end.heard, cost, do)]


def _identity(id: int, address: Address, via: Way, heard: Heard, cost: str, do: str) -> Hop:
    """Whether it is the broker that was announced."""
    assert via.heard is not None

    def hop(ok: bool, seen: str, why: str = "", do: str = "") -> Hop:
        return Hop("identity", str(address), ok, seen, why, do, id)

    if heard.cluster_id != via.heard.cluster_id:
        seen = f"a broker of another cluster, {heard.cluster_id}"
        return hop(False, seen + cost, words.advertised(address, via.address, "stranger"), do)
    if heard.own is not None and heard.own != id:
        why = (
            f"Port mappings are crossed: what is sent to broker {id} reaches broker {heard.own}, which answers "
            "NOT_LEADER_OR_FOLLOWER for ever."
        )
        return hop(False, f"broker {heard.own} answers here" + cost, why, f"Map the ports straight, or:\n{do}")
    who = f"broker {id} itself" if heard.own == id else "a broker of this cluster (which one, it does not tell)"
    if address.kind == "loopback" and via.address.kind != "loopback":
        why = (
            words.advertised(address, via.address, "name") + " Here it works only because this is the broker's machine."
        )
        return hop(True, who, why, do)
    return hop(True, who)
