"""A recording as one page: what is in the file is what the views draw, it fits, and nothing in it can act."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import asdict, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kafkalab import Cluster, ClusterView, LogView
from kafkalab.errors import BadInput
from kafkalab.handles.recording import Recording
from kafkalab.state.patch import applied
from kafkalab.views.live import LiveView
from kafkalab.views.page.document import story
from kafkalab.views.page.page import Shown, encode, last_of_each
from kafkalab.waiting import wait_until
from tests.unit.views.cluster_samples import HEALTHY, WITHOUT_102, nodes
from tests.unit.views.recorded_samples import BEGAN
from tests.unit.views.recorded_samples import cluster_tape as tape


def unpacked(text: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(text)))


class Page(HTMLParser):
    """Reads a page as a browser would: scripts by id (or type), tags, attributes, and the text between them."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.text, self._script = path, "", ""
        self.scripts: dict[str, str] = {}
        self.modules: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        self.head = json.loads(self.scripts["kl-head"])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.attributes += [(tag, name, value) for name, value in found.items()]
        self._script = found.get("id") or found.get("type", "style") if tag in ("script", "style") else ""

    def handle_endtag(self, tag: str) -> None:
        self._script = ""

    def handle_data(self, data: str) -> None:
        if self._script == "module":
            self.modules.append(data)
        elif self._script:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data
        else:
            self.text += f" {data.strip()}"

    def told(self, n: int) -> Any:
        return unpacked(self.scripts[f"kl-told-{n}"])

    def states(self, n: int) -> Iterator[tuple[int, Any]]:
        """A view's states: milliseconds, state."""
        told = self.told(n)
        state = told["first"]
        for at, patch in zip(told["at"], [[], *told["patches"]], strict=True):
            state = applied(state, patch)
            yield at, state


@pytest.fixture
def election() -> Recording:
    """Broker 102 dies at 2 s; its partitions have other leaders at 5.5 s; there are records meanwhile."""
    made = tape((0.25, HEALTHY))
    topic = HEALTHY.topics[0]
    for i in range(1, 50):
        grown = tuple(replace(p, end=(p.end or 0) + 10 * i) for p in topic.partitions)
        made.state(0.25 + 0.1 * i, "snapshot", replace(HEALTHY, topics=(replace(topic, partitions=grown),)).to_dict())
    made.state(5.5, "snapshot", replace(WITHOUT_102, at=BEGAN + 5.5).to_dict())
    made.acted(2.0, "kill", "broker-102")
    made.happened(5.5, "leader_moved", "trucks_gps P1: leader 102 → 103", 1, 103)
    made.item(3.3, "named", "before it is noticed")
    made.state(6.0, "nodes", {node.name: asdict(node) for node in nodes(broker_102="stopped")})
    return made.recording


def written(recording: Recording, folder: Path, **how: object) -> Page:
    return Page(recording.to_html(folder / "x.html", **how))  # type: ignore[arg-type]


def test_at_every_moment_the_page_has_what_each_view_draws(election: Recording, tmp_path: Path) -> None:
    page = written(election, tmp_path)
    assert [(view["kind"], view["name"]) for view in page.head["views"]] == [
        ("cluster", ""), ("log", "trucks_gps"), ("group", "dashboard"),
    ]  # fmt: skip
    for n, view in enumerate((ClusterView(election), LogView(election, "trucks_gps"))):
        states = dict(page.states(n))

        def drawn(at: float, view: LiveView = view) -> dict[str, Any]:
            return {**json.loads(json.dumps(view.drawn_at(election.at(at)))), "n": 0}

        assert len(states) > 3
        last = states[min(states)]
        for at in range(0, 6001, 50):
            last = states.get(at, last)
            # Between two moments of the page, no more than a tenth of a second passes unseen.
            assert drawn((at + 0.999) / 1000) in [last, *(states[t] for t in states if at < t <= at + 100)]
        for event in (2.0, 3.3, 5.5):
            assert drawn(event) == [state for t, state in states.items() if t <= 1000 * event][-1]


