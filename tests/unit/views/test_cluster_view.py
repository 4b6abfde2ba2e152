"""ClusterView: what it sends and when, what a button does, and that it lets go."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from ipykernel.comm.comm import BaseComm

from kafkalab import Cluster
from kafkalab.cluster.backend import Verb
from kafkalab.cluster.fake.backend import FakeBackend
from kafkalab.errors import NodeFailed
from kafkalab.state.event import Event
from kafkalab.state.watch import Listener
from kafkalab.views.cluster_drawn import brokers, drawn
from kafkalab.views.cluster_view import ClusterView
from kafkalab.views.comms import answer_where_asked
from kafkalab.waiting import wait_until
from tests.unit.views.cluster_samples import HEALTHY, WITHOUT_102, Stage, nodes

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.watcher().close()


@pytest.fixture
def view(stage: Stage) -> Iterator[ClusterView]:
    view = ClusterView(stage)
    wait_until(lambda: view.state["looked"], 10, "the first snapshot")
    yield view
    view.close()


def press(view: ClusterView, node: str, verb: str) -> None:
    """What the front end does when a button is clicked."""
    view._handle_custom_msg({"do": "act", "node": node, "verb": verb}, [])


def quiet(view: ClusterView, node: str) -> None:
    """Wait until what was pressed has been done, on whatever threads."""

    def done() -> bool:
        return not any(thread.name == "kafkalab-act" for thread in threading.enumerate()) and node not in view._busy

    wait_until(done, 10, f"{node} to be done")


def pictures(stage: Stage, count: int) -> None:
    """Wait until so many more snapshots were captured and delivered."""
    seen: list[object] = []
    unsubscribe = stage.watcher().subscribe(seen.append)
    try:
        wait_until(lambda: len(seen) >= count, 10, f"{count} updates")
    finally:
        unsubscribe()


def sent(view: ClusterView, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Every message that goes to the front end from now on."""
    messages: list[dict[str, Any]] = []
    monkeypatch.setattr(view, "_send", lambda msg, buffers=None: messages.append(msg))
    return messages


def test_it_draws_the_snapshot_and_the_nodes(view: ClusterView) -> None:
    picture = drawn(HEALTHY, nodes(), name="stage", label="in a test", version="3.9.2", mode="zookeeper")
    assert view.state == {**picture, "events": [], "n": view.state["n"], "fault": ""}
    assert view.live


