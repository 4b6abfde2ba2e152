"""Explanations of why a hop fails and which setting to change, in Kafka's words. Pure functions."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kafkalab.cluster.probe import Failed
from kafkalab.errors import BadInput

# --- Addresses of listeners: parsed from what a user typed, and the kind of host that they name.


#: Kinds of hosts. everywhere: 0.0.0.0 or ::, on which a server can listen, but no client can connect to it. docker:
#: 172.16.0.0/12, where Docker puts its bridges. word: a name without a dot, as used within one network.
Kind = Literal["everywhere", "loopback", "docker", "private", "public", "word", "cluster", "name"]

_INSIDE = (".local", ".internal", ".svc", ".cluster.local", ".lan", ".home", ".localdomain")


@dataclass(frozen=True, slots=True)
class Address:
    """A host, by name or number, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def kind(self) -> Kind:
        """The kind of host, as far as its name or number tells."""
        if self.host.lower() == "localhost":
            return "loopback"
        try:
            number = ipaddress.ip_address(self.host)
        except ValueError:
            if self.host.lower().endswith(_INSIDE):
                return "cluster"
            return "name" if "." in self.host else "word"
        if number.is_unspecified:
            return "everywhere"
        if number.is_loopback:
            return "loopback"
        if number.version == 4 and number in ipaddress.ip_network("172.16.0.0/12"):
            return "docker"
        return "private" if number.is_private or number.is_link_local else "public"


def parse(text: str) -> list[Address]:
    """Parse ``host:port,host:port`` into addresses, each once; BadInput says which part is wrong, and how."""
    given = [part.strip() for part in text.split(",") if part.strip()]
    if not given:
        raise BadInput("No bootstrap server was given.", do='Write "host:port", or several with commas between them.')
    return list(dict.fromkeys(_one(part) for part in given))


def _one(text: str) -> Address:
    def wrong(do: str) -> BadInput:
        return BadInput(f"{text!r} is not a bootstrap server.", do=do)

    if scheme := re.match(r"([A-Za-z0-9_+.-]+)://", text):
        bare = text[scheme.end() :].strip("/") or "host:9092"
        raise wrong(f"Leave {scheme.group()} out: it belongs to Kafka's own settings or to a browser. Write {bare}")
    if "/" in text or "@" in text or re.search(r"\s", text):
        raise wrong("Write host:port and nothing else.")
    found = re.fullmatch(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<host>[^:\[\]]*))(?P<port>:.*)?", text)
    if found is None or text.startswith("::"):
        raise wrong("Write an IPv6 address in brackets: [::1]:9092")
    host, port = found["six"] or found["host"] or "", found["port"]
    if not host:
        raise wrong(f"The host is missing. Write localhost{port or ':9092'}, or the name of another machine.")
    if port is None:
        raise wrong(f"The port is missing. Kafka's usual one is 9092: {text}:9092")
    if not re.fullmatch(r":[0-9]{1,5}", port) or not 0 < int(port[1:]) < 65536:
        raise wrong("A port is a number from 1 to 65535.")
    return Address(host, int(port[1:]))


def unresolved(address: Address) -> tuple[str, str]:
    """Return ``why`` and ``do`` for a name from the user that does not resolve."""
    host = address.host
    if address.kind == "word":
        why = (
            f"{host!r} has no dot. Such a name is known only inside one network, for example among the containers of "
            "a Compose file."
        )
        do = "From outside, use the published port (for example 127.0.0.1:9092), or run this where the name is known."
        return why, do
    if address.kind == "cluster":
        return (
            f"{host!r} looks like a name of a private network, and this machine does not know it.",
            "Join that network (VPN), or run this on a machine inside it.",
        )
    return "The name may be misspelled or out of date, or it is known only in another network (VPN?).", (
        f"Try: getent hosts {host} (macOS: dscacheutil -q host -a name {host})"
    )


def unconnected(address: Address, failed: Sequence[tuple[str, Failed]]) -> tuple[str, str]:
    """Return ``why`` and ``do`` for an address from the user that accepts no connection."""
    kinds = {one.kind for _, one in failed}
    if "refused" in kinds:
        why = (
            "The machine is there, but no program listens on that port. The broker has not started, has ended, or "
            "listens on another port or interface (listeners=PLAINTEXT://127.0.0.1:… accepts only clients on the "
            "broker's own machine)."
        )
        do = "Check that the broker runs, and on which port its log says it listens. In Docker, publish that port (-p)."
        return why, do
    if "silent" in kinds:
        why = "A firewall or a cloud's security group drops the packets on their way, or that machine is down."
        return why, f"Open port {address.port} there for this machine, or use the VPN that leads to it."
    if "unreachable" in kinds:
        return "This machine has no route to that network.", "Check the VPN, and the address."
    return (
        "The connection broke while it was being opened. There may be a proxy, or a broker that is just shutting down.",
        "Try again. If it fails again, read that broker's log.",
    )


