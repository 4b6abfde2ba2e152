"""What a recording follows besides the cluster: a query's reports, and a ledger's account."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kafkalab import Ledger, StreamView
from kafkalab.errors import BadInput, NotSupported
from kafkalab.handles.recording import Recording
from kafkalab.history.facts import Header
from kafkalab.history.tracks import followed as tracks_ledger
from kafkalab.state import stream
from kafkalab.state.stream import seconds
from kafkalab.waiting import wait_until
from tests.support.threads import Begun
from tests.unit.views.stream_samples import Played, reports


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PERIOD", 0.01)
    monkeypatch.setattr(tracks_ledger, "PERIOD", 0.01)


@pytest.fixture
def recording() -> Iterator[Recording]:
    """One that is going, and began with the query."""
    found = Recording(Header(seconds(reports("windows")[0]["timestamp"]) - 5, "lab"))
    found.begin(None)  # type: ignore[arg-type]
    threads = Begun("kafkalab-stream", "kafkalab-record")
    yield found
    found.stop()
    threads.end()


def test_reports_stand_where_their_batches_ended_and_views_find_them(recording: Recording) -> None:
    query = Played()
    query.played = 3
    assert recording.follow(query) == "windows"
    assert recording.facts.count("stream/windows") == 3, "what there was before"
    query.played = 9
    wait_until(lambda: recording.facts.count("stream/windows") == 9, 20, "what came")
    first = reports("windows")[0]
    ended = 5 + first["durationMs"]["triggerExecution"] / 1000
    assert recording.facts.times("stream/windows")[0] == pytest.approx(ended, abs=0.001)
    query.played, query.isActive = 10, False
    recording.stop()
    assert recording.facts.count("stream/windows") == 10, "its last batch"
    assert recording.facts.value("query/windows")["standing"] == "stopped"
    view = StreamView(recording)
    assert list(view.state["batches"]) == [str(n) for n in range(10)]
    assert view.state["standing"] == "stopped"
    view.close()


def test_two_runs_of_one_name_are_two_and_a_name_can_be_given(recording: Recording) -> None:
    query = Played()
    query._reports[0]["processedRowsPerSecond"] = float("nan")
    query.played = 1
    assert [recording.follow(query, given) for given in (None, None, "mine")] == ["windows", "windows (2)", "mine"]
    (told,) = recording.facts.items("stream/windows")
    assert told["processedRowsPerSecond"] is None, "JSON has no NaN"


def test_a_ledgers_account_is_recorded_when_it_changed(recording: Recording) -> None:
    ledger = Ledger()
    name = recording.follow(ledger)
    assert recording.facts.value(f"ledger/{name}")["sent"] == 0
    for n in range(100):
        ledger.sent(f"r{n:03}")
        ledger.acknowledged(f"r{n:03}")
    wait_until(lambda: recording.facts.value("ledger/ledger")["lost"] == 100, 20, "the account")
    assert len(recording.facts.value("ledger/ledger")["lost_ids"]) == tracks_ledger.IDS
    facts = recording.facts.count("ledger/ledger")
    ledger.seen("r000", (0, 0))
    recording.stop()
    assert recording.facts.value("ledger/ledger")["seen"] == 1, "its last change"
    assert recording.facts.count("ledger/ledger") == facts + 1, "and nothing while nothing changed"


def test_what_cannot_be_followed_is_refused(recording: Recording) -> None:
    for wrong in (3, "windows", None):
        with pytest.raises(BadInput, match="can follow"):
            recording.follow(wrong)
    recording.stop()
    with pytest.raises(NotSupported, match="is over"):
        recording.follow(Ledger())
