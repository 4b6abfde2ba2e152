"""Side: one cluster of a MetadataView: what is known of its metadata, and the feeds that report it."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate

from kafkalab.cluster.external import parse
from kafkalab.errors import NotSupported
from kafkalab.history.facts import Header
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.history.tracks.metadata import METADATA, WATCHES, RecordedMetadata, watch_of
from kafkalab.state.metadata.log import MetadataRecord, log_dir_of, read_metadata_log
from kafkalab.state.metadata.znodes import IMPORTANT, Looker, Znode, ZnodeEvent, Znodes, ZnodeUpdate
from kafkalab.state.model import Event, NodeState, Snapshot
from kafkalab.state.watch import Source, Update, shared
from kafkalab.views.metadata import picture
from kafkalab.views.metadata.events import Entry, Happened, from_watcher
from kafkalab.views.metadata.records import from_records, quorum_drawn, records_drawn
from kafkalab.views.metadata.znodes import CHILDREN_LISTED, detail, from_watch, join, tree
from kafkalab.views.words import kafka

#: Paths that are open at first.
OPEN = ("/", "/brokers", "/brokers/ids")
#: Maximum number of nodes that are open, and shown in full; the oldest are dropped.
OPEN_AT_MOST, DETAILS_AT_MOST = 60, 6
#: Maximum number of partitions whose state is watched, so that a failure is timed to the millisecond.
STATES_WATCHED = 200

_NO_ADDRESS = (
    "Where this cluster's ZooKeeper listens is not known, so its tree and its watches cannot be shown. "
    'If you may reach it: MetadataView(cluster, zookeeper="host:2181").'
)
_MODEL = "This cluster is a model in memory, without a ZooKeeper: there is no tree to look into."
_NOT_RECORDED = "ZooKeeper's tree was not recorded, because its address was not known."

#: Kinds of entries that other views show too, when the watcher sees them.
_SHOWN_BY_ALL = ("gone", "came", "controller")


class Side:
    """The metadata of one cluster in a MetadataView. Call it with the view's lock held, except :meth:`read_log`.

    :param source: a cluster; None for a picture that nothing feeds.
    :param zookeeper: address of its ZooKeeper, if the cluster does not give it.
    :param changed: called, on any thread, when there is something new to draw.
    """

    def __init__(
        self, source: Source | None, zookeeper: str | None, changed: Callable[[Side, ZnodeUpdate], object]
    ) -> None:
        self.source = source
        #: What has the name, the mode and Kafka's version.
        self.named: Source | Header | None = source
        hosts = zookeeper or (source.zookeeper_connect if source is not None else "")
        if zookeeper:
            parse(zookeeper.partition("/")[0])  # raises at once if the address is wrong
        self.snapshot: Snapshot | None = None
        self.error: str | None = None
        self.nodes: tuple[NodeState, ...] = ()
        self.busy: dict[str, str] = {}
        self.happened = Happened()
        self.znodes: Mapping[str, Znode | None] = {}
        #: Records of KRaft's log, each with what it means; None before they were read.
        self.records: Sequence[tuple[MetadataRecord, Entry]] | None = None
        self.reading = False
        self._read_at: float | None = None
        self._changed = changed
        #: Node → what the learner did to it last, which tells why its session ended.
        self._verbs: dict[str, str] = {}
        self._looker: Looker | None = None
        self._tree: Znodes | None = shared(Znodes, hosts) if hosts else None
        self._open = dict.fromkeys(OPEN)
        self._details: dict[str, None] = {"/controller": None}

    @property
    def watched(self) -> bool:
        """Whether ZooKeeper's watches report what happens."""
        return self._tree is not None

    # what feeds it

    def wakes(self) -> None:
        """Start looking at ZooKeeper."""
        if self._tree is not None and self._looker is None:
            self._looker = self._tree.look(lambda update: self._changed(self, update))
            # Other views may be looking already; what they have read is not sent again until it changes.
            self.znodes = self._tree.nodes or self.znodes
            self.want()

    def rests(self) -> None:
        """Stop looking at ZooKeeper."""
        looker, self._looker = self._looker, None
        if looker is not None:
            looker.close()

    def remember(self, snapshot: Snapshot | None, events: Iterable[Event]) -> None:
        """Take over what the watcher knew before this view was made, because no watch of the view could report it."""
        self.snapshot = snapshot
        if self.source is not None:
            self.nodes = self.source.watcher().nodes
        self.happened.add(entry for entry in map(from_watcher, events) if entry is not None)

    def heard(self, update: Update) -> None:
        """Take in an update from the watcher."""
        if update.snapshot is not None:
            self.snapshot, self.error = update.snapshot, None
        if update.error is not None:
            self.error = update.error
        self.nodes = update.nodes
        self.tell(update.events)
        self.want()

    def tell(self, events: Iterable[Event]) -> None:
        """Take in what the watcher saw."""
        for event in events:
            if event.node is not None and event.verb is not None:
                self._verbs[event.node] = event.verb
            entry = from_watcher(event)
            # ZooKeeper's watches report some of these changes too, and sooner, so those are left to them.
            if entry is not None and (entry.by == "here" or entry.kind in ("quorum", "connection") or not self.watched):
                self.happened.add([entry])

    def heard_znodes(self, update: ZnodeUpdate) -> None:
        """Take in an update from ZooKeeper's watches."""
        if self._tree is not None:
            self.znodes = self._tree.nodes
            self.want()
        entries = [from_watch(event, self._verbs) for event in update.events]
        self.happened.add(entries)
        if self.source is not None and any(entry.kind in _SHOWN_BY_ALL for entry in entries):
            # Other views show this once the watcher has seen it, so the watcher looks now and not at its next turn.
            self.source.watcher().refresh()

    # what the page wants to see

    def open(self, path: str) -> None:
        """List the children of a node, and read them, from now on."""
        always = dict.fromkeys(OPEN)
        rest = [*(kept for kept in self._open if kept not in always and kept != path), path]
        self._open = always | dict.fromkeys(rest[-OPEN_AT_MOST:])

    def select(self, path: str) -> None:
        """Show this node in full."""
        rest = [*(kept for kept in self._details if kept != path), path]
        self._details = dict.fromkeys(rest[-DETAILS_AT_MOST:])

    def want(self) -> None:
        """Ask for all nodes that the page wants."""
        if self._looker is None:
            return
        wants = dict.fromkeys(self._open, True)
        for path in (*self._details, *self._children(), *self._always()):
            wants.setdefault(path, False)
        self._looker.want(wants)

    def _children(self) -> Iterable[str]:
        for path in self._open:
            node = self.znodes.get(path)
            yield from (join(path, name) for name in ((node and node.children) or ())[:CHILDREN_LISTED])

    def _always(self) -> list[str]:
        if self.snapshot is None:
            return []
        ids = [f"/brokers/ids/{b.id}" for b in self.snapshot.brokers]
        topics = sorted(self.snapshot.topics, key=lambda t: t.internal)
        states = [f"/brokers/topics/{p.topic}/partitions/{p.partition}/state" for t in topics for p in t.partitions]
        return [*ids, *states[:STATES_WATCHED]]

    def read_log(self) -> tuple[MetadataRecord, ...]:
        """Read a node's copy of KRaft's metadata log with Kafka's own tool, which takes seconds."""
        log_dir = log_dir_of(self.source, self.snapshot)
        return read_metadata_log(log_dir, self.source.tool)  # type: ignore[union-attr]

    def learn_records(self, records: tuple[MetadataRecord, ...]) -> None:
        """Take in the records that :meth:`read_log` returned."""
        entries = from_records(records)
        self.records, self._read_at = list(zip(records, entries, strict=True)), time.time()
        self.happened.learn_exactly(entries)

    # what there is to draw

    def target(self, name: str) -> NodeState | None:
        """Return the node that "controller", or a node's name, means here now; None when there is none."""
        if name == "controller" and self.snapshot is not None and self.snapshot.controller is not None:
            keeps = [n for n in self.nodes if n.role != "zookeeper" and n.id == self.snapshot.controller]
            return next(iter(keeps), None)
        return next((n for n in self.nodes if n.name == name), None)

    def drawn(self) -> picture.Side:
        """Return everything there is to draw."""
        named, snapshot, frozen = self.named, self.snapshot, self.source is None
        mode = (snapshot.mode if snapshot else None) or (named.mode if named else None)
        zookeeper, znodes = mode == "zookeeper", self._tree
        found = {path: detail(path, self.znodes) for path in self._in_full()} if zookeeper else {}
        brokers = snapshot.brokers if snapshot else ()
        missed = [f"/brokers/ids/{b.id}" for b in brokers] + ["/controller"]
        return {
            "name": named.name if named else "",
            "kafka": kafka(named.version if named else "", mode),
            "kind": "zookeeper" if zookeeper else "kraft" if mode == "kraft" else "",
            "recorded": frozen,
            "looked": snapshot is not None,
            "at": snapshot.at if frozen and snapshot else None,
            "error": self.error.splitlines()[0] if self.error else None,
            "controller": snapshot.controller if snapshot else None,
            "quorum": quorum_drawn(snapshot, self.nodes),
            "targets": {} if frozen else self._targets(),
            "lines": self.happened.lines(),
            "actions": self.happened.time_lines(),
            "problem": self._no_tree() if zookeeper and znodes is None and not self.znodes else "",
            "tree": (tree(self.znodes, missed) or None) if zookeeper else None,
            "details": {path: known for path, known in found.items() if known is not None},
            "connection": _connection(znodes) if zookeeper and znodes is not None else None,
            "log": self._drawn_log() if mode == "kraft" else None,
        }

    def _drawn_log(self) -> picture.Log:
        records = None if self.records is None else records_drawn(self.records)
        return {"reading": self.reading, "at": self._read_at, "records": records, "problem": ""}

    def _no_tree(self) -> str:
        """Return a sentence that says why there is no tree."""
        real = self.source is None or self.source.capabilities.clients
        return _NO_ADDRESS if real else _MODEL

    def _in_full(self) -> Iterable[str]:
        """Return the paths of the nodes that are shown in full."""
        return self._details

    def _targets(self) -> dict[str, picture.Target]:
        targets: dict[str, picture.Target] = {
            n.name: {"state": n.state, "verbs": list(n.verbs), "busy": self.busy.get(n.name)} for n in self.nodes
        }
        if (active := self.target("controller")) is not None:
            targets["controller"] = {**targets[active.name], "node": active.name}
        return targets


