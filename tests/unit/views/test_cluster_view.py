"""ClusterView: what it sends and when, what a button does, and that it lets go."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from ipykernel.comm.comm import BaseComm

from kafkalab import ClusterView
from kafkalab.cluster.backend import Verb
from kafkalab.errors import NodeFailed
from kafkalab.state.event import Event
from kafkalab.state.watch import Listener
from kafkalab.views.cluster_drawn import brokers, drawn
from kafkalab.views.comms import answer_where_asked
from kafkalab.waiting import wait_until
from tests.unit.views.cluster_samples import HEALTHY, WITHOUT_102, Stage, nodes


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.watcher().close()


@pytest.fixture
def view(stage: Stage) -> Iterator[ClusterView]:
    view = ClusterView(stage)
    wait_until(lambda: view.state["looked"], 20, "the first snapshot")
    yield view
    view.close()


def press(view: ClusterView, node: str, verb: str) -> None:
    """What the front end does when a button is clicked."""
    view._handle_custom_msg({"do": "act", "node": node, "verb": verb}, [])


@pytest.fixture
def sent(view: ClusterView, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Every message that goes to the front end."""
    messages: list[dict[str, Any]] = []
    monkeypatch.setattr(view, "_send", lambda msg, buffers=None: messages.append(msg))
    return messages


def answered(sent: list[dict[str, Any]], *nodes: str) -> None:
    """Wait until the front end was told that what was pressed is done."""
    wanted = sorted(nodes)

    def done() -> list[str]:
        return sorted(m["content"]["node"] for m in sent if m["content"].get("did") == "act")

    wait_until(lambda: done() == wanted, 20, "what was pressed to be done", seen=lambda: repr(done()))


def texts(view: ClusterView) -> list[str]:
    return [line["text"] for line in view.state["events"]]


def test_it_draws_the_snapshot_and_the_nodes(view: ClusterView) -> None:
    picture = drawn(HEALTHY, nodes(), name="stage", label="in a test", version="3.9.2", mode="zookeeper")
    assert view.state == {**picture, "events": [], "n": view.state["n"], "fault": ""}
    assert view.live


