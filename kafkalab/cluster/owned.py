"""OwnedNodes: the base of the backends that run nodes. It keeps a cluster's folder, starts nodes, waits for brokers."""

from __future__ import annotations

import contextlib
import logging
import re
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

from kafkalab.cluster import kraft, probe
from kafkalab.cluster.backend import Backend
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.interrupts import heed
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.net import LOOPBACK, PortBook
from kafkalab.cluster.spec import ClusterSpec, NodeSpec, lay_out, on_new_ports, one_more
from kafkalab.errors import BadInput, KafkalabError, NodeFailed, StartFailed, WaitTimeout
from kafkalab.progressbar import Report, silent
from kafkalab.state.model import Mode, NodeState, State, Verb
from kafkalab.state.watch import Capabilities
from kafkalab.waiting import wait_until

log = logging.getLogger(__name__)

# --- Finds out which of the starting brokers are up, from what they answer about their own cluster.


#: Seconds during which a starting broker may lose its own session because the machine is too busy.
BUSY = 60.0


@dataclass
class Registration:
    """Keeps track of which starting brokers are up, from what *our* brokers answer.

    ``starting``: the brokers to wait for. ``tail`` returns the last lines of a node's log. ``cluster_id``: that of our
    cluster, by which a stranger on a broker's port is told from ours; None while Kafka has not given it one.
    """

    spec: ClusterSpec
    starting: Sequence[NodeSpec]
    tail: Callable[[str, int], str]
    cluster_id: str | None
    began: float = field(default_factory=time.monotonic)
    up: set[int] = field(default_factory=set)
    last: str = "nothing yet"

    def still_registered(self, node: NodeSpec) -> bool:
        """Return whether a node died only because of a ZooKeeper session and should be started again.

        A killed broker stays registered until its session times out, and until then Kafka 3.9 refuses to start. If the
        session ends during that check, the new broker fails with a NullPointerException in CheckedEphemeral. And on a
        very busy machine, a broker gives up when its own new session times out before it is up.
        """
        if self.spec.mode != "zookeeper" or node.role != "broker":
            return False
        tail = self.tail(node.name, 60)
        waited = time.monotonic() - self.began
        return (
            waited < 3 * self.spec.session_timeout + 5 and _ended_by(tail, "NodeExistsException|CheckedEphemeral")
        ) or (waited < BUSY and _ended_by(tail, "SessionExpiredException"))

    def check(self) -> bool:
        """Ask each broker that is not up yet; return whether all are up and each knows all the others."""
        wanted = {n.id: (LOOPBACK, n.port) for n in self.starting}
        for node in self.starting:
            if node.id in self.up:
                continue
            answer = probe.ask(LOOPBACK, node.port, 2.0)
            if isinstance(answer, str):
                self.last = answer
            elif self.cluster_id is not None and answer.cluster_id != self.cluster_id:
                stranger = f"{answer.cluster_id}, not {self.cluster_id}"
                self.last = f"port {node.port} belongs to another cluster ({stranger})"
            elif any(answer.brokers.get(id) != at for id, at in wanted.items()):
                self.last = f"{node.name} knows the brokers {sorted(answer.brokers)}"
            else:
                self.up.add(node.id)
                self.cluster_id = answer.cluster_id
        return len(self.up) == len(self.starting)


def _ended_by(tail: str, words: str) -> bool:
    """Return whether a log has these words (a pattern) in its last run; each run begins with Kafka's version."""
    return bool(re.search(rf"(?:{words})(?![\s\S]*Kafka version: )", tail))


#: Seconds to wait for a start; generous, for a busy machine. Waiting ends as soon as the cluster says that it is up.
START_DEADLINE = 120.0
#: Seconds a broker gets to hand over its partitions after SIGTERM. Without its ZooKeeper it would wait for ever.
STOP_GRACE = 15.0
#: The system's message for a full disk.
FULL = "No space left on device"


Client = TypeVar("Client")


