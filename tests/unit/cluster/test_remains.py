"""What an earlier run left on disk: whose it is, whether it is whole, what is mended and what is refused."""

from __future__ import annotations

import json

import pytest

from kafkalab.cluster import previous_run
from kafkalab.cluster.folder import ClusterFolder
from kafkalab.cluster.previous_run import Damage, Owner, damage, mend, not_newer, one_owner, owner, whole
from kafkalab.cluster.spec import ClusterSpec, lay_out
from kafkalab.errors import StartFailed

ID, OTHER = "_2krKxYvSYOHskR_dIpyZQ", "42klYiUqTHmBpRQXaqDWtw"
ZOOKEEPER = f"#\n#Sat Nov 21 12:00:00 UTC 2026\nbroker.id=101\nversion=0\ncluster.id={ID}\n"
KRAFT = f"version=1\ncluster.id={ID}\nnode.id=101\ndirectory.id={OTHER}\n"


def nodes(**wanted):
    return lay_out(ClusterSpec("x", **wanted), lambda port: port or 1)


def test_whose_data_it_is_in_both_modes_and_what_is_damaged_tells_nothing():
    for text, mode in ((ZOOKEEPER, "zookeeper"), (KRAFT, "kraft")):
        assert owner(text) == Owner(ID, 101, mode)
        assert all(owner(text[:length]) in (None, owner(text)) for length in range(len(text)))
    assert owner("\0" * 80) is None


def test_the_first_to_know_names_the_cluster_and_what_is_anothers_is_refused():
    a = nodes()[1]
    assert one_owner("x", "zookeeper", None, {}) is None
    assert one_owner("x", "zookeeper", ID, {}) == ID
    assert one_owner("x", "zookeeper", None, {a: Owner(ID, 101, "zookeeper")}) == ID
    for its in (Owner(OTHER, 101, "zookeeper"), Owner(ID, 102, "zookeeper"), Owner(ID, 101, "kraft")):
        with pytest.raises(StartFailed, match="data of broker-101 does not belong to the cluster 'x'"):
            one_owner("x", "zookeeper", ID, {a: its})
    not_newer("x", "4.2.10", "4.3.1")
    with pytest.raises(StartFailed, match=r"written by Kafka 4\.10\.0"):
        not_newer("x", "4.10.0", "4.3.1")


def lay(tmp_path, found, *paths):
    """Data folders of nodes, with a file at each of the paths."""
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x")
    return {n: tmp_path / n.name for n in found}


def test_metadata_that_most_have_lost(tmp_path):
    # An empty start is no loss, nor is what is being deleted.
    whole("x", lay(tmp_path, nodes()))
    whole("x", lay(tmp_path, nodes(), "broker-101/meta.properties", f"broker-101/t-0.{ID}-delete/0.log"))
    with pytest.raises(StartFailed, match="Most of the metadata") as e:
        whole("x", lay(tmp_path, nodes(), "zookeeper-1/myid", "broker-102/trucks-0/0.log"))
    assert "zookeeper-1" in e.value.seen and "broker-102" in e.value.seen
    # One of three voters may have lost it, two may not.
    log, found = "__cluster_metadata-0/0.log", nodes(mode="kraft", zookeepers=0)
    whole("x", lay(tmp_path / "k", found, "broker-101/t-0/0.log", f"broker-101/{log}", f"broker-102/{log}"))
    (tmp_path / "k" / "broker-102" / log).unlink()
    with pytest.raises(StartFailed, match="Most of the metadata"):
        whole("x", lay(tmp_path / "k", found))


def broker(tmp_path):
    data = tmp_path / "broker-101"
    (data / "t-0").mkdir(parents=True)
    (data / "meta.properties").write_text(ZOOKEEPER)
    (data / "replication-offset-checkpoint").write_text("0\n1\nt 0 12\n")
    (data / "recovery-point-offset-checkpoint").write_text("")
    (data / "t-0" / "leader-epoch-checkpoint").write_text("0\n2\n0 0\n3 17\n")
    (data / "t-0" / "partition.metadata").write_text(f"version: 0\ntopic_id: {ID}")
    return data


