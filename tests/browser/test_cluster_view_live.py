"""ClusterView in a real JupyterLab on a real cluster: worked by keyboard, and by a kernel that was restarted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.drawn import chips_agree, tab_to
from tests.browser.jupyter_page import LONG
from tests.browser.studio import Studio

pytestmark = pytest.mark.deep

SHOW = "view = cluster.view()\nview"
#: anywidget gives a view's script two seconds to load; here it finds at once that they are over.
OVER = """() => {
    const timeout = AbortSignal.timeout;
    const over = { addEventListener: (_, hear) => hear() };
    AbortSignal.timeout = (ms) => (ms === 2000 ? over : timeout.call(AbortSignal, ms));
    window.usual = () => { AbortSignal.timeout = timeout; };
}"""


def test_by_keyboard_and_after_a_restart_of_the_kernel(studio: Studio, new_topic: Callable[[str], str]) -> None:
    topic, cluster, page = new_topic("seen"), studio.cluster, studio.page
    cluster.create_topic(topic, partitions=6, replication=3)
    page.evaluate(OVER)
    notebook = studio(SHOW)
    page.get_by_label("topics shown").select_option(topic)
    expect(page.locator(f"[data-chip^='{topic}/'].kl-leader")).to_have_count(6)
    # It complains, and its view was as lively as any other.
    assert set(notebook.errors) == {"[anywidget] Failed to initialize model."}
    notebook.errors.clear()
    page.evaluate("window.usual()")

    page.get_by_label("topics shown").focus()
    tab_to(page, "kill broker 102")
    page.keyboard.press("Enter")
    expect(page.locator("[data-broker='102'].kl-is-down").first).to_be_visible(timeout=LONG)
    expect(page.locator(f"[data-chip^='{topic}/'].kl-leader")).to_have_count(6, timeout=LONG)
    chips_agree(page, cluster, topic)
    expect(page.get_by_role("log")).to_contain_text("you killed broker 102")
    expect(page.get_by_role("button", name="start broker 102")).to_be_focused()
    page.keyboard.press("Enter")
    again = page.locator(f"[data-chip^='{topic}/'][data-chip$='/102']:is(.kl-follower, .kl-leader)")
    expect(again).to_have_count(6, timeout=LONG)

    # A kernel that was restarted knows nothing of the picture, whose cell is run again.
    notebook.restart()
    expect(page.locator(".kl-standstill").filter(has_text="No news from the kernel since")).to_be_visible()
    expect(page.get_by_role("button", name="kill broker 102")).to_be_disabled()
    expect(page.locator(".kl-live")).to_be_hidden()
    notebook.run(0, 1)
    expect(page.locator(".kl-live.kl-on")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("button", name="kill broker 102")).to_be_enabled()
