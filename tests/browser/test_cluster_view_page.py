"""ClusterView's front end in a real browser: what is drawn, what a press sends, and how little is drawn again."""

from __future__ import annotations

import re
from dataclasses import replace

from playwright.sync_api import Browser, expect

from kafkalab.state.model import Event, Group, GroupOffset, Member, NodeState, Quorum, QuorumNode, Snapshot, State
from tests.browser.accessibility import audit
from tests.browser.cluster_page import chips, state
from tests.browser.view_page import Open, ViewPage, live_state
from tests.unit.views.cluster_samples import HEALTHY, WITHOUT_102, nodes

#: For the fixture ``show``.
VIEW, PAGE = "cluster", {}
NO_NEWS = "No news from the kernel"


def late(records: int | None, isr: tuple[int, ...] = (103, 101)) -> Snapshot:
    """Broker 102 is back, and lacks so many records of trucks_gps P2."""
    topic = HEALTHY.topics[0]
    behind = replace(topic.partitions[2], isr=isr, behind=() if records is None else ((102, records),))
    return replace(HEALTHY, topics=(replace(topic, partitions=(*topic.partitions[:2], behind)), HEALTHY.topics[1]))


def test_brokers_are_columns_with_each_partition_as_what_it_is(show: Open) -> None:
    behind = replace(HEALTHY.topics[0].partitions[1], isr=(102, 103))
    topic = replace(HEALTHY.topics[0], partitions=(HEALTHY.topics[0].partitions[0], behind))
    view = show(state(replace(HEALTHY, topics=(topic, HEALTHY.topics[1]))), reduced_motion="reduce")
    assert view.texts(".kl-broker h3") == ["Broker 101", "Broker 102", "Broker 103"]
    assert [chips(view, 101), chips(view, 102)] == [["leader P0", "behind P1"], ["follower P0", "leader P1"]]
    assert view.texts(".kl-badge") == ["controller"]
    expect(view.page.get_by_role("region", name="Broker 101, up, controller")).to_be_visible()
    assert view.texts(".kl-quorum-node")[1].startswith("2 leader")
    assert view.page.locator(".kl-rack").count() == 0
    racks = tuple(replace(b, rack=None if b.id == 103 else f"r{b.id}") for b in WITHOUT_102.brokers)
    view.draw(state(replace(WITHOUT_102, brokers=racks), nodes=nodes(broker_102="stopped")))
    assert chips(view, 102) == ["down P0", "down P1", "down P2"]
    assert chips(view, 103) == ["follower P0", "leader P1", "leader P2"]
    assert view.texts(".kl-rack") == ["rack r101", "rack r102", "no rack"]
    spoken = view.page.locator(".kl-cluster > .kl-hidden").inner_text()
    assert "down: 102" in spoken and "3 under-replicated" in spoken
    audit(view.page, ".kl-cluster")


def test_figures_groups_and_internal_topics(show: Open) -> None:
    view = show(state())
    row = view.page.get_by_role("row", name=re.compile("trucks_gps"))
    assert [" ".join(text.split()) for text in row.locator("th, td").all_inner_texts()] == [
        "trucks_gps", "3", "3", "21 234", "◌ under-replicated: P2",
    ]  # fmt: skip
    assert view.texts(".kl-member") == ["dashboard-1 P0−5 P1", "dashboard-2 standing by", "held by nobody P2−10"]
    assert view.texts(".kl-consumers-head .kl-pill") == ["lag 15"]
    assert "__consumer_offsets" not in view.page.locator(".kl-main").inner_text()
    view.page.get_by_label("internal (1)").check()
    assert view.texts("[data-broker='102'] .kl-topic-name") == ["trucks_gps · RF 3", "__consumer_offsets · RF 2"]
    view.page.get_by_label("topics shown").select_option("__consumer_offsets")
    assert view.texts("[data-broker='101'] .kl-topic-name") == ["__consumer_offsets · RF 2"]
    assert chips(view, 103) == []


