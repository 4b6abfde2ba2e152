"""Notebooks are signed for JupyterLab when they are as the package carries them; the pictures that are in them."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from kafkalab.commands.lab import prepare, trust
from labs.still import picture

#: The first bytes of a WebP that is 1200 pixels wide.
WEBP = b"RIFF....WEBPVP8 ....\x00\x00\x00\x9d\x01\x2a" + (1200).to_bytes(2, "little") + (600).to_bytes(2, "little")


@pytest.fixture
def carried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Labs as the package has them; Jupyter keeps its signatures beside them."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    folder = tmp_path / "labs"
    folder.mkdir()
    for name in ("00", "01"):
        cell = nbformat.v4.new_code_cell(name)  # type: ignore[no-untyped-call]
        cell.outputs = [nbformat.v4.new_output("display_data", data={"text/html": "<img>"})]  # type: ignore[no-untyped-call]
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / f"{name}.ipynb")  # type: ignore[no-untyped-call]
    return folder


def trusted(path: Path) -> bool:
    book = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    return bool(NotebookNotary().check_signature(book))


def test_a_notebook_that_nobody_changed_is_trusted_and_any_other_left_alone(carried: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    prepare(mine, carried)
    changed = mine / "01.ipynb"
    changed.write_text(changed.read_text().replace("<img>", "<img><script>alert(1)</script>"))
    (mine / "none.ipynb").write_text("no notebook", encoding="utf-8")
    assert not trusted(mine / "00.ipynb")
    trust(mine, carried)
    assert trusted(mine / "00.ipynb") and not trusted(changed)


def test_a_folder_that_cannot_be_written_stops_nothing(
    carried: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (carried / "file").touch()
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(carried / "file"))
    trust(carried, carried)
    assert "may not be shown" in caplog.text


def test_a_picture_has_its_words_beside_it_and_one_image_for_each_theme(tmp_path: Path) -> None:
    for theme in ("light", "dark"):
        (tmp_path / f"00-cluster.{theme}.webp").write_bytes(WEBP)
    (tmp_path / "00-cluster.txt").write_text("three <brokers>\none is down\n", encoding="utf-8")
    made = picture(tmp_path, "00-cluster")
    assert made["text/html"].count('alt="three &lt;brokers&gt; · one is down" style="') == 2
    assert made["text/html"].count("width:800px;max-width:100%") == 2
    light, dark = (made["text/html"].index(f'class="kl-still-{theme}"') for theme in ("light", "dark"))
    assert light < made["text/html"].index('style="display:none;') > dark, "without our style the light one is shown"
    assert made["text/plain"].endswith("three <brokers> · one is down")
