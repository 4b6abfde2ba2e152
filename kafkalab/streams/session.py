"""spark: a SparkSession with the Kafka connector, sized for the machine it runs on."""

from __future__ import annotations

import fcntl
import logging
import os
import re
import shlex
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kafkalab.cluster import preflight
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.java import can_write_archives, find_java, writing
from kafkalab.errors import BadInput, KafkalabError, StartFailed
from kafkalab.home import Profile, make_dir, profile
from kafkalab.progressbar import Report, silent
from kafkalab.streams import jvm

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Settings to pass as ``config=`` when state outgrows the heap: they keep Spark's state on local disk.
ROCKSDB: Final = {
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    )
}

# Maximum number of shuffle partitions by default. Each costs a task in every micro-batch: Spark's default of 200 made a
# trigger 14 times slower on two cores. Eight are enough for the data on a learner's machine.
_MOST_PARTITIONS: Final = 8

# SerialGC: with a small heap and few cores, the parallel collectors only add threads and memory. Only the first
# compiler: a lesson ends before the optimising one has paid for itself (measured: half the CPU time without it).
_JVM: Final = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"

#: Size of the driver's heap. Spark refuses less than 450 MB unless it is told to keep less in reserve.
_HEAP: Final[dict[Profile, str]] = {"lesson": "512m", "small": "256m"}
_RESERVED: Final = {"spark.testing.reservedMemory": str(64 * 2**20)}

#: Maximum seconds for a Spark Connect server to answer.
_REACH: Final = 5.0

# Spark's application id → the settings that were asked for, for each session of this process.
_started: dict[str, dict[str, str]] = {}


def spark(
    app: str = "kafkalab",
    *,
    master: str = "local[*,4]",
    remote: str | None = None,
    memory: str | None = None,
    config: Mapping[str, str] | None = None,
) -> SparkSession:
    """Return the SparkSession of this process, with Spark's Kafka connector; every call returns the same one.

    :param app: the name that Spark shows for it.
    :param master: where the work is done: "local[*,4]" (all cores of this machine, and four attempts at a task, as
        Spark clusters have, because one may meet a partition without a leader), "local[2]", "spark://host:7077".
    :param remote: "sc://host:port" of a Spark Connect server, which then has the driver and the connector's jars; this
        process needs no Java. The settings above and below that only a driver has (master, memory) don't count.
    :param memory: the driver's heap, by default "512m" ("256m" with ``KAFKALAB_PROFILE=small``); with a local master
        all of Spark lives in it. Java's notation: "512m", "2g".
    :param config: more Spark settings; these override the defaults: ``{"spark.ui.enabled": "true"}`` serves Spark's own
        pages, on 127.0.0.1 only. A groupBy or join makes one partition per core of this machine, 8 at most.
    :raises BadInput: when settings make no sense, or a session that differs in them is already running.
    :raises JavaMissing: when there is no Java for it.
    :raises JarsUnusable: when the connector cannot be fetched.
    :raises StartFailed: when Spark does not come up.
    """
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    memory = memory or _HEAP[profile()]
    if not re.fullmatch(r"[1-9]\d*[kmgKMG]", memory):
        raise BadInput(f"{memory!r} is not a memory size.", do='Write a number and a unit, for example "512m" or "2g".')
    if remote is not None:
        return _connected(remote, {**_of_queries(), **(config or {})})
    # Otherwise Spark starts "python3" from PATH for its workers, which may lack the virtual environment's packages.
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    wanted = {**_settings(master, memory), **(config or {})}
    if (ended := jvm.jvm_ended()) is not None:
        raise ended
    if SparkContext._active_spark_context is None:
        return _start(app, wanted)
    return _agree(SparkSession.builder.getOrCreate(), wanted)


def _bytes(size: str) -> int:
    """Return Spark's "512m" in bytes; 0 for a text that Spark itself will refuse."""
    found = re.fullmatch(r"(\d+)([kmgt]?)b?", size.lower())
    return int(found[1]) << {"k": 10, "": 20, "m": 20, "g": 30, "t": 40}[found[2]] if found else 0


