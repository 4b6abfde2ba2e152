"""LiveView: patches to who looks, the whole to who missed one, rest when nobody does, faults where they are seen."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from kafkalab import Cluster
from kafkalab.cluster.fake import FakeCapture
from kafkalab.errors import BadInput
from kafkalab.exercises.lab import Lab
from kafkalab.state.model import Snapshot
from kafkalab.state.patch import applied
from kafkalab.views import live
from kafkalab.views.live import FROZEN, Drawn, LiveView
from kafkalab.views.static import Block, Para, to_text, trouble
from kafkalab.waiting import wait_until


class Names(LiveView):
    """Draws the names of the topics, and whatever it is told."""

    _esm = "export default { render() {} }"

    def __init__(self, source: Any, **options: Any) -> None:
        self.told: dict[str, Any] = {}
        self.awake: list[bool] = []
        self.threads: list[str] = []
        super().__init__(source, **options)

    def _drawn(self) -> Drawn:
        topics = [t.name for t in self._snapshot.topics] if self._snapshot else []
        return {"topics": topics, "error": self._error, **self.told}

    def _start_feed(self) -> None:
        self.awake.append(True)

    def _stop_feed(self) -> None:
        self.awake.append(False)

    def _blocks(self, drawn: Drawn) -> list[Block]:
        return [Para(" ".join(drawn["topics"]))]

    def do_fail(self, message: dict[str, Any]) -> None:
        """Asked by the page."""
        self.threads.append(threading.current_thread().name)
        if message.get("how") == "bad":
            raise BadInput("That cannot be.", do="Try something else.")
        raise ZeroDivisionError("by zero")


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with Cluster(backend="fake", brokers=3, quiet=True) as cluster:
        yield cluster


@pytest.fixture
def view(cluster: Cluster) -> Iterator[Names]:
    view = Names(cluster)
    yield view
    view.close()


@pytest.fixture
def sent(view: Names, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The custom messages that go to the page from now on; a state that is sent as a trait fails the test."""
    messages: list[dict[str, Any]] = []

    def send(message: dict[str, Any], buffers: object = None) -> None:
        assert message["method"] == "custom", message
        messages.append(message["content"])

    monkeypatch.setattr(view, "_send", send)
    return messages


def says(view: Names, **message: Any) -> None:
    """What a page sends."""
    view._handle_custom_msg(message, [])


def test_a_page_gets_patches_that_make_the_state_and_who_missed_one_the_whole(
    cluster: Cluster, view: Names, sent: list[dict[str, Any]]
) -> None:
    page = view.state
    for name in ("one", "two", "three"):
        cluster.create_topic(name)
        wait_until(lambda name=name: name in repr(sent), 10, "the topic to be sent")
    assert [m["n"] for m in sent] == list(range(page["n"] + 1, view.state["n"] + 1))
    for message in sent:
        page = applied(page, message["patch"])
    assert page == view.state
    sent.clear()
    view.redraw()
    assert sent == [], "when nothing changed nobody gets anything"
    for eye, n in enumerate((page["n"] - 1, page["n"])):
        says(view, do="whole", eye=str(eye), n=n)
    assert [m["whole"] for m in sent if "whole" in m] == [view.state, None]


