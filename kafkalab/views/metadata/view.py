"""MetadataView: a cluster's metadata, in ZooKeeper's tree or in KRaft's log, and how it changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kafkalab.errors import BadInput, NotSupported
from kafkalab.history.moment import Moment
from kafkalab.state.metadata.log import MetadataRecord
from kafkalab.state.metadata.znodes import Znode, ZnodeUpdate
from kafkalab.state.model import Event, NodeState, Snapshot, Verb, called, verb_of
from kafkalab.state.watch import Update
from kafkalab.views.cluster.picture import SIGNS
from kafkalab.views.live import Drawn, LiveView, Subject, split_subject
from kafkalab.views.metadata.side import RecordedSide, Side
from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import shorten


class MetadataView(LiveView):
    """ZooKeeper's tree with its watches as they fire, or KRaft's quorum and its log; or two clusters side by side.

    A ZooKeeper is read by one client that all views of it share, and never written to. KRaft's log is read on demand.
    Two recordings side by side each show the moment at which their own playhead stands.

    :param sources: one cluster or recording, or two, to compare what the same failure does to them.
    :param zookeeper: ``host:port`` of the ZooKeeper of an external cluster, which does not say where it is.
    :param presenter: everything larger, for a projector.
    """

    NAME = "metadata"

    def __init__(self, *sources: Subject, zookeeper: str | None = None, presenter: bool = False) -> None:
        if not 1 <= len(sources) <= 2:
            raise BadInput(
                "A MetadataView shows one cluster, or two side by side.",
                seen=f"{len(sources)} given",
                do="MetadataView(cluster), or MetadataView(zookeeper_cluster, kraft_cluster)",
            )
        self._sides = [self._side_of(i, seen, zookeeper if i == 0 else None) for i, seen in enumerate(sources)]
        self._second: Callable[[], None] | None = None
        self._fed = sources[0] is not None
        for side in self._sides:
            if side.source is not None:
                watcher = side.source.watcher()
                side.remember(watcher.latest, watcher.events)
        super().__init__(sources[0], presenter=presenter)

    def _side_of(self, number: int, seen: Subject, zookeeper: str | None) -> Side:
        source, recording = split_subject(seen)
        if recording is None:
            return Side(source, zookeeper, self._hears(number))
        side = RecordedSide(recording)
        side.show(recording.moment())
        return side

    @classmethod
    def of(
        cls,
        snapshot: Snapshot,
        *,
        znodes: Mapping[str, Znode | None] | None = None,
        records: Sequence[MetadataRecord] | None = None,
        nodes: Iterable[NodeState] = (),
        events: Iterable[Event] = (),
    ) -> MetadataView:
        """Return a frozen picture that nothing feeds.

        :param znodes: ZooKeeper's nodes as they were read, by path.
        :param records: records of KRaft's metadata log.
        """
        view = cls(None)
        (side,) = view._sides
        side.remember(snapshot, tuple(events))
        side.nodes, side.znodes = tuple(nodes), znodes or {}
        if records is not None:
            side.learn_records(tuple(records))
        view.redraw()
        return view

    # What the page asks for

    def do_open(self, message: Drawn) -> None:
        """List a node's children; the message is ``{"side", "path"}``."""
        self._side(message).open(message.get("path", ""))
        self._rewant(message)

    def do_see(self, message: Drawn) -> None:
        """Read the nodes that are in sight; the message is ``{"side", "paths"}``."""
        self._side(message).see(list(message.get("paths") or ())[:200])
        self._rewant(message)

    def do_select(self, message: Drawn) -> None:
        """Show a node in full; the message is ``{"side", "path"}``."""
        self._side(message).select(message.get("path", ""))
        self._rewant(message)

    def do_log(self, message: Drawn) -> None:
        """Read KRaft's metadata log; the message is ``{"side"}``."""
        side = self._side(message)
        with self._lock:
            if side.reading:
                return
            side.reading = True
            self.fault("")
        try:
            records = side.read_log()
            with self._lock:
                side.learn_records(records)
        finally:
            side.reading = False
            self.redraw()

    def do_act(self, message: Drawn) -> None:
        """Apply a verb to a node, by its name or as "controller", in each cluster: ``{"target", "verb"}``."""
        verb = verb_of(message.get("verb"))
        if verb is None:
            raise BadInput("A node has no such action.", seen=repr(message.get("verb")))
        self.fault("")
        if all(isinstance(side, RecordedSide) for side in self._sides):
            raise NotSupported("This is a recording: nothing in it can be changed.")
        todo = []
        with self._lock:
            for side in self._sides:
                node = side.target(str(message.get("target")))
                if node is not None and verb in node.verbs and node.name not in side.busy and side.source is not None:
                    side.busy[node.name] = verb
                    todo.append((side, node.name))
        threads = [threading.Thread(target=self._act, args=(side, node, verb), daemon=True) for side, node in todo]
        for thread in threads:
            thread.start()
        self.redraw()
        for thread in threads:
            thread.join()

    def _act(self, side: Side, node: str, verb: Verb) -> None:
        source = side.source
        assert source is not None
        self.attempt(lambda: source.act(node, verb), f"could not {verb} {called(node)}: ")
        with self._lock:
            side.busy.pop(node, None)
            self.redraw()

    def _side(self, message: Mapping[str, Any]) -> Side:
        number = message.get("side", 0)
        return self._sides[number if number in range(len(self._sides)) else 0]

    def _rewant(self, message: Mapping[str, Any]) -> None:
        with self._lock:
            self._side(message).want()
            self.redraw()

    # What feeds it

    def _hears(self, number: int) -> Callable[[ZnodeUpdate], None]:
        def heard(update: ZnodeUpdate) -> None:
            with self._lock:
                self._sides[number].heard_znodes(update)
                self.redraw()

        return heard

    def _start_feed(self) -> None:
        with self._lock:
            for side in self._sides:
                side.wakes()
            other = self._sides[1] if len(self._sides) > 1 else None
            if isinstance(other, RecordedSide) and self._second is None:
                self._second = other.recording.playhead.subscribe(self._moved_second)
                other.show(other.recording.moment())
            elif other is not None and other.source is not None and self._second is None:
                self._second = other.source.watcher().subscribe(self._heard_second)

    def _stop_feed(self) -> None:
        with self._lock:
            second, self._second = self._second, None
            for side in self._sides:
                side.rests()
        if second is not None:
            second()

    def _heard(self, update: Update) -> None:
        super()._heard(update)
        self._sides[0].heard(update)

    def _heard_second(self, update: Update) -> None:
        with self._lock:
            self._sides[1].heard(update)
            self.redraw()

    def _has_looked(self) -> bool:
        return super()._has_looked() and all(side.znodes or not side.watched for side in self._sides)

    def _show(self, moment: Moment) -> None:
        for side in self._sides:
            if isinstance(side, RecordedSide) and side.recording.facts is moment.facts:
                side.show(moment)

    def _moved_second(self) -> None:
        with self._lock:
            side = self._sides[1]
            assert isinstance(side, RecordedSide)
            side.show(side.recording.moment())
            self.redraw()

    def _drawn(self) -> Drawn:
        return {"sides": {str(i): side.drawn(frozen=not self._fed) for i, side in enumerate(self._sides)}}

    def _blocks(self, drawn: Drawn) -> list[Block]:
        return blocks(drawn)


