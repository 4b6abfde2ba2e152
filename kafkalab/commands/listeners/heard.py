"""What a broker says when asked as a client asks: its cluster, whom it names where, and which of them it is itself."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from kafkalab.commands.listeners import stranger, wire, words
from kafkalab.commands.listeners.address import Address
from kafkalab.commands.listeners.stranger import Stranger
from kafkalab.commands.listeners.wire import Failed

#: Keys of requests in the protocol.
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

    ``brokers``: id → the address advertised on the listener that was asked. ``leads``: id → partitions it leads.
    ``own``: its id, where it tells (it may refuse to strangers); ``settings``: its settings on listeners, then.
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
    """The requests it knows (key → oldest and newest version), or who it is instead of a broker."""
    from kafka.protocol.metadata import ApiVersionsRequest, ApiVersionsResponse

    hello = wire.request(ApiVersionsRequest[0]())
    answer = wire.ask(ip, port, hello, timeout)
    if isinstance(answer, Failed):
        return stranger.find_out(ip, port, answer, hello, timeout)
    response = _decoded(ApiVersionsResponse[0], answer)
    if response is None or not response.api_keys:
        return stranger.find_out(ip, port, Failed("strange", "", answer), hello, timeout)
    known = {api.api_key: (api.min_version, api.max_version) for api in response.api_keys}
    return known if METADATA in known else stranger.CONTROLLER


def metadata(ip: str, port: int, known: dict[int, tuple[int, int]], timeout: float) -> Heard | Stranger | Failed:
    """Its metadata of all topics; a Stranger when it wants a login first; Failed when it gives none."""
    from kafka.protocol.metadata import MetadataRequest, MetadataResponse

    version = min(7, known[METADATA][1])
    # Without topics named: all of them.
    asked = MetadataRequest[version](topics=None, allow_auto_topic_creation=False)
    answer = wire.ask(ip, port, wire.request(asked), timeout)
    if isinstance(answer, Failed):
        mechanisms = _login(ip, port, known, timeout) if answer.kind in ("closed", "reset") else None
        return answer if mechanisms is None else stranger.sasl(mechanisms)
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
    """Which of these brokers it is, and its settings: a broker describes itself and no other."""
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
    answer = wire.ask(ip, port, wire.request(DescribeConfigsRequest[1](resources=resources)), timeout)
    response = None if isinstance(answer, Failed) else _decoded(DescribeConfigsResponse[1], answer)
    for result in (response.results if response else None) or ():
        if result.error_code == 0:
            return int(result.resource_name), {c.name: c.value for c in result.configs or () if c.value}
    return None, {}


def _login(ip: str, port: int, known: dict[int, tuple[int, int]], timeout: float) -> list[str] | None:
    """The logins (SASL mechanisms) it offers; None when it wants none. Asked for one that is not, it lists them."""
    from kafka.protocol.sasl import SaslHandshakeRequest, SaslHandshakeResponse

    if SASL_HANDSHAKE not in known:
        return None
    answer = wire.ask(ip, port, wire.request(SaslHandshakeRequest[1](mechanism="?")), timeout)
    response = None if isinstance(answer, Failed) else _decoded(SaslHandshakeResponse[1], answer)
    return list(response.mechanisms or ()) if response is not None and response.error_code == 33 else None


def _decoded(kind: Any, answer: bytes) -> Any:
    """A response; None when the bytes are none (whatever they make the decoder raise)."""
    try:
        return kind.decode(answer, header=True)
    except Exception:
        return None
