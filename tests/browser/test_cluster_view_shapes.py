"""ClusterView's front end: replicas that catch up, crowns that move, racks, quorums, sizes, the keyboard, bad names."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import expect

from kafkalab.cluster.backend import NodeState, State
from kafkalab.state.event import Event
from kafkalab.state.model import Group, GroupOffset, Member, Quorum, QuorumNode, Snapshot
from tests.browser.accessibility import audit
from tests.browser.cluster_page import Open, chips, show, state
from tests.unit.views_samples import HEALTHY, LONG, TURNED, WITHOUT_102, nodes

__all__ = ["show"]

HOSTILE_IDS = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(2)</script>",
    '"><svg onload=alert(3)>',
    TURNED,
    40 * LONG,
    "${alert(4)}",
    "javascript:alert(5)",
    "\x00\x1b[31m\n",
    "toString",
    "constructor",
    "שלום",
]


def catching_up(records: int | None, isr: tuple[int, ...] = (103, 101)) -> Snapshot:
    """Broker 102 is back, and lacks so many records of trucks_gps P2."""
    topic = HEALTHY.topics[0]
    late = replace(topic.partitions[2], isr=isr, behind=() if records is None else ((102, records),))
    return replace(HEALTHY, topics=(replace(topic, partitions=(*topic.partitions[:2], late)), HEALTHY.topics[1]))


def test_a_replica_that_catches_up_shows_how_much_it_lacks_ever_less(show: Open) -> None:
    view = show(state(catching_up(4242)), reduced_motion="reduce")
    chip = view.page.locator("[data-chip='trucks_gps/2/102']")
    chip.evaluate("(node) => { node.old = true; }")
    filled = "(node) => getComputedStyle(node).getPropertyValue('--kl-caught').trim()"
    assert " ".join(chip.inner_text().split()) == "P2 −4 242 , replica out of the ISR, 4 242 records behind"
    assert chip.evaluate(filled) in ("0%", "0.0%")
    view.draw(state(catching_up(1060)))
    assert chip.locator(".kl-late").inner_text() == "−1\u202f060"
    assert chip.evaluate(filled) == "75%"
    assert view.page.locator(".kl-changed").count() == 0, "it is still the same thing, only less of it"
    view.draw(state(catching_up(0)))
    assert chips(view, 102)[2] == "behind P2"
    expect(chip.locator(".kl-late")).to_be_hidden()
    view.draw(state(catching_up(None, isr=(103, 101, 102))))
    assert chips(view, 102)[2] == "follower P2"
    assert chip.evaluate("(node) => node.old && node.classList.contains('kl-changed')")


def test_a_crown_flies_also_when_nobody_led_for_a_while_and_never_longer_than_it_takes_to_see_it(show: Open) -> None:
    lost = replace(WITHOUT_102.topics[0].partitions[1], leader=None, start=None, end=None)
    topic = WITHOUT_102.topics[0]
    between = replace(
        WITHOUT_102, topics=(replace(topic, partitions=(topic.partitions[0], lost, topic.partitions[2])),)
    )
    view = show(state(), reduced_motion="no-preference")
    stopped = nodes(broker_102="stopped")
    view.draw(state(between, nodes=stopped))
    assert view.page.locator(".kl-flight").count() == 0
    view.draw(state(WITHOUT_102, nodes=stopped))
    flight = view.page.locator(".kl-flight")
    assert flight.count() == 1
    durations = view.page.evaluate("document.getAnimations().map((a) => a.effect.getComputedTiming().duration)")
    assert max(durations) <= 600
    expect(flight).to_have_count(0)


def test_kraft_says_who_votes_who_watches_and_how_far_behind_they_are(show: Open) -> None:
    voters = (QuorumNode(1, "follower", True, lag=3), QuorumNode(2, None, False), QuorumNode(3, "leader", True, lag=0))
    watching = (
        QuorumNode(101, "observer", True, lag=1200),
        QuorumNode(102, None, False),
        QuorumNode(103, "observer", True),
    )
    snapshot = replace(WITHOUT_102, mode="kraft", quorum=Quorum("kraft", 3, 17, (*voters, *watching)))
    states: dict[int, State] = {1: "running", 2: "stopped", 3: "running"}
    controllers = tuple(NodeState(f"controller-{i}", "controller", i, s, 9300 + i) for i, s in states.items())
    view = show(state(snapshot, nodes=(*nodes(broker_102="stopped")[:3], *controllers)))
    assert view.texts(".kl-quorum .kl-title") == ["KRaft · epoch 17", "observers"]
    voting = view.page.get_by_role("list", name="voters").get_by_role("listitem")
    assert [" ".join(t.split()) for t in voting.all_inner_texts()] == [
        "1 follower · 3 behind stop kill pause", "2 down start", "3 leader stop kill pause",
    ]  # fmt: skip
    watched = view.page.get_by_role("list", name="observers").get_by_role("listitem")
    assert [" ".join(t.split()) for t in watched.all_inner_texts()] == ["101 1 200 behind", "102 down", "103"]


def test_racks_are_shown_where_there_are_any(show: Open) -> None:
    view = show(state())
    assert view.page.locator(".kl-rack").count() == 0
    racks = tuple(replace(b, rack=None if b.id == 103 else f"r{b.id}") for b in HEALTHY.brokers)
    view.draw(state(replace(HEALTHY, brokers=racks)))
    assert view.texts(".kl-rack") == ["rack r101", "rack r102", "no rack"]


def test_a_presenter_is_read_from_the_last_row(show: Open) -> None:
    view = show(state(nodes=nodes(severable=True)))
    sizes = (
        "(selector) => [...document.querySelectorAll(selector)].map((n) => parseFloat(getComputedStyle(n).fontSize))"
    )
    selector = (
        ".kl-chip, .kl-button, .kl-select, h3, h4, td, .kl-standing, .kl-member, .kl-legend, .kl-quorum-node, .kl-pill"
    )
    before = view.page.evaluate(sizes, selector)
    view.set("presenter", True)
    after = view.page.evaluate(sizes, selector)
    assert len(before) > 40
    assert {round(b / a, 2) for a, b in zip(before, after, strict=True)} == {1.45}
    for width in (700, 1000, 1400):
        view.page.set_viewport_size({"width": width, "height": 900})
        assert view.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_topic_is_chosen_in_the_table_by_keyboard_and_all_are_shown_again(show: Open) -> None:
    second = replace(HEALTHY.topics[0], name="alerts")
    alone = Group(
        "alarm", "Stable", 101, (Member("m", "alarm-1", "", (("alerts", 0),)),), (GroupOffset("alerts", 0, 1, 2),)
    )
    view = show(state(replace(HEALTHY, topics=(*HEALTHY.topics, second), groups=(*HEALTHY.groups, alone))))
    pick = view.page.get_by_role("button", name="alerts")
    expect(pick).to_have_attribute("aria-pressed", "false")
    pick.focus()
    view.page.keyboard.press("Enter")
    assert view.texts("[data-broker='101'] .kl-topic-name") == ["alerts · RF 3"]
    assert view.texts(".kl-consumers h4") == ["alarm"]
    expect(pick).to_be_focused()
    expect(pick).to_have_attribute("aria-pressed", "true")
    expect(view.page.get_by_label("topics shown")).to_have_value("alerts")
    view.page.keyboard.press("Space")
    assert view.texts("[data-broker='101'] .kl-topic-name") == ["alerts · RF 3", "trucks_gps · RF 3"]
    assert view.texts(".kl-consumers h4") == ["alarm", "dashboard"]


def test_who_hears_the_page_hears_how_the_cluster_stands(show: Open) -> None:
    view = show(state(WITHOUT_102, nodes=nodes(broker_102="stopped")))
    assert view.page.locator(".kl-cluster > .kl-hidden").inner_text() == (
        "2 of 3 brokers up, down: 102. The controller is broker 101. "
        "1 topic with 3 partitions: 0 without a leader, 3 under-replicated."
    )
    audit(view.page, ".kl-cluster")


def test_whatever_groups_and_clients_call_themselves_stays_text(show: Open) -> None:
    def hostile_group(id: str) -> Group:
        members = tuple(Member(f"{id}-{n}", id, id, (("trucks_gps", n),)) for n in range(2))
        return Group(id, "Stable", 101, members, (GroupOffset("trucks_gps", 0, 0, 7),), id)

    racks = tuple(replace(b, rack=id) for b, id in zip(HEALTHY.brokers, HOSTILE_IDS, strict=False))
    problems = tuple(f"group {id}: the coordinator does not answer" for id in HOSTILE_IDS)
    groups = tuple(hostile_group(id) for id in HOSTILE_IDS)
    hostile = replace(HEALTHY, groups=groups, brokers=racks, problems=problems)
    told = [Event(float(i), "group_created", f"group {id} created", group=id) for i, id in enumerate(HOSTILE_IDS)]
    view = show(state(hostile, *told))
    view.draw(state(replace(hostile, groups=()), *told))
    assert view.page.locator(".kl-consumers").count() == 0
    view.draw(state(hostile, *told))
    assert view.page.locator(".kl-consumers").count() == len(HOSTILE_IDS)
    assert view.page.locator(".kl-client").count() == 2 * len(HOSTILE_IDS)
    assert view.page.locator(".kl-event").count() == len(HOSTILE_IDS)
    view.page.get_by_text("things could not be learned").click()
    assert view.page.locator("img, iframe, svg[onload], script:not([type=module])").count() == 0
    text = view.page.locator("body").inner_text()
    assert "<script>alert(2)</script>" in text
    assert not set(text) & set("\u202e\u2066\x00\x1b")
    assert "x" * 300 not in text
    assert view.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