# --- The picture as paragraphs and tables, for where no widget runs.


_TREE, _LINES, _RECORDS = 200, 40, 40
#: Spaces that HTML does not drop.
_INDENT = 4 * "\u00a0"
#: A row of the time line → the name that is shown.
_ROWS = {
    "quorum": "quorum",
    "noticed": "noticed",
    "controller": "controller",
    "leaders": "leaders",
    "isr": "in sync",
}


def blocks(drawn: Drawn) -> list[Block]:
    """Return each cluster's quorum, its tree or its log, what followed the last action, and what happened."""
    return [block for side in drawn["sides"].values() for block in _side(side)]


def _side(side: Drawn) -> Iterator[Block]:
    yield Para(_heading(side) or "no cluster has been read yet", "strong")
    for text in (side["error"], side.get("problem"), (side.get("log") or {}).get("problem")):
        if text:
            yield Para(f"⚠ {shorten(text, 300)}")
    if side["quorum"]:
        rows = [_keeper(id, node, side["quorum"]["kind"]) for id, node in side["quorum"]["nodes"].items()]
        yield Table(("Node", "Role", "Log end", "Behind", "Seen"), rows, "Who keeps the metadata")
    if side.get("tree"):
        yield Table(("Node", "Kind", "Version", "Data"), list(_tree("/", side["tree"])), "ZooKeeper's tree", most=_TREE)
    records = (side.get("log") or {}).get("records") or {}
    if records:
        newest = sorted(records, key=int)[-_RECORDS:]
        said = [(int(offset), records[offset]["type"], records[offset]["text"]) for offset in newest]
        yield Table(("Offset", "Record", "What it says"), said, "The metadata log, its newest records")
    if side["actions"]:
        action = side["actions"][max(side["actions"], key=int)]
        followed = [(_ROWS[r], f"+{m['t']:.2f} s", m["text"]) for r, marks in action["rows"].items() for m in marks]
        if followed:
            yield Table(("Part", "After", "What followed"), followed, shorten(f"After {action['text']}", 120))
    if side["lines"]:
        yield Table(("Since you acted", "Source", "What happened"), [_line(line) for line in side["lines"][-_LINES:]])


