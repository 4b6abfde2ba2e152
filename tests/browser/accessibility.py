"""An audit of what is on a page, by axe-core: what keyboard users and screen readers would stumble over."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).resolve().parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"

_RUN = """async (selector) => {
  const found = await axe.run(selector, { resultTypes: ["violations"] });
  const where = (n) => `${n.target.join(" ")}: ${n.failureSummary}`;
  return found.violations.map((v) => [v.impact, v.id, v.help, v.nodes.map(where)]);
}"""


def audit(page: Page, selector: str) -> None:
    """Fails when axe-core finds anything serious or critical in what the selector matches."""
    assert page.locator(selector).count() > 0, f"there is no {selector}"
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.read_text(encoding="utf-8"))
    found = page.evaluate(_RUN, selector)
    grave = [row for row in found if row[0] in ("serious", "critical")]
    assert not grave, "\n".join(f"{impact}: {id}: {help}\n  " + "\n  ".join(nodes) for impact, id, help, nodes in grave)