def test_a_page_that_shows_it_hears_a_beat_while_nothing_changes(
    view: Names, sent: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live, "PERIOD", 0.02)

    def beats() -> int:
        return sent.count({"beat": view.state["n"]})

    says(view, do="whole", eye="a", n=0)
    wait_until(lambda: beats() > 1, 20, "two beats", seen=lambda: repr(sent))
    # Who is at work does not say that all is well: a view that is stuck falls silent.
    with view._lock:
        before, other = beats(), threading.Thread(target=view._beat)
        other.start()
        other.join()
        assert beats() == before
    with monkeypatch.context() as broken:
        broken.setattr(view, "send", lambda message: 1 // 0)
        wait_until(lambda: "ZeroDivisionError" in caplog.text, 20, "the fault to be in the log")
    before = beats()
    wait_until(lambda: beats() > before, 20, "a beat after one that failed")
    says(view, do="gone", eye="a")


def test_it_rests_when_the_last_page_has_gone_and_wakes_for_the_next(cluster: Cluster, view: Names) -> None:
    watcher, other = cluster.watcher(), Names(cluster)
    says(view, do="whole", eye="a", n=0)
    says(view, do="whole", eye="b", n=0)
    says(view, do="gone", eye="a")
    says(view, do="gone", eye="a")
    assert view.awake == [True] and "2 listening" in repr(watcher)
    says(view, do="gone", eye="b")
    assert view.awake == [True, False] and "1 listening" in repr(watcher)
    cluster.create_topic("meanwhile")
    says(view, do="whole", eye="c", n=0)
    wait_until(lambda: "meanwhile" in view.state["topics"], 20, "the view to catch up")
    for one in (view, view, other):
        one.close()
    assert view.awake == [True, False, True, False]
    wait_until(lambda: "resting" in repr(watcher), 20, "the watcher's thread to end")
    before = dict(view.state)
    says(view, do="whole", eye="late", n=0)
    view.redraw()
    assert view.state == before, "closed, it hears nothing more"


def test_asked_for_a_still_form_at_once_it_looks_first(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = threading.Event()

    def capture() -> Snapshot:
        assert wanted.wait(20), "nobody waits for it"
        return cluster.snapshot()

    cluster.create_topic("letters")
    cluster._captures["watcher"] = FakeCapture(capture)
    monkeypatch.setattr(Names, "_has_looked", lambda self: wanted.set() or LiveView._has_looked(self))
    view = Names(cluster)
    assert (view.to_html(), repr(view)) == ('<div><p style="margin:.25em 0">letters</p></div>', "letters")
    view.close()


def test_what_fails_is_said_under_the_view_and_blocks_nobody(view: Names, caplog: pytest.LogCaptureFixture) -> None:
    for how, shown in (("bad", "That cannot be."), ("", "ZeroDivisionError: by zero")):
        assert "ZeroDivisionError" not in caplog.text, "only a fault of kafkalab's is in the log as well"
        says(view, do="fail", how=how)
        wait_until(lambda shown=shown: shown in view.state["fault"], 10, "the fault to be shown")
    assert view.threads == ["kafkalab-fail"] * 2
    assert "ZeroDivisionError" in caplog.text
    view.fault("")
    assert view.state["fault"] == ""


def test_a_fault_without_words_is_told_too() -> None:
    assert "does not answer" in to_text(trouble({"text": "", "at": None}))


def test_what_nobody_understands_does_nothing(view: Names, sent: list[dict[str, Any]]) -> None:
    for message in (None, "act", {"do": "redraw"}, {"do": "__init__"}, {"do": None}, {"do": "gone"}):
        view._handle_custom_msg(message, [])
    assert sent == [] and view.state["fault"] == ""


def test_one_that_nothing_feeds_is_drawn_and_hands_the_page_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Names(None)
    messages: list[dict[str, Any]] = []
    monkeypatch.setattr(view, "_send", lambda message, buffers=None: messages.append(message))
    view.told = {"a": 1}
    view.redraw()
    assert [(m["method"], m["state"]["state"]["a"]) for m in messages] == [("update", 1)]
    assert (view.live, view.awake) == (False, [])
    # A notebook that is saved shows it where there is no kernel.
    assert view._repr_mimebundle_()[0]["text/html"] == view.to_html()  # type: ignore[index]
    # Python closes what refused to be made when it throws the half-made object away.
    LiveView.__new__(Names).close()


def test_a_lab_that_is_tidied_up_keeps_its_pictures_which_hear_no_more(
    cluster: Cluster, view: Names, sent: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cluster, "lab", lambda *_: cluster)
    lab, asked = Lab("00"), Names(None)
    cluster.create_topic("lab00-hello")
    wait_until(lambda: view.state["topics"] == ["lab00-hello"], 20, "the topic")
    lab.tidy()
    assert cluster.wait_for(lambda s: not s.topics, 20, "the topic to be gone")
    # What is not of the cluster, such as a prediction, goes on.
    assert (view.awake[-1], sent[-1], asked._frozen) == (False, {"kept": FROZEN}, False)
    # A page that is opened later sees what there was.
    sent.clear()
    says(view, do="whole", eye="new", n=None)
    assert [(message["whole"]["topics"], message["kept"]) for message in sent] == [(["lab00-hello"], FROZEN)]
    # What stands still does nothing more, and says so to a page that asks for something that it does otherwise.
    sent.clear()
    says(view, do="fail")
    says(view, do="nothing_there_is")
    assert (sent, view.threads) == ([{"kept": FROZEN}], [])
