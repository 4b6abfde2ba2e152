"""The listener doctor: follows a client's way to each broker, hop by hop, and says where it breaks and how to mend it.

It only asks: it looks a name up, connects, speaks Kafka's protocol, and reads where the brokers say that they are.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
import textwrap
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, NamedTuple

from kafkalab.cluster import probe
from kafkalab.cluster.probe import Failed

#: The steps, in this order: the host's name is looked up, a TCP connection is made, Kafka's protocol is spoken, the
#: metadata is asked for, and the broker that answered is compared with the one that the metadata announced.
Step = Literal["name", "connection", "protocol", "metadata", "identity"]


class Address(NamedTuple):
    """A host, by name or number, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def kind(self) -> str:
        """ "everywhere" (0.0.0.0), "loopback", "private", "word" (a name without a dot), or "" for any other."""
        if self.host.lower() == "localhost":
            return "loopback"
        try:
            number = ipaddress.ip_address(self.host)
        except ValueError:
            return "" if "." in self.host else "word"
        if number.is_unspecified:
            return "everywhere"
        return "loopback" if number.is_loopback else "private" if number.is_private else ""


@dataclass(frozen=True, slots=True)
class Hop:
    """One hop. ``why``: the usual reason for what was ``seen``; ``do``: what to change, in Kafka's words.

    ``address``: host:port as it was given or advertised. ``broker``: its id if it advertises the address, else None.
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
        origin = f"bootstrap {self.address}" if self.broker is None else f"broker {self.broker} at {self.address}"
        return f"{origin}: {self.step}"


def to_dict(hops: Sequence[Hop]) -> dict[str, Any]:
    """Return the hops in the shape of ``kafkalab doctor --bootstrap-servers … --json``."""
    return {"checks": [{"name": hop.name, **asdict(hop)} for hop in hops]}


#: Column in which the words of a hop begin.
_COLUMN = 18


def picture(hops: Sequence[Hop], width: int = 110) -> str:
    """Draw the chains one under the other: every address with its hops, a mark for each, and the help they carry."""
    chains: dict[str, list[Hop]] = {}
    for hop in hops:
        title = hop.address if hop.broker is None else f"broker {hop.broker} advertises {hop.address}"
        chains.setdefault(title, []).append(hop)
    lines: list[str] = []
    for title, chain in chains.items():
        lines.append(title)
        for hop in chain:
            last = hop is chain[-1]
            rail = f"  {' ' if last else '│'}      "
            head = f"  {'└' if last else '├'}─ {'✓' if hop.ok else '✗'} {hop.step}"
            for label, text in ((head, hop.seen), (f"{rail}why:", hop.why), (f"{rail}do:", hop.do)):
                lines += _wrapped(label, rail, text, width)
    failed = sum(not hop.ok for hop in hops)
    return "\n".join([*lines, "", f"{failed} of {len(hops)} hops fail." if failed else f"All {len(hops)} hops work."])


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


# --- Following an address as far as it leads.


@dataclass(frozen=True, slots=True)
class Heard:
    """The answers of one broker.

    ``brokers``: id → the address advertised on the listener that was asked. ``leads``: id → number of partitions led.
    ``own`` and ``settings``: its own id and its settings on listeners, if it tells them (it may refuse).
    """

    ip: str
    cluster_id: str | None
    brokers: dict[int, Address]
    leads: dict[int, int] = field(default_factory=dict)
    own: int | None = None
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def listener(self) -> str | None:
        """The name of the listener that was asked; None where the broker does not tell."""
        own = self.brokers.get(self.own) if self.own is not None else None
        return next((name for name, address in listeners(self.settings).items() if own == address), None)


@dataclass(frozen=True, slots=True)
class Way:
    """An address that was followed: its hops, and the answers of the broker at its end, if there is one."""

    address: Address
    hops: tuple[Hop, ...]
    heard: Heard | None = None


class _Broken(Exception):
    """A hop that does not work: its step, what was seen, why, and what to do."""


def walk(address: Address, timeout: float) -> Way:
    """Follow an address: look it up, connect, speak Kafka, ask for metadata. ``timeout``: seconds for each question."""
    hops: list[Hop] = []

    def works(step: Step, seen: str) -> None:
        hops.append(Hop(step, str(address), True, seen))

    try:
        ips = _looked_up(address)
        works("name", f"{address.host}{', an IP address' if ips == [address.host] else ' is ' + ', '.join(ips)}")
        ip = _connected(ips, address.port, timeout)
        works("connection", f"{ip} accepts connections")
        requests = _known(ip, address.port, timeout)
        heard = _heard(ip, address.port, requests, timeout)
        works("protocol", "a Kafka broker, without TLS and without a login")
        if isinstance(heard, Failed):
            raise _Broken("metadata", heard.words, *_NO_METADATA)
        own = f"; this is {heard.own}" if heard.own is not None else ""
        listener = f", on its listener {heard.listener}" if heard.listener else ""
        brokers = ", ".join(map(str, sorted(heard.brokers)))
        works("metadata", f"cluster {heard.cluster_id}, brokers {brokers}{own}{listener}")
        return Way(address, tuple(hops), heard)
    except _Broken as e:
        step, *words = e.args
        return Way(address, (*hops, Hop(step, str(address), False, *words)))


#: ``why`` and ``do`` for the hops of an address that the user gave.
_UNKNOWN = (
    "The name may be misspelled, or known only in another network, such as that of some containers.",
    "From outside, use the published port (for example 127.0.0.1:9092), or run this where the name is known.",
)
_UNCONNECTED = {
    "refused": (
        "No program listens on that port: the broker has not started, has ended, or listens elsewhere.",
        "Check that it runs, and on which port its log says it listens. In Docker, publish that port (-p).",
    ),
    "silent": (
        "A firewall drops the packets on their way, or that machine is down.",
        "Open the port there for this machine, or use the VPN that leads to it.",
    ),
    "other": ("This machine finds no way to that address.", "Check the VPN, and the address."),
}
_NO_METADATA = (
    "The broker may be starting, stopping or overloaded, or has lost the connection to its controller or ZooKeeper.",
    "Wait a moment and try again. If that does not help, read that broker's log.",
)
_PLAIN = "or use a PLAINTEXT listener of that broker. kafkalab itself speaks PLAINTEXT only."

#: Keys of requests in Kafka's protocol; a kind of resource in DescribeConfigs.
METADATA, SASL_HANDSHAKE = 3, 17
_BROKER = 4


def _looked_up(address: Address) -> list[str]:
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as e:
        said = (e.strerror if isinstance(e, OSError) else None) or str(e)
        raise _Broken("name", f"{address.host} is unknown here: {said}", *_UNKNOWN) from None
    return list(dict.fromkeys(str(at[0]) for *_, at in found))


def _connected(ips: list[str], port: int, timeout: float) -> str:
    """Return the first IP address that accepts, as clients try them."""
    failures: list[Failed] = []
    for ip in ips:
        failure = probe.connect(ip, port, timeout)
        if failure is None:
            return ip
        failures.append(failure)
    seen = "; ".join(f"{ip}: {failure.words}" for ip, failure in zip(ips, failures, strict=True))
    raise _Broken("connection", seen, *_UNCONNECTED.get(failures[-1].kind, _UNCONNECTED["other"]))


def _known(ip: str, port: int, timeout: float) -> set[int]:
    """Return the keys of the requests that a broker knows."""
    from kafka.protocol.metadata import ApiVersionsRequest, ApiVersionsResponse

    answer = probe.answer(ip, port, ApiVersionsRequest[0](), ApiVersionsResponse[0], timeout)
    known = set() if isinstance(answer, Failed) else {int(api.api_key) for api in answer.api_keys or ()}
    if METADATA in known:
        return known
    if _talks_tls(ip, port, timeout):
        raise _Broken(
            "protocol",
            "a TLS listener answers there",
            "Its protocol is SSL or SASL_SSL, so a client without TLS cannot talk to it.",
            f"Give the client security.protocol=SSL (or SASL_SSL) and ssl.truststore.location=…, {_PLAIN}",
        )
    if isinstance(answer, Failed) and answer.kind == "silent":
        raise _Broken(
            "protocol",
            f"it accepts the connection, but {answer.words}",
            "The broker may be paused, overloaded or still starting; or a firewall accepts connections in its place.",
            "Look at that broker's log and its load; if it is paused, resume it.",
        )
    how = f": {answer.words}" if isinstance(answer, Failed) else ""
    raise _Broken(
        "protocol",
        f"something answers there, but it is not a Kafka broker{how}",
        "The port belongs to ZooKeeper (usually 2181), to a KRaft controller (9093), or to another program; or to "
        "Docker's proxy for a published port, and no program listens behind it.",
        "Give the address of a broker, usually with port 9092. In a container it must listen on the published port:\n"
        "  listeners=PLAINTEXT://0.0.0.0:9092     with     -p 127.0.0.1:9092:9092",
    )


def _talks_tls(ip: str, port: int, timeout: float) -> bool:
    """Return whether a TLS handshake works, or is refused in the words of TLS. Certificates are not verified."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with socket.create_connection((ip, port), timeout) as raw, context.wrap_socket(raw):
            return True
    except ssl.SSLError as e:
        return "ALERT" in (e.reason or "")
    except OSError:
        return False


