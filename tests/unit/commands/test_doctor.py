"""The doctor's findings: what counts as well, and how they are shown."""

from __future__ import annotations

import pytest

from kafkalab.cluster import preflight
from kafkalab.cluster.preflight import MB, Room
from kafkalab.commands import doctor
from kafkalab.commands.doctor import Check, asked
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
    assert "do: Close other programs" in doctor.text([FINE, BROKEN], 60)
    found = doctor._backends({"docker: engine"})
    assert found.startswith("local, fake") and "not docker: see docker: engine" in found
    without = asked("backends", lambda: doctor._backends({"memory"}))
    assert not without.ok and without.seen.startswith("docker, fake")


def test_what_a_container_leaves_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    for room, of in ((Room(900 * MB, contained=True), "of this container"), (Room(900 * MB), "available")):
        monkeypatch.setattr(preflight, "look", lambda room=room: room)
        check = asked("memory", doctor._memory)
        assert not check.ok and check.do
        assert check.seen.startswith("900 MB") and of in check.seen
    monkeypatch.setattr(preflight, "look", lambda: Room(doctor.MEMORY_NEEDED))
    assert asked("memory", doctor._memory).ok
