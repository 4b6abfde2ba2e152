"""What an advertised address is worth: does it lead to the broker that was announced there?"""

from __future__ import annotations

from dataclasses import replace

from kafkalab.commands.listeners import words
from kafkalab.commands.listeners.address import Address
from kafkalab.commands.listeners.heard import Heard
from kafkalab.commands.listeners.hop import Hop
from kafkalab.commands.listeners.way import Way


def hopeless(address: Address, via: Way) -> bool:
    """Whether an advertised address is wrong whatever answers at it: everywhere; the client's own machine."""
    assert via.heard is not None
    return address.kind == "everywhere" or (address.kind == "loopback" and not _is_here(via.heard.ip))


def _is_here(ip: str) -> bool:
    """Whether a number is one of this machine's."""
    import psutil

    if Address(ip, 0).kind == "loopback":
        return True
    return any(a.address.partition("%")[0] == ip for addresses in psutil.net_if_addrs().values() for a in addresses)


def judged(id: int, address: Address, via: Way, end: Way | None, met: Way | None) -> list[Hop]:
    """The hops of an advertised address, with what it means that one of them fails, and the setting that mends it.

    :param via: the bootstrap server that announced it.
    :param end: where the address led; None when it was not followed, being hopeless.
    :param met: where that very broker was met, if it was.
    """
    assert via.heard is not None
    total = sum(via.heard.leads.values())
    leads = via.heard.leads.get(id, 0)
    cost = f"; it leads {leads} of {total} partitions: no client from here can write or read those" if leads else ""
    wanted = met.address if met else Address(via.address.host, address.port)
    known = met.heard.settings if met and met.heard else via.heard.settings
    listener = via.heard.listener or "PLAINTEXT"
    do = words.remedy(address, wanted, known, id, own=met is not None, listener=listener)
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
