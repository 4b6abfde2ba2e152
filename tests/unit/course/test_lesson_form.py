"""Each lab keeps to the form of a lesson (labs/form.py), and what checks that notices when one does not."""

from __future__ import annotations

import importlib.util
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted((ROOT / "labs" / "source").glob("[0-9][0-9]*_*.py"))


@pytest.fixture(scope="module")
def form() -> ModuleType:
    spec = importlib.util.spec_from_file_location("labs_form", ROOT / "labs" / "form.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["labs_form"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem.partition("_")[0])
def test_a_lab_keeps_to_the_form(form: ModuleType, source: Path) -> None:
    assert form.Lesson.of(source).faults() == []


def test_what_breaks_the_form_is_noticed(form: ModuleType) -> None:
    cells = (
        ("prose", "# 09\n\nWhoever mends it. What has come, stays. Who needs order makes more.", {}),
        ("code", "from kafkalab.course.lab_09.exercises import judge\nfrom kafkalab import Lab", {"tags": ["set-up"]}),
        ("code", 'guess = Prediction("?", [1, 2])\nguess', {}),
        ("prose", "| a | b |\n|---|---|\n| 1 | 2 |", {}),
        ("code", "log", {"picture": "log"}),
        ("code", "guess.compare(1)", {}),
        ("code", "admin.create_topics({})", {}),
        ("code", "\n".join(f"line_{n} = consumer.poll({n})" for n in range(13)), {}),
    )
    lesson = form.Lesson("09", {"teaches": ["KafkaConsumer.seek", "kafka-topics --create"]}, cells)
    told = "\n".join(lesson.faults())
    noticed = """
        longest: 13, at most 12|exercises: 0, at least 5|you/we: 0|imports judge of
        does not explain: from kafkalab import Lab|does not show KafkaConsumer.seek|does not show kafka-topics --create
        the picture log names no fact
        the picture log stands before the verdict of guess|a table stands before|nothing to repair
        a cell ends with admin.create_topics|it lacks **Why?**|'Whoever'|'mends'|What has come
    """
    for words in noticed.strip().replace("\n", "|").split("|"):
        assert words.strip() in told, words
    alone = form.Lesson("02b", {"after": []}, (("code", "q2.check(how_many)", {"exercise": "02b.2"}),))
    assert "02b.2 needs beginning_offsets, untaught" in alone.faults()
    fine = form.Lesson("09", {"teaches": ["poll"]}, cells[-1:])
    assert "does not show" not in "\n".join(fine.faults())


def test_words_and_minutes_are_counted_as_they_are_said(form: ModuleType) -> None:
    prose = ("prose", "## 1 · You read\n\n[a link](somewhere.ipynb) and `code`, it's <kbd>Shift</kbd>.", {})
    lesson = form.Lesson("09", {"seconds": 60, "big": ["09.2"]}, (
        prose, ("code", "# only said\nx = 1", {"exercise": "09.1"}), ("code", "...", {"exercise": "09.2"}),
    ))  # fmt: skip
    assert form.words_of(form.plain(prose[1])) == ["You", "read", "a", "link", "and", "code", "it's", "Shift"]
    assert (lesson.figures()["lines"], lesson.figures()["rounds"], lesson.figures()["first"]) == (2, 1, 8)
    assert lesson.minutes() == 10  # a minute of running, two and five of answering, and a little reading


def test_every_fact_is_quoted_in_its_labs_and_every_lab_has_facts(form: ModuleType) -> None:
    """Whether they are true is asked of brokers and clients: tests/integration/test_lab_facts.py."""
    facts = tomllib.loads((ROOT / "labs" / "facts.toml").read_text(encoding="utf-8"))["fact"]
    read = {form.number_of(source): form.Lesson.of(source) for source in SOURCES}
    prose = {
        number: " ".join(" ".join(text for kind, text, _ in lesson.cells if kind == "prose").split())
        for number, lesson in read.items()
    }
    missing = [(number, one["quote"]) for one in facts for number in one["labs"] if one["quote"] not in prose[number]]
    assert missing == []
    assert {number for one in facts for number in one["labs"]} >= set(read)
