"""The ways to the brokers: follows each address hop by hop, as far as it leads, and judges where it ends."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from kafkalab.cluster import probe
from kafkalab.cluster.probe import Connected, Failed
from kafkalab.commands.listeners import answer as hearing
from kafkalab.commands.listeners import words
from kafkalab.commands.listeners.answer import Heard, Stranger
from kafkalab.commands.listeners.words import Address

# --- Hops on the way to a broker: what each of them found, whether it works, and the chain of hops as a text.


#: The steps, in this order: the host's name is looked up, a TCP connection is made, Kafka's protocol is spoken, the
#: metadata is asked for, and the broker that answered is compared with the one that the metadata announced.
Step = Literal["name", "connection", "protocol", "metadata", "identity"]


@dataclass(frozen=True, slots=True)
class Hop:
    """One hop. ``why``: the usual reason for what was ``seen``; ``do``: what to change, in Kafka's words.

    ``address``: host:port as it was given or advertised. ``broker``: its id if it advertises the address, else None.
    A hop that works may still have a ``why``: something works from here, and might not from elsewhere.
    """

    step: Step
    address: str
    ok: bool
    seen: str
    why: str = ""
    do: str = ""
    broker: int | None = None

    @property
    def name(self) -> str:
        """The hop's name, unique within a run: for people, and as a key."""
        return f"{origin(self)}: {self.step}"


#: Column in which the words of a hop begin.
_COLUMN = 18


def origin(hop: Hop) -> str:
    """Return the address and where it comes from."""
    return f"bootstrap {hop.address}" if hop.broker is None else f"broker {hop.broker} at {hop.address}"


def to_dict(hops: Sequence[Hop]) -> dict[str, Any]:
    """Return the hops in the shape of ``kafkalab doctor --bootstrap-servers … --json``."""
    return {"checks": [{"name": hop.name, **asdict(hop)} for hop in hops]}


def picture(hops: Sequence[Hop], width: int = 110) -> str:
    """Draw the chains one under the other: every address with its hops, a mark for each, and the help they carry."""
    lines: list[str] = []
    for title, chain in _chains(hops):
        lines.append(title)
        for n, hop in enumerate(chain):
            last = n == len(chain) - 1
            rail = f"  {' ' if last else '│'}      "
            head = f"  {'└' if last else '├'}─ {'✓' if hop.ok else '✗'} {hop.step:<{_COLUMN - 7}}"
            for label, text in ((head, hop.seen), (f"{rail}why:", hop.why), (f"{rail}do:", hop.do)):
                lines += _wrapped(label, rail, text, width)
    failed = [hop for hop in hops if not hop.ok]
    lines.append("")
    lines.append(f"{len(failed)} of {len(hops)} hops fail." if failed else f"All {len(hops)} hops work.")
    return "\n".join(lines)


def _chains(hops: Iterable[Hop]) -> Iterable[tuple[str, list[Hop]]]:
    chains: dict[tuple[int | None, str], list[Hop]] = {}
    for hop in hops:
        chains.setdefault((hop.broker, hop.address), []).append(hop)
    for (broker, address), chain in chains.items():
        yield f"{address}" if broker is None else f"broker {broker} advertises {address}", chain


