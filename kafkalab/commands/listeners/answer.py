"""Answers of a broker to a client's requests: its cluster, the addresses it advertises, and which broker it is."""

from __future__ import annotations

import re
import socket
import ssl
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from kafkalab.cluster import probe
from kafkalab.cluster.probe import Failed
from kafkalab.commands.listeners import words
from kafkalab.commands.listeners.words import Address

# --- Strangers: servers that accept connections and do not answer as a Kafka broker does.


@dataclass(frozen=True, slots=True)
class Stranger:
    """A server that is no usable broker: what was seen, the usual reason, and what to do."""

    seen: str
    why: str
    do: str


ZOOKEEPER = Stranger(
    "ZooKeeper answers here, not a broker",
    "Kafka's clients talk only to brokers, and since Kafka 3.0 its tools do so too. ZooKeeper (usually on port 2181) "
    "is where brokers keep their metadata.",
    "Give the address of a broker, usually with port 9092. The brokers' setting advertised.listeners names it.",
)

CONTROLLER = Stranger(
    "a KRaft controller's listener: it speaks Kafka's protocol, but has no metadata for clients",
    "Controllers talk to brokers and to each other on their own listener (controller.listener.names, usually on port "
    "9093).",
    "Give the address of a broker: one of advertised.listeners that controller.listener.names does not list.",
)


def recognise(got: bytes) -> Stranger | None:
    """Return a description of the server that sends these bytes; None if they are unknown. A pure function."""
    if re.match(rb"HTTP/\d|<!DOCTYPE|<html", got, re.I):
        server = re.search(rb"(?im)^server: *([ -~]{1,60})", got)
        name = f" ({server.group(1).decode().strip()})" if server else ""
        return Stranger(
            f"a web server answers here{name}",
            "It may be a web console for Kafka, a REST proxy, a schema registry or Kafka Connect. They speak HTTP, but "
            "brokers do not.",
            "Give the address of a broker, usually with port 9092.",
        )
    if re.match(rb"Zookeeper version|\S+ is not executed because it is not in the whitelist|This ZooKeeper", got):
        return ZOOKEEPER
    # A TLS alert: what a TLS server says to a client that did not begin with a handshake.
    if re.match(rb"\x15\x03[\x00-\x04]", got):
        return tls("it answers with a TLS alert")
    for pattern, name in ((rb"SSH-\d", "an SSH server"), (rb"-ERR|-NOAUTH", "Redis"), (rb"AMQP", "an AMQP broker")):
        if re.match(pattern, got):
            return _other(f"{name} answers here")
    return None


def tls(seen: str, kafka: bool = False) -> Stranger:
    """Return the Stranger for a listener that expects TLS."""
    what = "Kafka behind TLS" if kafka else "a TLS listener"
    return Stranger(
        f"{what}: {seen}",
        "The listener's protocol is SSL or SASL_SSL (listener.security.protocol.map), so a client without TLS cannot "
        "talk to it.",
        "Give the client security.protocol=SSL (or SASL_SSL) and ssl.truststore.location=…, or use a PLAINTEXT "
        "listener of that broker. kafkalab itself speaks PLAINTEXT only.",
    )


def sasl(mechanisms: list[str]) -> Stranger:
    """Return the Stranger for a listener that requires a login."""
    offered = ", ".join(mechanisms) or "it names no mechanism"
    return Stranger(
        f"the listener asks for a login (SASL: {offered})",
        "The listener's protocol is SASL_PLAINTEXT, so the broker hangs up on a client that has not logged in.",
        f"Give the client security.protocol=SASL_PLAINTEXT, sasl.mechanism={mechanisms[0] if mechanisms else '…'} and "
        "sasl.jaas.config=…, or use a PLAINTEXT listener of that broker. kafkalab itself speaks PLAINTEXT only.",
    )


