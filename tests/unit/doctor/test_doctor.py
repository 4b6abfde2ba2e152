"""The doctor's findings: what counts as well, and how they are shown."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from kafkalab.commands import doctor, doctor_machine
from kafkalab.commands.doctor_check import Check, asked
from kafkalab.commands.doctor_machine import memory_limits
from kafkalab.errors import KafkalabError

FINE = Check("java", True, "Java 17")
BROKEN = Check("memory", False, "3 MB available", "Close other programs")
ABSENT = Check("docker: engine", False, "none", "Start it", optional=True)


def test_what_is_not_needed_may_be_missing() -> None:
    assert [c.mark for c in (FINE, BROKEN, ABSENT)] == ["✓", "✗", "–"]
    assert doctor.well([FINE, ABSENT])
    assert not doctor.well([FINE, ABSENT, BROKEN])


def test_an_error_becomes_a_finding() -> None:
    def fails() -> str:
        raise KafkalabError("No.", seen="nothing", do="Something.")

    assert asked("x", fails) == Check("x", False, "No. nothing", "Something.")
    assert asked("x", lambda: "here", optional=True) == Check("x", True, "here", "", True)


def test_shown_in_lines_that_fit_and_break_no_path() -> None:
    path = "/a/" + "long-" * 20 + "path"
    shown = doctor.text([FINE, BROKEN, Check("cache", True, f"{'word ' * 30}{path}")], 60)
    lines = shown.splitlines()
    assert lines[0] == "✓ java    Java 17"
    assert lines[1:3] == ["✗ memory  3 MB available", "          do: Close other programs"]
    assert any(line.strip() == path for line in lines)
    assert all(len(line) <= 60 for line in lines[:-1] if path not in line)


def test_the_json_has_the_marks() -> None:
    (check,) = doctor.to_dict([ABSENT])["checks"]
    assert check == {
        "name": "docker: engine", "ok": False, "seen": "none", "do": "Start it", "optional": True, "mark": "–",
    }  # fmt: skip


def test_which_backends_can_be_used() -> None:
    assert doctor._backends([FINE, ABSENT]).seen.startswith("local, fake")
    assert "not docker: see docker: engine" in doctor._backends([FINE, ABSENT]).seen
    without = doctor._backends([BROKEN])
    assert not without.ok
    assert without.seen.startswith("docker, fake")


def test_who_holds_a_usual_port_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        port = s.getsockname()[1]
        monkeypatch.setattr(doctor_machine, "CLASSIC", {port: "Kafka"})
        check = doctor_machine._classic_ports()
    assert check.ok
    assert f"{port} (Kafka) held by" in check.seen
    assert f"{port} (Kafka) free" in doctor_machine._classic_ports().seen


def group(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(content + "\n")
    return folder


def test_limits_of_the_groups_of_version_2(tmp_path: Path) -> None:
    (tmp_path / "cgroup").write_text("0::/user/lab\n")
    root = tmp_path / "sys"
    group(root / "user", memory__max="1000", memory__current="700", memory__stat="anon 1\ninactive_file 200")
    group(root / "user" / "lab", memory__max="max", memory__current="600", memory__stat="inactive_file 1")
    assert list(memory_limits(tmp_path / "cgroup", root)) == [(1000, 500)]


def test_limits_seen_from_inside_a_container_stand_at_the_root(tmp_path: Path) -> None:
    (tmp_path / "cgroup").write_text("0::/docker/0123/not/here\n")
    root = group(tmp_path / "sys", memory__max="1000", memory__current="700", memory__stat="inactive_file 0")
    assert list(memory_limits(tmp_path / "cgroup", root)) == [(1000, 700)]


def test_limits_of_the_groups_of_version_1(tmp_path: Path) -> None:
    (tmp_path / "cgroup").write_text("5:cpu,cpuacct:/x\n4:memory:/lab\n")
    group(
        tmp_path / "sys" / "memory" / "lab",
        memory__limit_in_bytes="1000", memory__usage_in_bytes="700", memory__stat="total_inactive_file 100",
    )  # fmt: skip
    group(
        tmp_path / "sys" / "memory",
        memory__limit_in_bytes=str(2**63 - 4096), memory__usage_in_bytes="9", memory__stat="total_inactive_file 0",
    )  # fmt: skip
    assert list(memory_limits(tmp_path / "cgroup", tmp_path / "sys")) == [(1000, 600)]


def test_without_groups_there_are_no_limits(tmp_path: Path) -> None:
    assert list(memory_limits(tmp_path / "none", tmp_path)) == []
