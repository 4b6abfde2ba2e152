"""The image that nodes in containers run: found by the hash of its parts, or built from the locked jars.

It is built from ``docker/Dockerfile`` on a base image, with the jars of the user's cache, so that only the base is
fetched. ``KAFKALAB_DOCKER_BASE`` names another base, ``KAFKALAB_DOCKER_IMAGE`` a ready image that is used as it is.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import io
import os
import re
import tarfile
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import IO

import docker
from docker.errors import APIError, ImageNotFound

from kafkalab.cluster.docker import engine
from kafkalab.cluster.jars import jar_set
from kafkalab.errors import StartFailed
from kafkalab.home import cache_dir, make_dir
from kafkalab.progressbar import Report, silent

SETS = ("zookeeper", "kraft")
#: Label of images that this module built, and may remove when a newer one has replaced them.
BUILT = {"kafkalab.built": "node"}
#: Name of the jars' stage in our builds, which we remove. That of a user's own `docker build` stays, as its cache.
STAGE = "jars-of-kafkalab"
_RECIPE = ("Dockerfile", "steps/trust.sh", "steps/jars.sh", "steps/rehearse.sh")


def ensure(client: docker.DockerClient, progress: Report = silent) -> str:
    """Return the name of a node image that the engine has; build it first when it is missing (half a minute, once).

    Raises StartFailed when the base cannot be pulled or the build fails, JarsUnusable when jars cannot be fetched.
    """
    given = os.environ.get("KAFKALAB_DOCKER_IMAGE")
    name = given or tag()
    with engine.speaking("The image of the nodes could neither be found nor built.", StartFailed):
        if has(client, name):
            return name
        if given:
            _pull(client, given, "Check KAFKALAB_DOCKER_IMAGE, or unset it: then kafkalab builds an image itself.")
            return given
        lock = make_dir(cache_dir(), "KAFKALAB_CACHE") / "docker.lock"
        with lock.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not has(client, name):  # another process may have built it while we waited
                _build(client, name, progress)
    return name


def tag() -> str:
    """Return ``kafkalab/node:VERSIONS-HASH``: another Kafka, another recipe or another base gives another image."""
    digest = hashlib.sha256(base().encode())
    for path, content in _recipe():
        digest.update(f"\0{path}\0{len(content)}\0".encode() + content)
    versions = [jar_set(name).version("kafka_2.13") for name in SETS]
    return f"kafkalab/node:{'-'.join(versions)}-{digest.hexdigest()[:12]}"


def base() -> str:
    """Return the image to build on: the one that ``KAFKALAB_DOCKER_BASE`` names, or the Dockerfile's own."""
    return os.environ.get("KAFKALAB_DOCKER_BASE") or default_base()


def default_base() -> str:
    """Return the base image that the Dockerfile names."""
    found = re.search(r"^ARG BASE=(\S+)$", (folder() / "Dockerfile").read_text(), flags=re.MULTILINE)
    assert found
    return found[1]


def folder() -> Path:
    """Return the folder ``docker/`` of this checkout or, in an installed package, its copy."""
    package = Path(__file__).resolve().parents[2]
    for place in (package.parent / "docker", package / "_docker"):
        if (place / "Dockerfile").is_file():
            return place
    raise StartFailed(
        "The files that the image of the nodes is built from are missing.",
        seen=f"no {package.parent / 'docker'}",
        do="Install kafkalab again, or run it from a full checkout.",
    )


def has(client: docker.DockerClient, name: str) -> bool:
    """Return whether the engine has an image of that name."""
    try:
        client.images.get(name)
    except ImageNotFound:
        return False
    return True


def _recipe() -> Iterator[tuple[str, bytes]]:
    """Yield the parts of the node image besides the jars: (path in the build's context, content)."""
    place = folder()
    files = [place / name for name in _RECIPE] + sorted((place / "node").iterdir())
    for file in files:
        yield f"docker/{file.relative_to(place).as_posix()}", file.read_bytes()
    for name in SETS:
        lock = resources.files("kafkalab.cluster").joinpath("locks", f"{name}.lock")
        yield f"kafkalab/cluster/locks/{name}.lock", lock.read_bytes()


def _context(into: IO[bytes], progress: Report) -> None:
    with tarfile.open(fileobj=into, mode="w") as tar:
        for path, content in _recipe():
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
        for name in SETS:
            for jar in jar_set(name).ensure(progress):
                # Only the bytes: with a user's id or a time of this machine, the same jar would make another layer.
                entry = tarfile.TarInfo(f"docker/jars/{name}/{jar.name}")
                entry.size = jar.stat().st_size
                with jar.open("rb") as content_of_jar:
                    tar.addfile(entry, content_of_jar)


def _build(client: docker.DockerClient, name: str, progress: Report) -> None:
    if not has(client, base()):
        progress(0, 1, f"pulling {base()}")
        _pull(
            client,
            base(),
            "Connect to the network once. Or set KAFKALAB_DOCKER_BASE to an image you have: one of Debian's family, "
            "with Java 17 or 21.",
        )
    with tempfile.TemporaryFile(prefix="kafkalab-context-") as context:
        _context(context, progress)
        context.seek(0)
        said = client.api.build(
            fileobj=context,
            custom_context=True,
            dockerfile="docker/Dockerfile",
            target="node",
            tag=name,
            buildargs={"BASE": base(), "SETS": " ".join(SETS), "STAGE": STAGE},
            labels=BUILT,
            rm=True,
            forcerm=True,
            decode=True,
        )
        lines: list[str] = []
        for part in said:
            if "error" in part:
                seen, do = engine.meaning(part["error"].strip())
                what = "The image of the nodes could not be built."
                raise StartFailed(what, seen=seen, do=do, log="\n".join(lines[-15:]))
            lines += [line for line in part.get("stream", "").splitlines() if line.strip()]
            if step := re.match(r"Step (\d+)/(\d+) : (\S+)", part.get("stream", "")):
                progress(int(step[1]) - 1, int(step[2]), f"building the image of the nodes: {step[3].lower()}")
    # What a build leaves behind: the stage of its jars, and images of older recipes that nothing uses.
    client.images.prune(filters={"label": f"kafkalab.stage={STAGE}"})
    for older in client.images.list(filters={"label": [f"{k}={v}" for k, v in BUILT.items()]}):
        # By tag: what a user built on our image inherits its labels, but belongs to the user.
        for old in (tag for tag in older.tags if tag.startswith("kafkalab/node:") and tag != name):
            with contextlib.suppress(APIError):  # an image that is in use, or on which another one is built, stays
                client.images.remove(old)


def _pull(client: docker.DockerClient, name: str, do: str) -> None:
    try:
        client.images.pull(name)
    except APIError as e:
        raise StartFailed(f"The image {name} is not here and cannot be pulled.", seen=e.explanation, do=do) from e
