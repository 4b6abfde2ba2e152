"""The durability matrix without a cluster: which cells there are, what they say, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kafkalab import Cluster
from kafkalab.cluster.external import ExternalBackend
from kafkalab.errors import BadInput, NotSupported
from kafkalab.experiments.durability.cell import Setting, chosen, why
from kafkalab.experiments.durability.matrix import DurabilityMatrix
from tests.unit.views.durability_samples import cell, result


def test_the_matrix_has_a_cell_for_every_combination_and_parts_can_be_asked_for() -> None:
    assert len(chosen()) == len(set(chosen())) == 54
    part = chosen(acks=[1, -1], min_insync=2, brokers_up=(1, 3), fault="killed")
    assert [s.name for s in part] == ["a1-m2-u3-k", "aall-m2-u3-k", "a1-m2-u1-k", "aall-m2-u1-k"]
    for wrong in ({"acks": "2"}, {"min_insync": 4}, {"brokers_up": 0}, {"fault": "flood"}, {"acks": []}):
        with pytest.raises(BadInput, match=next(iter(wrong))):
            chosen(**wrong)


def test_a_cell_counts_what_was_lost_in_each_stretch() -> None:
    lost = cell(Setting("1", 1, 3, "killed")).to_dict(3)
    assert (lost["sent"], lost["acknowledged"], lost["refused"], lost["seen"], lost["lost"]) == (200, 150, 50, 100, 50)
    assert [spell["lost"] for spell in lost["spells"]] == [0, 50, 0]
    assert lost["lost_ids"] == ["a1-m1-u3-k-0100", "a1-m1-u3-k-0101", "a1-m1-u3-k-0102"]
    assert (lost["lost_words"], lost["error"]) == ("a1-m1-u3-k-0100 … 0149", "KafkaConnectionError")
    nothing = cell(Setting("0", 1, 1, "disk lost")).to_dict()
    assert [spell["lost"] for spell in nothing["spells"]] == [100, 50, 50]
    running = replace(cell(Setting("1", 1, 3, "killed")), state="running").to_dict()
    assert (running["acknowledged"], running["seen"], running["lost"], running["lost_ids"]) == (150, None, None, [])


def test_every_cell_gives_its_reason_in_kafkas_terms() -> None:
    for one in result().cells:
        said, counted = why(one), one.ledger
        assert counted is not None
        assert ("min.insync.replicas" in said) >= (one.setting.acks == "all" and one.setting.brokers_up == 1), one
        assert ("refuses" in said) == (counted.acknowledged == 0), one
        assert not counted.lost or any(word in said.lower() for word in ("lost", "died", "only copy")), one


def test_a_model_or_somebody_elses_cluster_is_not_broken() -> None:
    with Cluster(backend="fake", quiet=True) as cluster:
        with pytest.raises(NotSupported, match="model"):
            DurabilityMatrix(cluster)
        for records in (3, 2001, 5.5):
            with pytest.raises(BadInput, match="records"):
                DurabilityMatrix(cluster, records)  # type: ignore[arg-type]
    theirs = Cluster.__new__(Cluster)
    theirs._set_up(ExternalBackend("127.0.0.1:1"), "theirs")
    with pytest.raises(NotSupported, match="somebody else"):
        DurabilityMatrix(theirs)
