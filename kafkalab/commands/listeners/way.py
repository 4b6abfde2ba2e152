"""One address followed as far towards a broker as it goes."""

from __future__ import annotations

from dataclasses import dataclass

from kafkalab.commands.listeners import heard as hearing
from kafkalab.commands.listeners import wire, words
from kafkalab.commands.listeners.address import Address
from kafkalab.commands.listeners.heard import Heard
from kafkalab.commands.listeners.hop import Hop, Step
from kafkalab.commands.listeners.stranger import Stranger
from kafkalab.commands.listeners.wire import Connected, Failed


@dataclass(frozen=True, slots=True)
class Way:
    """An address that was followed: its hops, what was heard at its end, and the failure that ended it before."""

    address: Address
    hops: tuple[Hop, ...]
    heard: Heard | None = None
    wrong: str = ""  # "name", or the kind of failure of the connection


def walk(address: Address, timeout: float) -> Way:
    """Look up, connect, speak, ask; ``timeout``: seconds for each question."""
    hops: list[Hop] = []

    def hop(step: Step, ok: bool, seen: str, why: str = "", do: str = "") -> None:
        hops.append(Hop(step, str(address), ok, seen, why, do))

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
    why = ""
    if (name := heard.listener) is not None:
        seen += f", on its listener {name}"
        listeners = words.split(heard.settings.get("advertised.listeners", ""))
        if name == heard.settings.get("inter.broker.listener.name") and len(listeners) > 1:
            others = ", ".join(f"{n}://{h}:{p}" for n, (h, p) in listeners.items() if n != name)
            why = f"That listener is the one the brokers use among themselves; for clients there is {others}."
    return seen, why, ""
