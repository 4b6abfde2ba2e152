"""Spark's JVM: launched quietly, with its output kept for error messages."""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from kafkalab.cluster.java import UTF_8, Java, archives, find_java, with_archive
from kafkalab.errors import KafkalabError, StartFailed
from kafkalab.state.stream import advice, cause

# The JVM's output, in a file without a name: there is nothing to clean up, however this process ends.
_log: IO[bytes] | None = None
_heap: str | None = None
_process: subprocess.Popen[bytes] | None = None


def running() -> bool:
    """Return whether this process has its JVM already; it keeps that one for good, and the heap is fixed."""
    from pyspark import SparkContext

    return SparkContext._gateway is not None


def heap() -> str | None:
    """Return the heap that :func:`launch` gave the JVM ("512m"); None if it has not launched one."""
    return _heap


def exit_code(patience: float = 0) -> int | None:
    """Return the JVM's exit code (below 0: minus the signal that ended it); None if it runs, or is not ours.

    :param patience: maximum seconds to wait for it to end.
    """
    if _process is None:
        return None
    try:
        return _process.wait(patience)
    except subprocess.TimeoutExpired:
        return None


def archive(java: Java) -> Path:
    """Return the path of the class-data archive for Spark on this Java, whether it exists or not.

    It saves about a third of the time to a session and to its first batch. ``session.rehearse`` makes it.
    """
    import pyspark

    jars = Path(pyspark.__file__).with_name("jars")
    stamps = sorted(f"{jar.name} {jar.stat().st_mtime_ns}" for jar in jars.iterdir())
    key = hashlib.sha256("\n".join([java.text, str(java.home), str(jars), *stamps]).encode()).hexdigest()[:16]
    return archives() / f"spark-{key}.jsa"


def launch(conf: Any) -> Any:
    """Start the JVM with the settings of a SparkConf, and return the gateway to it.

    It uses the archive of classes if there is one, unless the environment has options of its own for Spark's JVM.

    :raises JavaMissing: when no Java fits.
    :raises StartFailed: when the JVM ends instead of answering.
    """
    from pyspark.errors import PySparkRuntimeError
    from pyspark.java_gateway import launch_gateway

    global _heap, _log, _process
    java = find_java()
    _log = tempfile.TemporaryFile(prefix="kafkalab-spark-")  # noqa: SIM115  (it lives as long as the JVM)
    atexit.register(_log.close)
    # SPARK_HOME is unset, as it may point to another Spark: the connector's jars fit the one that comes with PySpark.
    changes = {
        **UTF_8,
        "JAVA_HOME": str(java.home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_HOME": None,
        "PYSPARK_SUBMIT_ARGS": None,
        "SPARK_SUBMIT_OPTS": os.environ.get("SPARK_SUBMIT_OPTS") or shlex.join(with_archive(archive(java))),
    }
    try:
        with _environment(changes):
            # The output goes to the file, because launcher and JVM print warnings that no setting turns off.
            gateway: Any = launch_gateway(conf, popen_kwargs={"stdout": _log, "stderr": _log})  # type: ignore[no-untyped-call]
    except PySparkRuntimeError as error:
        raise StartFailed(
            "Spark's Java process ended before it could be used.",
            seen=str(error).splitlines()[0],
            do="Read the last lines of its log below. If it ran out of memory, give it more with memory=….",
            log=log_tail(),
        ) from None
    _heap, _process = conf.get("spark.driver.memory"), gateway.proc
    return gateway


def end(patience: float) -> int | None:
    """End the JVM in order, and return its exit code; None if it hasn't ended within ``patience`` seconds."""
    if _process is not None and _process.stdin is not None:
        _process.stdin.close()  # Spark's gateway ends when nobody can write to it any more
    return exit_code(patience)


def log_tail(lines: int = 20) -> str:
    """Return the last lines that Spark's JVM wrote; "" if it wrote none or is not ours."""
    if _log is None:
        return ""
    size = os.fstat(_log.fileno()).st_size
    tail = os.pread(_log.fileno(), 64_000, max(0, size - 64_000))
    return "\n".join(tail.decode(errors="replace").splitlines()[-lines:])


@contextmanager
def _environment(changes: Mapping[str, str | None]) -> Iterator[None]:
    """Set environment variables (or, with None, unset them) for a while; a child started meanwhile keeps them."""
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


# --- The reason why a stream stopped, in a sentence: Spark's answer is a hundred lines of Java.


class StreamFailed(KafkalabError):
    """A streaming query ended on an error."""


#: py4j's messages when the JVM does not answer any more; the last one, without a reason, is of a call under way.
_BROKEN = re.compile(
    r"Answer from Java side is empty|Error while (?:sending|receiving)|Connection (?:refused|reset)"
    r"|An error occurred while calling [\w.]+\Z"
)


def jvm_ended(message: str = "") -> StreamFailed | None:
    """Return the error that says that Spark's Java process has ended; None while it lives.

    :param message: py4j's message, if it failed: the connection breaks a moment before the process is gone.
    """
    code = exit_code(5 if _BROKEN.search(message) else 0)
    if code is None:
        return None
    if code == -signal.SIGKILL:
        seen = "it was killed (signal 9); the system does that when memory runs out"
    else:
        seen = f"its exit code was {code}"
    return StreamFailed(
        "Spark's Java process has ended, so all streams have ended too.",
        seen=seen,
        do="Restart this kernel and run the notebook again. If memory is short, close the kernels of other notebooks "
        "first, or set KAFKALAB_PROFILE=small before you start kafkalab.",
        log=log_tail(6),
    )


def failed(name: str, message: str, log: str = "") -> StreamFailed:
    """Return the error for a query of that name, from Spark's message."""
    if (ended := jvm_ended(message)) is not None:
        return ended
    said = f"The stream {name!r} stopped on an error."
    return StreamFailed(said, seen=cause(message), do=advice(message), log=log)
