"""The front end's modules are joined whole, in order, and faults in them are found when they are joined."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kafkalab.errors import KafkalabError
from kafkalab.views import assets

STATIC = Path(assets.__file__).parent / "static"
VIEWS = sorted(path.stem for path in STATIC.glob("*.js") if "\nexport default" in path.read_text(encoding="utf-8"))


@pytest.fixture
def static(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts other files in the place of static/: ``static(shared="…", view="…")``."""

    def put(**files: str) -> None:
        def read(file: str) -> str:
            stem, _, kind = file.partition(".")
            if kind != "js" or stem not in files:
                raise KafkalabError(f"The front-end file {file} is missing.")
            return files[stem]

        monkeypatch.setattr(assets, "_read", read)

    assets.esm.cache_clear()
    return put


def test_the_first_view_is_among_those_tested() -> None:
    assert "cluster_view" in VIEWS


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_joins_into_one_module(view: str) -> None:
    joined = assets.esm(view)
    assert not re.search(r"^\s*import\b", joined, flags=re.MULTILINE)
    assert re.findall(r"^export (\w+)", joined, flags=re.MULTILINE) == ["default"]
    assert joined.count("function partitionColour(") == 1
    assert joined.index("function partitionColour(") < joined.index("export default")
    sheet = assets.css(view)
    assert sheet.startswith((STATIC / "shared.css").read_text(encoding="utf-8"))
    assert (STATIC / f"{view}.css").read_text(encoding="utf-8") in sheet


def test_the_front_end_never_parses_data_as_html_and_loads_nothing() -> None:
    # Of this project's own modules: what a topic holds must only ever become text.
    for path in STATIC.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text), path.name
        assert not re.search(r"https?://(?!www\.w3\.org/)", text), path.name
    for path in STATIC.glob("*.css"):
        assert not re.search(r"@import|url\(", path.read_text(encoding="utf-8")), path.name


def test_modules_come_after_what_they_import_and_once(static: Callable[..., None]) -> None:
    static(
        shared="export function a() {}\n",
        one='import { a } from "./shared.js";\nexport const b = a;\n',
        view='import { a } from "./shared.js";\nimport {\n  b,\n} from "./one.js";\nexport default { a, b };\n',
    )
    assert " ".join(assets.esm("view").split()) == "function a() {} const b = a; export default { a, b };"


@pytest.mark.parametrize(
    "view, complaint",
    [
        ('import { nothing } from "./shared.js";\n', "does not export"),
        ('import { a } from "./absent.js";\n', "is missing"),
        ('import { a } from "lodash";\n', "cannot be joined"),
        ('import a from "./shared.js";\n', "cannot be joined"),
        ('import "./shared.js";\n', "cannot be joined"),
        ('const a = await import("./shared.js");\n', "cannot be joined"),
        ('export { a } from "./shared.js";\n', "cannot be joined"),
        ('import { a } from "./shared.js";\nfunction a() {}\n', "both define a"),
        ('import { b } from "./view.js";\nexport const b = 1;\n', "in a circle"),
    ],
)
def test_what_cannot_be_joined_is_refused(static: Callable[..., None], view: str, complaint: str) -> None:
    static(shared="export function a() {}\n", view=view)
    with pytest.raises(KafkalabError, match=complaint):
        assets.esm("view")


def test_a_view_that_does_not_exist_is_named() -> None:
    with pytest.raises(KafkalabError, match=r"no_such\.js is missing"):
        assets.esm("no_such")
