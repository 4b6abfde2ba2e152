"""The image that the tests build on: the one named by ``KAFKALAB_DOCKER_BASE``, the default one, or one made here.

Where no image can be pulled, as behind some companies' walls, root on Debian makes one from Debian's own packages.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import docker
import pytest
from docker.errors import APIError

from kafkalab.cluster.docker import image

NO_BASE = "no base image for Docker here"
PACKAGES = "ca-certificates,openjdk-17-jre-headless"
SUITE = "bookworm"
MADE = f"kafkalab-test-base:{SUITE}-1"


def base_image(client: docker.DockerClient) -> str:
    """The name of a base image that the engine has; pulls or makes it, or skips the test."""
    default = image.default_base()
    for name in (os.environ.get("KAFKALAB_DOCKER_BASE"), default, MADE):
        if name and image.has(client, name):
            return name
    try:
        client.images.pull(default)
    except APIError:
        if os.geteuid() != 0 or not shutil.which("debootstrap") or not (mirror := _mirror()):
            pytest.skip(NO_BASE)
        return _make(client, mirror)
    return default


def _mirror() -> str:
    """Where this machine's apt gets Debian from; empty if it does not."""
    asked = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return next(iter(done.stdout.split()), "")


def _make(client: docker.DockerClient, mirror: str) -> str:
    with tempfile.TemporaryDirectory(prefix="kafkalab-base-") as scratch:
        root, archive = Path(scratch, "root"), Path(scratch, "base.tar")
        bootstrap = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, str(root), mirror]
        done = subprocess.run(bootstrap, capture_output=True, text=True, check=False)
        assert done.returncode == 0, "\n".join(done.stdout.splitlines()[-15:])
        shutil.rmtree(root / "var/cache/apt/archives", ignore_errors=True)
        subprocess.run(["tar", "-C", str(root), "-cf", str(archive), "."], check=True)
        client.api.import_image(str(archive), *MADE.split(":"))
    return MADE