def _settings(master: str, memory: str) -> dict[str, str]:
    jars = jar_set("spark").ensure()
    if "," in str(jars[0]):
        raise BadInput(
            "Spark cannot load jars from a folder with a comma in its name.",
            seen=str(jars[0].parent),
            do="Set KAFKALAB_CACHE to another folder.",
        )
    log4j = Path(str(resources.files("kafkalab.streams").joinpath("log4j2.properties")))
    return {
        "spark.master": master,
        "spark.driver.memory": memory,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={log4j.as_uri()} {_JVM}",
        "spark.jars": ",".join(path.as_uri() for path in jars),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # Otherwise a folder "spark-warehouse" appears beside the notebook with the first saved table.
        "spark.sql.warehouse.dir": f"{tempfile.gettempdir()}/kafkalab-warehouse",
        **_of_queries(),
        **(_RESERVED if profile() == "small" else {}),
    }


def _of_queries() -> dict[str, str]:
    """Return the settings that each query takes from its session."""
    return {
        "spark.sql.shuffle.partitions": str(min(preflight.cores(), _MOST_PARTITIONS)),
        # Event times are compared across machines and printed in lessons, so their zone does not depend on the laptop.
        "spark.sql.session.timeZone": "UTC",
        # Stopping a query waits for its batch; a batch that hangs on a dead broker must not block the kernel for ever.
        "spark.sql.streaming.stopTimeout": "30s",
    }