def _heard(ip: str, port: int, requests: set[int], timeout: float) -> Heard | Failed:
    """Return a broker's answers, or the failure to get its metadata; it may want a login first."""
    answer = probe.metadata(ip, port, None, timeout)
    if isinstance(answer, Failed):
        if SASL_HANDSHAKE in requests and answer.kind == "closed":
            _no_login(ip, port, timeout)
        return answer
    brokers = {b.node_id: Address(b.host, b.port) for b in answer.brokers or ()}
    if not brokers:
        return Failed("other", f"cluster {answer.cluster_id}: no broker is registered")
    leads = Counter(p.leader_id for t in answer.topics or () for p in t.partitions or ())
    return Heard(ip, answer.cluster_id, brokers, dict(leads), *_who(ip, port, sorted(brokers), timeout))


def _who(ip: str, port: int, ids: list[int], timeout: float) -> tuple[int | None, dict[str, str]]:
    """Return which of these brokers it is, and its settings: a broker describes itself and no other."""
    from kafka.protocol.admin import DescribeConfigsRequest, DescribeConfigsResponse

    keys = ["advertised.listeners", "listeners"]
    asked = DescribeConfigsRequest.DescribeConfigsResource
    resources = [asked(resource_type=_BROKER, resource_name=str(id), configuration_keys=keys) for id in ids]
    request = DescribeConfigsRequest[1](resources=resources)
    answer = probe.answer(ip, port, request, DescribeConfigsResponse[1], timeout)
    for result in () if isinstance(answer, Failed) else answer.results or ():
        if result.error_code == 0:
            return int(result.resource_name), {c.name: c.value for c in result.configs or () if c.value}
    return None, {}


