"""The jar locks: whole, without doubles, and strict about what lies in the cache."""

from __future__ import annotations

import hashlib

import pytest

from kafkalab.cluster.jars import SETS, Jar, JarSet, jar_set
from kafkalab.errors import BadInput


def test_a_lock_names_each_jar_once_with_size_and_sha256():
    for name in SETS:
        jars = jar_set(name).jars
        assert jars and len({j.file for j in jars}) == len(jars)
    for name, safe in (("zookeeper", "3.9.2"), ("kraft", "4.2.0"), ("spark", "3.9.2")):
        assert jar_set(name).version("kafka-clients") >= safe
    with pytest.raises(BadInput, match="no jar set"):
        jar_set("flink")


def test_missing_truncated_and_altered_jars_are_each_named(tmp_path):
    def jar(name: str, content: bytes) -> Jar:
        return Jar("g", name, "1", len(content), hashlib.sha256(content).hexdigest())

    good, missing, short, altered = (jar(n, b"abcd") for n in ("good", "missing", "short", "altered"))
    (tmp_path / good.file).write_bytes(b"abcd")
    (tmp_path / short.file).write_bytes(b"abc")
    (tmp_path / altered.file).write_bytes(b"abcX")
    reasons = JarSet("test", (good, missing, short, altered), tmp_path).unusable()
    assert reasons[missing] == "missing" and reasons[short] == "3 bytes instead of 4"
    assert reasons[altered].startswith("sha256")
    assert len(reasons) == 3
