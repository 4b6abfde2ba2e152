"""The locked jar sets: which jars belong to them, where the jars are kept, and how they are checked.

A set is a file in ``locks/`` with a line for each jar: ``group:artifact:version  bytes  sha256``. Jars are kept in the
user's cache, and a process checks their sha256 when it first uses them. If all are there, the network is not used.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import importlib.util
import os
import re
import subprocess
import tempfile
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from urllib.parse import urlsplit

from kafkalab.cluster.java import environment, find_java, options
from kafkalab.errors import BadInput, JarsUnusable
from kafkalab.home import cache_dir, make_dir
from kafkalab.progressbar import Report, silent

# --- Fetches Maven artifacts with Apache Ivy, which PySpark ships.
#
# Ivy knows Maven Central by itself, so there is no address here. It resolves nothing: every artifact is named with its
# version, and the POMs are not read (reading them took five sixths of the time). What arrives is *not trusted*: the
# caller checks it by sha256. ``KAFKALAB_IVY_SETTINGS`` names a settings file of your own, for a mirror behind a
# firewall.


SETTINGS = """<ivysettings>
  <property name="ivy.checksums" value=""/>
  <settings defaultResolver="central"/>
  <resolvers><ibiblio name="central" m2compatible="true" usepoms="false"/></resolvers>
</ivysettings>
"""


def fetch(jars: Sequence[Jar], into: Path, progress: Report = silent) -> None:
    """Fetch each jar as ``artifact-version.jar`` into a folder; raise JarsUnusable when Ivy gives up."""
    sizes = {f"{jar.group}#{jar.artifact};{jar.version}": jar.size for jar in jars}
    total = sum(sizes.values())
    progress(0, total, f"0 of {len(jars)} jars")
    with tempfile.TemporaryDirectory(prefix="ivy-", dir=into) as scratch:
        module, settings = Path(scratch, "ivy.xml"), Path(scratch, "settings.xml")
        module.write_text(_module(jars))
        settings.write_text(SETTINGS)
        java = find_java()
        command = [
            str(java.executable),
            f"-Divy.default.ivy.user.dir={scratch}",
            *_proxy(),
            *(options(Path(scratch)) if java.found == "wheel" else ()),
            *("-jar", str(ivy_jar())),
            *("-settings", os.environ.get("KAFKALAB_IVY_SETTINGS") or str(settings)),
            *("-ivy", str(module)),
            *("-cache", f"{scratch}/cache"),
        ]
        done, count, tail = 0, 0, deque[str](maxlen=40)
        with subprocess.Popen(
            command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as ivy:
            assert ivy.stdout is not None
            for line in ivy.stdout:
                tail.append(line.rstrip())
                if arrived := re.search(r"\[SUCCESSFUL \] (\S+)!", line):
                    done, count = done + sizes.get(arrived.group(1), 0), count + 1
                    progress(done, total, f"{count} of {len(jars)} jars")
        # We take the jars from Ivy's own cache, where they are whole, and are even when a later one failed.
        for arrived_jar in Path(scratch, "cache").rglob("*.jar"):
            os.replace(arrived_jar, into / arrived_jar.name)
        if ivy.returncode:
            raise JarsUnusable(
                f"{len(jars) - count} of {len(jars)} jars could not be fetched.",
                seen=_reason(tail),
                do="Check the network (behind a proxy, set HTTPS_PROXY; for a mirror, KAFKALAB_IVY_SETTINGS), then run "
                "`kafkalab fetch` again: what has arrived is kept.",
            )


def ivy_jar() -> Path:
    """Return the jar of Ivy inside the installed PySpark, which is found without importing it."""
    spec = importlib.util.find_spec("pyspark")
    folders = spec.submodule_search_locations if spec else None
    jars = sorted(p for folder in folders or () for p in Path(folder, "jars").glob("ivy-*.jar"))
    if not jars:
        raise JarsUnusable(
            "PySpark is not installed whole: its Ivy is missing.", do="Run: pip install --force-reinstall pyspark"
        )
    return jars[-1]


def _module(jars: Sequence[Jar]) -> str:
    dependencies = "\n".join(
        f"<dependency org='{jar.group}' name='{jar.artifact}' rev='{jar.version}' "
        f"transitive='false' conf='default->default'><artifact name='{jar.artifact}' type='jar' ext='jar'/>"
        "</dependency>"
        for jar in jars
    )
    return (
        "<ivy-module version='2.0'><info organisation='kafkalab' module='jars'/><configurations><conf name='default'/>"
        f"</configurations><dependencies>{dependencies}</dependencies></ivy-module>"
    )


def _proxy() -> list[str]:
    """Return the JVM options for a proxy, because Java does not read HTTPS_PROXY as other tools do."""
    url = os.environ.get("HTTPS_PROXY") or os.environ.get("https_proxy")
    host = urlsplit(url).hostname if url else None
    return [f"-Dhttps.proxyHost={host}", f"-Dhttps.proxyPort={urlsplit(url).port or 443}"] if url and host else []


def _reason(tail: Sequence[str]) -> str:
    """Return Ivy's own message on the first failure, without the addresses it tried."""
    told = [line.strip() for line in tail if re.search(r"UnknownHost|timed out|refused|not found|Exception|WARN", line)]
    return re.sub(r"https?://\S+", "(address)", told[0] if told else (tail[-1] if tail else "nothing"))