def test_each_node_has_a_button_for_its_verbs_and_a_press_asks_once(show: Open) -> None:
    view = show(state(nodes=nodes(broker_102="paused", broker_103="stopped")))
    page = view.page
    running = ("broker 101", "zookeeper 1", "zookeeper 2")
    assert {button.get_attribute("aria-label") for button in page.locator("button[data-node]").all()} == {
        *(f"{verb} {node}" for verb in ("stop", "kill", "pause") for node in running),
        "resume broker 102", "kill broker 102", "start broker 103",
    }  # fmt: skip
    kill = page.get_by_role("button", name="kill broker 101")
    assert "SIGKILL" in (kill.get_attribute("title") or "")
    kill.evaluate("(button) => { button.click(); button.click(); button.click(); }")
    page.get_by_role("button", name="start broker 103").click()
    assert view.asked() == [
        {"do": "act", "node": "broker-101", "verb": "kill"},
        {"do": "act", "node": "broker-103", "verb": "start"},
    ]
    for verb in ("stop", "kill", "pause"):
        expect(page.get_by_role("button", name=f"{verb} broker 101")).to_be_disabled()
    expect(kill).to_have_attribute("aria-busy", "true")
    expect(page.get_by_role("region", name="Broker 101")).to_contain_text("killing…")
    view.tell({"did": "act", "node": "broker-101"})
    expect(kill).to_be_enabled()
    # The keyboard stays where it was when the node offers other verbs.
    page.get_by_role("button", name="kill broker 102").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="kill broker 102")).to_be_focused()
    view.tell({"did": "act", "node": "broker-102"})
    view.draw(state(WITHOUT_102, nodes=nodes(broker_102="stopped")))
    expect(page.get_by_role("button", name="start broker 102")).to_be_focused()


def test_a_broker_is_cut_off_the_network_and_joined_again(show: Open) -> None:
    view = show(state(nodes=nodes(severable=True)))
    assert view.page.locator(".kl-cut-sign").count() == 0
    view.page.get_by_role("button", name="cut broker 102 off").focus()
    view.page.keyboard.press("Enter")
    assert view.asked() == [{"do": "act", "node": "broker-102", "verb": "cut"}]
    expect(view.page.get_by_role("region", name="Broker 102")).to_contain_text("cutting off…")
    view.tell({"did": "act", "node": "broker-102"})
    view.draw(state(nodes=nodes(severable=True, broker_102="cut", zookeeper_1="cut")))
    card = view.page.get_by_role("region", name="Broker 102, cut off the network, the cluster has not noticed")
    # Marked by a drawing, not by colour alone.
    expect(card.locator(".kl-cut-sign")).to_be_visible()
    assert view.texts(".kl-quorum-node")[0].startswith("1 follower · cut off")
    expect(view.page.get_by_role("button", name="join broker 102")).to_be_focused()
    view.page.keyboard.press("Enter")
    assert view.asked()[-1] == {"do": "act", "node": "broker-102", "verb": "join"}
    view.draw(state(WITHOUT_102, nodes=nodes(severable=True, broker_102="cut")))
    expect(view.page.get_by_role("region", name="Broker 102, cut off, dropped")).to_be_visible()


def test_what_changed_is_ringed_and_a_crown_travels_unless_motion_is_unwanted(show: Open) -> None:
    stopped = nodes(broker_102="stopped")
    for motion, crowns in (("no-preference", 1), ("reduce", 0)):
        view = show(state(), reduced_motion=motion)
        view.watch_flights()
        view.draw(state(WITHOUT_102, nodes=stopped))
        changed = view.page.locator(".kl-changed").evaluate_all("(all) => all.map((n) => n.dataset.chip)")
        assert sorted(changed) == ["trucks_gps/0/102", "trucks_gps/1/102", "trucks_gps/1/103", "trucks_gps/2/102"]
        assert view.flights("kl-flight") == crowns
        expect(view.page.locator(".kl-flight")).to_have_count(0)


def test_a_replica_that_catches_up_shows_how_much_it_lacks_ever_less(show: Open) -> None:
    view = show(state(late(4242)), reduced_motion="reduce")
    chip = view.page.locator("[data-chip='trucks_gps/2/102']")
    chip.evaluate("(node) => { node.old = true; }")
    filled = "(node) => parseFloat(getComputedStyle(node).getPropertyValue('--kl-caught'))"
    assert "−4 242" in " ".join(chip.inner_text().split())
    assert chip.evaluate(filled) == 0
    view.draw(state(late(1060)))
    assert chip.locator(".kl-late").inner_text() == "−1\u202f060"
    assert chip.evaluate(filled) == 75
    assert view.page.locator(".kl-changed").count() == 0, "it is still the same thing, only less of it"
    view.draw(state(late(0)))
    assert chips(view, 102)[2] == "behind P2"
    expect(chip.locator(".kl-late")).to_be_hidden()
    view.draw(state(late(None, isr=(103, 101, 102))))
    assert chips(view, 102)[2] == "follower P2"
    assert chip.evaluate("(node) => node.old && node.classList.contains('kl-changed')")


