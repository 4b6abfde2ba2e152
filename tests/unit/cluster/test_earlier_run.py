"""The data of an earlier run: whose it is, whether it is whole, and what is refused. Nothing is repaired."""

from __future__ import annotations

import pytest

from kafkalab.cluster.folder import METADATA_LOG, ClusterFolder
from kafkalab.cluster.spec import ClusterSpec, lay_out
from kafkalab.errors import BadInput, StartFailed

ID = "_2krKxYvSYOHskR_dIpyZQ"


def nodes(**wanted):
    return lay_out(ClusterSpec("x", **wanted), lambda port: port or 1)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> ClusterFolder:
    monkeypatch.setenv("KAFKALAB_HOME", str(tmp_path))
    return ClusterFolder.of("x")


def put(folder: ClusterFolder, *paths: str, text: str = "x") -> None:
    """A file at each of the paths, below the nodes' data."""
    for path in paths:
        (folder.path / "data" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder.path / "data" / path).write_text(text)


def test_metadata_that_most_have_lost(folder):
    # An empty start is no loss, nor is what is being deleted.
    folder.check_metadata(nodes())
    put(folder, "broker-101/meta.properties", f"broker-101/t-0.{ID}-delete/0.log")
    folder.check_metadata(nodes())
    put(folder, "zookeeper-1/myid", "broker-102/trucks-0/0.log")
    with pytest.raises(StartFailed, match="is damaged") as e:
        folder.check_metadata(nodes())
    assert "no version-2 in the data of zookeeper-1" in e.value.seen
    # One of three voters may have lost it, two may not.
    log, found = f"{METADATA_LOG}/0.log", nodes(mode="kraft", zookeepers=0)
    put(folder, f"broker-101/{log}", f"broker-102/{log}")
    folder.check_metadata(found)
    (folder.path / "data" / "broker-102" / log).unlink()
    with pytest.raises(StartFailed, match="is damaged"):
        folder.check_metadata(found)


def test_a_lost_spec_a_newer_kafka_and_other_settings(folder):
    spec = ClusterSpec("x", brokers=1)
    with folder.starting():
        folder.write(spec, nodes(brokers=1), throw_away=False, cluster_id=ID, version="4.2.10")
    found, cluster_id = folder.earlier_run(spec, "4.3.1")
    assert ([n.name for n in found], cluster_id) == (["zookeeper-1", "broker-101"], ID)
    with pytest.raises(StartFailed, match=r"written by a newer Kafka, 4\.2\.10"):
        folder.earlier_run(spec, "4.2.9")
    with pytest.raises(BadInput, match="exists already, with other settings") as b:
        folder.earlier_run(ClusterSpec("x", brokers=2), "4.3.1")
    assert b.value.seen == "brokers=1; asked for: brokers=2"
    for text in ("", "{", "[]", '{"spec": 1}'):
        (folder.path / "cluster.json").write_text(text)
        assert folder.earlier_run(spec, "4.3.1") == ((), None)
    put(folder, "broker-101/meta.properties")
    with pytest.raises(StartFailed, match="is damaged") as e:
        folder.earlier_run(spec, "4.3.1")
    assert "cluster.json cannot be read" in e.value.seen
