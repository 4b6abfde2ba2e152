"""Side: one cluster of a MetadataView: what is known of its metadata, and the feeds that report it."""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from kafkalab.cluster.external import parse
from kafkalab.errors import NotSupported
from kafkalab.history.facts import Header
from kafkalab.history.moment import Moment
from kafkalab.history.recording import Recording
from kafkalab.history.tracks.metadata import METADATA, WATCHES, RecordedMetadata, record_of, watch_of
from kafkalab.state.metadata.log import MetadataRecord, log_dir_of, read_metadata_log
from kafkalab.state.metadata.znodes import IMPORTANT, Looker, Znode, ZnodeEvent, Znodes, ZnodeUpdate
from kafkalab.state.model import MODE_NAMES, Event, NodeState, Snapshot, called
from kafkalab.state.watch import Source, Update
from kafkalab.views.live import Drawn
from kafkalab.views.metadata.events import Entry, Happened, explained, from_watcher
from kafkalab.views.metadata.records import from_records, quorum_drawn, records_drawn
from kafkalab.views.metadata.znodes import detail, from_watch, tree

#: Paths that are open at first.
OPEN = ("/", "/brokers", "/brokers/ids")
#: Maximum number of nodes that are open, in sight, and shown in full; the oldest are dropped.
OPEN_AT_MOST, SEEN_AT_MOST, DETAILS_AT_MOST = 60, 200, 6
#: Maximum number of partitions whose state is watched, so that a failure is timed to the millisecond.
STATES_WATCHED = 200

_PATH = re.compile(r"/(?:[^/\x00]{1,500}(?:/[^/\x00]{1,500}){0,20})?")
_NO_ADDRESS = (
    "Where this cluster's ZooKeeper listens is not known, so its tree and its watches cannot be shown. "
    'If you may reach it: MetadataView(cluster, zookeeper="host:2181").'
)
_MODEL = "This cluster is a model in memory, without a ZooKeeper: there is no tree to look into."

#: Kinds of entries that other views show too, when the watcher sees them.
_SHOWN_BY_ALL = ("gone", "came", "controller")


