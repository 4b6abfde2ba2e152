"""Notebooks are signed for JupyterLab when they show nothing but the package's own pictures."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from kafkalab.commands.lab import picture, trust_pictures

#: The first bytes of a WebP that is 1200 pixels wide.
WEBP = b"RIFF....WEBPVP8 ....\x00\x00\x00\x9d\x01\x2a" + (1200).to_bytes(2, "little") + (600).to_bytes(2, "little")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of pictures and notebooks; Jupyter keeps its signatures beside it."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    pictures = tmp_path / "labs" / "pictures"
    pictures.mkdir(parents=True)
    for theme in ("light", "dark"):
        (pictures / f"00-cluster.{theme}.webp").write_bytes(WEBP)
    (pictures / "00-cluster.txt").write_text("three <brokers>\none is down\n", encoding="utf-8")
    return tmp_path / "labs"


def write(path: Path, *outputs: dict[str, str]) -> None:
    cell = nbformat.v4.new_code_cell("1")  # type: ignore[no-untyped-call]
    cell.outputs = [nbformat.v4.new_output("display_data", data=data) for data in outputs]  # type: ignore[no-untyped-call]
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)  # type: ignore[no-untyped-call]


def trusted(path: Path) -> bool:
    book = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    return bool(NotebookNotary().check_signature(book))


def test_a_notebook_with_our_pictures_is_trusted_and_anything_else_left_alone(folder: Path) -> None:
    ours = picture(folder / "pictures", "00-cluster")
    write(folder / "ours.ipynb", ours)
    write(folder / "other.ipynb", {**ours, "text/html": ours["text/html"] + "<script>alert(1)</script>"})
    write(folder / "more.ipynb", ours, {"text/html": "<b>", "text/plain": "x"})
    write(folder / "beside.ipynb", {**ours, "application/javascript": "alert(1)"})
    (folder / "none.ipynb").write_text("no notebook", encoding="utf-8")
    assert not trusted(folder / "ours.ipynb")
    assert trust_pictures(folder, folder / "pictures") == ["ours.ipynb"]
    assert [trusted(folder / f"{name}.ipynb") for name in ("ours", "other", "more", "beside")] == [True] + [False] * 3


def test_a_folder_that_cannot_be_written_stops_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder / "a.ipynb", picture(folder / "pictures", "00-cluster"))
    (folder / "file").touch()
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(folder / "file"))
    assert trust_pictures(folder, folder / "pictures") == []


def test_a_picture_has_its_words_beside_it_and_one_image_for_each_theme(folder: Path) -> None:
    made = picture(folder / "pictures", "00-cluster")
    assert made["text/html"].count('alt="three &lt;brokers&gt; · one is down" style="') == 2
    assert made["text/html"].count("width:800px;max-width:100%") == 2
    light, dark = (made["text/html"].index(f'class="kl-still-{theme}"') for theme in ("light", "dark"))
    assert light < made["text/html"].index('style="display:none;') > dark, "without our style the light one is shown"
    assert made["text/plain"].endswith("three <brokers> · one is down")
