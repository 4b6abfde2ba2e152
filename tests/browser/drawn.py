"""Readers of views on a page: their content as data."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from kafkalab import Cluster
from kafkalab.waiting import wait_until
from tests.integration.tools_output import described_topics

#: (partition, broker) → leader, follower, or out
Parts = dict[tuple[int, int], str]


def chips(page: Page, topic: str) -> Parts:
    """ClusterView's chips of a topic, read from the page."""
    found: list[list[str]] = page.locator(f".kl-cluster [data-chip^='{topic}/']").evaluate_all(
        "(all) => all.map((n) => [n.dataset.chip, n.className.match(/kl-(leader|follower|behind|down)/)[1]])"
    )
    out = {"behind": "out", "down": "out"}
    return {(int(c.split("/")[1]), int(c.split("/")[2])): out.get(part, part) for c, part in found}


def chips_agree(page: Page, cluster: Cluster, topic: str) -> Parts:
    """Waits until ClusterView draws what Kafka's own tool says, which takes a second, in which more may happen."""
    seen: list[Parts] = []

    def agree() -> bool:
        topics = described_topics(cluster.tool("kafka-topics", "--describe", "--topic", topic))
        told = {
            (p, b): "leader" if b == leader else "follower" if b in isr else "out"
            for p, (leader, replicas, isr) in topics[topic].items()
            for b in replicas
        }
        seen[:] = [told, chips(page, topic)]
        return seen[0] == seen[1]

    wait_until(agree, 60, "the picture to say what kafka-topics says", seen=lambda: f"tool {seen[0]}, page {seen[1]}")
    return seen[0]


def leaders(parts: Parts) -> dict[int, int]:
    """Partition → its leader."""
    return {p: broker for (p, broker), part in parts.items() if part == "leader"}


def lanes(page: Page) -> dict[int, tuple[int, int, int]]:
    """Partition → (log start, high watermark, log end), as LogView's lanes say them."""
    said = page.locator(".kl-log-head").evaluate_all("(all) => all.map((n) => n.title)")
    pattern = r"partition (\d+):.*log start (\d+), high watermark (\d+), log end (\d+)"
    found = [re.match(pattern, text.replace("\u202f", "")) for text in said]
    return {int(m[1]): (int(m[2]), int(m[3]), int(m[4])) for m in found if m}


def readers(page: Page) -> dict[str, list[int]]:
    """Client → the partitions that GroupView says it reads; {} while the group is not settled."""
    found: dict[str, list[int]] = page.evaluate(
        """() => {
          if (!document.querySelector(".kl-group .kl-state")?.textContent.includes("Stable")) return {};
          const members = [...document.querySelectorAll(".kl-group .kl-client")].map((n) => [n.textContent, []]);
          const found = Object.fromEntries(members);
          for (const part of document.querySelectorAll(".kl-group .kl-part")) {
            const reader = part.textContent.match(/read by (.*)$/)?.[1];
            if (reader) found[reader]?.push(Number(part.dataset.item.split("/").at(-1)));
          }
          return found;
        }"""
    )
    return found


def tab_to(page: Page, label: str) -> None:
    """Press Tab until the keyboard is on the button of that name."""
    start = page.evaluate_handle("document.activeElement").as_element()
    assert start is not None
    way: list[str] = []
    for _ in range(2):
        for _ in range(60):
            way.append(page.evaluate("document.activeElement?.getAttribute('aria-label') ?? ''"))
            if way[-1] == label:
                return
            page.keyboard.press("Tab")
        # JupyterLab, while it is still opening, takes the keyboard to itself once.
        start.focus()
    pytest.fail(f"Tab does not lead to {label!r}: {way}")