def _connection(znodes: Znodes) -> picture.Connection:
    id = znodes.session
    return {"state": znodes.state, "since": znodes.since, "session": f"0x{id:x}" if id else ""}


# --- One cluster of a MetadataView in a recording: it is shown at any moment, and no server is asked.


#: Maximum number of nodes whose full details are drawn, for a page without a kernel to ask.
IN_FULL = 60


class RecordedSide(Side):
    """The metadata in a recording at the moment that is shown: what happened until then is told as it was live."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(None, None, lambda side, update: None)
        self.recording, self.named = recording, recording.header
        self._metadata = RecordedMetadata(recording.facts)
        #: Seconds since the beginning up to which it is told, and the number of events and of watches until then.
        self._until = float("-inf")
        self._told = (0, 0)
        #: All records that were read, in their order, and the time by which each was written.
        self._log: list[tuple[MetadataRecord, Entry]] = []
        self._written: list[float] = []
        self._read = 0

    @property
    def watched(self) -> bool:
        """Whether ZooKeeper's watches were recorded by then."""
        begun = self._metadata.watched_from
        return begun is not None and self._until >= begun

    def show(self, moment: Moment) -> None:
        """Draw this moment from now on."""
        # A moment further back, or something that was put before what is told already: it is told from the beginning.
        if moment.at < self._until or self._count(self._until) != self._told:
            self.happened, self._until, self._verbs = Happened(), float("-inf"), {}
        facts, began = self.recording.facts, self.recording.header.began
        things: list[Event | ZnodeEvent] = [Event(**event) for event in facts.items("events", moment.at, self._until)]
        things += [watch_of(told) for told in facts.items(WATCHES, moment.at, self._until)]
        for thing in sorted(things, key=lambda thing: thing.at):
            self._until = thing.at - began
            if isinstance(thing, ZnodeEvent):
                self.heard_znodes(ZnodeUpdate(events=(thing,)))
            else:
                self.tell([thing])
        self._until, self._told = moment.at, self._count(moment.at)
        self.snapshot, self.nodes = moment.snapshot, moment.nodes
        self.znodes = self._metadata.znodes(moment)
        self._recall_log()

    def _count(self, until: float) -> tuple[int, int]:
        return self.recording.facts.count("events", until), self.recording.facts.count(WATCHES, until)

    def _recall_log(self) -> None:
        """Take the records of KRaft's log that were written by then, although they were read later."""
        facts = self.recording.facts
        if facts.count(METADATA) != self._read:
            self._read = facts.count(METADATA)
            found = {told["offset"]: MetadataRecord(**told) for told in facts.items(METADATA)}
            # Sorted by offset, because the records of a batch share one time.
            records = [found[offset] for offset in sorted(found)]
            self._log = list(zip(records, from_records(records), strict=True))
            self._written = list(accumulate((record.at for record in records), max))
        shown = self._log[: bisect_right(self._written, self.recording.header.began + self._until)]
        self.records = shown or None
        self.happened.learn_exactly([entry for _, entry in shown])

    def _drawn_log(self) -> picture.Log:
        return {**super()._drawn_log(), "at": None, "problem": "" if self._log else self._metadata.problem}

    def _no_tree(self) -> str:
        return _NOT_RECORDED

    def _in_full(self) -> Iterable[str]:
        ids = (path for path in self.znodes if path.startswith("/brokers/ids/"))
        first = dict.fromkeys([*self._details, *IMPORTANT, "/cluster/id", *ids, *self.znodes])
        return [path for path in first if path in self.znodes][:IN_FULL]

    def read_log(self) -> tuple[MetadataRecord, ...]:
        """Raise NotSupported, because a recording has no node to ask."""
        raise NotSupported("This is a recording: its records are those that were read while it was made.")
