"""ClusterView: what it sends and when, what a button does, and that it lets go."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from ipykernel.comm.comm import BaseComm

from kafkalab import ClusterView
from kafkalab.errors import NodeFailed
from kafkalab.state.model import Verb
from kafkalab.views.cluster.picture import drawn
from kafkalab.views.live import answer_where_asked
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


def test_what_happened_is_listed_in_order_also_when_nobody_looked(stage: Stage, view: ClusterView) -> None:
    watcher = stage.watcher()
    watcher.note("you killed broker 102")
    stage.now = WITHOUT_102
    wait_until(lambda: any("leader 102 → 103" in text for text in texts(view)), 20, "the leader to move")
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(watcher.note, [f"note {k}" for k in range(40)]))
    assert texts(view)[:2] == ["you killed broker 102", "broker 102 is down"]
    for do in ("whole", "gone"):
        view._handle_custom_msg({"do": do, "eye": "one", "n": -1}, [])
    wait_until(lambda: "resting" in repr(watcher), 20, "the watcher to rest")
    numbers = {line["text"]: line["n"] for line in view.state["events"]}
    watcher.note("meanwhile")
    assert "meanwhile" not in texts(view)
    view._handle_custom_msg({"do": "whole", "eye": "two", "n": -1}, [])
    late = ClusterView(stage)
    watcher.note("at last")
    assert texts(view) == texts(late) == [event.text for event in watcher.events]
    assert numbers.items() <= {line["text"]: line["n"] for line in view.state["events"]}.items(), "a page knows them"
    late.close()


def test_a_button_acts_on_a_thread_of_its_own_once_while_other_nodes_go_on(
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
    press(view, "broker-102", "kill")
    press(view, "broker-102", "stop")
    press(view, "broker-103", "stop")
    wait_until(lambda: len(stage.acted) == 2, 20, "both nodes to be acted on")
    answered(sent, "broker-102", "broker-102")
    go.set()
    answered(sent, *["broker-102"] * 3, "broker-103")
    assert sorted((node, verb) for node, verb, _ in stage.acted) == [("broker-102", "kill"), ("broker-103", "stop")]
    assert threading.current_thread() not in [thread for _, _, thread in stage.acted]
    told = {"name": "broker-102", "state": "stopped", "verbs": ["start"], "busy": None}
    assert view.state["brokers"]["102"]["node"] == told


def test_an_action_that_fails_is_an_error_line(stage: Stage, view: ClusterView, sent: list[dict[str, Any]]) -> None:
    wrong = [NodeFailed("It did not.", seen="it runs", do="kill it"), RuntimeError("no")]

    def act(node: str, verb: Verb) -> None:
        raise wrong[len(stage.acted) - 1]

    stage.on_act = act
    for n in (1, 2):
        press(view, "broker-102", "stop")
        answered(sent, *["broker-102"] * n)
    known, unknown = [line for line in view.state["events"] if line["kind"] == "error"]
    assert all(part in known["text"] for part in ("stop broker 102", "It did not.", "it runs", "kill it"))
    assert "RuntimeError: no" in unknown["text"] and view.state["brokers"]["102"]["node"]["busy"] is None
    view._handle_custom_msg({"do": "act", "node": "broker-102", "verb": "format"}, [])
    wait_until(lambda: "no such verb" in view.state["fault"], 20, "the refusal")
    assert len(stage.acted) == 2


def test_what_cannot_be_looked_at_is_said_and_its_nodes_can_still_be_started(
    stage: Stage, view: ClusterView, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stage.states = nodes(broker_101="stopped", broker_102="stopped", broker_103="stopped")
    stage.failure = NodeFailed("No broker answers.")
    wait_until(lambda: view.state["error"] is not None, 20, "the error")
    assert view.state["error"]["text"] == "No broker answers."
    assert [b["node"]["verbs"] for b in view.state["brokers"].values()] == [["start"]] * 3
    # Nodes that cannot be listed do not stop the picture.
    monkeypatch.setattr(stage, "nodes", lambda: 1 // 0)
    stage.now, stage.failure = WITHOUT_102, None
    wait_until(lambda: view.state["error"] is None, 20, "the error to go")
    assert view.state["brokers"]["102"]["alive"] is False
    assert "could not be listed" in caplog.text


def test_a_press_is_handled_where_the_front_end_sent_it_though_a_cell_is_running() -> None:
    comm: Any = BaseComm(comm_id="c", target_name="t")  # type: ignore[no-untyped-call]
    comm._reply_subshell_id = None  # as after any message that was sent while a cell runs in the main shell
    answer_where_asked(comm)
    assert comm._reply_subshell_for({"method": "custom"}, "a-subshell") == "a-subshell"
