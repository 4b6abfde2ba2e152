"""A watch of ZooKeeper that fired → what it means to Kafka. Pure."""

from __future__ import annotations

from dataclasses import replace

from kafkalab.state.znode_reading import Znode
from kafkalab.state.znodes import ZnodeEvent
from kafkalab.views.cluster_drawn import shown
from kafkalab.views.metadata_events import Ending, Entry, isr_change, isr_text
from kafkalab.views.metadata_paths import BROKER, STATE, controller, leadership, text


def from_watch(event: ZnodeEvent, ending: Ending) -> Entry:
    """A watch that fired, told; ``ending`` knows why a session may have ended."""
    path, before, after = event.path, event.before, event.after
    entry = Entry(event.at, "other", "", "watch", event.type or "changed meanwhile", path)
    if event.type == "NodeChildrenChanged" or event.appeared or event.vanished:
        return _children(entry, event)
    if match := BROKER.fullmatch(path):
        return _broker(replace(entry, broker=int(match[1])), before, after, ending)
    if path == "/controller":
        return _controller(entry, before, after)
    if path == "/controller_epoch" and after is not None:
        was = text(before.data) if before else "?"
        return replace(entry, text=f"controller epoch {shown(was, 12)} → {shown(text(after.data), 12)}")
    if (match := STATE.fullmatch(path)) and after is not None:
        return _state(entry, f"{shown(match[1])} P{match[2]}", before, after)
    if after is None or before is None:
        return replace(entry, text="it is gone" if after is None else "it is new")
    return replace(entry, text=f"its data was written, version {after.version}")


def session(node: Znode) -> str:
    """The session a node lives and dies with, as ZooKeeper writes it; "" for a persistent one."""
    return "" if node.owner is None else f"0x{node.owner:x}"


def _broker(entry: Entry, before: Znode | None, after: Znode | None, ending: Ending) -> Entry:
    id = entry.broker
    assert id is not None
    if after is None:
        said = f"{ending.of(id)}; broker {id} is no longer registered"
        return replace(entry, kind="gone", text=said, short=f"broker {id}'s session over")
    if before is None or before.owner != after.owner:
        again = "" if before is None else " anew"
        said = f"broker {id} registered itself{again}, in session {session(after)}"
        return replace(entry, kind="came", text=said, short=f"broker {id} registered")
    return replace(entry, text=f"broker {id} tells other things of itself")


def _controller(entry: Entry, before: Znode | None, after: Znode | None) -> Entry:
    was = None if before is None else controller(before.data)
    now = None if after is None else controller(after.data)
    entry = replace(entry, kind="controller", broker=now)
    if now is None:
        return replace(entry, text=f"broker {was}'s session ended: nobody is the controller", short=f"{was} → nobody")
    if was == now:
        return replace(entry, text=f"broker {now} wrote it anew: it is still the controller", short=f"{now} again")
    ended = "" if was is None else f"broker {was}'s session ended, and "
    said = f"{ended}broker {now} was first to create it: it is the controller"
    return replace(entry, text=said, short=f"{'nobody' if was is None else was} → {now}")


def _state(entry: Entry, name: str, before: Znode | None, after: Znode) -> Entry:
    leader, isr, epoch = leadership(after.data)
    if before is None:
        return replace(entry, text=f"{name}: leader {leader}", key="new")
    old, old_isr, _ = leadership(before.data)
    change = isr_change(old_isr, isr)
    shrank = f", {isr_text(old_isr, isr)}" if change else ""
    if leader == old:
        said = isr_text(old_isr, isr) if change else f"written again, leader epoch {epoch}"
        return replace(
            entry, kind="isr" if change else "other", text=f"{name}: {said}", key=change or "again", isr=change
        )
    if leader is None:
        return replace(entry, kind="leaderless", text=f"{name}: nobody leads{shrank}", key="leaderless", isr=change)
    said = f"{name}: leader {'nobody' if old is None else old} → {leader}, epoch {epoch}{shrank}"
    return replace(entry, kind="leader", text=said, key="leader", broker=leader, isr=change)


def _children(entry: Entry, event: ZnodeEvent) -> Entry:
    parts = []
    for names, what in ((event.vanished, "gone"), (event.appeared, "new")):
        if names:
            several = f" and {len(names) - 3} more" if len(names) > 3 else ""
            parts.append(f"{', '.join(shown(name, 30) for name in names[:3])}{several} {what}")
    topics = event.path == "/brokers/topics" and bool(parts)
    said = f"below it: {'; '.join(parts)}" if parts else "below it something changed, and changed back"
    return replace(entry, kind="topic" if topics else "children", text=said)
