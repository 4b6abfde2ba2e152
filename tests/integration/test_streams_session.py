"""kafkalab.spark in processes of its own: what it starts, what it says, and what it leaves behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from kafkalab.waiting import wait_until

pytestmark = pytest.mark.deep

ROOT = Path(__file__).resolve().parents[2]


def python(code: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter, in a folder of its own."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, env=env, capture_output=True, text=True, timeout=200, check=False
    )


def test_a_session(tmp_path: Path) -> None:
    code = """
import kafkalab, psutil, sys
from kafkalab.errors import BadInput
spark = kafkalab.spark(shuffle_partitions=3)
assert kafkalab.spark(shuffle_partitions=3) is spark
assert spark.conf.get("spark.sql.shuffle.partitions") == "3"
kafkalab.spark(shuffle_partitions=2)
assert spark.conf.get("spark.sql.shuffle.partitions") == "2"
assert spark.sparkContext.master == "local[*]"
assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
assert spark.sparkContext.uiWebUrl is None
workers = spark.sparkContext.parallelize([0], 1).map(lambda _: sys.executable).collect()
assert workers == [sys.executable], workers
heap = spark.sparkContext._jvm.java.lang.Runtime.getRuntime().maxMemory()
assert heap <= 512 * 1024 * 1024, heap
(jvm,) = [p for p in psutil.Process().children(recursive=True) if p.name() == "java"]
loopback = ("127.0.0.1", "::ffff:127.0.0.1")
public = [c.laddr for c in jvm.net_connections() if c.status == "LISTEN" and c.laddr.ip not in loopback]
assert public == [], public
kafka = spark.read.format("kafka").option("kafka.bootstrap.servers", "127.0.0.1:1").option("subscribe", "x").load()
assert kafka.columns[:2] == ["key", "value"]
for other, word in (({"master": "local[1]"}, "spark.master"), ({"memory": "600m"}, "driver.memory"),
                    ({"config": {"spark.executor.cores": "1"}}, "executor.cores")):
    try:
        kafkalab.spark(**other)
        raise AssertionError(other)
    except BadInput as error:
        assert word in error.seen and "restart the kernel" in error.do, error
spark.stop()
try:
    kafkalab.spark(memory="600m")
    raise AssertionError("the heap cannot have changed")
except BadInput as error:
    assert "512m" in error.seen
again = kafkalab.spark(config={"spark.sql.streaming.numRecentProgressUpdates": "7"})
assert again is not spark and again.range(5).count() == 5
assert again.conf.get("spark.sql.streaming.numRecentProgressUpdates") == "7"
assert again.read.format("kafka").option("kafka.bootstrap.servers", "127.0.0.1:1").option("subscribe", "x").load()
from kafkalab.streams import run
from kafkalab.streams.failures import StreamFailed
ticks = run.start(again.readStream.format("rate").load().writeStream.format("noop"), "ticks")
jvm.kill()
for ask in (ticks.catch_up, ticks.wait, kafkalab.spark):
    try:
        ask()
        raise AssertionError("its JVM is dead")
    except StreamFailed as error:
        assert "Java process has ended" in str(error) and "signal 9" in error.seen and "Restart" in error.do, error
print("all is well")
"""
    ended = python(code, tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "all is well\n"), ended.stderr
    assert [line for line in ended.stderr.splitlines() if "py4j" not in line.lower()] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.nightly
def test_a_spark_of_somebody_else_is_not_taken_for_ours(tmp_path: Path) -> None:
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


#: What cannot be, and a word of what is said of it; without a Java as far as none is started, then a process each.
WRONG = {
    "without Java": [
        ({"memory": "lots"}, "size of memory"),
        ({"shuffle_partitions": 0}, "partition"),
        ({}, "JAVA_HOME"),
    ],
    "no memory": [({"memory": "1m"}, "ended before|did not start")],
    "no such master": [({"master": "local[nonsense]"}, r"did not start with master local")],
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_is_said_in_a_sentence(what: str, tmp_path: Path) -> None:
    code = f"""
import kafkalab, re
for call, word in {WRONG[what]!r}:
    try:
        kafkalab.spark(**call)
        raise AssertionError(call)
    except kafkalab.KafkalabError as error:
        assert re.search(word, str(error)), error
"""
    ended = python(code, tmp_path, **({"JAVA_HOME": "/nowhere"} if what == "without Java" else {}))
    assert ended.returncode == 0, ended.stderr


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
