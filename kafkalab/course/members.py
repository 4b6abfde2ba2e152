"""Members: consumers in processes of their own, which read one topic and can be killed, closed and slowed down."""

# Labs 08a and 08b use them.
import json
import os
import sys
import threading
import weakref
from contextlib import suppress
from importlib import import_module
from subprocess import DEVNULL, PIPE, Popen
from typing import Any

from kafkalab.errors import KafkalabError
from kafkalab.waiting import wait_until

#: Settings of all members, and of kafka-python's, unless others are given. Frequent commits keep the lag up to date.
_ALWAYS = {"auto_offset_reset": "earliest", "auto_commit_interval_ms": 200}
_CLASSIC = {"session_timeout_ms": 6000, "heartbeat_interval_ms": 500}
_MODULES = {"sticky": "sticky.sticky_assignor", "cooperative": "cooperative_sticky"}


class Members:
    """Consumers of one topic in a group (None: in none), each a process with its own client id; none outlives this one.

    Settings are those of ``KafkaConsumer``; ``partition_assignment_strategy`` by name: range, roundrobin, sticky,
    cooperative. With ``protocol="consumer"`` (KIP-848, KRaft only) members are confluent-kafka's, and the settings are
    its own with ``_`` for ``.``, for example ``group_remote_assignor="range"``.
    """

    def __init__(self, cluster: Any, topic: str, group: str | None, **kafka_settings: Any) -> None:
        self.cluster, self.topic, self.group = cluster, topic, group
        self._settings = {**_ALWAYS, **({} if "protocol" in kafka_settings else _CLASSIC), **kafka_settings}
        self._running: dict[str, Popen[str]] = {}
        self._said: dict[str, list[Any]] = {}
        weakref.finalize(self, _kill, self._running)  # also when its cell is run again and makes another

    def start(self, *names: str, **more: Any) -> None:
        """Start members with these client ids at once; return when the group's coordinator lists all of them."""
        before = {member.member_id for member in self._listed()}
        given = {"bootstrap_servers": self.cluster.bootstrap_servers, "group_id": self.group, **self._settings, **more}
        for name in names:
            command = [sys.executable, "-m", __name__, json.dumps([self.topic, {**given, "client_id": name}])]
            # In a session of its own, so that interrupting the kernel does not reach it.
            process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, text=True, start_new_session=True)
            self._running[name], lines = process, map(json.loads, process.stdout or ())
            said = self._said.setdefault(name, [])
            threading.Thread(target=said.extend, args=(lines,), daemon=True).start()

        def joined() -> bool:
            if lost := [name for name in names if self._running[name].poll() is not None]:
                raise KafkalabError(f"The member {lost[0]} ended at once.", seen=str(self._said[lost[0]][-1:]))
            there = {m.client_id for m in self._listed() if m.member_id not in before}
            return all(name in there if self.group else self._said[name] for name in names)

        wait_until(joined, 90, f"{', '.join(names)} to join", period=0.1)

    def kill(self, *names: str) -> None:
        """End members, or all, with SIGKILL, so that they cannot tell their group that they leave."""
        _kill(self._running, *names)

    end = kill

    def close(self, *names: str) -> None:
        """Let members, or all, close their consumers, so that they leave the group; return when they have ended."""
        leaving = {name: self._running[name] for name in names or [*self._running]}
        for process in leaving.values():
            with suppress(BrokenPipeError):  # it has ended by itself
                print("close", file=process.stdin, flush=True)
        for name, process in leaving.items():
            process.wait(60)
            del self._running[name]

    def pace(self, name: str, seconds: float) -> None:
        """Let a member take so many seconds for each record from now on. It polls again when a batch is done."""
        print(seconds, file=self._running[name].stdin, flush=True)

    def settled(self, within: float = 90) -> dict[str, list[int]]:
        """Wait until of these members the group lists just those that run, and all partitions are owned: by whom?"""

        def stable() -> dict[str, list[int]] | None:
            listed, topics = self._listed("Stable"), self.topic.split(",")
            every = sum(p.topic in topics for p in self.cluster.snapshot().partitions())
            owned = {m.client_id: sorted(p for t, p in m.partitions if t in topics) for m in listed}
            ours = sorted(m.client_id for m in listed if m.client_id in self._said)
            complete = sum(map(len, owned.values())) == every and ours == sorted(self._running)
            return dict(sorted(owned.items())) if complete else None

        return wait_until(stable, within, f"{self.group} to settle", period=0.1, seen=self._seen) or {}

    def read(self) -> dict[str, list[tuple[int, int, str]]]:
        """Return what each member has read so far, as (partition, offset, value)."""
        return {name: [tuple(one) for one in said if isinstance(one, list)] for name, said in self._said.items()}

    def _seen(self) -> str:
        ended = {name: self._said[name][-1:] for name, process in self._running.items() if process.poll() is not None}
        return f"{self.cluster.snapshot().group(self.group)}; members that ended by themselves: {ended or 'none'}"

    def _listed(self, state: str = "") -> Any:
        group = self.cluster.snapshot().group(self.group) if self.group else None
        return group.members if group and state in (group.state, "") else ()


def _kill(running: dict[str, Popen[str]], *names: str) -> None:
    for process in [running.pop(name) for name in names or [*running]]:
        process.kill()
        process.wait()


def _run(topic: str, settings: dict[str, Any]) -> None:
    """Read in a member's process: orders come by stdin, and what was read goes to stdout."""
    # Lab 08b gives `pace` from the start, several topics, and `listening`: a module that subscribes with a listener.
    stop, pace, listening = threading.Event(), [float(settings.pop("pace", 0))], settings.pop("listening", None)

    def obey() -> None:
        for line in iter(sys.stdin.readline, "close\n"):
            if not line:  # the process that gave the orders is gone
                os._exit(1)
            pace[0] = float(line)
        stop.set()

    threading.Thread(target=obey, daemon=True).start()
    if "protocol" in settings:
        settings["group_protocol"] = settings.pop("protocol")
        consumer = import_module("confluent_kafka").Consumer({k.replace("_", "."): v for k, v in settings.items()})
    else:
        if name := settings.pop("partition_assignment_strategy", None):
            module = import_module(f"kafka.coordinator.assignors.{_MODULES.get(name, name)}")
            found = next(c for c in vars(module).values() if str(getattr(c, "name", "")).startswith(name))
            settings["partition_assignment_strategy"] = [found]
        consumer = import_module("kafka").KafkaConsumer(**settings)
    (import_module(listening).subscribe if listening else type(consumer).subscribe)(consumer, topic.split(","))
    print('"begun"', flush=True)
    while not stop.is_set():
        if hasattr(consumer, "consume"):
            batch = [(r.partition(), r.offset(), r.value()) for r in consumer.consume(1, 0.3) if not r.error()]
        else:
            # kafka-python 3.0.12 can forget a join that is under way when poll() times out, and then never joins again.
            consumer._coordinator.rejoin_needed |= consumer._coordinator.rejoining
            batch = []
            with suppress(import_module("kafka.errors").RetriableError):  # poll() raises it when a broker has just died
                batch = [(r.partition, r.offset, r.value) for rs in consumer.poll(timeout_ms=300).values() for r in rs]
        for partition, offset, value in batch:
            stop.wait(pace[0])  # a member that closes hurries through the rest of its batch
            print(json.dumps([partition, offset, (value or b"").decode()]), flush=True)
    consumer.close()


if __name__ == "__main__":
    try:
        _run(*json.loads(sys.argv[1]))
    except Exception as error:
        print(json.dumps(f"{type(error).__name__}: {error}"), flush=True)