def test_events_are_appended_and_announced(show: Open) -> None:
    you = Event(100.0, "you", "you killed broker 102")
    moved = Event(103.12, "leader_moved", "trucks_gps P1: leader 102 → 103", "trucks_gps", 1, 103)
    error = Event(104.0, "error", "could not start broker 102: It failed.\n  seen: nothing\n  do:   wait")
    view = show(state(HEALTHY, you))
    log = view.page.get_by_role("log", name="what happened")
    expect(log).to_have_attribute("aria-live", "polite")
    log.locator("li").evaluate("(line) => { line.old = true; }")
    view.draw(state(HEALTHY, you, moved, error))
    said = view.texts(".kl-event")
    assert said[:2] == ["+0.00 s ▸ you killed broker 102", "+3.12 s ♛ trucks_gps P1: leader 102 → 103"]
    assert said[2].startswith("+4.00 s ⚠ could not start broker 102") and "do: wait" in said[2]
    assert log.locator("li b").first.inner_text() == "102 → 103"
    assert log.locator("li").first.evaluate("(line) => line.old") is True


def test_what_cannot_be_looked_at_is_said_and_a_frozen_picture_has_no_buttons(show: Open) -> None:
    view = show(state(HEALTHY, nodes=nodes(broker_101="stopped"), error="No broker answers."))
    expect(view.page.get_by_role("status").filter(has_text="No broker answers. What is drawn")).to_be_visible()
    assert view.texts(".kl-live") == ["not answering"]
    expect(view.page.get_by_role("button", name="start broker 101")).to_be_enabled()
    frozen = show(state(buttons=False), live=False)
    assert [button.inner_text() for button in frozen.page.get_by_role("button").all()] == ["trucks_gps"]
    assert frozen.texts(".kl-live")[0].startswith("a moment")


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
    expect(view.page.get_by_text("KRaft · epoch 17")).to_be_visible()
    voting = view.page.get_by_role("list", name="voters").get_by_role("listitem")
    assert [" ".join(t.split()) for t in voting.all_inner_texts()] == [
        "1 follower · 3 behind stop kill pause", "2 down start", "3 leader stop kill pause",
    ]  # fmt: skip
    watched = view.page.get_by_role("list", name="observers").get_by_role("listitem")
    assert [" ".join(t.split()) for t in watched.all_inner_texts()] == ["101 1 200 behind", "102 down", "103"]


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


def test_without_news_every_view_stands_still_and_goes_on_with_the_next_word(browser: Browser) -> None:
    context = browser.new_context()
    context.clock.install()
    view = ViewPage(context.new_page(), VIEW, live_state(state()))
    page = view.page
    live, buttons, still = page.locator(".kl-live"), page.locator("button[data-node]"), page.locator(".kl-standstill")
    expect(live).to_be_visible()
    expect(buttons.first).to_be_enabled()
    (asked,) = view.sent
    view.fall_silent()
    page.clock.run_for(6000)
    expect(still).to_contain_text(NO_NEWS)
    expect(live).to_be_hidden()
    # In one look: the page's clock goes on, and soon it would ask again.
    assert buttons.evaluate_all("(all) => all.length > 5 && all.every((one) => one.matches(':disabled'))")
    # It asks for news, and neither draws nor offers anything else meanwhile.
    assert view.sent[1:] == [asked]
    view.tell({"beat": 0})
    expect(still).to_be_empty()
    expect(live).to_be_visible()
    expect(buttons.first).to_be_enabled()
    # What was sent to nobody meanwhile is asked for.
    view.tell({"beat": 3})
    assert view.sent[2:] == [asked]
    # Where the line is closed it says so at once.
    page.evaluate("() => { model.send = () => { throw new Error('Cannot send'); }; }")
    buttons.first.click()
    expect(still).to_contain_text(NO_NEWS)
    expect(page.get_by_role("alert")).to_have_count(0)
    # What was kept of a picture whose kernel is gone says that.
    view.tell({"kept": "This picture was kept."})
    expect(still).to_have_text("This picture was kept.")
    expect(buttons.first).to_be_disabled()
    expect(live).to_be_hidden()
    assert view.faults == []
    context.close()
