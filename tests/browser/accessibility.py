"""An audit of what is on a page, by axe-core: what keyboard users and screen readers would stumble over."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).resolve().parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"

_RUN = """async ([selector, without, contrast]) => {
  const rules = { "color-contrast": { enabled: contrast } };
  const found = await axe.run({ include: selector, exclude: without }, { resultTypes: ["violations"], rules });
  const where = (n) => `${n.target.join(" ")}: ${n.failureSummary}`;
  return found.violations.map((v) => [v.impact, v.id, v.help, v.nodes.map(where)]);
}"""


def audit(page: Page, selector: str, *, without: str = "iframe", contrast: bool = True) -> None:
    """Fails when axe-core finds anything serious or critical in what the selector matches, but for a part of it.

    Contrast takes most of its time: where :func:`faint` has looked it is left out.
    """
    assert page.locator(selector).count() > 0, f"there is no {selector}"
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.read_text(encoding="utf-8"))
    found = page.evaluate(_RUN, [selector, without, contrast])
    grave = [row for row in found if row[0] in ("serious", "critical")]
    assert not grave, "\n".join(f"{impact}: {id}: {help}\n  " + "\n  ".join(nodes) for impact, id, help, nodes in grave)


_FAINT = """(selector) => {
  // A canvas turns whatever way a colour is written in into four bytes.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const bytes = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const behind = (node) => {
    const colour = bytes(getComputedStyle(node).backgroundColor);
    if (colour[3] === 255) return colour;
    return node.parentElement ? behind(node.parentElement) : [255, 255, 255];
  };
  const read = (node) =>
    [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && /[\\p{L}\\p{N}]/u.test(child.data)) &&
    node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !node.closest("svg, [hidden], .kl-hidden, :disabled, [aria-disabled=true], option");
  return [...document.querySelectorAll(`${selector} *`)].filter(read).flatMap((node) => {
    const style = getComputedStyle(node);
    const [ink, paper] = [light(bytes(style.color)), light(behind(node))];
    const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    const enough = style.textDecorationLine === "line-through" ? 3 : 4.5;
    return ratio < enough ? [`${ratio.toFixed(1)}: ${node.className} ${node.textContent.slice(0, 40)}`] : [];
  });
}"""


def faint(page: Page, selector: str) -> list[str]:
    """Texts that stand out less from their ground than WCAG asks for: 4.5; 3 where one is crossed out."""
    found: list[str] = page.evaluate(_FAINT, selector)
    return found
