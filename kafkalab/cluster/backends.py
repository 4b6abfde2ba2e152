"""Makes backends by name, and finds the backend of an existing cluster. Docker's library is loaded only when needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from kafkalab.cluster.backend import Backend, BackendName
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.spec import ClusterSpec
from kafkalab.errors import BadInput

if TYPE_CHECKING:
    from kafkalab.cluster.docker.backend import DockerBackend
    from kafkalab.cluster.local import LocalBackend

NAMES: tuple[BackendName, ...] = get_args(BackendName)


def make(kind: str, spec: ClusterSpec, folder: ClusterFolder, *, throw_away: bool, detached: bool) -> Backend:
    """Return a backend of that kind for a spec; it starts nothing yet."""
    if kind not in NAMES:
        raise BadInput(
            f"There is no backend {kind!r}.",
            do=f"Choose one of: {', '.join(NAMES)}. For somebody else's cluster: Cluster.connect(…).",
        )
    if kind == "fake":
        from kafkalab.cluster.fake import FakeBackend

        if detached:
            raise BadInput("A cluster in memory ends with its process.", do="Leave detached out.")
        return FakeBackend(spec, throw_away=throw_away)
    before = folder.kind()
    if before not in (kind, None):
        raise BadInput(
            f"The cluster {spec.name!r} exists already, with backend={before!r}.",
            do=f"Choose another name, or remove that cluster: kafkalab down --remove --name {spec.name}",
        )
    return _owned(kind)(spec, folder, throw_away=throw_away, detached=detached)


def attach(folder: ClusterFolder) -> Backend:
    """Return the backend of a running cluster that another process started; raise BadInput when there is none."""
    return _owned(folder.kind()).attach(folder)


def _owned(kind: str | None) -> type[LocalBackend | DockerBackend]:
    if kind == "docker":
        from kafkalab.cluster.docker.backend import DockerBackend

        return DockerBackend
    from kafkalab.cluster.local import LocalBackend

    return LocalBackend


def is_running(folder: ClusterFolder) -> bool:
    """Return whether the cluster of a folder is running or is just being started."""
    if folder.kind() == "docker":
        from kafkalab.cluster.docker import guard

        return guard.is_running(folder)
    return folder.alive


def remove_stopped(folder: ClusterFolder) -> None:
    """Remove the data of a cluster that is not running; its logs are kept."""
    if folder.kind() != "local":  # nor is it known of a damaged one that Docker has nothing of it
        from kafkalab.cluster.docker import guard

        guard.forget(folder)
    folder.remove()


def clean_abandoned() -> list[str]:
    """Remove what crashed owners left behind, in every backend; return the names of the clusters removed."""
    from kafkalab.cluster import folder
    from kafkalab.cluster.docker import guard

    return [*folder.clean_abandoned(), *guard.clean_abandoned()]