def test_a_moment_that_cannot_be_drawn_takes_no_other_off_the_page(election: Recording, tmp_path: Path) -> None:
    election.put(election.seconds, "snapshot", "set", [["set", ["topics"], [{"name": []}]]])
    states = [state for _, state in Page(election.to_html(tmp_path / "a.html", views=["ClusterView"])).states(0)]
    assert states[-1] == {**states[-2], "fault": states[-1]["fault"]} and states[-1]["fault"] and not states[0]["fault"]


def test_without_a_deed_a_page_begins_where_a_broker_goes_down(tmp_path: Path) -> None:
    made = tape((0.25, HEALTHY), (5.0, WITHOUT_102))
    assert written(made.recording, tmp_path).head["begin"] == 0.25
    made.happened(3.0, "isr_shrank", "ISR of trucks_gps P0: 102,101 → 101")
    made.happened(4.0, "broker_down", "broker 102 is down")
    assert written(made.recording, tmp_path).head["begin"] == 4.0


def test_what_happened_is_read_without_scripts(election: Recording, tmp_path: Path) -> None:
    page = written(election, tmp_path, title="The election")
    assert "0:02.0: you killed broker 102, and at 0:05.5 others led its partitions." in page.text
    assert page.head["begin"] == 2.0
    for said in ("The election", "you killed broker 102", "leader 102 → 103", "1970-01-12 13:46:40 UTC"):
        assert said in page.text
    assert ("a", "href", "#t=5.500") in page.attributes
    assert "trucks_gps, the log of each partition" in page.text, "each view's last moment is there as tables"


def test_the_page_loads_nothing_and_runs_only_its_own_scripts(election: Recording, tmp_path: Path) -> None:
    page = written(election, tmp_path)
    assert all(value.startswith("data:") for _, name, value in page.attributes if name == "src")
    (rules,) = (value for tag, name, value in page.attributes if "default-src" in value)
    policy = dict(rule.strip().split(" ", 1) for rule in rules.split(";"))
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in page.modules]
    assert policy["default-src"] == "'none'"
    assert policy["script-src"].split() == [f"'sha256-{digest}'" for digest in digests]
    # The time line, the three views that there are, and the page's own; no view has another one's.
    assert len(digests) == 5
    for name, script in zip(("timeline", "cluster", "log", "group"), page.modules, strict=False):
        assert f"(globalThis.kafkalab ??= {{}}).{name} = " in script and "\nexport " not in script
    assert "connect-src" not in policy
    assert not page.tags & {"link", "iframe", "object", "embed", "base", "form"}


def test_the_story_claims_no_election_that_the_deed_did_not_bring() -> None:
    told = [(61.0, "you", "you paused broker 103"), (62.0, "you", "…"), (63.0, "leader_moved", "…")]
    events = [{"t": at, "kind": kind, "text": text} for at, kind, text in told]
    events[0] |= {"node": "broker-103", "verb": "pause"}
    assert story(events) == "1:01.0: you paused broker 103."


def test_a_page_keeps_to_its_limit_and_says_what_it_dropped(election: Recording, tmp_path: Path) -> None:
    whole = written(election, tmp_path)
    size, views = whole.path.stat().st_size, range(3)
    less = written(election, tmp_path, limit=size - 500)
    assert less.path.stat().st_size <= size - 500
    assert "one moment in" in less.text
    assert sum(len(less.told(n)["at"]) for n in views) < sum(len(whole.told(n)["at"]) for n in views)
    for n in views:
        assert {2000, 5500} & set(dict(less.states(n))) == {2000, 5500} & set(dict(whole.states(n)))
    room = size - sum(len(whole.scripts[f"kl-told-{n}"]) for n in (1, 2))
    with pytest.warns(UserWarning, match=r"does not fit into this page"):
        least = written(election, tmp_path, limit=room)
    assert "cluster" in [view["kind"] for view in least.head["views"]]
    assert "does not fit into this page" in least.text
    with pytest.raises(BadInput, match="does not fit into 1,000 bytes"):
        election.to_html(tmp_path / "x.html", limit=1000)


