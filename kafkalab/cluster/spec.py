"""ClusterSpec: the shape of a cluster, as pure data that never changes. Nothing here starts anything."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast, get_args

from kafkalab.errors import BadInput
from kafkalab.state.model import Mode, Role

MODES: tuple[Mode, ...] = get_args(Mode)

#: Allowed numbers of voters: an even number survives no more failures than the odd one below it.
ODD = (1, 3, 5)
_EXAMPLES = {"brokers": 3, "zookeepers": 1, "controllers": 3, "port": 9092, "zookeeper_port": 2181}

#: Id of the first broker, as in the course; ZooKeepers are 1, 2, 3…
FIRST_BROKER = 101


def check_name(name: str) -> str:
    """Return the name if a cluster can have it, else raise BadInput: folders and containers are named after it."""
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}", name):
        raise BadInput(
            f"{name!r} cannot be a cluster's name.",
            do="Use up to 40 letters, digits, - and _, beginning with a letter or digit.",
        )
    return name


@dataclass(frozen=True, slots=True)
class NodeSpec:
    """One node: its role, its id, and its ports on loopback.

    ``port`` is the port for clients. ``controller_port`` is the port of KRaft's controller listener (for a controller
    that is no broker, the only port). ``peer_port`` and ``election_port`` are for the servers of a ZooKeeper ensemble
    among themselves. ``rack`` is the broker's rack, so that Kafka can spread replicas over racks.
    """

    role: Role
    id: int
    port: int
    controller_port: int | None = None
    peer_port: int | None = None
    election_port: int | None = None
    rack: str | None = None

    @property
    def name(self) -> str:
        """Name of the node, unique in the cluster: ``broker-101``, ``zookeeper-1``."""
        return f"{self.role}-{self.id}"

    @property
    def ports(self) -> tuple[int, ...]:
        """Every port the node will listen on."""
        ports = (self.port, self.controller_port, self.peer_port, self.election_port)
        return tuple(dict.fromkeys(p for p in ports if p is not None))

    @property
    def is_voter(self) -> bool:
        """Whether the node votes in KRaft's metadata quorum."""
        return self.controller_port is not None