def advertised(address: Address, came: Address, wrong: str) -> str:
    """Return why a broker's advertised address does not lead to it, for a client that came by the address ``came``.

    :param wrong: "name" if the host does not resolve, else the kind of failure.
    """
    told = (
        "A client asks its bootstrap server where the brokers are, and then connects to the addresses they advertise. "
    )
    kind = address.kind
    if kind == "everywhere":
        return (
            told + f"{address.host} means every interface: a server can listen there, but no client can connect to it."
        )
    if kind == "loopback" and came.kind != "loopback":
        return told + (
            f"For every client, {address.host} is the client's own machine. So a client on another machine than the "
            "broker's would talk to itself."
        )
    if kind == "word" and wrong == "name":
        return told + (
            f"{address.host!r} is a name without a dot. Containers of a Docker network, or machines in a "
            "home network, know each other by such names. Others do not know them."
        )
    if kind == "cluster" and wrong == "name":
        return told + f"{address.host!r} is known only inside its own network (Kubernetes, a cloud, a home), not here."
    if wrong == "name":
        return (
            told
            + f"The name servers of this machine do not know {address.host!r}: it may be the broker's own host name."
        )
    if kind == "docker" and address.host != came.host:
        return told + (
            f"{address.host} looks like a container's address on a Docker bridge. Only the Docker host itself can "
            "reach it, and with Docker Desktop not even the host can."
        )
    if kind == "private" and address.host != came.host:
        return told + (
            f"{address.host} is a private address, which works only inside the broker's own network (or cloud)."
        )
    if wrong == "refused" and address.host == came.host and address.port != came.port:
        return told + (
            f"The host is right, but the port is not: no program listens on {address.port} there. A container's port "
            "may be published under another number, or this broker is not running."
        )
    if wrong == "refused":
        return told + "No program listens there: this broker is not running, or it advertises a wrong port."
    if wrong == "silent":
        return (
            told + "No answer comes from there: a firewall drops the packets, or the address is one of another network."
        )
    return told + "That address does not lead to this broker."


def remedy(
    address: Address, wanted: Address, settings: Mapping[str, str], broker: int, *, own: bool, listener: str
) -> str:
    """Return the settings with which a broker advertises the wanted address instead of this one.

    :param settings: its own settings on listeners; if ``own`` is false, those of another broker of its cluster.
    :param listener: the name of the listener that the client used, in case the settings do not tell.
    """
    listeners = split(settings.get("advertised.listeners") or settings.get("listeners") or "")
    here = (address.host, address.port)
    name = next((n for n, a in listeners.items() if a == here), listener) if own else listener
    head = f"In the settings of broker {broker} (server.properties, or the variables of its image):\n"
    inner = settings.get("inter.broker.listener.name") or "PLAINTEXT"
    if name == inner and len(listeners) <= 1 and address.kind in ("word", "cluster", "docker"):
        # The brokers find each other by this address, so it must stay, and other clients need a listener of their own.
        return head + (
            "  listeners=INSIDE://0.0.0.0:19092,OUTSIDE://0.0.0.0:9092\n"
            f"  advertised.listeners=INSIDE://{Address(address.host, 19092)},OUTSIDE://{wanted}\n"
            "  listener.security.protocol.map=INSIDE:PLAINTEXT,OUTSIDE:PLAINTEXT\n"
            "  inter.broker.listener.name=INSIDE\n"
            f"With KRaft, keep the controllers' listener too. A container must publish its port 9092 as {wanted.port}."
        )
    line = f"{name}://{wanted}"
    if own:
        entries = {n: str(Address(host or wanted.host, port)) for n, (host, port) in listeners.items()}
        line = ",".join(f"{n}://{a}" for n, a in (entries | {name: str(wanted)}).items())
    elif len(listeners) > 1:
        line = "…," + line
    return (
        head + f"  advertised.listeners={line}\nThen restart the broker, because it reads its settings when it starts."
    )


def split(listeners: str) -> dict[str, tuple[str, int]]:
    """Parse ``INSIDE://host:1,OUTSIDE://:2`` into name → (host, port); the host is empty where none is named."""
    found: dict[str, tuple[str, int]] = {}
    for one in listeners.split(","):
        name, _, rest = one.strip().partition("://")
        host, _, port = rest.rpartition(":")
        if port.isdigit():
            found[name] = (host.strip("[]"), int(port))
    return found