def test_a_view_is_left_out_only_when_none_can_be_smaller(tmp_path: Path) -> None:
    made = tape((0.0, HEALTHY))
    # The largest view cannot be smaller: all its moments are events.
    for i in range(80):
        ids = [f"{pow(7, 1000 * i + n, 10**16 + 61):x}" for n in range(50)]
        made.state(1 + i / 20, "ledger/orders", {"sent": i, "lost": i, "lost_ids": ids})
        made.happened(1 + i / 20, "leader_moved", f"t P{i}: leader 101 → 102", 1, 102)
    for i in range(1, 30):
        topics = tuple(
            replace(topic, partitions=tuple(replace(p, end=i * i) for p in topic.partitions))
            for topic in HEALTHY.topics
        )
        made.state(5 + i / 10, "snapshot", replace(HEALTHY, topics=topics).to_dict())
    whole = written(made.recording, tmp_path, views=["LogView", "LedgerView"])
    told = {view["kind"]: len(whole.scripts[view["id"]]) for view in whole.head["views"]}
    assert told["ledger"] > told["log"]
    limit = whole.path.stat().st_size - 300
    less = written(made.recording, tmp_path, views=["LogView", "LedgerView"], limit=limit)
    assert {view["kind"] for view in less.head["views"]} == {"log", "ledger"}
    assert "Logs: trucks_gps: between events, one moment in" in less.text


def test_the_views_can_be_chosen(election: Recording, tmp_path: Path) -> None:
    log = LogView(election, "trucks_gps")
    election.playhead.seek(1.0)
    before = log.drawn_at(election.moment())
    page = written(election, tmp_path, views=[log, "ClusterView"])
    assert [view["kind"] for view in page.head["views"]] == ["log", "cluster"]
    assert {**log.state, "n": 0} == {**before, "n": 0}, "a view that was given shows what it showed"
    elsewhere = ClusterView(tape((0.0, HEALTHY)).recording)
    for views in ("ClusterView", [], ["NoView"], [elsewhere], [ClusterView.of(HEALTHY)], [election.timeline()]):
        with pytest.raises(BadInput):
            election.to_html(tmp_path / "x.html", views=views)


def test_an_older_page_is_written_over_and_nothing_else_is(election: Recording, tmp_path: Path) -> None:
    first = election.to_html(tmp_path / "x.html", title="first")
    assert election.to_html(str(first), title="second") == first
    assert "second" in first.read_text(encoding="utf-8")
    other = tmp_path / "notes.html"
    other.write_text("<!doctype html><title>notes</title>")
    for wrong in (other, tmp_path, tmp_path / "no" / "x.html"):
        with pytest.raises(BadInput):
            election.to_html(wrong)
    assert other.read_text() == "<!doctype html><title>notes</title>"
    assert {path.name for path in tmp_path.iterdir()} == {"notes.html", "x.html"}


def test_a_recording_that_goes_on_is_written_as_far_as_it_is_and_has_no_buttons(tmp_path: Path) -> None:
    with Cluster(backend="fake") as cluster, cluster.record() as recording:
        wait_until(lambda: recording.at(0).nodes, 20, "the first snapshot with its nodes")
        page = written(recording, tmp_path, views=["ClusterView"])
        assert recording.going and recording.playhead.live
    for _, state in page.states(0):
        assert [broker["node"]["verbs"] for broker in state["brokers"].values()] == [[], [], []]
    assert page.head["timeline"]["going"] is False


def test_which_moments_are_kept() -> None:
    # Of each stretch the last, so that no change is missed.
    assert last_of_each([10, 50, 99, 100, 310, 1000], 100) == [99, 100, 310, 1000]
    states = {at: {"n": at // 200, "list": list(range(at // 200))} for at in range(0, 5000, 100)}
    shown = Shown("kl-told-0", "log", *encode(states.items()), {"topic": "a"}, "", 500)
    whole = unpacked(shown.packed)
    assert (whole["at"], len(whole["patches"])) == (list(range(0, 5000, 200)), 24), "equal states are told once"
    assert (whole["first"], whole["traits"]) == (states[0], {"topic": "a"})
    assert shown.thin({1200, 1400}) and "one moment in 1 s" in shown.note
    assert list(shown.patches) == [0, 800, 1200, 1400, 1800, 2800, 3800, 4800], "the events and the end stay"
    assert all(state == states[at] for at, state in shown.states())
    while shown.thin({1200, 1400}):
        pass
    assert list(shown.patches) == [0, 1200, 1400, 4800]
