"""``kafkalab demo``: trucks → Kafka → Spark without a notebook; broker 102 is killed, each record counted by its id."""

from __future__ import annotations

import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from kafkalab.cluster.backend import BackendName
from kafkalab.cluster.external import parse
from kafkalab.errors import BadInput, StartFailed
from kafkalab.experiments.ledger import Ledger
from kafkalab.handles.cluster import Cluster
from kafkalab.home import home_dir, make_dir
from kafkalab.sources.fleet import Fleet
from kafkalab.sources.publish import Publisher
from kafkalab.state.model import Mode, Snapshot
from kafkalab.state.watch import Update
from kafkalab.waiting import wait_until

# --- The summary at the end.


def show(result: dict[str, Any]) -> None:
    """Print the ledger and the verdict on standard output; what happened was printed as it happened."""
    console = Console()
    ledger = Table(title="The ledger, by record id", title_justify="left")
    counts = ("sent", "acknowledged", "seen", "lost", "duplicated")
    for name in counts:
        ledger.add_column(name, justify="right")
    ledger.add_row(*(f"{result[name]:,}" for name in counts))
    console.print(ledger)
    good = "✓ no record lost or duplicated, every replica in sync again"
    verdict = good if succeeded(result) else "✗ something went wrong, see above"
    console.print(f"{verdict} · {result['trucks']} trucks on the map: {result['map']}", markup=False)


# --- Stage: the state of a running demo.


#: Kinds of events that are left out: a watcher sees them every half second, and they would crowd out the others.
CHATTER = frozenset({"committed", "appended", "group_state", "member_joined", "member_left", "rebalanced"})


@dataclass
class Stage:
    """The options of the demo, and its state while it runs.

    :param map: path of the picture.
    :param live: whether each event is printed on standard error as it comes.
    """

    minutes: float
    trucks: int
    mode: Mode
    bootstrap_servers: str | None
    map: Path
    backend: BackendName | None
    live: bool
    began: float = field(default_factory=time.monotonic)
    events: list[dict[str, Any]] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)
    positions: dict[str, tuple[float, float, int]] = field(default_factory=dict)

    def seconds(self) -> float:
        """Return the seconds since the demo began."""
        return time.monotonic() - self.began

    def note(self, what: str, ago: float = 0.0) -> None:
        """Add an event that was ``ago`` seconds ago."""
        at = max(0.0, self.seconds() - ago)
        self.events.append({"at": round(at, 2), "what": what})
        if self.live:
            print(f"+{at:.1f} s  {what}", file=sys.stderr, flush=True)

    def hear(self, update: Update) -> None:
        """Take over the events of an update of the watcher, without those in ``CHATTER``."""
        for event in update.events:
            if event.kind not in CHATTER:
                self.note(event.text, max(0.0, time.time() - event.at))


TOPIC, PARTITIONS, REPLICATION = "trucks_gps", 10, 3
#: How many times faster than in real life the trucks drive.
LAPSE = 20
#: The broker that is killed and started again, and when, as parts of the trucks' time.
VICTIM, KILL_AT, START_AT = 102, 0.35, 0.65
#: Seconds to wait at the end for what is still under way; generous, because the machine may be busy with other things.
PATIENCE = 180.0


def default_map() -> Path:
    """Return the default path of the picture: not in the current folder, because that may be a checkout."""
    return home_dir() / "kafkalab-demo.png"


def run(stage: Stage) -> dict[str, Any]:
    """Run the whole demo and return its result (the shape of ``--json``); everything it started has ended then."""
    if stage.bootstrap_servers:
        parse(stage.bootstrap_servers)
    if stage.map.is_dir() or stage.map.suffix.lower() != ".png":
        raise BadInput("The map is a PNG file.", seen=str(stage.map), do="Give --map a file that ends in .png.")
    make_dir(stage.map.absolute().parent, "the option --map", StartFailed)
    with ExitStack() as cleanup:
        return _run(stage, cleanup)


def succeeded(result: dict[str, Any]) -> bool:
    """Return whether nothing was lost, duplicated or left unacknowledged, and every replica is in sync again."""
    clean = result["lost"] == 0 and result["duplicated"] == 0 and result["sent"] == result["acknowledged"]
    return bool(clean and result["isr_full"] and result["sent"])


