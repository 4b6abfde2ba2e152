"""The facts that lessons state (labs/facts.toml), asked of the brokers and clients that are locked.

Spark is asked in test_streams_jobs.py, which has a session.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer
from kafka.admin import ConfigResource

from kafkalab import Cluster
from tests.support.modes import modes

FACTS = tomllib.loads((Path(__file__).resolve().parents[2] / "labs" / "facts.toml").read_text(encoding="utf-8"))["fact"]
CLIENTS: dict[str, dict[str, Any]] = {
    "KafkaConsumer": KafkaConsumer.DEFAULT_CONFIG,
    "KafkaProducer": KafkaProducer.DEFAULT_CONFIG,
}


@cache
def settings(cluster: Cluster) -> dict[str, dict[str, str]]:
    """A broker's settings: the value and the default of each, which the broker tells as its last synonym."""
    admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
    try:
        asked = admin.describe_configs([ConfigResource("BROKER", "101")], include_synonyms=True, config_filter="all")
    finally:
        admin.close()
    (told,) = asked["broker"].values()
    ours = {name: one["value"] for name, one in told.items()}
    defaults = {
        name: synonym["value"]
        for name, one in told.items()
        for synonym in one["synonyms"]
        if synonym["source"] in ("DEFAULT_CONFIG", 5)
    }
    return {"ours": ours, "broker": defaults, "topic": topic_defaults(cluster)}


def topic_defaults(cluster: Cluster) -> dict[str, str]:
    """The settings that a new topic would have; none is made."""
    admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)
    try:
        made = admin.create_topics({"facts": {"num_partitions": 1, "replication_factor": 1}}, validate_only=True)
    finally:
        admin.close()
    return {
        name: one["value"]
        for name, one in made["topics"][0]["configs"].items()
        if one["config_source"] == "DEFAULT_CONFIG"
    }


@modes(zookeeper="", kraft="deep")
def test_brokers_say_what_lessons_say(cluster: Cluster) -> None:
    told = settings(cluster)
    asked = [one for one in FACTS if one["where"] in told and one.get("mode", cluster.mode) == cluster.mode]
    wrong = {
        (one["where"], one["name"]): (one["value"], told[one["where"]].get(one["name"], "no such setting"))
        for one in asked
        if told[one["where"]].get(one["name"]) != one["value"]
    }
    assert wrong == {} and len(asked) >= 5


def test_clients_say_what_lessons_say() -> None:
    for one in FACTS:
        if one["where"] in CLIENTS:
            assert str(CLIENTS[one["where"]][one["name"]]) == one["value"], one


def test_every_fact_has_a_source_that_is_asked() -> None:
    assert {one["where"] for one in FACTS} <= {"ours", "broker", "topic", "spark", *CLIENTS}
    with pytest.raises(KeyError):
        CLIENTS["KafkaConsumer"]["no_such_setting"]