class Side:
    """The metadata of one cluster in a MetadataView. Call it with the view's lock held, except :meth:`read_log`.

    :param source: a cluster; None for a picture that nothing feeds.
    :param zookeeper: address of its ZooKeeper, if the cluster does not give it.
    :param changed: called, on any thread, when there is something new to draw.
    """

    def __init__(self, source: Source | None, zookeeper: str | None, changed: Callable[[ZnodeUpdate], None]) -> None:
        self.source = source
        self.hosts = zookeeper or (source.zookeeper_connect if source is not None else "")
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
        #: Node → what the learner did to it last, and the state in which its process was seen last.
        self._verbs: dict[str, str] = {}
        self._states: dict[str, str] = {}
        self._looker: Looker | None = None
        self._tree: Znodes | None = Znodes.of(self.hosts) if self.hosts else None
        self._open = dict.fromkeys(OPEN)
        self._seen: dict[str, None] = {}
        self._details: dict[str, None] = {"/controller": None}

    @property
    def named(self) -> Source | Header | None:
        """The source of the name, the mode and Kafka's version."""
        return self.source

    @property
    def mode(self) -> str:
        """The mode: "zookeeper", "kraft", or "" while it is not known."""
        told = self.snapshot.mode if self.snapshot else None
        return told or (self.named.mode if self.named else None) or ""

    # what feeds it

    def wakes(self) -> None:
        """Start looking at ZooKeeper."""
        if self._tree is not None and self._looker is None:
            self._looker = self._tree.look(self._changed)
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
            self._states = {node.name: node.state for node in self.nodes}
        self.happened.add(entry for entry in map(from_watcher, events) if entry is not None)

    def heard(self, update: Update) -> None:
        """Take in an update from the watcher."""
        if update.snapshot is not None:
            before, self.snapshot, self.error = self.snapshot, update.snapshot, None
            self._notice_epoch(before)
        if update.error is not None:
            self.error = update.error
        self.nodes = update.nodes
        self.tell(update.events, time.time())
        self.want()

    def tell(self, events: Iterable[Event], now: float) -> None:
        """Take in what the watcher saw until ``now``, and the processes as they are in ``nodes``."""
        self._tell_processes(now)
        for event in events:
            if event.node is not None and event.verb is not None:
                self._verbs[event.node] = event.verb
            entry = from_watcher(event)
            # ZooKeeper's watches report some of these changes too, and sooner, so those are left to them.
            if entry is not None and (entry.by == "here" or entry.kind in ("quorum", "connection") or not self.watched):
                self.happened.add([entry])

    @property
    def watched(self) -> bool:
        """Whether ZooKeeper's watches report what happens."""
        return self._tree is not None

    def heard_znodes(self, update: ZnodeUpdate) -> None:
        """Take in an update from ZooKeeper's watches."""
        if self._tree is not None:
            self.znodes = self._tree.nodes
        entries = [from_watch(event, self._verbs) for event in update.events]
        self.happened.add(entries)
        if self.source is not None and any(entry.kind in _SHOWN_BY_ALL for entry in entries):
            # Other views show this once the watcher has seen it, so the watcher looks now and not at its next turn.
            self.source.watcher().refresh()

    def _notice_epoch(self, before: Snapshot | None) -> None:
        quorum = self.snapshot.quorum if self.snapshot else None
        if quorum is None:
            return
        old = before.quorum if before else None
        if quorum.kind == "kraft" and old and None not in (old.epoch, quorum.epoch) and old.epoch != quorum.epoch:
            text = f"leader epoch {old.epoch} → {quorum.epoch}: a vote made {quorum.leader} the leader"
            self.happened.add([Entry(self.snapshot.at if self.snapshot else 0.0, "quorum", text, "snapshot")])

    def _tell_processes(self, now: float) -> None:
        """Tell of nodes that started or ended without a note: killed from a cell, or from elsewhere."""
        for node in self.nodes:
            before = self._states.get(node.name, node.state)
            self._states[node.name] = node.state
            known = explained(self.happened.actions, node.name, node.state, now) or node.name in self.busy
            if before != node.state and not known and node.state != "unknown":
                self.happened.add([Entry(now, "you", f"{called(node.name)}: {before} → {node.state}", "here")])

    # what the page wants to see

    def open(self, path: str) -> None:
        """List the children of a node, from now on."""
        self._open = _newest(self._open, [path], OPEN_AT_MOST, OPEN)

    def see(self, paths: Iterable[str]) -> None:
        """Read these nodes too, because they are in sight on the page."""
        self._seen = _newest(self._seen, paths, SEEN_AT_MOST)

    def select(self, path: str) -> None:
        """Show this node in full."""
        self._details = _newest(self._details, [path], DETAILS_AT_MOST)

    def want(self) -> None:
        """Ask for all nodes that the page wants."""
        if self._looker is None:
            return
        wants = dict.fromkeys([*self._open], True)
        for path in (*self._details, *self._seen, *self._always()):
            wants.setdefault(path, False)
        self._looker.want(wants)

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

    def drawn(self, *, frozen: bool = False) -> Drawn:
        """Return everything there is to draw, as plain JSON; ``recorded`` in it: no cluster can be asked for more."""
        drawn: dict[str, Any] = {
            **self.head(),
            "recorded": frozen,
            "looked": self.snapshot is not None,
            "at": self.snapshot.at if frozen and self.snapshot else None,
            "error": self.error.splitlines()[0] if self.error else None,
            "controller": self.snapshot.controller if self.snapshot else None,
            "quorum": quorum_drawn(self.snapshot, self.nodes),
            "targets": {} if frozen else self._targets(),
            "lines": self.happened.lines(),
            "actions": self.happened.time_lines(),
        }
        if drawn["kind"] == "zookeeper":
            drawn |= self._drawn_tree()
        elif drawn["kind"] == "kraft":
            drawn["log"] = self._drawn_log()
        return drawn

    def head(self) -> Drawn:
        """Return the name, Kafka's version and the kind, which are known without looking."""
        named, mode = self.named, self.mode
        name = MODE_NAMES.get(mode, "")
        version = named.version if named else ""
        kafka = " · ".join(filter(None, (f"Kafka {version}".strip(), name)))
        return {"name": named.name if named else "", "kafka": kafka, "kind": mode if name else ""}

    def _drawn_log(self) -> Drawn:
        records = None if self.records is None else records_drawn(self.records)
        return {"reading": self.reading, "at": self._read_at, "records": records, "problem": ""}

    def _no_tree(self) -> str:
        """Return a sentence that says why there is no tree."""
        real = self.source is None or self.source.capabilities.clients
        return _NO_ADDRESS if real else _MODEL

    def _drawn_tree(self) -> Drawn:
        znodes = self._tree
        if znodes is None and not self.znodes:
            return {"problem": self._no_tree(), "tree": None}
        brokers = self.snapshot.brokers if self.snapshot else ()
        missed = [f"/brokers/ids/{b.id}" for b in brokers] + ["/controller"]
        connection = None
        if znodes is not None:
            id = znodes.session
            connection = {"state": znodes.state, "since": znodes.since, "session": f"0x{id:x}" if id else ""}
        details = {path: detail(path, self.znodes) for path in self._in_full()}
        return {
            "problem": "",
            "tree": tree(self.znodes, missed) or None,
            "details": {path: found for path, found in details.items() if found is not None},
            "connection": connection,
        }

    def _in_full(self) -> Iterable[str]:
        """Return the paths of the nodes that are shown in full."""
        return self._details

    def _targets(self) -> Drawn:
        targets = {
            n.name: {"state": n.state, "verbs": list(n.verbs), "busy": self.busy.get(n.name)} for n in self.nodes
        }
        active = self.target("controller")
        if active is not None:
            targets["controller"] = {**targets[active.name], "is": active.name}
        return targets