def _no_login(ip: str, port: int, timeout: float) -> None:
    """Break the way if the listener wants a login; asked for a mechanism that it does not know, it lists its own."""
    from kafka.protocol.sasl import SaslHandshakeRequest, SaslHandshakeResponse

    answer = probe.answer(ip, port, SaslHandshakeRequest[1](mechanism="?"), SaslHandshakeResponse[1], timeout)
    if not isinstance(answer, Failed) and answer.error_code == 33:
        offered = list(answer.mechanisms or ()) or ["…"]
        raise _Broken(
            "protocol",
            f"the listener asks for a login (SASL: {', '.join(offered)})",
            "Its protocol is SASL_PLAINTEXT, so the broker hangs up on a client that has not logged in.",
            "Give the client security.protocol=SASL_PLAINTEXT, "
            f"sasl.mechanism={offered[0]} and sasl.jaas.config=…, {_PLAIN}",
        )


# --- Judging an advertised address: does it lead to the broker that was announced there?


def judged(id: int, address: Address, via: Way, end: Way | None, met: Way | None) -> list[Hop]:
    """Return the hops of an advertised address; a failing one says what that costs, and which setting fixes it.

    :param via: the bootstrap server that announced it.
    :param end: where the address led; None if it was not followed, because it is 0.0.0.0.
    :param met: an address that led to this very broker, if any did.
    """
    assert via.heard is not None
    total, leads = sum(via.heard.leads.values()), via.heard.leads.get(id, 0)
    cost = f"; the broker leads {leads} of {total} partitions, which no client here can read or write" if leads else ""
    why, do = _advertised(address, via.address), _remedy(id, address, via, met)
    if end is None:
        return [Hop("name", str(address), False, f"no client can connect to {address.host}{cost}", why, do, id)]
    *hops, last = (replace(hop, broker=id) for hop in end.hops)
    if end.heard is None:
        if last.step in ("name", "connection"):
            last = replace(last, why=why, do=do)
        return [*hops, replace(last, seen=last.seen + cost)]
    # The metadata hop is of no interest for an advertised address: the question is only which broker answers there.
    heard = end.heard
    if heard.cluster_id != via.heard.cluster_id:
        stranger = f"a broker of another cluster, {heard.cluster_id},"
    elif heard.own not in (None, id):
        stranger = f"broker {heard.own}"
    else:
        who = f"broker {id} itself" if heard.own == id else "a broker of this cluster (it does not tell its id)"
        return [*hops, Hop("identity", str(address), True, who, broker=id)]
    why = "The address leads to another broker than the one that advertises it. Perhaps port mappings are crossed."
    return [*hops, Hop("identity", str(address), False, f"{stranger} answers here{cost}", why, do, id)]