def _wrapped(head: str, rail: str, text: str, width: int) -> list[str]:
    """Wrap the words of a hop. Settings keep lines of their own, unbroken, so that they can be copied."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        start = (rail if lines else head).ljust(_COLUMN)
        if paragraph.startswith(" "):
            lines.append(start + paragraph)
        else:
            lines += textwrap.wrap(
                paragraph, width, initial_indent=start, subsequent_indent=rail.ljust(_COLUMN),
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
    return lines


@dataclass(frozen=True, slots=True)
class Way:
    """An address that was followed: its hops, and either the answers of the broker at its end or the failure."""

    address: Address
    hops: tuple[Hop, ...]
    heard: Heard | None = None
    wrong: str = ""  # "name", or the kind of failure of the connection


def walk(address: Address, timeout: float) -> Way:
    """Follow an address: look it up, connect, speak Kafka, ask for metadata. ``timeout``: seconds for each question."""
    hops: list[Hop] = []

    def hop(step: Step, ok: bool, seen: str, why: str = "", do: str = "") -> None:
        hops.append(Hop(step, str(address), ok, seen, why, do))

    def end(wrong: str = "", heard: Heard | None = None) -> Way:
        return Way(address, tuple(hops), heard, wrong)

    ips = probe.resolve(address.host, address.port)
    if isinstance(ips, str):
        hop("name", False, f"{address.host} is unknown here: {ips}", *words.unresolved(address))
        return end("name")
    hop(
        "name",
        True,
        f"{address.host} is {', '.join(ips)}" if ips != [address.host] else f"{address.host}, an IP address",
    )
    connected = probe.connect(ips, address.port, timeout)
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
        why = (
            "The broker lists the requests that it knows, but does not answer this one. It may be starting, stopping "
            "or overloaded."
        )
        hop("metadata", False, answer.words, why, "Read that broker's log, and try again in a minute.")
        return end(answer.kind)
    hop("metadata", bool(answer.brokers), *_metadata_words(answer, address))
    return end(heard=answer)


def _accepted(connected: Connected) -> tuple[str, str]:
    """Return ``seen`` and ``why``; ``why`` is set if the name has other addresses that did not accept."""
    if not connected.before:
        return f"{connected.ip} accepts connections", ""
    others = "; ".join(f"{ip}: {failed.words}" for ip, failed in connected.before)
    why = (
        "The name has several addresses, and the broker does not listen on all of them. A client that tries only the "
        f"first one fails. To be sure, write {connected.ip} instead."
    )
    return f"{connected.ip} accepts connections ({others})", why


def _metadata_words(heard: Heard, address: Address) -> tuple[str, str, str]:
    """Return ``seen``, ``why`` and ``do`` of the metadata hop."""
    if not heard.brokers:
        why = "The brokers have not registered yet, or this one has lost the connection to its controller or ZooKeeper."
        return (
            f"cluster {heard.cluster_id}: no broker is registered",
            why,
            "Wait a moment and try again. If that does not help, read the brokers' logs.",
        )
    brokers = ", ".join(str(id) for id in sorted(heard.brokers))
    seen = f"cluster {heard.cluster_id}, brokers {brokers}"
    if heard.own is not None:
        seen += f"; this is {heard.own}"
    if orphans := heard.leads.get(-1, 0):
        seen += f"; {orphans} partitions without a leader"
    why = ""
    if (name := heard.listener) is not None:
        seen += f", on its listener {name}"
        listeners = words.split(heard.settings.get("advertised.listeners", ""))
        if name == heard.settings.get("inter.broker.listener.name") and len(listeners) > 1:
            others = ", ".join(f"{n}://{h}:{p}" for n, (h, p) in listeners.items() if n != name)
            why = f"The brokers use that listener among themselves. Clients should use {others}."
    return seen, why, ""


# --- Judging an advertised address: does it lead to the broker that was announced there?


def hopeless(address: Address, via: Way) -> bool:
    """Return whether an advertised address is wrong whatever answers there: 0.0.0.0, or the client's own machine."""
    assert via.heard is not None
    return address.kind == "everywhere" or (address.kind == "loopback" and not _is_here(via.heard.ip))


def _is_here(ip: str) -> bool:
    """Return whether an IP address is one of this machine's."""
    import psutil

    if Address(ip, 0).kind == "loopback":
        return True
    return any(a.address.partition("%")[0] == ip for addresses in psutil.net_if_addrs().values() for a in addresses)