def _newest(kept: Mapping[str, None], more: Iterable[str], most: int, always: Iterable[str] = ()) -> dict[str, None]:
    """Return ``always``, then the last ``most`` other paths, the newest last; text that is no path is dropped."""
    found = dict(kept)
    for path in more:
        if isinstance(path, str) and _PATH.fullmatch(path):
            found.pop(path, None)
            found[path] = None
    always = tuple(always)
    rest = [path for path in found if path not in always]
    return dict.fromkeys([*always, *rest[-most:]])


# --- One cluster of a MetadataView in a recording: it is shown at any moment, and no server is asked.


#: Maximum number of nodes whose full details are drawn, for a page without a kernel to ask.
IN_FULL = 60
_NO_TREE = "ZooKeeper's tree was not recorded, because its address was not known."


class RecordedSide(Side):
    """The metadata in a recording at the moment that is shown: what happened until then is told as it was live."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(None, None, lambda update: None)
        self.recording = recording
        self._metadata = RecordedMetadata(recording.facts)
        self._moment: Moment | None = None
        #: Seconds since the beginning up to which it is told, and the number of events, watches and changes of nodes.
        self._until = float("-inf")
        self._told = (0, 0, 0)
        #: Watches that were read, by the id of what was recorded, which the facts keep.
        self._watches: dict[int, ZnodeEvent | None] = {}
        #: All records that were read, in their order, and the time by which each was written.
        self._log: list[tuple[MetadataRecord, Entry]] = []
        self._written: list[float] = []
        self._read = 0

    @property
    def named(self) -> Header:
        """The recording's header, with the name, the mode and Kafka's version."""
        return self.recording.header

    @property
    def watched(self) -> bool:
        """Whether ZooKeeper's watches were recorded by then."""
        begun = self._metadata.watched_from
        return begun is not None and self._until >= begun

    def show(self, moment: Moment) -> None:
        """Draw this moment from now on."""
        self._moment = moment

    def _recall(self, moment: Moment) -> None:
        # A moment further back, or something that was put before what is told already: it is told from the beginning.
        if moment.at < self._until or self._count(self._until) != self._told:
            self.happened, self._until, self._verbs, self._states = Happened(), float("-inf"), {}, {}
        facts, began = self.recording.facts, self.recording.header.began
        events = [Event(**event) for event in facts.items("events", moment.at, self._until)]
        watches = [self._watch(told) for told in facts.items(WATCHES, moment.at, self._until)]
        things: list[tuple[float, Event | ZnodeEvent | None]] = [
            *((began + at, None) for at in self._node_times(moment.at) if at > self._until),
            *((thing.at, thing) for thing in (*events, *watches) if thing is not None),
        ]
        self.nodes = ()
        for at, thing in sorted(things, key=lambda thing: thing[0]):
            self._until = at - began
            if isinstance(thing, ZnodeEvent):
                self.heard_znodes(ZnodeUpdate(events=(thing,)))
                continue
            if thing is None:
                self.nodes = self.recording.at(self._until).nodes
            self.tell([thing] if thing else [], at)
        self._until, self._told = moment.at, self._count(moment.at)
        self.snapshot, self.nodes = moment.snapshot, moment.nodes
        self.znodes = self._metadata.znodes(moment)
        self._recall_log()

    def _watch(self, told: Any) -> ZnodeEvent | None:
        """Return a watch as it was recorded; those that were read once are kept, because time runs backwards too."""
        if id(told) not in self._watches:
            self._watches[id(told)] = watch_of(told)
        return self._watches[id(told)]

    def _count(self, until: float) -> tuple[int, int, int]:
        facts = self.recording.facts
        return facts.count("events", until), facts.count(WATCHES, until), len(self._node_times(until))

    def _node_times(self, until: float) -> tuple[float, ...]:
        """Return the times at which nodes changed while the cluster was running, without the end of it all."""
        times, looked = self.recording.facts.times("nodes"), self.recording.facts.times("snapshot")
        return times[: bisect_right(times, min(until, looked[-1]))] if looked else ()

    def _recall_log(self) -> None:
        """Take the records of KRaft's log that were written by then, although they were read later."""
        facts = self.recording.facts
        if facts.count(METADATA) != self._read:
            self._read = facts.count(METADATA)
            found = {record.offset: record for record in map(record_of, facts.items(METADATA)) if record is not None}
            # Sorted by offset, because the records of a batch share one time.
            records = [found[offset] for offset in sorted(found)]
            self._log = list(zip(records, from_records(records), strict=True))
            self._written = list(accumulate((record.at for record in records), max))
        shown = self._log[: bisect_right(self._written, self.recording.header.began + self._until)]
        self.records = shown or None
        self.happened.learn_exactly([entry for _, entry in shown])

    def drawn(self, *, frozen: bool = False) -> Drawn:
        """Return everything there is to draw of the moment."""
        assert self._moment is not None
        self._recall(self._moment)
        return super().drawn(frozen=True)

    def _drawn_log(self) -> Drawn:
        return {**super()._drawn_log(), "at": None, "problem": "" if self._log else self._metadata.problem}

    def _no_tree(self) -> str:
        return _NO_TREE

    def _in_full(self) -> Iterable[str]:
        ids = [path for path in self.znodes if path.startswith("/brokers/ids/")]
        always = [path for path in (*IMPORTANT, "/cluster/id", *ids) if path in self.znodes]
        rest = [path for path in self.znodes if path not in always]
        return dict.fromkeys([*self._details, *always, *rest[: max(0, IN_FULL - len(always))]])

    def open(self, path: str) -> None:
        """Do nothing, because everything that was recorded is listed already."""

    def see(self, paths: Iterable[str]) -> None:
        """Do nothing, because everything that was recorded is read already."""

    def read_log(self) -> tuple[MetadataRecord, ...]:
        """Raise NotSupported, because a recording has no node to ask."""
        raise NotSupported("This is a recording: its records are those that were read while it was made.")
