"""The data of an earlier run: whose it is, whether it is whole, and what is refused. Nothing is repaired."""

from __future__ import annotations

import pytest

from kafkalab.cluster.folder import METADATA_LOG, ClusterFolder
from kafkalab.cluster.spec import ClusterSpec, lay_out
from kafkalab.errors import BadInput, StartFailed

ID, OTHER = "_2krKxYvSYOHskR_dIpyZQ", "42klYiUqTHmBpRQXaqDWtw"
ZOOKEEPER = f"#\n#Sat Nov 21 12:00:00 UTC 2026\nbroker.id=101\nversion=0\ncluster.id={ID}\n"
KRAFT = f"version=1\ncluster.id={ID}\nnode.id=101\ndirectory.id={OTHER}\n"


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


def test_whose_data_it_is_in_both_modes(folder):
    for text, mode, more in ((ZOOKEEPER, "zookeeper", {}), (KRAFT, "kraft", {"zookeepers": 0})):
        found = nodes(mode=mode, **more)
        put(folder, "broker-101/meta.properties", text=text)
        assert folder.check_data(found, mode, None) == ID
        assert folder.check_data(found, mode, ID) == ID
        with pytest.raises(StartFailed, match="data of broker-101 does not belong to the cluster 'x'") as e:
            folder.check_data(found, mode, OTHER)
        assert ID in e.value.seen and OTHER in e.value.seen
        put(folder, "broker-101/meta.properties", text=text.replace("101", "102"))
        with pytest.raises(StartFailed, match="does not belong"):
            folder.check_data(found, mode, ID)
        for length in range(len(text.partition("cluster.id=")[0]) + 33):
            put(folder, "broker-101/meta.properties", text=text[:length])
            with pytest.raises(StartFailed, match="is damaged") as e:
                folder.check_data(found, mode, ID)
            assert e.value.do == "Begin anew: kafkalab reset --name x"


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


#: Small files of Kafka's; each with a whole text, and texts that a full disk or a power cut may leave.
SMALL = {
    "replication-offset-checkpoint": ("0\n1\nt 0 12\n", "0\n1\nt 0 1", "\0" * 64, "0\n", "0\n1\nt 0 x\n"),
    "recovery-point-offset-checkpoint": ("", "0"),
    "t-0/leader-epoch-checkpoint": ("0\n2\n0 0\n3 17\n", "\0" * 9, "0\n2\n0 0\n3 1"),
    "t-0/partition.metadata": (f"version: 0\ntopic_id: {ID}", "", "version: 0\ntopic_id: ", "\0" * 9),
    f"{METADATA_LOG}/quorum-state": ('{"leaderId":101,"leaderEpoch":7,"data_version":0}', '{"leaderId":1', ""),
}


def test_a_damaged_file_is_named_and_left_alone(folder):
    found = nodes()
    put(folder, "broker-101/meta.properties", text=ZOOKEEPER)
    put(folder, "zookeeper-1/version-2/log.1")
    for name, (whole, *damaged) in SMALL.items():
        for text in damaged:
            put(folder, f"broker-101/{name}", text=text)
            with pytest.raises(StartFailed, match="is damaged, so nothing was started") as e:
                folder.check_data(found, "zookeeper", ID)
            path = folder.path / "data" / "broker-101" / name
            assert str(path) in e.value.seen and path.read_text() == text
        put(folder, f"broker-101/{name}", text=whole)
        assert folder.check_data(found, "zookeeper", ID) == ID


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
