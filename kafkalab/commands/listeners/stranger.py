"""Who it is that accepts connections and does not answer as a Kafka broker does."""

from __future__ import annotations

import re
import socket
import ssl
from dataclasses import dataclass

from kafkalab.commands.listeners import wire
from kafkalab.commands.listeners.wire import Failed


@dataclass(frozen=True, slots=True)
class Stranger:
    """What was seen, what usually is behind it, and what to do."""

    seen: str
    why: str
    do: str


ZOOKEEPER = Stranger(
    "ZooKeeper answers here, not a broker",
    "Kafka's clients talk to brokers only; since Kafka 3.0 its tools too. ZooKeeper (mostly on port 2181) is where "
    "brokers keep their notes.",
    "Give the address of a broker, mostly port 9092: the brokers' setting advertised.listeners names it.",
)

CONTROLLER = Stranger(
    "a KRaft controller's listener: it speaks Kafka's protocol and has no metadata for clients",
    "Controllers talk to brokers and to each other on a listener of their own (controller.listener.names, mostly on "
    "port 9093).",
    "Give the address of a broker: one of advertised.listeners that controller.listener.names does not list.",
)


def recognise(got: bytes) -> Stranger | None:
    """Who says that? None for bytes that nobody here knows. Pure."""
    if re.match(rb"HTTP/\d|<!DOCTYPE|<html", got, re.I):
        server = re.search(rb"(?im)^server: *([ -~]{1,60})", got)
        name = f" ({server.group(1).decode().strip()})" if server else ""
        return Stranger(
            f"a web server answers here{name}",
            "It may be a page about Kafka, a REST proxy, a schema registry or Kafka Connect: they speak HTTP, brokers "
            "do not.",
            "Give the address of a broker, mostly port 9092.",
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
    """A listener that expects TLS."""
    what = "Kafka behind TLS" if kafka else "a TLS listener"
    return Stranger(
        f"{what}: {seen}",
        "The listener's protocol is SSL or SASL_SSL (listener.security.protocol.map), and a client without TLS gets no "
        "word out of it.",
        "Give the client security.protocol=SSL (or SASL_SSL) and ssl.truststore.location=…, or use a PLAINTEXT "
        "listener of that broker. kafkalab itself speaks PLAINTEXT only.",
    )


def sasl(mechanisms: list[str]) -> Stranger:
    """A listener that wants to know who is there."""
    offered = ", ".join(mechanisms) or "mechanisms it does not name"
    return Stranger(
        f"the listener asks for a login (SASL: {offered})",
        "The listener's protocol is SASL_PLAINTEXT: whoever asks before having logged in is hung up on.",
        f"Give the client security.protocol=SASL_PLAINTEXT, sasl.mechanism={mechanisms[0] if mechanisms else '…'} and "
        "sasl.jaas.config=…, or use a PLAINTEXT listener of that broker. kafkalab itself speaks PLAINTEXT only.",
    )


def find_out(ip: str, port: int, failed: Failed, hello: bytes, timeout: float) -> Stranger:
    """Who is there, from what Kafka's request brought, and failing that from other questions.

    :param failed: what became of the request.
    :param hello: that request; Kafka behind TLS is told from other TLS servers by it.
    """
    if found := recognise(failed.got):
        return _through_tls(ip, port, hello, timeout) or found
    if failed.got:
        return _other(f"something else answers here: {failed.got[:40]!r}")
    if found := _through_tls(ip, port, hello, timeout):
        return found
    # A server that is silent once is given less patience for the other questions.
    short = timeout if failed.kind != "silent" else timeout / 2
    for words in (b"srvr", b"GET / HTTP/1.0\r\n\r\n"):
        answer = wire.say(ip, port, words, short)
        if isinstance(answer, bytes):
            return recognise(answer) or _other(f"something else answers here: {answer[:40]!r}")
    return _silent(timeout) if failed.kind == "silent" else _hangs_up(failed)


def _through_tls(ip: str, port: int, hello: bytes, timeout: float) -> Stranger | None:
    """Whether it takes a TLS handshake, and whether Kafka is behind it. Certificates are not judged, only met."""
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
            return tls(f"it takes a {version} handshake", kafka=answer[4:8] == b"\0\0\0\1")
    except ssl.SSLError as e:
        # Alerts and bad versions come from a TLS server; anything else is no TLS.
        reason = e.reason or ""
        return tls(f"it refuses our handshake ({reason})") if "ALERT" in reason else None
    except OSError:
        return None


def _other(seen: str) -> Stranger:
    return Stranger(
        seen,
        "The port belongs to another program.",
        "Look who listens there (Linux: ss -ltnp; macOS: lsof -nP -iTCP -sTCP:LISTEN), and give the port of a broker.",
    )


def _silent(timeout: float) -> Stranger:
    return Stranger(
        f"it accepts the connection and says nothing within {timeout:g} s",
        "A broker that is paused (SIGSTOP, a suspended container), that is overloaded or still starting; or a firewall "
        "or proxy that accepts for it.",
        "Look at that broker's log and its load; if it is paused, resume it.",
    )


def _hangs_up(failed: Failed) -> Stranger:
    return Stranger(
        f"it accepts the connection and hangs up at once ({failed.words})",
        "Often Docker's proxy for a published port behind which nothing listens: the broker in the container is still "
        "starting, has ended, or listens on another port or on 127.0.0.1 inside. Else a proxy without its target, or a "
        "broker's limit (max.connections.per.ip).",
        "Look at the container's log. In it the broker must listen on all interfaces, at the port that is published:\n"
        "  listeners=PLAINTEXT://0.0.0.0:9092     with     -p 127.0.0.1:9092:9092",
    )
