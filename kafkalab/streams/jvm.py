"""Spark's JVM: launched quietly, with its own words kept for the error that needs them."""

from __future__ import annotations

import atexit
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any

from kafkalab.cluster.java import UTF_8, find_java
from kafkalab.errors import StartFailed

# Without a name on disk: nothing to clean up, whatever way this process ends.
_log: IO[bytes] | None = None
_heap: str | None = None
_process: subprocess.Popen[bytes] | None = None


def running() -> bool:
    """Whether this process already has its JVM; one process has one for good, and its heap is fixed."""
    from pyspark import SparkContext

    return SparkContext._gateway is not None


def heap() -> str | None:
    """The heap the JVM was launched with here ("512m"); None before, and when somebody else launched it."""
    return _heap


def exit_code(patience: float = 0) -> int | None:
    """With what the JVM ended (below 0: the signal that ended it); None while it runs, and when it is not ours.

    :param patience: seconds to wait for it to end.
    """
    if _process is None:
        return None
    try:
        return _process.wait(patience)
    except subprocess.TimeoutExpired:
        return None


def launch(conf: Any) -> Any:
    """Start the JVM with the settings of a SparkConf, and return the gateway to it.

    :raises JavaMissing: when no Java fits.
    :raises StartFailed: when the JVM ends instead of answering.
    """
    from pyspark.errors import PySparkRuntimeError
    from pyspark.java_gateway import launch_gateway

    global _heap, _log, _process
    java = find_java()
    _log = tempfile.TemporaryFile(prefix="kafkalab-spark-")  # noqa: SIM115  (it lives as long as the JVM)
    atexit.register(_log.close)
    # SPARK_HOME may point to another Spark: the connector's jars are locked to the one that came with PySpark.
    changes = {
        **UTF_8,
        "JAVA_HOME": str(java.home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_HOME": None,
        "PYSPARK_SUBMIT_ARGS": None,
    }
    try:
        with _environment(changes):
            # Its output goes to the file: the launcher and the JVM greet with warnings that no setting turns off.
            gateway: Any = launch_gateway(conf, popen_kwargs={"stdout": _log, "stderr": _log})  # type: ignore[no-untyped-call]
    except PySparkRuntimeError as error:
        raise StartFailed(
            "Spark's Java process ended before it could be used.",
            seen=str(error).splitlines()[0],
            do="Read the last lines of its log below; give it more memory=… if it ran out.",
            log=log_tail(),
        ) from None
    _heap, _process = conf.get("spark.driver.memory"), gateway.proc
    return gateway


def log_tail(lines: int = 20) -> str:
    """The last lines that Spark's JVM wrote; empty when it wrote none or is not ours."""
    if _log is None:
        return ""
    size = os.fstat(_log.fileno()).st_size
    tail = os.pread(_log.fileno(), 64_000, max(0, size - 64_000))
    return "\n".join(tail.decode(errors="replace").splitlines()[-lines:])


@contextmanager
def _environment(changes: Mapping[str, str | None]) -> Iterator[None]:
    """Environment variables set (or, with None, unset) for a while; a child process started meanwhile keeps them."""
    before = {name: os.environ.get(name) for name in changes}
    _apply(changes)
    try:
        yield
    finally:
        _apply(before)


def _apply(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