def test_nothing_is_sent_while_nothing_changed(
    stage: Stage, view: ClusterView, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = sent(view, monkeypatch)
    stage.snapshot = replace(HEALTHY, at=HEALTHY.at + 5)
    pictures(stage, 5)
    assert messages == []
    stage.snapshot = WITHOUT_102
    wait_until(lambda: view.state["brokers"]["102"]["alive"] is False, 10, "the new picture")
    pictures(stage, 3)
    # One message, with nothing of the groups and the quorum in it, nor of the brokers that stayed as they were.
    (patch,) = [m["content"]["patch"] for m in messages]
    assert {path[0] for _, path, *_ in patch} == {"n", "brokers", "topics", "events"}
    assert {path[1] for _, path, *_ in patch if path[0] == "brokers"} == {"102"}


def bytes_of_a_record(topics: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """What a view of a cluster with so many topics sends when one record more is in one of them."""
    with Cluster(backend="fake", brokers=3, quiet=True) as cluster:
        backend = cluster.backend
        assert isinstance(backend, FakeBackend)
        for i in range(topics):
            cluster.create_topic(f"topic-{i:02}", partitions=6, replication=3)
        cluster.watcher().note("a note of the day")
        view = ClusterView(cluster)
        try:
            cluster.watcher().wait_for(lambda s: len(s.topics) == topics, 10, "the topics")
            messages = sent(view, monkeypatch)
            backend.produce("topic-01", 3, 1)
            # The state is set first, and sent then.
            topic = "topic-01"
            wait_until(lambda: view.state["topics"][topic]["records"] == 1 and messages, 10, "the record to be sent")
            return len(json.dumps(messages))
        finally:
            view.close()


def test_what_travels_grows_with_what_changed_and_not_with_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (bytes_of_a_record(topics, monkeypatch) for topics in (2, 60))
    # The number of the patch may have a digit more.
    assert abs(few - many) <= 4
    assert many < 200


def test_what_happened_is_listed_in_the_order_of_the_watcher(stage: Stage, view: ClusterView) -> None:
    stage.watcher().note("you killed broker 102")
    stage.snapshot = WITHOUT_102
    wait_until(
        lambda: any("leader 102 → 103" in line["text"] for line in view.state["events"]), 10, "the leader to move"
    )
    texts = [line["text"] for line in view.state["events"]]
    assert texts == [event.text for event in stage.watcher().events]
    assert texts[:2] == ["you killed broker 102", "broker 102 is down"]


def test_a_late_view_knows_what_happened_before_it(stage: Stage, view: ClusterView) -> None:
    stage.watcher().note("you killed broker 102")
    late = ClusterView(stage)
    try:
        assert [line["text"] for line in late.state["events"]] == ["you killed broker 102"]
        stage.watcher().note("you started broker 102")
        assert [line["text"] for line in late.state["events"]] == ["you killed broker 102", "you started broker 102"]
    finally:
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
        wait_until(lambda: watcher.events, 10, "the note to be among the events")
        stage.may_capture.set()
        return unsubscribe

    monkeypatch.setattr(watcher, "subscribe", and_something_happens)
    view = ClusterView(stage)
    try:
        notes[0].join()
        assert [line["text"] for line in view.state["events"]] == ["you killed broker 102"]
    finally:
        view.close()


@pytest.mark.parametrize(
    "verb, note",
    [
        ("start", "you started zookeeper 1"),
        ("cut", "you cut zookeeper 1 off the network"),
        ("join", "you joined zookeeper 1 to the network again"),
    ],
)
def test_what_was_done_is_said_in_words(stage: Stage, view: ClusterView, verb: Verb, note: str) -> None:
    press(view, "zookeeper-1", verb)
    quiet(view, "zookeeper-1")
    assert [event.text for event in stage.watcher().events if event.kind == "you"] == [note]


def test_a_button_acts_on_a_thread_of_its_own_and_says_so_first(stage: Stage, view: ClusterView) -> None:
    go = threading.Event()
    notes_at_act: list[str] = []

    def act(node: str, verb: Verb) -> None:
        notes_at_act.extend(event.text for event in stage.watcher().events)
        go.wait(10)
        stage.states = nodes(broker_102="stopped")

    stage.on_act = act
    press(view, "broker-102", "kill")
    # The kernel's thread is back here while the node is still being killed, and the buttons rest.
    wait_until(lambda: view.state["brokers"]["102"]["node"]["busy"] == "kill", 10, "the buttons to rest")
    go.set()
    quiet(view, "broker-102")
    assert [(node, verb) for node, verb, _ in stage.acted] == [("broker-102", "kill")]
    assert stage.acted[0][2] is not threading.current_thread()
    assert notes_at_act == ["you killed broker 102"]
    assert view.state["brokers"]["102"]["node"] == {
        "name": "broker-102",
        "state": "stopped",
        "verbs": ["start"],
        "busy": None,
    }


def test_clicks_while_it_is_busy_do_nothing_and_other_nodes_go_on(stage: Stage, view: ClusterView) -> None:
    go = threading.Event()

    def act(node: str, verb: Verb) -> None:
        go.wait(10)

    stage.on_act = act
    press(view, "broker-102", "stop")
    wait_until(lambda: stage.acted, 10, "the first to be acted on")
    for _ in range(5):
        press(view, "broker-102", "stop")
    press(view, "broker-102", "kill")
    press(view, "broker-103", "stop")
    wait_until(lambda: len(stage.acted) == 2, 10, "both nodes to be acted on")
    go.set()
    quiet(view, "broker-102")
    quiet(view, "broker-103")
    assert sorted((node, verb) for node, verb, _ in stage.acted) == [("broker-102", "stop"), ("broker-103", "stop")]


@pytest.mark.parametrize(
    "error, said",
    [
        (NodeFailed("broker-102 did not stop.", seen="it runs", do="kill it"), ["did not stop", "it runs", "kill it"]),
        (RuntimeError("no"), ["RuntimeError: no"]),
    ],
)
def test_an_action_that_fails_is_an_error_line(
    stage: Stage, view: ClusterView, monkeypatch: pytest.MonkeyPatch, error: Exception, said: list[str]
) -> None:
    messages = sent(view, monkeypatch)

    def act(node: str, verb: Verb) -> None:
        raise error

    stage.on_act = act
    press(view, "broker-102", "stop")
    quiet(view, "broker-102")
    line = view.state["events"][-1]
    assert line["kind"] == "error"
    assert line["text"].startswith("could not stop broker 102: ")
    assert all(part in line["text"] for part in said)
    assert view.state["brokers"]["102"]["node"]["busy"] is None
    assert {"method": "custom", "content": {"did": "act", "node": "broker-102"}} in messages


@pytest.mark.parametrize(
    "message", [None, "act", {}, {"do": "act"}, {"do": "act", "node": "broker-102", "verb": "format"}, {"do": "rm"}]
)
def test_other_messages_do_nothing(stage: Stage, view: ClusterView, message: object) -> None:
    view._handle_custom_msg(message, [])
    pictures(stage, 2)
    assert stage.acted == []
    assert view.state["events"] == []


def test_a_cluster_that_cannot_be_looked_at_is_said_and_its_nodes_can_still_be_started(
    stage: Stage, view: ClusterView
) -> None:
    stage.failure = NodeFailed("No broker answers.")
    stage.states = nodes(broker_101="stopped", broker_102="stopped", broker_103="stopped")
    wait_until(lambda: view.state["error"] is not None, 10, "the error")
    assert view.state["error"]["text"] == "No broker answers."
    assert [b["node"]["verbs"] for b in brokers(view.state)] == [["start"]] * 3
    stage.failure = None
    wait_until(lambda: view.state["error"] is None, 10, "the error to go")


def test_nodes_that_cannot_be_listed_do_not_stop_the_picture(
    stage: Stage, view: ClusterView, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise OSError("no /proc")

    monkeypatch.setattr(stage, "nodes", broken)
    stage.snapshot = WITHOUT_102
    wait_until(lambda: view.state["brokers"]["102"]["alive"] is False, 10, "the new picture")
    assert "could not be listed" in caplog.text


def test_what_happened_while_nobody_looked_is_told_to_who_looks_again(stage: Stage, view: ClusterView) -> None:
    def eye(do: str) -> None:
        view._handle_custom_msg({"do": do, "eye": "one", "n": -1}, [])

    eye("whole")
    stage.watcher().note("you killed broker 102")
    eye("gone")
    wait_until(lambda: "resting" in repr(stage.watcher()), 10, "the watcher to rest")
    stage.watcher().note("you started broker 102")
    assert [line["text"] for line in view.state["events"]] == ["you killed broker 102"]
    eye("whole")
    stage.watcher().note("you stopped broker 102")
    texts = [line["text"] for line in view.state["events"]]
    assert texts == ["you killed broker 102", "you started broker 102", "you stopped broker 102"]


def test_closing_lets_go_and_the_last_one_ends_the_watching(stage: Stage) -> None:
    first, second = ClusterView(stage), ClusterView(stage)
    first.close()
    assert "1 listening" in repr(stage.watcher())
    second.close()
    second.close()
    wait_until(lambda: "resting" in repr(stage.watcher()), 10, "the watcher to rest")
    press(second, "broker-102", "kill")
    assert stage.acted == []


def test_static_forms_stand_beside_the_widget(view: ClusterView) -> None:
    bundle = view._repr_mimebundle_()
    assert bundle is not None
    data, _ = bundle
    assert set(data) == {"text/plain", "text/html", WIDGET}
    assert data[WIDGET]["model_id"] == view.model_id
    assert data["text/plain"] == repr(view)
    assert "0x" not in data["text/plain"]
    assert "♛ P0" in data["text/html"]
    assert "<button" not in data["text/html"]
    assert "1970-01-12 13:46:40 UTC" in data["text/html"]


def test_showing_a_new_view_waits_for_its_first_snapshot(stage: Stage) -> None:
    view = ClusterView(stage)
    try:
        bundle = view._repr_mimebundle_()
        assert bundle is not None
        assert "3 of 3 brokers up" in bundle[0]["text/plain"]
    finally:
        view.close()


def test_a_frozen_picture_has_everything_but_buttons() -> None:
    view = ClusterView.of(WITHOUT_102, nodes(broker_102="stopped"), [Event(1.0, "broker_down", "broker 102 is down")])
    assert not view.live
    assert view.state["at"] == WITHOUT_102.at
    assert [b["node"]["verbs"] for b in brokers(view.state)] == [[], [], []]
    assert [line["text"] for line in view.state["events"]] == ["broker 102 is down"]
    assert "2 of 3 brokers up" in repr(view)
    view.close()


def test_updates_from_many_threads_leave_the_last_state(stage: Stage, view: ClusterView) -> None:
    def note(k: int) -> None:
        for i in range(20):
            stage.watcher().note(f"note {k}.{i}")

    threads = [threading.Thread(target=note, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [line["text"] for line in view.state["events"]] == [event.text for event in stage.watcher().events]
    assert len(view.state["events"]) == 80


def test_a_press_is_handled_where_the_front_end_sent_it_though_a_cell_is_running() -> None:
    comm: Any = BaseComm(comm_id="c", target_name="t")  # type: ignore[no-untyped-call]
    # As after any message that was sent while a cell runs in the main shell, which has no id.
    comm._reply_subshell_id = None
    assert comm._reply_subshell_for({"method": "custom"}, "a-subshell") is None
    answer_where_asked(comm)
    assert comm._reply_subshell_for({"method": "custom"}, "a-subshell") == "a-subshell"
    assert comm._reply_subshell_for({"method": "custom"}, None) is None
