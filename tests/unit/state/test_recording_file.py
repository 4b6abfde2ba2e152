"""The file of a recording: read back it is what was recorded; cut, damaged or killed it is read as far as it goes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafkalab import Cluster
from kafkalab.errors import BadInput
from kafkalab.state import recording_file
from kafkalab.state.facts import Facts
from kafkalab.state.recording import Recording
from kafkalab.state.recording_file import RecordingFile
from kafkalab.state.recording_file_pieces import MARK, packed, pieces
from kafkalab.waiting import wait_until
from tests.unit.state.recordings import HEADER, fill, lines, snapshot, written
from tests.unit.state.strategies import steady


def facts(recording: Recording) -> list[str]:
    return sorted(map(repr, recording.facts))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Recording, bytes]:
    path = tmp_path_factory.mktemp("recordings") / "whole.kafkalab"
    recording = written(path)
    return recording, path.read_bytes()


def test_what_is_read_is_what_was_recorded(tmp_path: Path) -> None:
    recording = written(tmp_path / "a.kafkalab")
    found = Recording.open(tmp_path / "a.kafkalab")
    assert facts(found) == facts(recording)
    assert (found.header, found.problem, found.going) == (HEADER, "", False)
    assert found.at(30.5).snapshot == snapshot(30, leader=102)
    assert found.events == recording.events != ()
    assert Recording.open(tmp_path / "a").seconds == 59, "the suffix may be left out"


def test_it_is_a_gzip_file_of_json_lines_that_any_tool_reads(tmp_path: Path) -> None:
    recording = written(tmp_path / "a.kafkalab")
    first, *told, last = lines(tmp_path / "a.kafkalab")
    assert first == {"kafkalab": "recording", "format": 1, **HEADER.to_dict()}
    assert last == {"end": 59.0}
    # Now and then the header is said again, with a state that is told whole.
    found = [fact for fact in told if isinstance(fact, list)]
    assert all(line == first for line in told if line not in found)
    (event,) = recording.facts.items("events")
    assert [fact for fact in found if fact[1] == "events"] == [[20.0, "events", "add", event]]


def test_names_given_after_the_end_are_added_to_the_file_also_by_who_opened_it(tmp_path: Path) -> None:
    recording = written(tmp_path / "a.kafkalab")
    recording.name("before", at=19)
    Recording.open(tmp_path / "a.kafkalab").name("after", at=21)
    found = Recording.open(tmp_path / "a.kafkalab")
    assert [(moment.at, moment.name) for moment in found.named] == [(19, "before"), (21, "after")]
    assert found.problem == ""


def test_a_name_does_not_end_what_was_never_ended(tmp_path: Path) -> None:
    file = RecordingFile(tmp_path / "a.kafkalab", HEADER.to_dict())
    Recording.open(file.path).name("seen while it is recorded", at=0)
    found = Recording.open(file.path)
    assert [moment.name for moment in found.named] == ["seen while it is recorded"]
    assert "never ended" in found.problem
    file.close()
    assert Recording.open(file.path).problem == ""


def test_a_copy_holds_the_same_and_nothing_is_overwritten(tmp_path: Path) -> None:
    recording = written(tmp_path / "a.kafkalab")
    saved = recording.save(tmp_path / "b")
    assert saved.name == "b.kafkalab"
    assert facts(Recording.open(saved)) == facts(recording)
    for make in (recording.save, lambda path: RecordingFile(path, {})):
        with pytest.raises(BadInput, match="overwrite nothing"):
            make(saved)
    with pytest.raises(BadInput, match="cannot be written"):
        recording.save(tmp_path / "nowhere" / "b")


@steady
@given(data=st.data())
def test_cut_anywhere_it_is_read_up_to_there_and_says_so(
    whole: tuple[Recording, bytes], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    recording, file = whole
    cut = data.draw(st.integers(0, len(file) - 1), "bytes that are left")
    path = tmp_path_factory.getbasetemp() / "cut.kafkalab"
    path.write_bytes(file[:cut])
    if cut < file.index(MARK, 1):
        # Of the header's own piece nothing but the whole can be believed, and nothing came before.
        try:
            found = Recording.open(path)
        except BadInput:
            return
    found = Recording.open(path)
    assert "everything up to" in found.problem.lower()
    was = Facts()
    for at, track, sort, told in recording.facts:
        was.add(track, at, told) if sort == "add" else was.patch(track, at, told)
    # Of the last second, something may be there and something not.
    for second in range(int(found.seconds)):
        assert found.facts.value("snapshot", second) == was.value("snapshot", second)
    assert set(facts(found)) <= set(facts(recording))


def test_cut_at_every_byte_it_opens_or_says_that_nothing_is_there(tmp_path: Path) -> None:
    path = tmp_path / "a.kafkalab"
    recording = written(path, seconds=4, pieces=2)
    file, last = path.read_bytes(), -1.0
    whole = set(facts(recording))
    for cut in range(len(file)):
        path.write_bytes(file[:cut])
        try:
            found = Recording.open(path)
        except BadInput:
            assert cut < file.index(MARK, 1)
            continue
        assert found.problem
        assert set(facts(found)) <= whole
        assert found.seconds >= last, "more of the file tells no less"
        last = found.seconds
    assert last == recording.seconds


def test_every_piece_can_be_lost_and_the_rest_is_right_again_when_states_are_told_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.kafkalab"
    recording = written(path, seconds=120, pieces=12)
    file = path.read_bytes()
    marks = [piece.at for piece in pieces(file)]
    for i, (begin, end) in enumerate(zip(marks, [*marks[1:], len(file)], strict=True)):
        path.write_bytes(file[: begin + 40] + bytes(max(0, end - begin - 40)) + file[end:])
        found = Recording.open(path)
        assert found.problem, f"piece {i}"
        right = [s for s in range(120) if found.facts.value("snapshot", s) == recording.facts.value("snapshot", s)]
        assert len(right) > 60, f"piece {i}: {right}"
        # What is not right is older than it should be, and never made up.
        for second in set(range(120)) - set(right):
            value = found.facts.value("snapshot", second)
            assert value is None or value in [recording.facts.value("snapshot", s) for s in range(second)]
        assert found.header.began == pytest.approx(HEADER.began, abs=60)


@steady
@given(st.lists(st.binary(max_size=300), max_size=5), st.binary(max_size=60), st.integers(0, 4))
def test_pieces_are_found_again_behind_anything(told: list[bytes], between: bytes, at: int) -> None:
    parts = [packed(data) for data in told]
    parts[min(at, len(parts)) : min(at, len(parts))] = [between]
    found = list(pieces(b"".join(parts)))
    assert [piece.data for piece in found if piece.data is not None and not piece.cut] == told
    assert sum(piece.end - piece.at for piece in found) == sum(map(len, parts))


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"\x1f\x8b\x08\x00", packed(b"[1,2]\n"), packed(b""), os.urandom(999)]
)
def test_what_holds_nothing_that_can_be_read_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.kafkalab").write_bytes(content)
    with pytest.raises(BadInput, match=r"no recording of kafkalab, or nothing of it can be read"):
        Recording.open(tmp_path / "a.kafkalab")


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="There is no recording"):
        Recording.open(tmp_path / "a.kafkalab")
    with pytest.raises(BadInput, match="cannot be read"):
        Recording.open(tmp_path)


def test_it_is_written_while_it_is_recorded_and_no_thread_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording_file, "GATHERED", 0.05)
    before = set(threading.enumerate())
    file = RecordingFile(tmp_path / "a.kafkalab", HEADER.to_dict())
    with Recording(HEADER) as recording:
        recording.begin(None, lambda: None, file)  # type: ignore[arg-type]
        fill(recording)
        wait_until(lambda: Recording.open(file.path).seconds == 59, 10, "the facts to be in the file")
        assert "never ended" in Recording.open(file.path).problem
        assert recording.problem == ""
    assert Recording.open(file.path).problem == ""
    assert not set(threading.enumerate()) - before


def test_without_its_file_it_goes_on_in_memory_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_file, "GATHERED", 0.05)
    path = tmp_path / "gone" / "a.kafkalab"
    path.parent.mkdir()
    recording = Recording(HEADER)
    recording.begin(None, lambda: None, RecordingFile(path, HEADER.to_dict()))  # type: ignore[arg-type]
    path.unlink()
    fill(recording)
    wait_until(lambda: recording.problem, 10, "the loss of the file to be seen")
    assert "it was removed" in recording.problem
    assert "recording.save(path)" in recording.problem
    recording.stop()
    recording.name("later", at=3)
    assert Recording.open(recording.save(tmp_path / "b")).at(30.5).snapshot == snapshot(30, leader=102)


_LEFT = """
import sys
from kafkalab.state.recording import Recording
from kafkalab.state.recording_file import RecordingFile
from pathlib import Path
from tests.unit.state.recordings import HEADER, fill
recording = Recording(HEADER)
recording.begin(None, lambda: None, RecordingFile(Path(sys.argv[1]), HEADER.to_dict()))
fill(recording)
"""


def test_an_interpreter_that_ends_leaves_it_whole(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", _LEFT, str(tmp_path / "a.kafkalab")], check=True, timeout=60)
    found = Recording.open(tmp_path / "a.kafkalab")
    assert (found.seconds, found.problem) == (59, "")


_FULL = """
import resource, sys
sys.stderr = sys.stdout
from pathlib import Path
from kafkalab.state.recording import Recording
from kafkalab.state.recording_file import RecordingFile
from tests.unit.state.recordings import HEADER, fill
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))
recording = Recording(HEADER)
recording.begin(None, lambda: None, RecordingFile(Path(sys.argv[1]), HEADER.to_dict()))
fill(recording, 600)
recording.stop()
print(recording.problem)
print(recording.seconds)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
recording.save(sys.argv[1] + ".copy")
"""


def test_a_file_that_can_grow_no_more_ends_with_a_whole_piece_and_memory_has_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "a.kafkalab"
    done = subprocess.run(
        [sys.executable, "-c", _FULL, str(path)], check=True, timeout=60, stdout=subprocess.PIPE, text=True
    )
    said, seconds = done.stdout.splitlines()
    assert said.startswith("The recording cannot be written to a.kafkalab: File too large. What came after ")
    assert said.endswith("is kept in memory only. Keep it elsewhere: recording.save(path).")
    assert seconds == "599.0"
    found = Recording.open(path)
    assert path.stat().st_size <= 2000
    assert "It was never ended" in found.problem
    assert (Recording.open(f"{path}.copy").seconds, Recording.open(f"{path}.copy").problem) == (599, "")


def test_a_cluster_that_stops_ends_its_recordings(tmp_path: Path) -> None:
    with Cluster(backend="fake", quiet=True) as cluster:
        first, second = cluster.record(tmp_path / "a"), cluster.record()
        wait_until(lambda: first.at(first.seconds).snapshot, 5, "the first snapshot")
        with pytest.raises(BadInput, match="overwrite nothing"):
            cluster.record(tmp_path / "a")
        assert second.path is None, "a model in memory is recorded in memory"
    assert not first.going
    assert not second.going
    found = Recording.open(tmp_path / "a")
    assert found.problem == ""
    assert found.at(found.seconds).snapshot == first.at(first.seconds).snapshot
