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
    sha = hashlib.sha256(b"abcd").hexdigest()
    good, missing, short, altered = (Jar("g", name, "1", 4, sha) for name in ("good", "missing", "short", "altered"))
    for jar, content in ((good, b"abcd"), (short, b"abc"), (altered, b"abcX")):
        (tmp_path / jar.file).write_bytes(content)
    reasons = JarSet("test", (good, missing, short, altered), tmp_path).unusable()
    assert reasons.pop(altered).startswith("sha256")
    assert reasons == {missing: "missing", short: "3 bytes instead of 4"}