def judged(id: int, address: Address, via: Way, end: Way | None, met: Way | None) -> list[Hop]:
    """Return the hops of an advertised address; a failing one says what that costs, and which setting fixes it.

    :param via: the bootstrap server that announced it.
    :param end: where the address led; None if it was not followed, because it is hopeless.
    :param met: an address that led to this very broker, if any did.
    """
    assert via.heard is not None
    total = sum(via.heard.leads.values())
    leads = via.heard.leads.get(id, 0)
    cost = f"; the broker leads {leads} of {total} partitions, which no client here can read or write" if leads else ""
    wanted = met.address if met else Address(via.address.host, address.port)
    known = met.heard.settings if met and met.heard else via.heard.settings
    listener = via.heard.listener or "PLAINTEXT"
    do = words.remedy(address, wanted, known, id, own=met is not None, listener=listener)
    if end is None:
        seen = (
            f"no client can connect to {address.host}"
            if address.kind == "everywhere"
            else f"{address.host} is this machine, not the broker's"
        )
        return [Hop("name", str(address), False, seen + cost, words.advertised(address, via.address, "name"), do, id)]
    hops = [replace(hop, broker=id) for hop in end.hops]
    if end.heard is None:
        last = hops[-1]
        if last.step in ("name", "connection"):
            last = replace(last, why=words.advertised(address, via.address, end.wrong), do=do)
        return [*hops[:-1], replace(last, seen=last.seen + cost)]
    # The metadata hop is of no interest for an advertised address: the question is only which broker answers there.
    return [*hops[:-1], _identity(id, address, via, end.heard, cost, do)]


def _identity(id: int, address: Address, via: Way, heard: Heard, cost: str, do: str) -> Hop:
    """Return a hop that says whether the broker that answered is the announced one."""
    assert via.heard is not None

    def hop(ok: bool, seen: str, why: str = "", do: str = "") -> Hop:
        return Hop("identity", str(address), ok, seen, why, do, id)

    if heard.cluster_id != via.heard.cluster_id:
        seen = f"a broker of another cluster, {heard.cluster_id}"
        return hop(False, seen + cost, words.advertised(address, via.address, "stranger"), do)
    if heard.own is not None and heard.own != id:
        why = (
            f"The port mappings are crossed: requests for broker {id} reach broker {heard.own}, which answers them "
            "with NOT_LEADER_OR_FOLLOWER every time."
        )
        return hop(False, f"broker {heard.own} answers here" + cost, why, f"Map each port to its own broker, or:\n{do}")
    who = f"broker {id} itself" if heard.own == id else "a broker of this cluster (it does not tell its id)"
    if address.kind == "loopback" and via.address.kind != "loopback":
        why = (
            words.advertised(address, via.address, "name") + " Here it works only because this is the broker's machine."
        )
        return hop(True, who, why, do)
    return hop(True, who)


# --- The listener doctor: follows the way of a client, bootstrap → metadata → each advertised address, hop by hop.


def follow(servers: Sequence[Address], timeout: float = 3.0) -> list[Hop]:
    """Return every hop from these bootstrap servers on; nothing is changed. ``timeout``: seconds for each question."""
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda address: walk(address, timeout), servers))
        hops = [hop for way in given for hop in way.hops]
        hops += _two_clusters(given)
        # An address is followed once, even if the user gave it as well, or several brokers advertise it.
        announced: dict[tuple[int, Address], Way] = {}
        for way in given:
            for id, address in way.heard.brokers.items() if way.heard else ():
                announced.setdefault((id, address), way)
        found = {way.address: way for way in given}
        ends = {address for (_, address), way in announced.items() if not hopeless(address, way)} - found.keys()
        found.update(zip(ends, pool.map(lambda address: walk(address, timeout), ends), strict=True))
    # The brokers that were reached and told their id, at whatever address.
    met = {way.heard.own: way for way in found.values() if way.heard is not None and way.heard.own is not None}
    for (id, address), via in sorted(announced.items(), key=lambda item: (item[0][0], str(item[0][1]))):
        hops += judged(id, address, via, None if hopeless(address, via) else found[address], met.get(id))
    return hops


def _two_clusters(given: Sequence[Way]) -> list[Hop]:
    """Return a failing hop for each bootstrap server of another cluster than the first one that answered."""
    heard = [way for way in given if way.heard is not None]
    wrong = []
    for way in heard[1:]:
        assert way.heard is not None and heard[0].heard is not None
        ours, theirs = heard[0].heard.cluster_id, way.heard.cluster_id
        if ours != theirs:
            seen = f"this broker belongs to cluster {theirs}, but {heard[0].address} belongs to cluster {ours}"
            why = "A client asks only one of its bootstrap servers, and finds only the brokers of that cluster."
            do = "Give servers of one cluster only. Brokers of one cluster share one ZooKeeper, or one cluster.id."
            wrong.append(Hop("identity", str(way.address), False, seen, why, do))
    return wrong