def find_out(ip: str, port: int, failed: Failed, hello: bytes, timeout: float) -> Stranger:
    """Find out which server is there, from its answer to Kafka's request, or else from other questions.

    :param failed: how the request failed.
    :param hello: that request; with it, Kafka behind TLS can be told from other TLS servers.
    """
    if found := recognise(failed.got):
        return _through_tls(ip, port, hello, timeout) or found
    if failed.got:
        return _other(f"something else answers here: {failed.got[:40]!r}")
    if found := _through_tls(ip, port, hello, timeout):
        return found
    # A server that was silent once gets less time for the other questions.
    short = timeout if failed.kind != "silent" else timeout / 2
    for question in (b"srvr", b"GET / HTTP/1.0\r\n\r\n"):
        answer = probe.say(ip, port, question, short)
        if isinstance(answer, bytes):
            return recognise(answer) or _other(f"something else answers here: {answer[:40]!r}")
    return _silent(timeout) if failed.kind == "silent" else _hangs_up(failed)


def _through_tls(ip: str, port: int, hello: bytes, timeout: float) -> Stranger | None:
    """Try a TLS handshake, and whether Kafka is behind it; None if it is no TLS. Certificates are not verified."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with socket.create_connection((ip, port), timeout) as raw, context.wrap_socket(raw) as s:
            version = s.version()
            s.settimeout(timeout)
            try:
                s.sendall(hello)
                answer = s.recv(8)
            except OSError:  # it wants a certificate of ours, or is no Kafka
                answer = b""
            return tls(f"it accepts a {version} handshake", kafka=answer[4:8] == b"\0\0\0\1")
    except ssl.SSLError as e:
        # Alerts and bad versions come from a TLS server; anything else is no TLS.
        reason = e.reason or ""
        return tls(f"it refuses the TLS handshake ({reason})") if "ALERT" in reason else None
    except OSError:
        return None


def _other(seen: str) -> Stranger:
    return Stranger(
        seen,
        "The port belongs to another program.",
        "Find the program that listens there (Linux: ss -ltnp; macOS: lsof -nP -iTCP -sTCP:LISTEN), or give the port "
        "of a broker.",
    )


def _silent(timeout: float) -> Stranger:
    return Stranger(
        f"it accepts the connection, but says nothing within {timeout:g} s",
        "The broker may be paused (SIGSTOP, a suspended container), overloaded, or still starting. Or a firewall or "
        "proxy accepts the connection in its place.",
        "Look at that broker's log and its load; if it is paused, resume it.",
    )


def _hangs_up(failed: Failed) -> Stranger:
    return Stranger(
        f"it accepts the connection, but hangs up at once ({failed.words})",
        "Often this is Docker's proxy for a published port, and no program listens behind it: the broker in the "
        "container is still starting, has ended, or listens on another port or only on 127.0.0.1. It can also be "
        "another proxy that cannot reach its target, or a broker's limit (max.connections.per.ip).",
        "Look at the container's log. Inside, the broker must listen on all interfaces, on the published port:\n"
        "  listeners=PLAINTEXT://0.0.0.0:9092     with     -p 127.0.0.1:9092:9092",
    )


#: Keys of requests in Kafka's protocol.
METADATA, SASL_HANDSHAKE, DESCRIBE_CONFIGS = 3, 17, 32
_BROKER = 4  # a kind of resource in DescribeConfigs

LISTENING = (
    "advertised.listeners",
    "listeners",
    "listener.security.protocol.map",
    "inter.broker.listener.name",
    "controller.listener.names",
)


@dataclass(frozen=True, slots=True)
class Heard:
    """The answers of one broker.

    ``brokers``: id → the address advertised on the listener that was asked. ``leads``: id → number of partitions led.
    ``own`` and ``settings``: its own id and its settings on listeners, if it tells them (it may refuse).
    """

    ip: str
    cluster_id: str | None
    controller: int | None
    brokers: dict[int, Address]
    leads: dict[int, int] = field(default_factory=dict)
    own: int | None = None
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def listener(self) -> str | None:
        """The name of the listener that was asked; None where the broker does not tell."""
        own = self.brokers.get(self.own) if self.own is not None else None
        listeners = words.split(self.settings.get("advertised.listeners") or self.settings.get("listeners") or "")
        return next((name for name, (host, port) in listeners.items() if own == Address(host, port)), None)


def speaks(ip: str, port: int, timeout: float) -> dict[int, tuple[int, int]] | Stranger:
    """Return the requests that a broker knows (key → oldest and newest version), or a Stranger if it is none."""
    from kafka.protocol.metadata import ApiVersionsRequest, ApiVersionsResponse

    hello = probe.framed(ApiVersionsRequest[0]())
    answer = probe.send(ip, port, hello, timeout)
    if isinstance(answer, Failed):
        return find_out(ip, port, answer, hello, timeout)
    response = _decoded(ApiVersionsResponse[0], answer)
    if response is None or not response.api_keys:
        return find_out(ip, port, Failed("strange", "", answer), hello, timeout)
    known = {api.api_key: (api.min_version, api.max_version) for api in response.api_keys}
    return known if METADATA in known else CONTROLLER


def metadata(ip: str, port: int, known: dict[int, tuple[int, int]], timeout: float) -> Heard | Stranger | Failed:
    """Return a broker's metadata of all topics; a Stranger if it wants a login first; Failed if it gives none."""
    from kafka.protocol.metadata import MetadataRequest, MetadataResponse

    version = min(7, known[METADATA][1])
    # topics=None asks for all topics.
    asked = MetadataRequest[version](topics=None, allow_auto_topic_creation=False)
    answer = probe.send(ip, port, probe.framed(asked), timeout)
    if isinstance(answer, Failed):
        mechanisms = _login(ip, port, known, timeout) if answer.kind in ("closed", "reset") else None
        return answer if mechanisms is None else sasl(mechanisms)
    response = _decoded(MetadataResponse[version], answer)
    if response is None:
        return Failed("strange", "its answer cannot be read")
    brokers = {b.node_id: Address(b.host, b.port) for b in response.brokers or ()}
    leads = Counter(p.leader_id for t in response.topics or () for p in t.partitions or ())
    own, settings = _who(ip, port, sorted(brokers), known, timeout)
    controller = response.controller_id if response.controller_id >= 0 else None
    return Heard(ip, response.cluster_id, controller, brokers, dict(leads), own, settings)


