"""Commands: they refuse what a tool cannot do before it begins, and print tables."""

from __future__ import annotations

import pytest

from kafkalab import cli
from kafkalab.commands import clusters
from kafkalab.errors import BadInput, Unreachable


def test_into_a_pipe_no_address_is_broken(capsys):
    servers = ",".join(f"127.0.0.1:{port}" for port in range(20_000, 20_020))
    cli._table(f"lab · {servers}", ["node", "address"], [["broker-101", servers]])
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"lab · {servers}"
    assert sum(servers in line for line in printed) == 2


def test_a_tool_is_not_started_without_knowing_which_cluster():
    for option in ("--name", "--name=x", "--bootstrap-servers"):
        with pytest.raises(BadInput, match="before the tool's name"):
            clusters.run_tool("kafka-topics", ["--list", option, "x"], None, None)
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:1"):
        clusters.run_tool("kafka-topics", ["--list"], None, "127.0.0.1:1")