def test_what_is_made_anew_is_set_aside_not_removed(tmp_path):
    data, node = broker(tmp_path), nodes()[1]
    assert damage(data) == Damage()
    file = data / "replication-offset-checkpoint"
    for text in ("0\n2\nt 0 12\n", "0\n1\nt 0 1", "\0" * 64, "0\n", "0\n1\nt 0 x\n"):
        file.write_text(text)
        (said,) = mend("x", {node: data})
        assert str(file) in said and not file.exists()
        assert file.with_name(f"{file.name}.damaged").read_text() == text
    # Leader epochs are made of the whole logs, which nothing may spare.
    (data / ".kafka_cleanshutdown").write_text('{"version":0}')
    (data / "t-0" / "leader-epoch-checkpoint").write_text("\0" * 9)
    (data / "meta.properties").write_text(ZOOKEEPER[:-10])
    assert len(mend("x", {node: data})) == 2
    left = {p.name for p in data.rglob("*")}
    assert not left & {"leader-epoch-checkpoint", ".kafka_cleanshutdown", "recovery-point-offset-checkpoint"}
    assert {"leader-epoch-checkpoint.damaged", "meta.properties.damaged"} <= left


def test_a_voter_that_forgot_its_vote(tmp_path):
    found = nodes(mode="kraft", zookeepers=0)
    for node, epoch in zip(found, (3, 7, 5), strict=True):
        file = tmp_path / node.name / "__cluster_metadata-0" / "quorum-state"
        file.parent.mkdir(parents=True)
        file.write_text(f'{{"leaderId":101,"leaderEpoch":{epoch},"votedId":102,"data_version":0}}')
    file.write_text('{"leaderId":1')
    assert len(mend("x", lay(tmp_path, found))) == 1
    assert json.loads(file.read_text()) == {"leaderId": -1, "leaderEpoch": 8, "votedId": -1, "data_version": 0}


def test_a_topic_is_known_to_its_other_partitions_or_named_with_nothing_touched(tmp_path):
    data, found = broker(tmp_path), nodes()
    file, other = data / "t-0" / "partition.metadata", tmp_path / "broker-102" / "t-7" / "partition.metadata"
    whole = file.read_text()
    (data / "replication-offset-checkpoint").write_text("0")
    for text in ("", "version: 0\ntopic_id: ", "\0" * 9):
        file.write_text(text)
        with pytest.raises(StartFailed, match="is damaged") as e:
            mend("x", {found[1]: data})
        assert str(file) in e.value.seen
    assert (data / "replication-offset-checkpoint").exists()
    other.parent.mkdir(parents=True)
    other.write_text(whole)
    assert len(mend("x", {found[1]: data, found[2]: tmp_path / "broker-102"})) == 2
    assert file.read_text() == whole
    assert file.with_name("partition.metadata.damaged").read_text() == text
    file.unlink()
    assert damage(data) == Damage(), "a log may be there before its topic is known"


def test_a_lost_spec_is_made_anew(tmp_path, caplog):
    spec, folder = ClusterSpec("x", brokers=1), ClusterFolder(tmp_path / "x")
    with folder.starting():
        folder.write(spec, nodes(brokers=1), throw_away=False, cluster_id=ID, version="3.9.2")
    found, cluster_id = previous_run.nodes(folder, spec, "3.9.2")
    assert ([n.name for n in found], cluster_id) == (["zookeeper-1", "broker-101"], ID)
    for text in ("", "{", "[]", '{"spec": 1}'):
        (folder.path / "cluster.json").write_text(text)
        assert previous_run.nodes(folder, spec, "3.9.2") == ((), None)
    lay(folder.path / "data", (), "zookeeper-1/myid", "broker-101/meta.properties")
    assert previous_run.nodes(folder, spec, "3.9.2") == ((), None)
    assert "could not be read" in caplog.text
    with pytest.raises(StartFailed, match="cannot be read") as e:
        previous_run.nodes(folder, ClusterSpec("x", brokers=2), "3.9.2")
    assert "data of broker-101, zookeeper-1; asked for" in e.value.seen
