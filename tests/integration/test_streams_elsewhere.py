"""The same job on other Sparks: a standalone cluster, and a Spark Connect server; each in processes of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyspark
import pytest

from kafkalab import Cluster, Fleet
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.net import PortBook
from kafkalab.waiting import wait_until
from tests.support.records import produce

pytestmark = pytest.mark.deep

ROOT = Path(__file__).resolve().parents[2]
HOME = Path(pyspark.__file__).parent

#: The job, as a learner writes it; only the session differs.
JOB = """
import sys
import kafkalab
from kafkalab.errors import NotSupported, StartFailed
from kafkalab.streams import jobs, sinks

servers, where, address = sys.argv[1:]
spark = kafkalab.spark(**{where: address})
table = jobs.latest_position(jobs.parse(jobs.read_trucks(spark, servers, "trucks", stream=False)))
expected = sorted(map(tuple, table.select("truck_id", "record_id").collect()))
stream = jobs.latest_position(jobs.parse(jobs.read_trucks(spark, servers, "trucks")))
with sinks.to_memory(stream.select("truck_id", "record_id"), "shown", mode="complete", every=0) as run:
    run.catch_up(120)
    shown = sorted(map(tuple, spark.table("shown").collect()))
    print(len(expected), shown == expected, run.recent()[0]["numInputRows"])
try:
    sinks.each_batch(stream, lambda rows, number: None, "here", mode="update").stop()
    print("a function runs here")
except NotSupported as error:
    print("to_topic" in str(error))
"""


@contextmanager
def served(log: Path, sign: str, *command: str) -> Iterator[None]:
    """A process of Spark's own, that has said that it is ready; it ends with the block."""
    env = {**os.environ, "SPARK_HOME": str(HOME), "SPARK_NO_DAEMONIZE": "1", "SPARK_LOCAL_IP": "127.0.0.1"}
    env |= {"PYSPARK_PYTHON": sys.executable, "SPARK_WORKER_DIR": str(log.parent / "work")}
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=log.parent, env=env, stdout=out, stderr=subprocess.STDOUT)
    try:
        wait_until(
            lambda: sign in log.read_text() or process.poll() is not None,
            90,
            sign,
            seen=lambda: log.read_text()[-2000:],
        )
        assert process.poll() is None, log.read_text()[-2000:]
        yield
    finally:
        process.terminate()
        process.wait(30)


def ended(cluster: Cluster, folder: Path, where: str, address: str) -> list[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", JOB, cluster.bootstrap_servers, where, address]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


@pytest.fixture
def trucks(one_cluster: Cluster, new_topic: Callable[[str], str]) -> Iterator[Cluster]:
    one_cluster.create_topic("trucks", partitions=2, replication=3)
    reports = Fleet(trucks=8).reports(0, 60)
    produce(one_cluster, "trucks", ({"key": report.key, "value": report.value} for report in reports))
    yield one_cluster
    one_cluster.delete_topic("trucks")


def test_a_standalone_cluster(trucks: Cluster, tmp_path: Path) -> None:
    run = str(HOME / "bin" / "spark-class")
    with PortBook() as book:
        port, web, other = book.take(), book.take(), book.take()
    with ExitStack() as stack:
        options = ("--host", "127.0.0.1", "--port", str(port), "--webui-port", str(web))
        master = "org.apache.spark.deploy.master.Master"
        stack.enter_context(served(tmp_path / "master.log", "New state: ALIVE", run, master, *options))
        options = ("--host", "127.0.0.1", "--cores", "2", "--memory", "1g", "--webui-port", str(other))
        address = f"spark://127.0.0.1:{port}"
        worker = "org.apache.spark.deploy.worker.Worker"
        stack.enter_context(served(tmp_path / "worker.log", "Successfully registered", run, worker, *options, address))
        assert ended(trucks, tmp_path, "master", address) == ["8 True 24", "a function runs here"]


def test_spark_connect(trucks: Cluster, tmp_path: Path) -> None:
    jars = ",".join(path.as_uri() for path in jar_set("spark").ensure())
    with PortBook() as book:
        port = book.take()
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1", "spark.connect.grpc.binding.port": str(port),
        "spark.driver.host": "127.0.0.1", "spark.ui.enabled": "false", "spark.driver.memory": "512m",
    }  # fmt: skip
    options = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    server = ("--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal")
    command = (str(HOME / "bin" / "spark-submit"), "--master", "local[2]", "--jars", jars, *options, *server)
    with served(tmp_path / "connect.log", "Spark Connect server started", *command):
        address = f"sc://127.0.0.1:{port}"
        assert ended(trucks, tmp_path, "remote", address) == ["8 True 24", "True"]


@pytest.mark.parametrize("address, words", [("127.0.0.1:15002", "is not the address"), ("sc://127.0.0.1:1", "answers")])
def test_no_server_there(address: str, words: str) -> None:
    code = f"import kafkalab; kafkalab.spark(remote={address!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert words in done.stderr.partition("kafkalab.errors.")[2], done.stderr
