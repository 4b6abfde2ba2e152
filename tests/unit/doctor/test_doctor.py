"""The doctor's findings: what counts as well, and how they are shown."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from kafkalab.commands import doctor, doctor_machine
from kafkalab.commands.doctor_check import Check, asked
from kafkalab.commands.doctor_machine import memory_limits
from kafkalab.errors import KafkalabError

FINE = Check("java", True, "Java 17")
BROKEN = Check("memory", False, "3 MB available", "Close other programs")
ABSENT = Check("docker: engine", False, "none", "Start it", optional=True)


def test_what_is_not_needed_may_be_missing_and_an_error_is_a_finding() -> None:
    def fails() -> str:
        raise KafkalabError("No.", seen="nothing", do="Something.")

    assert [c.mark for c in (FINE, BROKEN, ABSENT)] == ["✓", "✗", "–"]
    assert doctor.well([FINE, ABSENT])
    assert not doctor.well([FINE, ABSENT, BROKEN])
    assert asked("x", fails) == Check("x", False, "No. nothing", "Something.")
    assert asked("x", lambda: "here", optional=True) == Check("x", True, "here", "", True)
    told = {"name": "docker: engine", "ok": False, "seen": "none", "do": "Start it", "optional": True, "mark": "–"}
    assert doctor.to_dict([ABSENT])["checks"] == [told]


def test_shown_in_lines_that_fit_and_break_no_path() -> None:
    path = "/a/" + "long-" * 20 + "path"
    shown = doctor.text([FINE, BROKEN, Check("cache", True, f"{'word ' * 30}{path}")], 60)
    lines = shown.splitlines()
    assert lines[0] == "✓ java    Java 17"
    assert lines[1:3] == ["✗ memory  3 MB available", "          do: Close other programs"]
    assert any(line.strip() == path for line in lines)
    assert all(len(line) <= 60 for line in lines[:-1] if path not in line)


def test_which_backends_can_be_used() -> None:
    found, without = doctor._backends([FINE, ABSENT]), doctor._backends([BROKEN])
    assert found.seen.startswith("local, fake") and "not docker: see docker: engine" in found.seen
    assert not without.ok and without.seen.startswith("docker, fake")


def test_who_holds_a_usual_port_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as s:
        port = s.getsockname()[1]
        monkeypatch.setattr(doctor_machine, "CLASSIC", {port: "Kafka"})
        check = doctor_machine._classic_ports()
    assert check.ok
    assert f"{port} (Kafka) held by" in check.seen
    assert f"{port} (Kafka) free" in doctor_machine._classic_ports().seen


V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
V2 = ("memory.max", "memory.current", "inactive_file")


@pytest.mark.parametrize(
    "cgroup, names, groups, limits",
    [
        ("0::/user/lab\n", V2, {"user": (1000, 700, 200), "user/lab": ("max", 600, 1)}, [(1000, 500)]),
        # Seen from inside a container they stand at the root.
        ("0::/docker/0123/not/here\n", V2, {".": (1000, 700, 0)}, [(1000, 700)]),
        ("5:cpu:/x\n4:memory:/lab\n", V1, {"memory/lab": (1000, 700, 100), "memory": (2**63, 9, 0)}, [(1000, 600)]),
        ("", V2, {}, []),
    ],
    ids=["version 2", "inside", "version 1", "none"],
)
def test_the_limits_of_control_groups(tmp_path: Path, cgroup: str, names: Any, groups: Any, limits: Any) -> None:
    (tmp_path / "cgroup").write_text(cgroup)
    for folder, (limit, used, cached) in groups.items():
        at = tmp_path / "sys" / folder
        at.mkdir(parents=True, exist_ok=True)
        (at / names[0]).write_text(f"{limit}\n")
        (at / names[1]).write_text(f"{used}\n")
        (at / "memory.stat").write_text(f"anon 1\n{names[2]} {cached}\n")
    assert list(memory_limits(tmp_path / "cgroup", tmp_path / "sys")) == limits
    assert list(memory_limits(tmp_path / "no such file", tmp_path)) == []