def _run(stage: Stage, cleanup: ExitStack) -> dict[str, Any]:
    background = ThreadPoolExecutor(1)
    if stage.bootstrap_servers:
        cluster = Cluster.connect(stage.bootstrap_servers)  # before Spark, which is not needed if no broker answers
        spark = background.submit(_start_spark)
    else:
        spark = background.submit(_start_spark)  # beside the cluster, because it takes as long to start
        cluster = Cluster(brokers=3, mode=stage.mode, backend=stage.backend)
    cleanup.callback(cluster.stop)
    stage.note(f"cluster up: {cluster.bootstrap_servers}")
    first = cluster.snapshot()
    topic = TOPIC if first.topic(TOPIC) is None else f"{TOPIC}-{uuid.uuid4().hex[:6]}"
    replication = min(REPLICATION, sum(b.alive for b in first.brokers))
    cluster.create_topic(topic, partitions=PARTITIONS, replication=replication)
    if stage.bootstrap_servers:
        cleanup.callback(cluster.delete_topic, topic)
    stage.note(f"topic {topic}: {PARTITIONS} partitions, replication factor {replication}")
    cleanup.callback(cluster.watcher().subscribe(stage.hear))

    session = spark.result()
    cleanup.callback(session.stop)
    runs = _start_streams(session, cluster.bootstrap_servers, topic, stage)
    for stream in runs:
        cleanup.callback(stream.stop)
    stage.note("Spark reads the topic, and keeps a ledger of record ids and the latest position of each truck")

    publisher = Publisher(
        cluster.bootstrap_servers,
        Fleet(trucks=stage.trucks),
        topic,
        lapse=LAPSE,
        on_sent=lambda report: stage.ledger.sent(report.record_id),
        on_acknowledged=lambda report, partition, offset: stage.ledger.acknowledged(report.record_id),
    )
    with publisher:
        stage.note(f"{stage.trucks} trucks report, {LAPSE} times faster than real time")
        _act(stage, cluster, publisher, stage.minutes * 60, runs)
        stats = publisher.stop(PATIENCE)
    stage.note(f"the trucks stop reporting: {stats.sent} records sent, {stats.acknowledged} acknowledged")
    for stream in runs:
        stream.catch_up(PATIENCE)
    stage.note("Spark has read all records")
    what = f"every replica of {topic} to be in the ISR again"
    final = cluster.wait_for(lambda snapshot: _in_sync(snapshot, topic), PATIENCE, what)
    return _result(stage, cluster, topic, final, stats.last_error)


def _start_spark() -> Any:
    import kafkalab

    return kafkalab.spark("kafkalab-demo")


def _start_streams(session: Any, bootstrap_servers: str, topic: str, stage: Stage) -> list[Any]:
    """Start two queries over the topic: every good record's id into the ledger, and each truck's latest position."""
    from kafkalab.streams.jobs import good_records, latest_position, parse, read_trucks
    from kafkalab.streams.sinks import each_batch, to_ledger

    def keep(rows: list[Any], number: int) -> None:
        stage.positions.update({row.truck_id: (row.latitude, row.longitude, row.partition) for row in rows})

    parsed = parse(read_trucks(session, bootstrap_servers, topic))
    ledger = to_ledger(good_records(parsed), stage.ledger, "ledger")
    positions = each_batch(latest_position(parsed), keep, "positions", mode="update")
    return [ledger, positions]


def _act(stage: Stage, cluster: Cluster, publisher: Publisher, seconds: float, runs: list[Any]) -> None:
    """Let the trucks report for ``seconds``; meanwhile kill broker 102 and start it again. A failed stream ends it."""
    victim = cluster.broker(VICTIM) if cluster.nodes() else None
    acts = [
        (KILL_AT, f"broker {VICTIM} is killed (SIGKILL)", victim.kill),
        (START_AT, f"broker {VICTIM} is started again", victim.start),
    ] if victim else []  # fmt: skip
    began = time.monotonic()

    def due(at: float) -> bool:
        for stream in runs:
            if stream.error is not None:
                raise stream.error
        return time.monotonic() - began >= at

    for share, what, act in [*acts, (1.0, "", None)]:
        at = share * seconds
        wait_until(partial(due, at), at + PATIENCE, "the trucks to report for a while", period=0.2)
        if act is not None:
            stage.note(what)
            act()


def _in_sync(snapshot: Snapshot, topic: str) -> bool:
    found = snapshot.topic(topic)
    return found is not None and not any(p.under_replicated for p in found.partitions)


def _result(stage: Stage, cluster: Cluster, topic: str, final: Snapshot, last_error: str | None) -> dict[str, Any]:
    counted = stage.ledger.result()
    return {
        "mode": final.mode,
        "backend": cluster.backend.kind,
        "seconds": round(stage.seconds(), 2),
        "sent": counted.sent,
        "acknowledged": counted.acknowledged,
        "seen": counted.seen,
        "lost": counted.lost,
        "duplicated": counted.duplicated,
        "lost_ids": list(counted.lost_ids[:100]),
        "duplicated_ids": list(counted.duplicated_ids[:100]),
        "trucks": len(stage.positions),
        "topic": topic,
        "isr_full": _in_sync(final, topic),
        "last_error": last_error,
        "events": sorted(stage.events, key=lambda e: float(e["at"])),
        "map": _draw(stage, topic),
    }


def _draw(stage: Stage, topic: str) -> str:
    from kafkalab.views.map.still import draw_map

    rows = list(stage.positions.values())
    title = f"{len(rows)} trucks, latest position from Spark, coloured by partition of {topic}"
    latitude, longitude, partition = ([row[i] for row in rows] for i in range(3))
    return str(draw_map(stage.map, latitude, longitude, partition, title))
