"""A named cluster that was stopped: made once a mode, and copied for each test that starts from its data."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kafkalab import Cluster
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.spec import Mode

Kept = Callable[..., ClusterFolder]


@pytest.fixture(scope="session")
def pristine(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Mode], Path]:
    """The folder of ``Cluster(1, mode, name=f"kept-{mode}")`` as a stop in order left it, with the topic "t"."""
    copies: dict[Mode, Path] = {}

    def of(mode: Mode) -> Path:
        if mode not in copies:
            with Cluster(1, mode, name=f"kept-{mode}", quiet=True) as cluster:
                cluster.create_topic("t")
            folder = ClusterFolder.of(f"kept-{mode}")
            copies[mode] = shutil.copytree(folder.path, tmp_path_factory.mktemp("stopped") / mode)
            folder.remove()
        return copies[mode]

    return of


@pytest.fixture
def kept(pristine: Callable[[Mode], Path]) -> Iterator[Kept]:
    """Puts a copy where a start looks for it: ``kept(mode)``."""
    made = []

    def put(mode: Mode) -> ClusterFolder:
        folder = ClusterFolder.of(f"kept-{mode}")
        shutil.copytree(pristine(mode), folder.path)
        made.append(folder.path)
        return folder

    yield put
    for path in made:
        shutil.rmtree(path, ignore_errors=True)
