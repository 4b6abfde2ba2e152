"""ClusterView's front end in a real browser: what is drawn, what a press sends, and that nothing in a name can act."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from kafkalab.state.event import Event
from tests.browser.cluster_page import Open, asked, chips, show, state
from tests.unit.views_samples import HEALTHY, HOSTILE, WITHOUT_102, hostile, nodes

__all__ = ["show"]


def test_brokers_are_columns_with_each_partition_as_what_it_is(show: Open) -> None:
    behind = replace(HEALTHY.topics[0].partitions[1], isr=(102, 103))
    topic = replace(HEALTHY.topics[0], partitions=(HEALTHY.topics[0].partitions[0], behind))
    view = show(state(replace(HEALTHY, topics=(topic, HEALTHY.topics[1]))))
    assert view.texts(".kl-broker h3") == ["Broker 101", "Broker 102", "Broker 103"]
    assert chips(view, 101) == ["leader P0", "behind P1"]
    assert chips(view, 102) == ["follower P0", "leader P1"]
    assert view.texts(".kl-badge") == ["controller"]
    expect(view.page.get_by_role("region", name="Broker 101, up, controller")).to_be_visible()
    assert view.texts(".kl-quorum-node")[1].startswith("2 leader")
    view.draw(state(WITHOUT_102, nodes=nodes(broker_102="stopped")))
    assert chips(view, 102) == ["down P0", "down P1", "down P2"]
    assert chips(view, 103) == ["follower P0", "leader P1", "leader P2"]


def test_figures_and_groups(show: Open) -> None:
    view = show(state())
    row = view.page.get_by_role("row", name=re.compile("trucks_gps"))
    assert [" ".join(text.split()) for text in row.locator("th, td").all_inner_texts()] == [
        "trucks_gps", "3", "3", "21 234", "◌ under-replicated: P2",
    ]  # fmt: skip
    assert view.texts(".kl-member") == ["dashboard-1 P0−5 P1", "dashboard-2 standing by", "held by nobody P2−10"]
    assert view.texts(".kl-consumers-head .kl-pill") == ["lag 15"]


def test_internal_topics_are_folded_away_until_asked_for_and_topics_can_be_filtered(show: Open) -> None:
    view = show(state())
    assert "__consumer_offsets" not in view.page.locator(".kl-main").inner_text()
    view.page.get_by_label("internal (1)").check()
    assert view.texts("[data-broker='102'] .kl-topic-name") == ["trucks_gps · RF 3", "__consumer_offsets · RF 2"]
    view.page.get_by_label("topics shown").select_option("__consumer_offsets")
    assert view.texts("[data-broker='101'] .kl-topic-name") == ["__consumer_offsets · RF 2"]
    assert chips(view, 103) == []


def test_each_node_has_a_button_for_exactly_its_verbs_and_a_press_asks_once(show: Open) -> None:
    view = show(state(nodes=nodes(broker_102="paused", broker_103="stopped")))
    buttons = {button.get_attribute("aria-label") for button in view.page.locator("button[data-node]").all()}
    assert buttons == {
        *(
            f"{verb} {node}"
            for verb in ("stop", "kill", "pause")
            for node in ("broker 101", "zookeeper 1", "zookeeper 2")
        ),
        "resume broker 102",
        "kill broker 102",
        "start broker 103",
    }
    kill = view.page.get_by_role("button", name="kill broker 101")
    assert "SIGKILL" in (kill.get_attribute("title") or "")
    kill.evaluate("(button) => { button.click(); button.click(); button.click(); }")
    view.page.get_by_role("button", name="start broker 103").click()
    assert asked(view) == [
        {"do": "act", "node": "broker-101", "verb": "kill"},
        {"do": "act", "node": "broker-103", "verb": "start"},
    ]
    for verb in ("stop", "kill", "pause"):
        expect(view.page.get_by_role("button", name=f"{verb} broker 101")).to_be_disabled()
    expect(kill).to_have_attribute("aria-busy", "true")
    assert "killing…" in view.page.locator("[data-broker='101'] .kl-standing").inner_text()
    view.tell({"did": "act", "node": "broker-101"})
    expect(kill).to_be_enabled()


def test_a_broker_is_cut_off_the_network_and_joined_again(show: Open) -> None:
    view = show(state(nodes=nodes(severable=True)))
    assert view.page.locator(".kl-cut-sign").count() == 0
    cut = view.page.get_by_role("button", name="cut broker 102 off the network")
    assert "reaches nobody" in (cut.get_attribute("title") or "")
    cut.focus()
    view.page.keyboard.press("Enter")
    assert asked(view) == [{"do": "act", "node": "broker-102", "verb": "cut"}]
    assert "cutting off…" in view.page.locator("[data-broker='102'] .kl-standing").inner_text()
    view.tell({"did": "act", "node": "broker-102"})
    view.draw(state(nodes=nodes(severable=True, broker_102="cut", zookeeper_1="cut")))
    card = view.page.get_by_role("region", name="Broker 102, cut off the network, the cluster has not noticed")
    # Marked by a drawing, not by colour alone.
    expect(card.locator(".kl-cut-sign")).to_be_visible()
    assert view.texts(".kl-quorum-node")[0].startswith("1 follower · cut off")
    join = view.page.get_by_role("button", name="join broker 102 to the network again")
    expect(join).to_be_focused()
    view.page.keyboard.press("Enter")
    assert asked(view)[-1] == {"do": "act", "node": "broker-102", "verb": "join"}
    view.draw(state(WITHOUT_102, nodes=nodes(severable=True, broker_102="cut")))
    expect(view.page.get_by_role("region", name="Broker 102, cut off, dropped by the cluster")).to_be_visible()


def test_in_a_narrow_place_every_button_stays_on_its_card(show: Open) -> None:
    view = show(state(nodes=nodes(severable=True)))
    view.page.set_viewport_size({"width": 560, "height": 900})
    cards = view.page.locator(".kl-broker").all()
    assert len(cards) == 3
    for card in cards:
        edge = card.bounding_box()
        buttons = [button.bounding_box() for button in card.get_by_role("button").all()]
        assert edge is not None and len(buttons) == 4
        assert all(box and box["x"] + box["width"] <= edge["x"] + edge["width"] for box in buttons)


def test_the_keyboard_stays_where_it_was_when_the_node_offers_other_verbs(show: Open) -> None:
    view = show(state())
    view.page.get_by_role("button", name="kill broker 102").focus()
    view.page.keyboard.press("Enter")
    assert asked(view) == [{"do": "act", "node": "broker-102", "verb": "kill"}]
    expect(view.page.get_by_role("button", name="kill broker 102")).to_be_focused()
    view.tell({"did": "act", "node": "broker-102"})
    view.draw(state(WITHOUT_102, nodes=nodes(broker_102="stopped")))
    expect(view.page.get_by_role("button", name="start broker 102")).to_be_focused()


def test_what_changed_is_ringed_and_a_crown_travels_unless_motion_is_unwanted(show: Open) -> None:
    after = state(WITHOUT_102, nodes=nodes(broker_102="stopped"))
    for motion, crowns in (("no-preference", 1), ("reduce", 0)):
        view = show(state(), reduced_motion=motion)
        view.draw(after)
        changed = view.page.locator(".kl-changed").evaluate_all("(all) => all.map((n) => n.dataset.chip)")
        assert sorted(changed) == ["trucks_gps/0/102", "trucks_gps/1/102", "trucks_gps/1/103", "trucks_gps/2/102"]
        assert view.page.locator(".kl-flight").count() == crowns


def test_only_the_part_that_changed_is_drawn_again(show: Open) -> None:
    view = show(state())
    view.page.evaluate(
        "document.querySelectorAll('.kl-chip, td, .kl-consumers header').forEach((n) => { n.old = true; })"
    )
    grown = replace(HEALTHY.topics[0].partitions[0], end=9000)
    topic = replace(HEALTHY.topics[0], partitions=(grown, *HEALTHY.topics[0].partitions[1:]))
    view.draw(state(replace(HEALTHY, topics=(topic, HEALTHY.topics[1]))))
    assert view.page.evaluate(
        "[...document.querySelectorAll('.kl-brokers .kl-chip, .kl-consumers header')].every((n) => n.old)"
    )
    cell = view.page.locator("[data-topic=trucks_gps] [data-records]")
    assert (cell.inner_text(), cell.evaluate("(cell) => cell.old")) == ("29\u202f029", None)


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
    assert said[0] == "+0.00 s ▸ you killed broker 102"
    assert said[1] == "+3.12 s ♛ trucks_gps P1: leader 102 → 103"
    assert said[2].startswith("+4.00 s ⚠ could not start broker 102: It failed.")
    assert "do: wait" in said[2]
    assert log.locator("li b").first.inner_text() == "102 → 103"
    assert log.locator("li").first.evaluate("(line) => line.old") is True


def test_hostile_names_are_only_ever_text(show: Open) -> None:
    event = Event(1.0, "topic_created", f"topic {HOSTILE} created", HOSTILE)
    crowd = [Event(2.0, "isr_shrank", f"ISR of {HOSTILE} P{p}: 1 → 2", HOSTILE, p, 102) for p in range(5)]
    view = show(state(hostile(), event, *crowd, name=HOSTILE, label=HOSTILE, error=HOSTILE))
    assert view.page.locator("img").count() == 0
    text = view.page.locator("body").inner_text()
    assert text.count(HOSTILE) > 5
    assert "\u202e" not in text
    assert "\u2066" not in text
    assert "x" * 100 not in text
    assert view.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_what_cannot_be_looked_at_is_said_and_the_old_picture_is_marked(show: Open) -> None:
    view = show(state(HEALTHY, nodes=nodes(broker_101="stopped"), error="No broker answers."))
    assert view.texts(".kl-notice")[0].startswith(
        "The cluster cannot be looked at now. No broker answers. What is drawn"
    )
    assert view.texts(".kl-live") == ["not answering"]
    expect(view.page.get_by_role("button", name="start broker 101")).to_be_enabled()


def test_a_frozen_picture_has_no_buttons(show: Open) -> None:
    view = show(state(buttons=False), traits={"live": False})
    assert [button.inner_text() for button in view.page.get_by_role("button").all()] == ["trucks_gps"]
    assert view.texts(".kl-live")[0].startswith("a moment")


def test_a_fault_in_the_view_is_shown_under_it(show: Open) -> None:
    view = show(state())
    view.tell({"n": 1, "patch": [["set", ["topics"], None]]})
    alert = view.page.get_by_role("alert")
    expect(alert).to_contain_text("This view has a fault.")
    assert view.faults
    view.faults.clear()


def test_leaving_the_page_stops_listening(show: Open) -> None:
    view = show(state())
    view.page.evaluate("leave()")
    assert view.page.evaluate("Object.values(model.listeners).flat().length") == 0
    assert view.sent[-1]["do"] == "gone"


@pytest.mark.parametrize("body, dark", [('data-jp-theme-light="true"', False), ('data-jp-theme-light="false"', True)])
def test_text_stands_out_in_both_themes(show: Open, body: str, dark: bool) -> None:
    """WCAG asks for a contrast of 4.5; what is crossed out may do with 3. Twelve partitions show every colour."""
    topic = HEALTHY.topics[0]
    twelve = tuple(
        replace(p, partition=n, leader=101 + 2 * (n % 2), isr=(101, 103)) for n, p in enumerate(4 * topic.partitions)
    )
    view = show(
        state(replace(WITHOUT_102, topics=(replace(topic, partitions=twelve),)), nodes=nodes(broker_102="stopped")),
        body=body,
    )
    view.page.wait_for_function("document.getAnimations().every((a) => a.playState !== 'running')")
    measured = view.contrasts(".kl-chip .kl-p, .kl-button, .kl-standing, .kl-event, .kl-held, .kl-table td, .kl-pill")
    assert sum("kl-leader" in words for words, _, _ in measured) == 12
    assert {words: round(ratio, 2) for words, ratio, _ in measured if ratio < (3 if "kl-down" in words else 4.5)} == {}
    assert all((behind < 0.2) == dark for words, _, behind in measured if "kl-chip" not in words)