def _heading(side: Drawn) -> str:
    """Return the cluster in one line."""
    quorum = side["quorum"]
    parts = [side["name"], side["kafka"]]
    if side["controller"] is not None:
        parts.append(f"controller {side['controller']}")
    if quorum:
        leader = "nobody leads" if quorum["leader"] is None else f"leader {quorum['leader']}"
        parts.append(f"{'ZooKeeper' if quorum['kind'] == 'zookeeper' else 'quorum'}: {leader}, epoch {quorum['epoch']}")
    return " · ".join(shorten(part, 80) for part in parts if part)


def _keeper(id: str, node: Drawn, kind: str) -> tuple[str, ...]:
    """Return a node's sign and id, its role, its log's end, how far it is behind, and when it was seen last."""
    end = "" if node["end"] is None else f"0x{node['end']:x}" if kind == "zookeeper" else str(node["end"])
    return (
        f"{SIGNS[node['part']]} {id}",
        node["role"] if node["alive"] else f"{node['role']}, {node['gone']}",
        end,
        f"{node['lag']} records" if node["lag"] else "",
        # A node that is up to date has fetched just now.
        f"last fetched {node['seen']} s ago" if node.get("seen") else "",
    )


def _tree(name: str, node: Drawn, depth: int = 0) -> Iterator[tuple[str, str, str, str]]:
    """Yield the listed nodes from the root down; their names are indented."""
    kind = "not there" if node.get("gone") else "ephemeral" if node.get("e") else "persistent" if "v" in node else ""
    sign = {"ephemeral": "⚡ ", "not there": "✕ "}.get(kind, "")
    version, data = ("", "") if node.get("gone") else (str(node.get("v", "")), shorten(node.get("s", ""), 200))
    yield _INDENT * depth + sign + shorten(name, 60), kind, version, data
    for child in sorted(node.get("c", {})):
        yield from _tree(child, node["c"][child], depth + 1)


def _line(line: Drawn) -> tuple[str, str, str]:
    since = "" if line["since"] is None else f"{line['since']:+.2f} s"
    return since, " ".join(filter(None, (line["word"], line["where"]))), shorten(line["text"], 300)