def _who(
    ip: str, port: int, ids: list[int], known: dict[int, tuple[int, int]], timeout: float
) -> tuple[int | None, dict[str, str]]:
    """Return which of these brokers it is, and its settings: a broker describes itself and no other."""
    from kafka.protocol.admin import DescribeConfigsRequest, DescribeConfigsResponse

    oldest, newest = known.get(DESCRIBE_CONFIGS, (0, -1))
    if not oldest <= 1 <= newest or not ids:
        return None, {}
    resources = [
        DescribeConfigsRequest.DescribeConfigsResource(
            resource_type=_BROKER, resource_name=str(id), configuration_keys=list(LISTENING)
        )
        for id in ids
    ]
    answer = probe.send(ip, port, probe.framed(DescribeConfigsRequest[1](resources=resources)), timeout)
    response = None if isinstance(answer, Failed) else _decoded(DescribeConfigsResponse[1], answer)
    for result in (response.results if response else None) or ():
        if result.error_code == 0:
            return int(result.resource_name), {c.name: c.value for c in result.configs or () if c.value}
    return None, {}


def _login(ip: str, port: int, known: dict[int, tuple[int, int]], timeout: float) -> list[str] | None:
    """Return the SASL mechanisms it offers; None if it wants no login. Asked for an unknown one, it lists them."""
    from kafka.protocol.sasl import SaslHandshakeRequest, SaslHandshakeResponse

    if SASL_HANDSHAKE not in known:
        return None
    answer = probe.send(ip, port, probe.framed(SaslHandshakeRequest[1](mechanism="?")), timeout)
    response = None if isinstance(answer, Failed) else _decoded(SaslHandshakeResponse[1], answer)
    return list(response.mechanisms or ()) if response is not None and response.error_code == 33 else None


def _decoded(kind: Any, answer: bytes) -> Any:
    """Decode a response; return None if that fails, whatever the decoder raises."""
    try:
        return kind.decode(answer, header=True)
    except Exception:
        return None
