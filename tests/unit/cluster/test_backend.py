"""Where a cluster's nodes run when nobody says so in Python."""

from __future__ import annotations

import pytest

from kafkalab import Cluster


def test_the_environment_names_the_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAFKALAB_BACKEND", "fake")
    with Cluster(quiet=True) as cluster:
        assert cluster.backend.kind == "fake"