def _connected(remote: str, settings: Mapping[str, str]) -> SparkSession:
    """Return the session of a Spark Connect server."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    found = re.match(r"sc://([^:/;]+):(\d{1,5})(?:/|$)", remote)
    if not found:
        raise BadInput(
            f"{remote!r} is not the address of a Spark Connect server.", do='Write it as "sc://127.0.0.1:15002".'
        )
    if find_spec("grpc") is None:
        raise BadInput("Spark Connect needs a few more packages.", do='Run: pip install "kafkalab[connect]"')
    if SparkContext._active_spark_context is not None:
        raise BadInput(
            "A Spark session runs in this process already, so it cannot connect to another.",
            do="Restart the kernel, and ask for remote=… first.",
        )
    try:
        # Spark itself would go on trying for minutes.
        socket.create_connection((found[1], int(found[2])), _REACH).close()
        session = SparkSession.builder.remote(remote).getOrCreate()
        for name, value in settings.items():
            session.conf.set(name, value)
    except Exception as error:
        raise StartFailed(
            f"No Spark Connect server answers at {remote}.",
            seen=str(error).strip().splitlines()[0],
            do="Check that it is running at that address: docs/running.md says how to start one.",
        ) from None
    return session


def _agree(session: SparkSession, wanted: Mapping[str, str]) -> SparkSession:
    """Return the running session if it fits the settings; change those that can change while it runs."""
    # Spark rewrites some settings as it takes them, so they are compared as they were asked for. In a session that
    # other code started, only the settings that the connector depends on are compared.
    asked = _started.get(session.sparkContext.applicationId)
    names = wanted if asked is not None else ("spark.master", "spark.jars")
    differ = {}
    for name, value in wanted.items():
        if session.conf.isModifiable(name):
            session.conf.set(name, value)
        elif name in names:
            now = session.conf.get(name, None) if asked is None else asked.get(name)
            if now != value:
                differ[name] = (now, value)
    if differ:
        raise BadInput(
            "A Spark session is already running, and its settings differ from those you asked for.",
            seen="; ".join(f"{name} is {now}, you asked for {value}" for name, (now, value) in sorted(differ.items())),
            do="Ask for the same settings, or restart the kernel: it can have only one Spark, with one heap.",
        )
    return session


def _start(app: str, wanted: Mapping[str, str]) -> SparkSession:
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    heap = jvm.heap()
    if heap is not None and heap != wanted["spark.driver.memory"]:
        # stop() ends Spark, but not its JVM.
        raise BadInput(
            "The size of Spark's heap cannot change while this process runs.",
            seen=f"it was started with memory={heap!r}",
            do="Restart the kernel to give it another size.",
        )
    conf = SparkConf(loadDefaults=False).setAppName(app).setAll(list(wanted.items()))
    if not jvm.running():
        preflight.judge_spark(_bytes(wanted["spark.driver.memory"]), preflight.look())
    gateway = None if jvm.running() else jvm.launch(conf)
    try:
        SparkContext(conf=conf, gateway=gateway)
    except Exception as error:
        first = str(error).strip().splitlines()[0]
        raise StartFailed(
            f"Spark did not start with master {wanted['spark.master']}.",
            seen=first,
            do='Try master="local[*]". For a Spark cluster, check that its master is running at that address.',
            log=jvm.log_tail(),
        ) from None
    session = SparkSession.builder.getOrCreate()
    _started[session.sparkContext.applicationId] = dict(wanted)
    return session


# --- The rehearsal: a stream that is run once on a machine, so that all later starts of Spark find their classes in an
# archive.


log = logging.getLogger(__name__)

#: Maximum seconds for the JVM to write the archive and end.
_PATIENCE: Final = 300

_REPORT: Final = (
    '{"record_id": "T0005-000000", "truck_id": "T0005", "time": 1767592805228, "latitude": 51.58639, '
    '"longitude": -3.65193, "speed_kmh": 66.5, "heading_deg": 100.9}'
)


def rehearse(progress: Report = silent) -> None:
    """Make the archive of Spark's classes unless it exists. A rehearsal that fails costs only speed."""
    jar_set("spark").ensure(progress)
    java = find_java()
    archive = jvm.archive(java)
    folder = make_dir(archive.parent, "KAFKALAB_CACHE")
    with (folder / ".lock-spark").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process may be making it
        if archive.is_file() or not can_write_archives(java):
            return
        progress(0, 2, "rehearsing a stream, once: later starts of Spark are quicker")
        with tempfile.TemporaryDirectory(prefix="rehearsal-", dir=folder) as scratch:
            draft = Path(scratch) / "spark.jsa"
            ended = subprocess.run(
                [sys.executable, "-c", f"from {__name__} import play; play()"],
                env=os.environ | {"SPARK_SUBMIT_OPTS": shlex.join(writing(draft))},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            if ended.returncode != 0 or not draft.is_file():
                said = ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"]
                log.warning("The rehearsal of a stream failed, so Spark starts more slowly: %s", said[-1])
                return
            for old in folder.glob("spark-*.jsa"):  # for another Java, or another PySpark: 175 MB
                old.unlink(missing_ok=True)
            os.replace(draft, archive)


def play() -> None:
    """Run the jobs of the labs on one report, and end Spark in order; in a process of its own.

    :raises KafkalabError: Spark doesn't start, a stream fails, or Spark doesn't end.
    """
    from kafkalab.streams import jobs, patterns, sinks

    session = spark("rehearsal", config=ROCKSDB)
    rows = session.readStream.format("rate-micro-batch").option("rowsPerBatch", 1).load()
    record = ("'T0005' key", f"'{_REPORT}' value", "'rehearsal' topic", "0 partition", "value offset", "timestamp")
    reports = jobs.parse(rows.selectExpr(*record))
    for job in (jobs.latest_position, jobs.travelled):
        sinks.each_batch(job(reports), lambda rows, number: None, "updates", mode="update", once=True).wait()
    sinks.each_batch(patterns.silences(reports), lambda rows, number: None, "silences", once=True).wait()
    session.stop()
    if (code := jvm.end(_PATIENCE)) != 0:
        raise KafkalabError("Spark's JVM did not end in order.", seen=f"its exit code is {code}", log=jvm.log_tail())
