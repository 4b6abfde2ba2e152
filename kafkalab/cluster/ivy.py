"""Fetches Maven artifacts with Apache Ivy, which PySpark ships.

Ivy knows Maven Central by itself, so no address stands here. Nothing is resolved: every artifact is named with its
version, and the POMs are not read (that alone took five sixths of the time). What arrives is *not trusted*: the caller
checks it by sha256. ``KAFKALAB_IVY_SETTINGS`` names a settings file of your own, for a mirror behind a firewall.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import tempfile
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit
from xml.sax.saxutils import quoteattr

from kafkalab.cluster import java_trust
from kafkalab.cluster.java import environment, find_java
from kafkalab.errors import JarsUnusable
from kafkalab.progress import Report, silent

#: (group, artifact, version, bytes)
Artifact = tuple[str, str, str, int]

SETTINGS = """<ivysettings>
  <property name="ivy.checksums" value=""/>
  <settings defaultResolver="central"/>
  <resolvers><ibiblio name="central" m2compatible="true" usepoms="false"/></resolvers>
</ivysettings>
"""


def fetch(artifacts: Sequence[Artifact], into: Path, progress: Report = silent) -> None:
    """Fetch each artifact as ``artifact-version.jar`` into a folder; raises JarsUnusable when Ivy gives up."""
    sizes = {f"{group}#{artifact};{version}": size for group, artifact, version, size in artifacts}
    total = sum(sizes.values())
    progress(0, total, f"0 of {len(artifacts)} jars")
    with tempfile.TemporaryDirectory(prefix="ivy-", dir=into) as scratch:
        module, settings = Path(scratch, "ivy.xml"), Path(scratch, "settings.xml")
        module.write_text(_module(artifacts))
        settings.write_text(SETTINGS)
        java = find_java()
        command = [
            str(java.executable),
            f"-Divy.default.ivy.user.dir={scratch}",
            *_proxy(),
            *(java_trust.options(Path(scratch)) if java.found == "wheel" else ()),
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
                    progress(done, total, f"{count} of {len(artifacts)} jars")
        # Taken from Ivy's own cache, where they lie also when a later one failed.
        for arrived_jar in Path(scratch, "cache").rglob("*.jar"):
            os.replace(arrived_jar, into / arrived_jar.name)
        if ivy.returncode:
            raise JarsUnusable(
                f"{len(artifacts) - count} of {len(artifacts)} jars could not be fetched.",
                seen=_reason(tail),
                do="Check the network (behind a proxy, set HTTPS_PROXY; for a mirror, KAFKALAB_IVY_SETTINGS), then run "
                "`kafkalab fetch` again: what has arrived is kept.",
            )


def ivy_jar() -> Path:
    """The Ivy inside the installed PySpark (found without importing it)."""
    spec = importlib.util.find_spec("pyspark")
    folders = spec.submodule_search_locations if spec else None
    jars = sorted(p for folder in folders or () for p in Path(folder, "jars").glob("ivy-*.jar"))
    if not jars:
        raise JarsUnusable(
            "PySpark is not installed whole: its Ivy is missing.", do="Run: pip install --force-reinstall pyspark"
        )
    return jars[-1]


def _module(artifacts: Sequence[Artifact]) -> str:
    dependencies = "\n".join(
        f"<dependency org={quoteattr(group)} name={quoteattr(artifact)} rev={quoteattr(version)} transitive='false' "
        f"conf='default->default'><artifact name={quoteattr(artifact)} type='jar' ext='jar'/></dependency>"
        for group, artifact, version, _ in artifacts
    )
    return (
        "<ivy-module version='2.0'><info organisation='kafkalab' module='jars'/><configurations><conf name='default'/>"
        f"</configurations><dependencies>{dependencies}</dependencies></ivy-module>"
    )


def _proxy() -> list[str]:
    """Java does not read the proxy variables every other tool reads."""
    url = os.environ.get("HTTPS_PROXY") or os.environ.get("https_proxy")
    host = urlsplit(url).hostname if url else None
    return [f"-Dhttps.proxyHost={host}", f"-Dhttps.proxyPort={urlsplit(url).port or 443}"] if url and host else []


def _reason(tail: Sequence[str]) -> str:
    """Ivy's own words on the first failure, without the addresses it tried."""
    told = [line.strip() for line in tail if re.search(r"UnknownHost|timed out|refused|not found|Exception|WARN", line)]
    return re.sub(r"https?://\S+", "(address)", told[0] if told else (tail[-1] if tail else "nothing"))