def test_what_happened_is_listed_in_the_order_of_the_watcher(stage: Stage, view: ClusterView) -> None:
    stage.watcher().note("you killed broker 102")
    stage.snapshot = WITHOUT_102
    wait_until(lambda: any("leader 102 → 103" in text for text in texts(view)), 20, "the leader to move")

    def note(k: int) -> None:
        for i in range(20):
            stage.watcher().note(f"note {k}.{i}")

    threads = [threading.Thread(target=note, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts(view) == [event.text for event in stage.watcher().events]
    assert texts(view)[:2] == ["you killed broker 102", "broker 102 is down"]


def test_what_happened_while_nobody_looked_is_told_to_who_looks_again(stage: Stage, view: ClusterView) -> None:
    def eye(do: str) -> None:
        view._handle_custom_msg({"do": do, "eye": "one", "n": -1}, [])

    eye("whole")
    stage.watcher().note("one")
    eye("gone")
    wait_until(lambda: "resting" in repr(stage.watcher()), 20, "the watcher to rest")
    stage.watcher().note("two")
    assert texts(view) == ["one"]
    late = ClusterView(stage)
    assert texts(late) == ["one", "two"]
    eye("whole")
    stage.watcher().note("three")
    assert texts(view) == texts(late) == ["one", "two", "three"]
    late.close()


def test_what_happens_while_a_view_is_made_is_told_once(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    watcher = stage.watcher()
    subscribe = watcher.subscribe
    notes: list[threading.Thread] = []
    # A first snapshot that came before the note would hold the note up until the view is made.
    stage.may_capture.clear()

    def and_something_happens(listener: Listener) -> Callable[[], None]:
        unsubscribe = subscribe(listener)
        notes.append(threading.Thread(target=watcher.note, args=("you killed broker 102",)))
        notes[0].start()
        wait_until(lambda: watcher.events, 20, "the note to be among the events")
        stage.may_capture.set()
        return unsubscribe

    monkeypatch.setattr(watcher, "subscribe", and_something_happens)
    view = ClusterView(stage)
    try:
        notes[0].join()
        assert texts(view) == ["you killed broker 102"]
    finally:
        view.close()


def test_a_button_acts_on_a_thread_of_its_own_and_says_so_first(
    stage: Stage, view: ClusterView, sent: list[dict[str, Any]]
) -> None:
    go = threading.Event()

    def act(node: str, verb: Verb) -> None:
        go.wait(10)
        stage.states = nodes(broker_102="stopped")

    stage.on_act = act
    press(view, "broker-102", "kill")
    # The kernel's thread is back here while the node is still being killed, and the buttons rest.
    wait_until(lambda: view.state["brokers"]["102"]["node"]["busy"] == "kill", 20, "the buttons to rest")
    go.set()
    answered(sent, "broker-102")
    assert [(node, verb) for node, verb, _ in stage.acted] == [("broker-102", "kill")]
    assert stage.acted[0][2] is not threading.current_thread()
    told = {"name": "broker-102", "state": "stopped", "verbs": ["start"], "busy": None}
    assert view.state["brokers"]["102"]["node"] == told


def test_clicks_while_it_is_busy_do_nothing_and_other_nodes_go_on(
    stage: Stage, view: ClusterView, sent: list[dict[str, Any]]
) -> None:
    go = threading.Event()

    def act(node: str, verb: Verb) -> None:
        go.wait(10)

    stage.on_act = act
    press(view, "broker-102", "stop")
    wait_until(lambda: stage.acted, 20, "the first to be acted on")
    press(view, "broker-102", "stop")
    press(view, "broker-102", "kill")
    press(view, "broker-103", "stop")
    wait_until(lambda: len(stage.acted) == 2, 20, "both nodes to be acted on")
    answered(sent, "broker-102", "broker-102")
    go.set()
    answered(sent, *["broker-102"] * 3, "broker-103")
    assert sorted((node, verb) for node, verb, _ in stage.acted) == [("broker-102", "stop"), ("broker-103", "stop")]


@pytest.mark.parametrize(
    "error, said",
    [
        (NodeFailed("It did not.", seen="it runs", do="kill it"), ["It did not.", "it runs", "kill it"]),
        (RuntimeError("no"), ["RuntimeError: no"]),
    ],
)
def test_an_action_that_fails_is_an_error_line(
    stage: Stage, view: ClusterView, sent: list[dict[str, Any]], error: Exception, said: list[str]
) -> None:
    def act(node: str, verb: Verb) -> None:
        raise error

    stage.on_act = act
    press(view, "broker-102", "stop")
    answered(sent, "broker-102")
    line = view.state["events"][-1]
    assert line["kind"] == "error"
    assert all(part in line["text"] for part in ["stop broker 102", *said])
    assert view.state["brokers"]["102"]["node"]["busy"] is None


def test_a_verb_that_is_none_is_refused(stage: Stage, view: ClusterView) -> None:
    for message in ({"do": "act"}, {"do": "act", "node": "broker-102", "verb": "format"}):
        view.fault("")
        view._handle_custom_msg(message, [])
        wait_until(lambda: view.state["fault"], 20, "the refusal")
    assert stage.acted == []


def test_a_cluster_that_cannot_be_looked_at_is_said_and_its_nodes_can_still_be_started(
    stage: Stage, view: ClusterView
) -> None:
    stage.failure = NodeFailed("No broker answers.")
    stage.states = nodes(broker_101="stopped", broker_102="stopped", broker_103="stopped")
    wait_until(lambda: view.state["error"] is not None, 20, "the error")
    assert view.state["error"]["text"] == "No broker answers."
    assert [b["node"]["verbs"] for b in brokers(view.state)] == [["start"]] * 3
    stage.failure = None
    wait_until(lambda: view.state["error"] is None, 20, "the error to go")


def test_nodes_that_cannot_be_listed_do_not_stop_the_picture(
    stage: Stage, view: ClusterView, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise OSError("no /proc")

    monkeypatch.setattr(stage, "nodes", broken)
    stage.snapshot = WITHOUT_102
    wait_until(lambda: view.state["brokers"]["102"]["alive"] is False, 20, "the new picture")
    assert "could not be listed" in caplog.text


def test_a_frozen_picture_has_everything_but_buttons() -> None:
    view = ClusterView.of(WITHOUT_102, nodes(broker_102="stopped"), [Event(1.0, "broker_down", "broker 102 is down")])
    assert not view.live
    assert view.state["at"] == WITHOUT_102.at
    assert [b["node"]["verbs"] for b in brokers(view.state)] == [[], [], []]
    assert texts(view) == ["broker 102 is down"]
    assert "2 of 3 brokers up" in repr(view)
    view.close()


def test_a_press_is_handled_where_the_front_end_sent_it_though_a_cell_is_running() -> None:
    comm: Any = BaseComm(comm_id="c", target_name="t")  # type: ignore[no-untyped-call]
    # As after any message that was sent while a cell runs in the main shell, which has no id.
    comm._reply_subshell_id = None
    assert comm._reply_subshell_for({"method": "custom"}, "a-subshell") is None
    answer_where_asked(comm)
    assert comm._reply_subshell_for({"method": "custom"}, "a-subshell") == "a-subshell"
    assert comm._reply_subshell_for({"method": "custom"}, None) is None
