"""kafkalab.spark in processes of its own: what it starts, what it says, and what it leaves behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from kafkalab.home import cache_dir
from kafkalab.waiting import wait_until

pytestmark = pytest.mark.deep

ROOT = Path(__file__).resolve().parents[2]


def python(code: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter, in a folder of its own."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run([sys.executable, "-c", code], cwd=cwd, env=env, capture_output=True, text=True, timeout=200)


def test_a_session(tmp_path: Path) -> None:
    code = """
import kafkalab, psutil, sys
from kafkalab.errors import BadInput
from kafkalab.streams import run
from kafkalab.streams.jvm import StreamFailed

def refused(kind, call, *words, **how):
    try:
        call(**how)
    except kind as error:
        assert all(word in str(error) for word in words), error
    else:
        raise AssertionError(how)

def reads_kafka(spark):
    kafka = spark.read.format("kafka").option("kafka.bootstrap.servers", "127.0.0.1:1").option("subscribe", "x")
    assert kafka.load().columns[:2] == ["key", "value"]

refused(BadInput, kafkalab.spark, "memory size", memory="lots")
spark = kafkalab.spark(config={"spark.sql.shuffle.partitions": "3"})
assert kafkalab.spark(config={"spark.sql.shuffle.partitions": "2"}) is spark
assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
assert spark.conf.get("spark.sql.shuffle.partitions") == "2"
assert spark.sparkContext.uiWebUrl is None
workers = spark.sparkContext.parallelize([0], 1).map(lambda _: sys.executable).collect()
assert workers == [sys.executable], workers
heap = spark.sparkContext._jvm.java.lang.Runtime.getRuntime().maxMemory()
assert heap <= 512 * 1024 * 1024, heap
(jvm,) = [p for p in psutil.Process().children(recursive=True) if p.name() == "java"]
loopback = ("127.0.0.1", "::ffff:127.0.0.1")
public = [c.laddr for c in jvm.net_connections() if c.status == "LISTEN" and c.laddr.ip not in loopback]
assert public == [], public
reads_kafka(spark)
refused(BadInput, kafkalab.spark, "spark.master", "restart the kernel", master="local[1]")
refused(BadInput, kafkalab.spark, "executor.cores", "restart the kernel", config={"spark.executor.cores": "1"})
spark.stop()
refused(BadInput, kafkalab.spark, "512m", memory="600m")
again = kafkalab.spark(config={"spark.sql.streaming.numRecentProgressUpdates": "7"})
assert again is not spark and again.conf.get("spark.sql.streaming.numRecentProgressUpdates") == "7"
reads_kafka(again)
ticks = run.start(again.readStream.format("rate").load().writeStream.format("noop"), "ticks")
print("killed", file=sys.stderr, flush=True)
jvm.kill()
for ask in (ticks.catch_up, ticks.wait, kafkalab.spark):
    refused(StreamFailed, ask, "Java process has ended", "signal 9", "Restart")
print("all is well")
"""
    ended = python(code, tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "all is well\n"), ended.stderr
    # What it asked in the moment in which Java died, py4j may have logged.
    said = ended.stderr.partition("killed\n")[0].splitlines()
    assert [line for line in said if "py4j" not in line.lower()] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.deep
def test_a_spark_without_kafka_is_not_taken_for_ours(tmp_path: Path) -> None:
    code = """
from pyspark.sql import SparkSession
SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
import kafkalab
try:
    kafkalab.spark(master="local[1]")
except kafkalab.errors.BadInput as error:
    print("spark.jars" in error.seen)
"""
    assert python(code, tmp_path).stdout.endswith("True\n")


@pytest.mark.parametrize(
    "call, java, words",
    [
        ({}, "/nowhere", "JAVA_HOME"),
        ({"memory": "1m"}, "", "ended before|did not start"),
        ({"master": "local[nonsense]"}, "", "did not start with master local"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(call: dict[str, str], java: str, words: str, tmp_path: Path) -> None:
    code = f"import kafkalab; kafkalab.spark(**{call!r})"
    ended = python(code, tmp_path, **({"JAVA_HOME": java} if java else {}))
    assert re.search(rf"^kafkalab\.errors\.\w+: .*({words})", ended.stderr, re.MULTILINE), ended.stderr


def test_after_kill_9_no_java_is_left(tmp_path: Path) -> None:
    code = "import kafkalab, sys; kafkalab.spark(); print('up', flush=True); sys.stdin.read()"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, env=env, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        children = psutil.Process(process.pid).children(recursive=True)
        assert any(child.name() == "java" for child in children)
        process.kill()
    wait_until(lambda: not any(child.is_running() for child in children), 15, "Spark's Java to be gone")


def test_a_rehearsal_makes_an_archive_that_later_sessions_map(tmp_path: Path) -> None:
    """Nothing is downloaded here: the jars in the cache are those of every other test."""
    code = """
import os, psutil
from pathlib import Path
import kafkalab
from kafkalab.cluster.java import find_java
from kafkalab.home import cache_dir
from kafkalab.streams import jvm, session

jars = Path(os.environ["JARS"])
cache_dir().mkdir(parents=True, exist_ok=True)
(cache_dir() / "jars").symlink_to(jars)
said = []
session.rehearse(lambda done, total, what: said.append(what))
archive = jvm.archive(find_java())
made = archive.stat().st_mtime_ns
session.rehearse(lambda done, total, what: said.append(what))
assert len(said) == 1 and archive.stat().st_mtime_ns == made, said
assert [kept.name for kept in archive.parent.iterdir() if kept.is_dir()] == []
kafkalab.spark()
(java,) = [p for p in psutil.Process().children(recursive=True) if p.name() == "java"]
assert archive.name in {Path(mapped.path).name for mapped in java.memory_maps()}
"""
    done = python(code, tmp_path, KAFKALAB_CACHE=str(tmp_path / "cache"), JARS=str(cache_dir() / "jars"))
    assert done.returncode == 0, done.stderr


def test_a_rehearsal_that_fails_costs_only_speed(tmp_path: Path) -> None:
    code = """
from kafkalab.cluster.java import find_java
from kafkalab.streams import jvm, session

session.rehearse()
assert not jvm.archive(find_java()).exists()
"""
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "jars").symlink_to(cache_dir() / "jars")
    # Nothing can be written where Spark wants to put its scratch files.
    done = python(code, tmp_path, KAFKALAB_CACHE=str(cache), SPARK_LOCAL_DIRS="/proc/none")
    assert done.returncode == 0, done.stderr
    assert "Spark starts more slowly" in done.stderr
