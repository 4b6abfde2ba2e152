"""The files of a broker's logs in its container: read by a command in it, or where it does not run, copied out."""

from __future__ import annotations

import contextlib
import tarfile
from collections.abc import Iterator
from typing import IO, Any, cast

from kafkalab.cluster.docker import options
from kafkalab.cluster.docker.engine import is_missing, speaking
from kafkalab.cluster.log_dirs import is_segment
from kafkalab.errors import NodeFailed


class ContainerLogDir:
    """A broker's volume. See :class:`kafkalab.cluster.log_dirs.LogDir`."""

    def __init__(self, client: Any, container: str) -> None:
        self._client = client
        self._container = container

    def segments(self, topic: str, partition: int) -> tuple[tuple[str, int], ...]:
        """The segment files of a partition, (name, bytes), oldest first."""
        folder = f"{options.DATA}/{topic}-{partition}"
        told = self._run("cd -- \"$1\" && stat -c '%s %n' -- *.log", folder)
        if told is not None:
            pairs = (line.split(" ", 1) for line in told.decode().splitlines())
            return tuple(sorted((name, int(size)) for size, name in pairs if is_segment(name)))
        with self._archive(folder) as archive:
            files = ((member.name.rpartition("/")[2], member.size) for member in archive or ())
            return tuple(sorted((name, size) for name, size in files if is_segment(name)))

    def read(self, topic: str, partition: int, segment: str, at: int, size: int) -> bytes:
        """Bytes of a segment."""
        path = f"{options.DATA}/{topic}-{partition}/{segment}"
        told = self._run('tail -c +"$2" -- "$1" | head -c "$3"', path, str(at + 1), str(size))
        if told is not None:
            return told
        with self._archive(path) as archive:
            member = archive.next() if archive else None
            file = archive.extractfile(member) if archive and member else None
            if file is None:
                return b""
            file.read(at)
            return file.read(size)

    def _run(self, script: str, *args: str) -> bytes | None:
        """What a script in the container printed; None when it failed, or nothing runs there."""
        from docker.errors import APIError

        api = self._client.api
        with speaking("The broker's log could not be read."):
            try:
                command = ["bash", "-c", f"set -e; {script}", "bash", *args]
                asked = api.exec_create(self._container, command, stderr=False)
                printed = cast(bytes, api.exec_start(asked["Id"]))
                return printed if api.exec_inspect(asked["Id"])["ExitCode"] == 0 else None
            except APIError:
                return None  # stopped or paused: the engine itself can read its files

    @contextlib.contextmanager
    def _archive(self, path: str) -> Iterator[tarfile.TarFile | None]:
        """A file or folder of the container, as it comes; None when it is not there."""
        try:
            with speaking("The broker's log could not be read."):
                chunks, _ = self._client.api.get_archive(self._container, path)
        except NodeFailed as e:
            if e.__cause__ is None or not is_missing(e.__cause__):
                raise
            yield None
            return
        with tarfile.open(fileobj=cast("IO[bytes]", _Stream(chunks)), mode="r|") as archive:
            yield archive


class _Stream:
    """Chunks of bytes as a file that is read once, from beginning to end."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = iter(chunks)
        self._left = b""

    def read(self, size: int) -> bytes:
        parts, have = [self._left], len(self._left)
        while have < size and (chunk := next(self._chunks, b"")):
            parts.append(chunk)
            have += len(chunk)
        data = b"".join(parts)
        self._left = data[size:]
        return data[:size]
