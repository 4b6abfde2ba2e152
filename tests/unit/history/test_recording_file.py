"""The file of a recording: read back it is what was recorded; cut or killed, up to there; anything else is refused."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from kafkalab import Cluster, Recording
from kafkalab.errors import BadInput
from kafkalab.history import file
from kafkalab.history.file import FORMAT, RecordingFile, own_path
from kafkalab.waiting import wait_until
from tests.unit.history.recordings import BEGAN, HEADER, begun, fill, made, snapshot, written


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
    assert (first, last) == ({"kafkalab": "recording", "format": FORMAT, **asdict(HEADER)}, {"end": 59.0})
    assert [20.0, "events", "add", *recording.facts.items("events")] in told
    saved = recording.save(tmp_path / "b")
    assert saved.name == "b.kafkalab"
    assert facts(Recording.open(saved)) == facts(recording)
    for make in (recording.save, lambda path: RecordingFile(path, {})):
        with pytest.raises(BadInput, match="overwrite"):
            make(saved)
    with pytest.raises(BadInput, match="cannot be written"):
        recording.save(tmp_path / "nowhere" / "b")


def test_cut_anywhere_it_is_read_up_to_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "GATHERED", 0.0)
    path = tmp_path / "a.kafkalab"
    recording = written(path, seconds=4)
    data, last, whole, opened = path.read_bytes(), -1.0, set(facts(recording)), 0
    for cut in range(len(data)):
        path.write_bytes(data[:cut])
        try:
            found = Recording.open(path)
        except BadInput:
            assert not opened, "more of the file tells no less"
            continue
        opened += 1
        assert "verything up to" in found.problem
        assert set(facts(found)) <= whole
        assert found.seconds >= last, "more of the file tells no less"
        last = found.seconds
        for second in range(int(last)):
            assert found.facts.value("snapshot", second) == recording.facts.value("snapshot", second)
    assert last == recording.seconds and opened > len(data) / 2
    path.write_bytes(data[:-3])
    Recording.open(path).name("it cannot be kept", at=1)
    assert path.read_bytes() == data[:-3], "nothing is put behind half a piece"


GOOD = [0.0, "snapshot", "set", [["set", [], snapshot(0).to_dict()]]]


@pytest.mark.parametrize(
    "wrong",
    [
        [b"nonsense"], [b"[" * 100_000], [[1.0, "events", "add"]], [[1.0, "snapshot", "set", [["del", ["zzz"]]]]],
        [[1.0, "snapshot", "add", {}]], [["now", "nodes", "set", [["set", [], {}]]]],
        [b'[1.0, "ledger/l", "set", [["set", [], NaN]]]'],
        [[1.0, "events", "add", {"at": 1, "kind": "you", "text": "", "mood": "good"}]], [[1.0, "events", "add", {}]],
        [[1.0, "events", "add", {"at": "1", "kind": "you", "text": ""}]], [[0.0, "snapshot", "set", [["set", [], 1]]]],
        [[1.0, "events", "add", {"at": 1, "kind": "you", "text": None}]],
        [[1.0, "batches/t/0", "add", [101, 0, 0, 2, "***"]]], [[1.0, "batches/t/0", "add", [101, 0, None, 2, ""]]],
        [[1.0, "batches/t/x", "add", [101, 0, 0, 2, ""]]], [[1.0, "batches/t/0", "add", []]],
    ],
)  # fmt: skip
def test_what_is_no_recording_or_damaged_is_refused_in_a_sentence(tmp_path: Path, wrong: list[object]) -> None:
    path = tmp_path / "a.kafkalab"
    assert Recording.open(made(path, GOOD)).at(0).snapshot == snapshot(0)
    with pytest.raises(BadInput, match=r"'a\.kafkalab' is not a recording of kafkalab, or it is damaged"):
        Recording.open(made(path, GOOD, *wrong))


def test_other_files_other_versions_and_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "a.kafkalab").path
    assert path is not None
    data = path.read_bytes()
    damaged = data[:500] + bytes(20) + data[520:]
    for other in (b"", b"PK notes", gzip.compress(b"notes"), gzip.compress(b"[]\n"), gzip.compress(b"{}\n"), damaged):
        path.write_bytes(other)
        with pytest.raises(BadInput, match="not a recording of kafkalab, or it is damaged"):
            Recording.open(path)
    with pytest.raises(BadInput, match="another version of kafkalab, which this version cannot read"):
        Recording.open(made(path, header={"kafkalab": "recording", "format": 1, "began": BEGAN}))
    with pytest.raises(BadInput, match="There is no recording"):
        Recording.open(tmp_path / "none")
    monkeypatch.setattr(file, "LARGEST", 2**20)
    path.write_bytes(gzip.compress(bytes(2**21)))
    with pytest.raises(BadInput) as refused:
        Recording.open(path)
    assert "more than 1 MB" in refused.value.seen


def test_what_is_no_json_is_neither_kept_nor_written(tmp_path: Path) -> None:
    recording = begun(tmp_path / "a.kafkalab")
    recording.state("query/q", {"a": 1})
    for wrong in (float("nan"), float("inf"), b"bytes"):
        with pytest.raises((TypeError, ValueError)):
            recording.state("query/q", {"a": wrong})
    recording.state("query/q", {"a": 2})
    recording.stop()
    found = Recording.open(tmp_path / "a")
    assert found.problem == "" and facts(found) == facts(recording)
    assert found.facts.value("query/q") == {"a": 2}


def test_it_is_written_while_it_is_recorded_and_names_are_added_at_any_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "GATHERED", 0.0)
    path = tmp_path / "a.kafkalab"
    with begun(path) as recording:
        fill(recording)
        assert Recording.open(path).seconds == 59
        Recording.open(path).name("while it is recorded", at=0)
        assert "never ended" in Recording.open(path).problem
        assert recording.problem == ""
    recording.name("after", at=19)
    Recording.open(path).name("by who opened it", at=21)
    found = Recording.open(path)
    assert [moment.name for moment in found.named] == ["while it is recorded", "after", "by who opened it"]
    assert found.problem == ""


def test_without_its_file_it_goes_on_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "GATHERED", 0.0)
    path = tmp_path / "gone" / "a.kafkalab"
    path.parent.mkdir()
    recording = begun(path)
    path.unlink()
    fill(recording)
    assert "cannot be written to a.kafkalab" in recording.problem
    recording.stop()
    recording.name("later", at=3)
    assert Recording.open(recording.save(tmp_path / "b")).at(30.5).snapshot == snapshot(30, leader=102)


_PROCESS = """
import resource, sys
from pathlib import Path
from kafkalab.history import file
from tests.unit.history.recordings import begun, fill
file.GATHERED = 0.0
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


def test_a_process_that_ends_leaves_it_whole_and_what_a_full_disk_left_can_be_read(tmp_path: Path) -> None:
    process = subprocess.run([sys.executable, "-c", _PROCESS], check=True, stdout=subprocess.PIPE, cwd=tmp_path)
    assert b"File too large" in process.stdout and b"recording.save(path)" in process.stdout
    assert (tmp_path / "full.kafkalab").stat().st_size <= 2000
    assert "was cut off" in Recording.open(tmp_path / "full").problem
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