class OwnedNodes(Backend, Generic[Client]):
    """Base of the backends whose nodes are ours; the subclass decides what a node runs in.

    ``throw_away``: stop removes the data, but not the logs. ``detached``: the nodes outlive this process.
    """

    capabilities = Capabilities()
    #: The command that starts a cluster of this kind.
    up = "kafkalab up"
    #: Who carries out what is done to nodes, a supervisor or the Docker engine; None while the cluster does not run.
    _client: Client | None = None
    _layout_read: int = 0
    #: Whether a start is under way that, if it fails, removes the cluster's folder and keeps its logs elsewhere.
    _on_trial = False

    def __init__(self, spec: ClusterSpec, folder: ClusterFolder, *, throw_away: bool, detached: bool) -> None:
        self.spec = spec
        self.folder = folder
        self.throw_away = throw_away
        self.detached = detached
        #: What cluster.json says of this run besides.
        self._more: dict[str, Any] = {}

    @classmethod
    def attach(cls, folder: ClusterFolder) -> Self:
        """Return the backend of a running cluster that another process started, or this kernel before its restart."""
        spec, nodes, more = folder.read()
        backend = cls(spec, folder, throw_away=more["throw_away"], detached=True)
        if not backend._is_running():
            raise BadInput(
                f"The cluster {folder.name!r} is not running.", do=f"Start it: {cls.up} --name {folder.name}"
            )
        backend.layout, backend.cluster_id = nodes, more.get("cluster_id")
        backend._more = {key: more.get(key) for key in backend._more}
        backend._client = backend._connect()
        return backend

    @property
    def owned(self) -> bool:
        """Whether the nodes end with this process."""
        return not self.detached

    @property
    def version(self) -> str:
        """Kafka's version."""
        return jar_set(self.spec.mode).version("kafka-clients")

    @property
    def mode(self) -> Mode:
        """Mode of Kafka, zookeeper or kraft."""
        return self.spec.mode

    @property
    def bootstrap_servers(self) -> str:
        """Addresses of all brokers, separated by commas."""
        return self._addresses("broker")

    @property
    def zookeeper_connect(self) -> str:
        """Addresses of all ZooKeepers, separated by commas; empty in KRaft mode."""
        return self._addresses("zookeeper")

    def _addresses(self, role: str) -> str:
        return ",".join(f"{LOOPBACK}:{n.port}" for n in self.layout if n.role == role)

    # what a subclass provides

    @abstractmethod
    def _is_running(self) -> bool:
        """Return whether the cluster runs, whoever started it."""

    @abstractmethod
    def _connect(self) -> Client:
        """Return what reaches the nodes of a running cluster."""

    @abstractmethod
    def _get_ready(self, progress: Report) -> None:
        """Clean up after others and get what a start needs; raise StartFailed if the cluster cannot be started."""

    @abstractmethod
    def _start(self, progress: Report) -> None:
        """Start every node and wait for the brokers; leave no node behind when that fails."""

    @abstractmethod
    def _empty(self) -> None:
        """End every node and remove all data."""

    @abstractmethod
    def _make(self, node: NodeSpec) -> None:
        """Make what a node runs on, unless it is there."""

    @abstractmethod
    def _launch(self, node: NodeSpec) -> None:
        """Start what runs a node; wait for nothing."""

    @abstractmethod
    def _change(self, node: NodeSpec, state: State, verb: Verb) -> None:
        """Apply a verb to a node that has not ended; one that has already taken effect is no error."""

    @abstractmethod
    def _listens(self, node: NodeSpec) -> bool:
        """Return whether a node that has just been launched listens."""

    @abstractmethod
    def _remove(self, node: NodeSpec) -> None:
        """Remove a node that has ended, and its data."""

    def _check(self) -> None:
        """Raise StartFailed if the nodes in the layout do not fit on this machine, or their metadata is lost."""

    def _why_ended(self, node: NodeSpec) -> str:
        """Return why a node ended, if something other than its log tells; otherwise an empty text."""
        return ""

    # lifecycle

    def start(self, progress: Report = silent) -> None:
        """Start all nodes; return when every broker reports that all brokers are registered under our cluster id."""
        if self._client is not None:
            return
        self._get_ready(progress)
        self.folder.check_space()
        with self._starting():
            self._not_running()
            self._start(progress)

    def reset(self, progress: Report = silent) -> None:
        """Start every node again on empty data and the same ports."""
        self._running()
        self._read_layout()
        with self._starting():
            self._empty()
            self.cluster_id = None
            self._write()
            self._start(progress)

    @contextlib.contextmanager
    def _starting(self) -> Iterator[None]:
        """Lock the folder during a start; whatever fails in it becomes a StartFailed that says what to do."""
        try:
            with self.folder.starting() as self._on_trial:
                yield
        except StartFailed as e:
            if self._on_trial or not e.log:
                raise
            do = f"{e.do} Is the data of its last run damaged? {self.folder.begin_anew}"
            raise StartFailed(e.what, seen=e.seen, do=do, log=e.log) from e
        except NodeFailed as e:  # who runs the nodes has ended
            raise StartFailed(
                f"The start of {self.spec.name!r} was interrupted.", seen=e.seen, do="Start it again."
            ) from e
        except OSError as e:
            if isinstance(e, KafkalabError):
                raise
            raise self._unwritable(e) from e
        finally:
            self._on_trial = False

    def _unwritable(self, e: OSError, kind: type[KafkalabError] = StartFailed) -> KafkalabError:
        return kind(
            f"The cluster's folder {self.folder.path} cannot be written.",
            seen=f"{type(e).__name__}: {e.strerror or e}",
            do="Free some space, or set KAFKALAB_HOME to a folder on another disk.",
        )

    def _not_running(self) -> None:
        if self._is_running():
            raise StartFailed(
                f"A cluster named {self.folder.name!r} is running already.",
                do=f"Use it: Cluster.attach({self.folder.name!r}). Or end it: kafkalab down --name {self.folder.name}",
            )

    def _prepare(self) -> None:
        """Choose the ports, check what is there, and write the cluster's file: everything that needs no node."""
        kept, self.cluster_id = self.folder.earlier_run(self.spec, self.version)
        with PortBook() as book:
            try:
                # The ports of an earlier run are kept if they are free: open notebooks and terminals remember them.
                for port in [p for node in kept for p in node.ports]:
                    book.take(port)
                self.layout = kept or lay_out(self.spec, book.take)
            except StartFailed as e:
                if not kept or self.spec.port is not None:
                    raise
                log.warning("%s gets other ports than last time. %s %s", self.spec.name, e.what, e.seen)
                self.layout = on_new_ports(kept, book.take)
        self._check()
        if self.spec.mode == "kraft":
            self.cluster_id = self.cluster_id or kraft.new_cluster_id()
        self._write()

    def _write(self) -> None:
        """Write what other processes and later starts must know into the cluster's folder."""
        self.folder.write(
            self.spec,
            self.layout,
            backend=self.kind,
            version=self.version,
            throw_away=self.throw_away,
            cluster_id=self.cluster_id,
            **self._more,
        )

    def _running(self) -> Client:
        """Return who carries out what is done to nodes; raise NodeFailed when the cluster does not run."""
        if self._client is None:
            raise NodeFailed(f"The cluster {self.spec.name!r} is not running.", do="Start it: cluster.start()")
        return self._client

    # nodes

    def act(self, node: str, verb: Verb) -> None:
        """Apply a verb to a node and return when it has taken effect; applying it twice is no error."""
        self._running()
        spec, found = self._find(node)
        if found.state != "stopped":
            self._change(spec, found.state, verb)
        elif verb == "start":
            self._start_node(spec)
        elif verb not in ("stop", "kill"):
            raise NodeFailed(f"{node} is stopped, so you cannot {verb} it.", do="Start it first.")

    def add_broker(self, rack: str | None = None) -> str:
        """Start one more broker and return its name; if that fails, the cluster stays as it was."""
        self._running()
        self._read_layout()
        with PortBook() as book:
            node = one_more(self.spec, self.layout, book.take, rack)
        self.layout = (*self.layout, node)
        try:
            self._write()
            self._make(node)
            self._start_node(node)
        except BaseException as e:
            with contextlib.suppress(KafkalabError):
                self.act(node.name, "kill")
            with contextlib.suppress(KafkalabError, OSError):
                self._drop(node)
            if isinstance(e, OSError) and not isinstance(e, KafkalabError):
                raise self._unwritable(e, NodeFailed) from e
            raise
        return node.name

    def forget_broker(self, id: int) -> None:
        """Stop a broker for good and remove its data."""
        self._read_layout()
        spec, _ = self._find(f"broker-{id}")
        self.act(spec.name, "stop")
        self._drop(spec)

    def _drop(self, node: NodeSpec) -> None:
        self.layout = tuple(n for n in self.layout if n.name != node.name)
        self._write()
        self._remove(node)

    def _start_node(self, node: NodeSpec) -> None:
        try:
            self._make(node)
            self._launch(node)
            if node.role != "broker" or not self._majority():
                # We wait only until it listens: an ensemble or a quorum without a majority registers no broker.
                self._wait_listening(node)
            else:
                self._wait_registered([node])
        except (StartFailed, WaitTimeout, OSError) as error:
            e = error if isinstance(error, KafkalabError) else self._unwritable(error)
            raise NodeFailed(f"{node.name} did not come back.", seen=e.seen or e.what, do=e.do, log=e.log) from e

    def _wait_listening(self, node: NodeSpec) -> None:
        def listening() -> bool:
            if self._is_down(node):
                raise self._ended(node)
            return self._listens(node)

        wait_until(
            listening, START_DEADLINE, f"{node.name} to listen", period=0.1, log=lambda: self.log_tail(node.name)
        )

    def _read_layout(self) -> None:
        """Read the layout again if its file has changed, because another process may have added or removed a broker."""
        with contextlib.suppress(OSError, BadInput):
            changed = (self.folder.path / "cluster.json").stat().st_mtime_ns
            if self.layout and changed != self._layout_read:
                self.layout, self._layout_read = self.folder.read()[1], changed

    def log_tail(self, node: str, lines: int = 20) -> str:
        """Return the last lines of a node's log, even after the cluster has been removed."""
        return self.folder.tail(node, lines)

    def _find(self, node: str) -> tuple[NodeSpec, NodeState]:
        """Return a node's spec and its state now; raise NodeFailed when no node has that name."""
        state = next((n for n in self.nodes() if n.name == node), None)
        spec = next((n for n in self.layout if n.name == node), None)
        if spec is None or state is None:
            raise NodeFailed(f"There is no node {node!r}.", do="Nodes: " + ", ".join(n.name for n in self.layout))
        return spec, state

    def _is_down(self, node: NodeSpec) -> bool:
        return self._find(node.name)[1].state == "stopped"

    def _majority(self, *states: State) -> bool:
        """Return whether enough ZooKeepers, or KRaft voters, are in one of the states (None given: running)."""
        voters = {n.name for n in self.layout if n.is_voter or n.role == "zookeeper"}
        there = [n for n in self.nodes() if n.name in voters and n.state in (states or ("running",))]
        return 2 * len(there) > len(voters)

    def _wait_for_brokers(self, progress: Report) -> None:
        brokers = [n for n in self.layout if n.role == "broker"]
        total = len(brokers)
        progress(1, 1 + total, "waiting for the brokers")
        self._wait_registered(brokers, lambda up: progress(1 + up, 1 + total, f"{up} of {total} brokers registered"))

    def _wait_registered(self, starting: Sequence[NodeSpec], report: Callable[[int], None] = lambda up: None) -> None:
        """Wait until each starting broker answers as ours and knows all of them; fail at once when a node has died."""
        waiting = Registration(self.spec, starting, self.log_tail, self.cluster_id)
        # The nodes whose death makes waiting pointless.
        whole = len(starting) == sum(n.role == "broker" for n in self.layout)
        concerned = self.layout if whole else starting

        def settled() -> bool:
            heed()
            down = {n.name for n in self.nodes() if n.state == "stopped"}
            dead = [n for n in concerned if n.name in down]
            if dead and waiting.still_registered(dead[0]):
                self._launch(dead[0])
            elif dead:
                raise self._ended(dead[0])
            before = len(waiting.up)
            done = waiting.check()
            if len(waiting.up) > before:
                report(len(waiting.up))
            return done

        try:
            wait_until(settled, START_DEADLINE, "the brokers to register", period=0.05)
        except WaitTimeout as e:
            late = next((n for n in starting if n.id not in waiting.up), starting[0])
            raise StartFailed(
                f"{late.name} did not register within {START_DEADLINE:g} s.",
                seen=waiting.last,
                do="The machine may be too busy or out of memory: fewer brokers, or try again.",
                log=self.log_tail(late.name),
            ) from e
        self.cluster_id = waiting.cluster_id

    def _ended(self, node: NodeSpec) -> StartFailed:
        """Return the error for a node that ended while it was starting, with the reason."""
        tail = self.log_tail(node.name, 400)
        kept = self.folder.kept_logs / f"{node.name}.log" if self._on_trial else self.folder.log(node.name)
        return StartFailed(
            f"{node.name} ended while it was starting.",
            seen=self._why_ended(node) or telling(tail),
            do=f"Its whole log: {kept}",
            log="\n".join(tail.splitlines()[-20:]),
        )


def telling(tail: str) -> str:
    """Return the line of a log's last run that most likely says why a node ended, and not only that it did."""
    lines = re.split(r".*Registered .*Log4jController.* MBean.*\n?", tail)[-1].splitlines() or tail.splitlines()
    found = [line for line in lines if re.search(r"\b(FATAL|ERROR)\b|Exception|OutOfMemory|No space left", line)]
    found.sort(key=lambda line: (FULL not in line, bool(re.search("Exiting Kafka|Fatal error during", line))))
    return (found[0] if found else lines[-1] if lines else "its log is empty")[:300]