def _advertised(address: Address, came: Address) -> str:
    """Return why a broker's advertised address does not lead to it, for a client that came by the address ``came``."""
    if address.host == came.host:
        why = f"The host is right, but nothing answers there on the port {address.port}."
    else:
        why = f"{address.host!r} {_KINDS[address.kind]}"
    return f"A client asks its bootstrap server where the brokers are, and then goes to the addresses it is told. {why}"


_KINDS = {
    "everywhere": "means every interface: a server can listen there, but no client can connect to it.",
    "loopback": "is the client's own machine for every client: it leads to the broker only on the broker's machine.",
    "word": "is a name without a dot: containers of one network know each other by such names, but others do not.",
    "private": "is a private address, which works only inside its own network (containers, a cloud, an office).",
    "": "does not lead to this broker from here; or the broker is not running.",
}


def _remedy(id: int, address: Address, via: Way, met: Way | None) -> str:
    """Return the setting with which a broker advertises an address that leads to it, as far as we know one."""
    assert via.heard is not None
    wanted = met.address if met else Address(via.address.host, address.port)
    name = via.heard.listener or "PLAINTEXT"
    known = listeners(met.heard.settings) if met and met.heard else {}
    name = next((n for n, at in known.items() if at == address), name)
    entries = {n: Address(at.host or wanted.host, at.port) for n, at in known.items()} | {name: wanted}
    return (
        f"In the settings of broker {id} (server.properties, or the variables of its image):\n"
        f"  advertised.listeners={','.join(f'{n}://{at}' for n, at in entries.items())}\n"
        "Keep its other listeners, and restart it, because it reads its settings when it starts. If the brokers find "
        "each other by the old address, give clients a listener of their own."
    )


def listeners(settings: dict[str, str]) -> dict[str, Address]:
    """Return the advertised listeners of a broker's settings: name → address; the host is empty where none is named."""
    found: dict[str, Address] = {}
    for one in (settings.get("advertised.listeners") or settings.get("listeners") or "").split(","):
        name, _, rest = one.strip().partition("://")
        host, _, port = rest.rpartition(":")
        if port.isdigit():
            found[name] = Address(host.strip("[]"), int(port))
    return found


def follow(servers: Sequence[tuple[str, int]], timeout: float = 3.0) -> list[Hop]:
    """Return every hop from these bootstrap servers on; nothing is changed. ``timeout``: seconds for each question."""
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda server: walk(Address(*server), timeout), dict.fromkeys(servers)))
        # An address is followed once, even if the user gave it as well, or several brokers advertise it.
        announced: dict[tuple[int, Address], Way] = {}
        for way in given:
            for id, address in way.heard.brokers.items() if way.heard else ():
                announced.setdefault((id, address), way)
        found = {way.address: way for way in given}
        ends = {address for _, address in announced if address.kind != "everywhere"} - found.keys()
        found.update(zip(ends, pool.map(lambda address: walk(address, timeout), ends), strict=True))
    hops = [hop for way in given for hop in way.hops]
    # The brokers that were reached and told their id, at whatever address.
    met = {way.heard.own: way for way in found.values() if way.heard is not None and way.heard.own is not None}
    for (id, address), via in sorted(announced.items()):
        hops += judged(id, address, via, found.get(address), met.get(id))
    return hops
