"""In a real JupyterLab: progress follows a check and leads to the next lab; a term opens the glossary at its place."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect

from tests.browser.jupyter_page import LONG, Notebook, Server

pytestmark = pytest.mark.deep

GLOSSARY = Path(__file__).resolve().parents[2] / "labs" / "glossary.md"
SET_UP = """import os
os.environ["KAFKALAB_PROGRESS"], os.environ["KAFKALAB_HOME"] = "on", "{home}"

from kafkalab.checks import progress
from kafkalab.checks.exercise import Exercise
from kafkalab.checks.judging import whole_number

def judge(answer):
    return f"It is {{whole_number(answer, 'A number')}}."

q1, q2 = (Exercise(f"00.{{n}}", f"Question {{n}}", n, "?", judge, ("", "", "")) for n in (1, 2))"""


def write(folder: Path, name: str, *code: str) -> None:
    """A notebook whose first cell speaks of a term in the middle of the glossary."""
    prose = "A broker has a [high watermark](glossary.md#high-watermark), and [KRaft](glossary.md#kraft)."
    cells = [nbformat.v4.new_markdown_cell(prose), *(nbformat.v4.new_code_cell(source) for source in code)]
    book = nbformat.v4.new_notebook(cells=cells)
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(book, folder / name)


def test_it_follows_a_check_and_leads_on(page: Page, jupyter: Server, jupyter_folder: Path, tmp_path: Path) -> None:
    folder = jupyter_folder / "course of today"
    folder.mkdir()
    shutil.copy(GLOSSARY, folder)
    shown = 'progress.shown("00", (q1, q2))'
    write(folder, "00_start_here.ipynb", SET_UP.format(home=tmp_path), "q1.check(...)", "q2.check('two')", shown)
    write(folder, "01_why_kafka.ipynb", "1 + 1")
    page.set_viewport_size({"width": 1300, "height": 900})
    notebook = Notebook(page, jupyter, "course%20of%20today/00_start_here.ipynb")
    notebook.run(1, 4)
    view = page.locator(".kl-progress")
    expect(view.locator(".kl-pg-sign")).to_have_text(["○", "✗"], timeout=LONG)
    notebook.add("q1.check(1)")
    expect(view.locator(".kl-pg-sign")).to_have_text(["✓", "✗"], timeout=LONG)
    expect(view.get_by_role("status")).to_have_text("1 of 3 points")
    assert (tmp_path / "progress.json").is_file()

    # A click on a term shows the glossary, rendered, at that term.
    page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0")
    for term in ("high watermark", "KRaft"):
        page.get_by_role("link", name=term, exact=True).first.click()
        heading = page.locator(".jp-MarkdownViewer h2", has_text=term).first
        expect(heading).to_be_in_viewport(timeout=LONG)
        page.evaluate("window.jupyterapp.shell.activateById(window.notebook().id)")
        expect(heading).not_to_be_in_viewport()
    assert page.locator(".jp-FileEditor").count() == 0

    # The next lab opens from the keyboard, in this JupyterLab.
    view.get_by_role("button", name="01 · Why Kafka").focus()
    page.keyboard.press("Enter")
    tab = page.locator(".lm-TabBar-tab.lm-mod-current", has_text="01_why_kafka.ipynb").first
    expect(tab).to_be_visible(timeout=LONG)
    assert page.evaluate("location.pathname").endswith("/lab/tree/course%20of%20today/01_why_kafka.ipynb")
    assert notebook.errors == []
    page.evaluate("[...window.jupyterapp.shell.widgets('main')].forEach((panel) => panel.sessionContext?.shutdown?.())")