@dataclass(frozen=True, slots=True)
class ClusterSpec:
    """The wanted cluster.

    ``controllers``: number of separate KRaft controllers; 0: the brokers are controllers too (combined nodes).
    ``racks``: names given to the brokers in turn; empty: no racks.
    ``session_timeout``: seconds for which a silent broker counts as alive; a failover takes at least that long.
    ``settings``: extra broker settings by Kafka's own names; they override kafkalab's.
    """

    name: str
    mode: Mode = "zookeeper"
    brokers: int = 3
    zookeepers: int = 1
    controllers: int = 0
    racks: tuple[str, ...] = ()
    port: int | None = None
    zookeeper_port: int | None = None
    session_timeout: float = 3.0
    settings: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_name(self.name)
        for what, value in (
            ("brokers", self.brokers),
            ("zookeepers", self.zookeepers),
            ("controllers", self.controllers),
            ("port", self.port or 0),
            ("zookeeper_port", self.zookeeper_port or 0),
        ):
            if not isinstance(value, int) or isinstance(value, bool):
                raise BadInput(f"{what}={value!r} is not a whole number.", do=f"For example: {what}={_EXAMPLES[what]}")
        if not isinstance(self.session_timeout, int | float):
            raise BadInput(f"session_timeout={self.session_timeout!r} is not a number.", do="Give seconds: 3.0")
        if self.mode not in MODES:
            raise BadInput(
                f"There is no mode {self.mode!r}.", do='Choose mode="zookeeper" (Kafka 3.9) or mode="kraft" (Kafka 4).'
            )
        if not 1 <= self.brokers <= 20:
            raise BadInput(
                f"A cluster of {self.brokers} brokers cannot be started here.", do="Ask for 1 to 20 brokers."
            )
        if self.mode == "kraft" and self.zookeepers > 1:
            raise BadInput(
                "Kafka with KRaft has no ZooKeeper.",
                seen=f"zookeepers={self.zookeepers}",
                do="Leave zookeepers out. If you want controllers that run apart from the brokers: controllers=3.",
            )
        if self.mode == "zookeeper" and self.zookeepers not in ODD:
            raise BadInput(
                f"An ensemble of {self.zookeepers} ZooKeepers cannot be started here.",
                do="Ask for 1, 3 or 5: an even number survives no more failures than the odd one below it.",
            )
        if self.controllers and self.mode != "kraft":
            raise BadInput(
                "With ZooKeeper no node is a controller alone: the brokers elect one of themselves.",
                do='Leave controllers out, or ask for mode="kraft".',
            )
        if self.controllers not in (0, *ODD):
            raise BadInput(
                f"A quorum of {self.controllers} controllers cannot be started here.",
                do="Ask for 1, 3 or 5 (an even number survives no more failures than the odd one below it), or leave "
                "controllers out: the brokers then are controllers too.",
            )
        for rack in self.racks:
            if not re.fullmatch(r"[A-Za-z0-9._-]{1,40}", rack):
                raise BadInput(f"{rack!r} cannot be a rack's name.", do="Use up to 40 letters, digits, ., - and _.")
        for port, count in ((self.port, self.brokers), (self.zookeeper_port, self.zookeepers)):
            if port is not None and not 1024 <= port <= 65001 - count:
                raise BadInput(
                    f"{port} cannot be the first port.",
                    do=f"Choose one from 1024 to {65001 - count}, or none for free ones.",
                )
        if not 0.5 <= self.session_timeout <= 300:
            raise BadInput(
                f"A session time-out of {self.session_timeout} s does not work.", do="Choose 0.5 to 300 seconds."
            )

    @property
    def broker_ids(self) -> tuple[int, ...]:
        """Ids of the brokers: 101, 102, 103, …"""
        return tuple(range(FIRST_BROKER, FIRST_BROKER + self.brokers))

    def rack(self, broker: int) -> str | None:
        """Return the rack of a broker; the racks are given out in turn, and without racks it is None."""
        return self.racks[(broker - FIRST_BROKER) % len(self.racks)] if self.racks else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data for the cluster's file."""
        return {**asdict(self), "racks": list(self.racks)}

    @classmethod
    def from_dict(cls, d: dict[str, Any]) -> ClusterSpec:
        """Make a spec from what :meth:`to_dict` has returned."""
        return cls(**{**d, "mode": cast(Mode, d["mode"]), "racks": tuple(d.get("racks", ()))})


def lay_out(spec: ClusterSpec, take: Any) -> tuple[NodeSpec, ...]:
    """Return the nodes of a spec; ``take(wanted)`` gives each a port (:class:`kafkalab.cluster.net.PortBook`)."""

    def wanted(first: int | None, index: int) -> int | None:
        return None if first is None else first + index

    combined = spec.mode == "kraft" and not spec.controllers
    controllers = []
    for i in range(spec.controllers):
        port = take(None)
        controllers.append(NodeSpec("controller", i + 1, port, controller_port=port))
    brokers = tuple(
        NodeSpec(
            "broker",
            id,
            take(wanted(spec.port, i)),
            controller_port=take(None) if combined else None,
            rack=spec.rack(id),
        )
        for i, id in enumerate(spec.broker_ids)
    )
    if spec.mode == "kraft":
        return (*controllers, *brokers)
    ensemble = spec.zookeepers > 1
    zookeepers = tuple(
        NodeSpec(
            "zookeeper",
            i + 1,
            take(wanted(spec.zookeeper_port, i)),
            peer_port=take(None) if ensemble else None,
            election_port=take(None) if ensemble else None,
        )
        for i in range(spec.zookeepers)
    )
    return zookeepers + brokers


def on_new_ports(layout: Sequence[NodeSpec], take: Any) -> tuple[NodeSpec, ...]:
    """Return the same nodes on other ports."""
    new: dict[int | None, int] = {port: take(None) for node in layout for port in node.ports}
    return tuple(
        replace(
            node,
            port=new[node.port],
            controller_port=new.get(node.controller_port),
            peer_port=new.get(node.peer_port),
            election_port=new.get(node.election_port),
        )
        for node in layout
    )


def one_more(spec: ClusterSpec, layout: Sequence[NodeSpec], take: Any, rack: str | None = None) -> NodeSpec:
    """Return a further broker for a layout, with the next id. In KRaft it is no voter: those are fixed at the start."""
    id = max([FIRST_BROKER - 1, *(n.id for n in layout if n.role == "broker")]) + 1
    return NodeSpec("broker", id, take(None), rack=rack or spec.rack(id))