#: Names of the sets: Kafka 3.9 with ZooKeeper and the tools, Kafka 4.3 with the tools, Spark's Kafka connector.
SETS = ("zookeeper", "kraft", "spark")


@dataclass(frozen=True, slots=True)
class Jar:
    """One locked jar: Maven coordinates, size in bytes, sha256 in hex."""

    group: str
    artifact: str
    version: str
    size: int
    sha256: str

    @property
    def file(self) -> str:
        """File name of the jar; artifact and version are enough to tell all locked jars apart."""
        return f"{self.artifact}-{self.version}.jar"


@dataclass(frozen=True, slots=True)
class JarSet:
    """A locked set of jars in a folder of the cache."""

    name: str
    jars: tuple[Jar, ...]
    folder: Path

    def path(self, jar: Jar) -> Path:
        """Return the path of a jar of this set."""
        return self.folder / jar.file

    def version(self, artifact: str) -> str:
        """Return the locked version of an artifact of the set."""
        return next(j.version for j in self.jars if j.artifact == artifact)

    def unusable(self) -> dict[Jar, str]:
        """Return the jars that are missing or differ from the lock, each with the reason."""
        reasons = ((jar, _wrong(self.path(jar), jar)) for jar in self.jars)
        return {jar: reason for jar, reason in reasons if reason}

    def ensure(self, progress: Report = silent) -> list[Path]:
        """Return the paths of all jars, checked and in a fixed order; fetch what is missing.

        JarsUnusable names the ones that do not match their sha256 when they were fetched.
        """
        if self.unusable():
            make_dir(self.folder, "KAFKALAB_CACHE", JarsUnusable)
            # One process fetches; the others wait and then find the jars there.
            with (self.folder / ".lock").open("w") as f:
                fcntl.flock(f, fcntl.LOCK_EX)
                self._fetch(progress)
        return [self.path(jar) for jar in self.jars]

    def classpath(self, progress: Report = silent) -> str:
        """Return the checked jars as a Java class path."""
        return os.pathsep.join(str(p) for p in self.ensure(progress))

    def _fetch(self, progress: Report) -> None:
        bad = self.unusable()  # checked again under the lock: another process may just have fetched them
        if not bad:
            return
        try:
            for jar in bad:
                self.path(jar).unlink(missing_ok=True)
            fetch(list(bad), self.folder, progress)
        except OSError as e:
            raise JarsUnusable(
                f"The jars of {self.name} cannot be stored in {self.folder}.",
                seen=f"{type(e).__name__}: {e.strerror or e}",
                do="Free some space (60 MB a set), or set KAFKALAB_CACHE to a folder you can write.",
            ) from e
        if bad := self.unusable():
            raise JarsUnusable(
                f"Refused {len(bad)} of the {len(self.jars)} jars of {self.name}.",
                seen=", ".join(f"{jar.file} ({reason})" for jar, reason in bad.items()),
                do="Run `kafkalab fetch` again. If that does not help, something between here and the registry alters "
                "them (a proxy? a mirror?): fetch from another network, or name a mirror you trust in an Ivy settings "
                "file by KAFKALAB_IVY_SETTINGS.",
            )


def jar_set(name: str) -> JarSet:
    """Return the locked set with that name: zookeeper, kraft or spark."""
    if name not in SETS:
        raise BadInput(f"There is no jar set {name!r}.", do=f"Choose one of: {', '.join(SETS)}.")
    return JarSet(name, _locked(name), cache_dir() / "jars" / name)


@functools.cache
def _locked(name: str) -> tuple[Jar, ...]:
    text = resources.files("kafkalab.cluster").joinpath("locks", f"{name}.lock").read_text()
    jars = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            coordinates, size, digest = line.split()
            group, artifact, version = coordinates.split(":")
            jars.append(Jar(group, artifact, version, int(size), digest.removeprefix("sha256:")))
    return tuple(jars)


def _wrong(path: Path, jar: Jar) -> str:
    try:
        at = path.stat()
    except OSError:
        return "missing"
    if at.st_size != jar.size:
        return f"{at.st_size} bytes instead of {jar.size}"
    found = _sha256(path, at.st_size, at.st_mtime_ns)
    return "" if found == jar.sha256 else f"sha256 {found[:12]}… instead of {jar.sha256[:12]}…"


@functools.lru_cache(maxsize=1024)
def _sha256(path: Path, size: int, changed: int) -> str:
    """Return a file's sha256, cached by size and time of change: a second cluster need not read 50 MB again."""
    with path.open("rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()
