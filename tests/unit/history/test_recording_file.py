"""The file of a recording: read back it is what was recorded; cut, damaged or killed it is read as far as it goes."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from kafkalab import Cluster, Recording
from kafkalab.errors import BadInput
from kafkalab.history.file import writing
from kafkalab.history.file.reading import MARK, pieces
from kafkalab.history.file.writing import RecordingFile, own_path
from kafkalab.waiting import wait_until
from tests.support.threads import Begun
from tests.unit.history.recordings import HEADER, begun, fill, snapshot, written


def facts(recording: Recording) -> list[str]:
    return sorted(map(repr, recording.facts))


def test_what_is_read_is_what_was_recorded_and_it_is_gzip_of_json_lines(tmp_path: Path) -> None:
    recording = written(tmp_path / "a.kafkalab")
    found = Recording.open(tmp_path / "a")
    assert facts(found) == facts(recording)
    assert (found.header, found.problem, found.going, found.seconds) == (HEADER, "", False, 59)
    assert found.at(30.5).snapshot == snapshot(30, leader=102)
    assert found.events == recording.events != ()
    first, *told, last = map(json.loads, gzip.decompress((tmp_path / "a.kafkalab").read_bytes()).splitlines())
    assert (first, last) == ({"kafkalab": "recording", "format": 1, **HEADER.to_dict()}, {"end": 59.0})
    assert [20.0, "events", "add", *recording.facts.items("events")] in told
    saved = recording.save(tmp_path / "b")
    assert saved.name == "b.kafkalab"
    assert facts(Recording.open(saved)) == facts(recording)
    for make in (recording.save, lambda path: RecordingFile(path, {})):
        with pytest.raises(BadInput, match="overwrite"):
            make(saved)
    with pytest.raises(BadInput, match="cannot be written"):
        recording.save(tmp_path / "nowhere" / "b")


def test_cut_anywhere_it_is_read_up_to_there(tmp_path: Path) -> None:
    path = tmp_path / "a.kafkalab"
    recording = written(path, seconds=4, piece=1000)
    file, last, whole = path.read_bytes(), -1.0, set(facts(recording))
    assert len(list(pieces(file))) > 3
    for cut in range(0, len(file), 2):
        path.write_bytes(file[:cut])
        try:
            found = Recording.open(path)
        except BadInput:
            assert cut < file.index(MARK, 1)
            continue
        assert "verything up to" in found.problem
        assert set(facts(found)) <= whole
        assert found.seconds >= last, "more of the file tells no less"
        last = found.seconds
        for second in range(int(last)):
            assert found.facts.value("snapshot", second) == recording.facts.value("snapshot", second)
    assert last == recording.seconds


def test_it_is_written_while_it_is_recorded_and_names_are_added_at_any_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "GATHERED", 0.05)
    path, threads = tmp_path / "a.kafkalab", Begun("kafkalab-recording-file")
    with begun(path) as recording:
        fill(recording)
        wait_until(lambda: Recording.open(path).seconds == 59, 20, "the facts to be in the file")
        Recording.open(path).name("while it is recorded", at=0)
        assert "never ended" in Recording.open(path).problem
        assert recording.problem == ""
        assert threads.now()
    recording.name("after", at=19)
    Recording.open(path).name("by who opened it", at=21)
    found = Recording.open(path)
    assert [moment.name for moment in found.named] == ["while it is recorded", "after", "by who opened it"]
    assert found.problem == ""
    assert not threads.now()


def test_without_its_file_it_goes_on_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "GATHERED", 0.05)
    path = tmp_path / "gone" / "a.kafkalab"
    path.parent.mkdir()
    recording = begun(path)
    path.unlink()
    fill(recording)
    wait_until(lambda: recording.problem, 20, "the loss of the file to be seen")
    assert "it was removed" in recording.problem
    recording.stop()
    recording.name("later", at=3)
    assert Recording.open(recording.save(tmp_path / "b")).at(30.5).snapshot == snapshot(30, leader=102)


_PROCESS = """
import resource, sys
from pathlib import Path
from tests.unit.history.recordings import begun, fill
sys.stderr = sys.stdout
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))
full = begun(Path("full.kafkalab"))
fill(full, 600)
full.stop()
print(full.problem)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
full.save("copy")
fill(begun(Path("left.kafkalab")))
"""


def test_a_process_that_ends_leaves_it_whole_and_a_full_disk_ends_it_with_a_whole_piece(tmp_path: Path) -> None:
    process = subprocess.run([sys.executable, "-c", _PROCESS], check=True, stdout=subprocess.PIPE, cwd=tmp_path)
    assert b"File too large" in process.stdout and b"recording.save(path)" in process.stdout
    assert (tmp_path / "full.kafkalab").stat().st_size <= 2000
    assert "never ended" in Recording.open(tmp_path / "full").problem
    for name, length in (("copy", 599), ("left", 59)):
        found = Recording.open(tmp_path / name)
        assert (found.seconds, found.problem) == (length, "")


def test_a_cluster_that_stops_ends_its_recordings(tmp_path: Path) -> None:
    with Cluster(backend="fake", quiet=True) as cluster:
        recording = cluster.record(tmp_path / "a")
        wait_until(lambda: recording.at(recording.seconds).snapshot, 20, "the first snapshot")
        assert cluster.record().path is None, "a model in memory is recorded in memory"
    assert not recording.going
    found = Recording.open(tmp_path / "a")
    assert found.problem == ""
    assert found.at(found.seconds).snapshot == recording.at(recording.seconds).snapshot


def test_a_recording_without_a_name_is_called_after_the_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAFKALAB_HOME", str(tmp_path))
    for cluster, stem in (("lab", "lab-2"), ("../höme x", "-h-me-x-2"), ("", "cluster-2")):
        path = own_path(cluster)
        assert path.parent == tmp_path / "recordings" and path.name.startswith(stem)
        path.touch()
        assert own_path(cluster) != path, "two within a second are two"
