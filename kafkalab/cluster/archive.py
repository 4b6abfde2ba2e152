"""Class-data archives: the classes of a broker, parsed once and mapped into memory by every later JVM.

They take about a third of the processor time out of a start, and out of a call of one of Kafka's tools, and 30 MB out
of a cluster. An archive fits one Java and one class path only, so both are in its name; a JVM passes over one that does
not fit, or has gone, without a word.
"""

from __future__ import annotations

import functools
import hashlib
import subprocess
from pathlib import Path

from kafkalab.cluster.backend import Role
from kafkalab.cluster.jars import jar_set
from kafkalab.cluster.java import Java
from kafkalab.cluster.spec import Mode
from kafkalab.home import cache_dir

#: What a JVM says of archives goes to standard output, where nobody wants to read it.
QUIET = ("-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off")


def path(java: Java, mode: Mode, role: Role) -> Path:
    """Where the archive for a role is kept, whether it has been made or not."""
    return _folder(cache_dir()) / f"{mode}-{role}-{_key(java, mode, jar_set(mode).classpath())}.jsa"


def roles(mode: Mode) -> tuple[Role, ...]:
    """The roles that have an archive of their own."""
    return ("zookeeper", "broker") if mode == "zookeeper" else ("broker",)


def made(java: Java, mode: Mode) -> bool:
    """Whether every archive of a mode is there, as far as this Java can make them."""
    return all(path(java, mode, role).is_file() or hopeless(java, mode, role).exists() for role in roles(mode))


def hopeless(java: Java, mode: Mode, role: Role) -> Path:
    """A note, in the archive's place, that this Java ended in order and made none: it would do so every time."""
    return path(java, mode, role).with_suffix(".none")


def possible(java: Java) -> bool:
    """Whether this Java can make archives: only one that has an archive of its own classes can."""
    asked = [str(java.executable), "-Xshare:on", "-version"]
    return subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


def use(java: Java, mode: Mode, role: Role) -> tuple[str, ...]:
    """The JVM options that use the archive of a role; none if it has not been made."""
    archive = path(java, mode, role)
    return (f"-XX:SharedArchiveFile={archive}", *QUIET) if archive.is_file() else ()


def make(archive: Path) -> tuple[str, ...]:
    """The JVM options that write an archive when the JVM ends in order."""
    return (f"-XX:ArchiveClassesAtExit={archive}", *QUIET)


def _folder(cache: Path) -> Path:
    return cache / "archives"


@functools.lru_cache(maxsize=8)
def _key(java: Java, mode: Mode, classpath: str) -> str:
    """A jar that was fetched again has another time, and the JVM would refuse the archive."""
    stamps = [str(jar_set(mode).path(jar).stat().st_mtime_ns) for jar in jar_set(mode).jars]
    return hashlib.sha256("\n".join([java.text, str(java.home), classpath, *stamps]).encode()).hexdigest()[:16]
