"""A patch makes the new state of the old one, in Python and on the page, and is small when little changed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kafkalab.state.patch import applied, diff

ROOT = Path(__file__).resolve().parents[3]
FRONTEND = ROOT / "frontend"
PATCH_TS = ROOT / "kafkalab" / "views" / "live.ts"

#: Without -0.0, which is equal to 0.0 and yet another text.
numbers = st.floats(allow_nan=False, allow_infinity=False).map(lambda x: x + 0.0)
plain = st.none() | st.booleans() | st.integers(-5, 5) | numbers | st.text(max_size=3)
keys = st.sampled_from(["a", "b", "n", "__proto__", "constructor", ""])
states = st.dictionaries(
    keys, st.recursive(plain, lambda s: st.lists(s, max_size=5) | st.dictionaries(keys, s, max_size=4))
)


def text(value: Any) -> str:
    """As JSON, in which 1 and True differ."""
    return json.dumps(value, sort_keys=True)


def test_a_patch_makes_the_one_of_the_other_in_python_and_on_the_page(tmp_path: Path) -> None:
    cases: list[Any] = []

    @settings(max_examples=60)
    @given(states, states)
    def in_python(old: Any, new: Any) -> None:
        before, patch = text(old), diff(old, new)
        assert text(applied(old, patch)) == text(new)
        assert text(old) == before
        assert diff(old, json.loads(before)) == []
        cases.append([old, patch, new])

    in_python()
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(cases))
    script = f"""
        import {{ patched }} from {json.dumps(PATCH_TS.as_uri())};
        import {{ readFileSync }} from "node:fs";
        import {{ deepStrictEqual }} from "node:assert";
        for (const [old, patch, after] of JSON.parse(readFileSync({json.dumps(str(file))}, "utf8"))) {{
          const before = structuredClone(old);
          deepStrictEqual(patched(old, patch), after);
          deepStrictEqual(old, before);
        }}
    """
    (tmp_path / "patch.mjs").write_text(script)
    subprocess.run(["node", "--import", "tsx", str(tmp_path / "patch.mjs")], cwd=FRONTEND, check=True)
    assert len(cases) >= 50


def test_a_patch_is_as_large_as_what_changed() -> None:
    old = {"topics": {f"t{i}": {"records": i, "partitions": list(range(20))} for i in range(200)}}
    new = json.loads(json.dumps(old))
    new["topics"]["t7"]["records"] = 8
    assert diff(old, new) == [["set", ["topics", "t7", "records"], 8]]
    assert diff(list(range(100)), list(range(3, 104))) == [["cut", [], 3], ["add", [], [100, 101, 102, 103]]]
    assert diff({"a": [1, 2, 3]}, {"a": [1, 2]}) == [["end", ["a"], 2]]
