"""What the command line refuses, offers and prints; the commands themselves are in tests/integration/test_cli.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from kafkalab import cli
from kafkalab.cli import main
from kafkalab.commands import clusters
from kafkalab.errors import BadInput, Unreachable

COMMANDS = [
    "doctor", "fetch", "up", "down", "status", "reset", "lab",
    "demo", "record", "replay", "grade", "tool", "progress", "bench",
]  # fmt: skip


def kafkalab(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    """Its exit code."""
    monkeypatch.setattr("sys.argv", ["kafkalab", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


@pytest.fixture(autouse=True)
def nothing_here(tmp_path, monkeypatch):
    monkeypatch.setenv("KAFKALAB_HOME", str(tmp_path))
    monkeypatch.delenv("KAFKALAB_CLUSTER", raising=False)


def test_help_names_every_command_and_each_has_its_own(monkeypatch, capsys):
    assert kafkalab(monkeypatch, "--help") == 0
    said = capsys.readouterr().out
    assert [name for name in COMMANDS if f" {name} " not in said] == []
    for command in COMMANDS:
        assert kafkalab(monkeypatch, command, "--help") == 0
        assert f"kafkalab {command}" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [
    ["nonsense"],
    ["up", "--nonsense"],
    ["up", "--brokers", "0"],
    ["up", "--mode", "raft"],
    ["demo", "--bootstrap-servers", "nonsense"],
    ["demo", "--map", "trucks.svg"],
    ["tool"],
    ["fetch", "flink"],
    ["record", "a.kafkalab", "--name", "absent"],
    ["record", "a.kafkalab", "--name", "lab", "--bootstrap-servers", "127.0.0.1:1"],
    ["replay", "absent.kafkalab"],
    ["replay", __file__],
], ids=lambda words: " ".join(Path(word).name for word in words))  # fmt: skip
def test_a_wrong_command_line_ends_with_2_and_a_sentence(monkeypatch, capsys, wrong):
    assert kafkalab(monkeypatch, *wrong) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.strip() and "Traceback" not in said.err


def test_work_that_fails_ends_with_1_and_says_what_to_do(monkeypatch, capsys):
    assert kafkalab(monkeypatch, "demo", "--bootstrap-servers", "127.0.0.1:1") == 1
    said = capsys.readouterr().err
    assert "No broker answers at 127.0.0.1:1" in said and "do:" in said and "Traceback" not in said


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
