"""The glossary's terms are found, and linked where a reader meets them first: in prose, and nowhere else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.form import phrases_in, plain
from labs.glossary_terms import GLOSSARY, anchor, linked, terms

SMALL = """# Glossary

## broker

also: brokers

A server.

## in-sync replica

also: in-sync replicas, ISR

A copy.

## replica

also: replicas

A copy too.
"""
KNOWN = terms(SMALL)
BROKER = "glossary.md#broker"
IN_SYNC = "glossary.md#in-sync-replica"


def link(markdown: str, seen: set[str] | None = None, address: str = "glossary.md") -> str:
    return linked(markdown, set() if seen is None else seen, address, KNOWN)


def test_forms_lead_to_the_anchor_of_their_term() -> None:
    assert {form: place for form, place in KNOWN.items() if " " in form or form == "isr"} == {
        "in-sync replica": "in-sync-replica",
        "in-sync replicas": "in-sync-replica",
        "isr": "in-sync-replica",
    }
    with pytest.raises(ValueError, match=r"'isr' stands with #in-sync-replica and with #other"):
        terms(f"{SMALL}\n## other\n\nalso: ISR\n\nSomething.\n")


def test_the_first_mention_is_linked_and_no_other() -> None:
    seen: set[str] = set()
    assert link("Brokers and a broker.", seen) == f"[Brokers]({BROKER}) and a broker."
    assert seen == {"broker"}
    assert link("The broker again, and a replica.", seen) == "The broker again, and a [replica](glossary.md#replica)."
    # The longest form wins, even when it was linked before; a line may end within it.
    assert link("In-sync replicas") == f"[In-sync replicas]({IN_SYNC})"
    assert link("The in-sync replicas.", {"in-sync-replica"}) == "The in-sync replicas."
    assert link("the in-sync\n  replicas") == f"the [in-sync\n  replicas]({IN_SYNC})"
    assert link("A **broker**.", address="../glossary.md") == f"A **[broker](../{BROKER})**."


def test_what_is_no_prose_is_left_alone() -> None:
    for text in (
        "the brokerage, a pre-broker, broker-101, broker_id, kafka.broker, broker.id, a/broker",
        "`broker` and ``a `broker` ``",
        "```python\nbroker = 1\n```",
        "    broker = 1\n    replica = 2",
        "# Brokers\n\n### A broker",
        "[a broker](other.md) and ![a broker](x.png) and [![a broker](x.png)](broker.md)",
        "<kbd>broker</kbd> <a href='x'>broker</a> <span title='broker'></span>",
        "<!-- broker -->",
        "https://example.org/broker and <https://example.org/a/broker>",
    ):
        assert link(text) == text


@given(st.text(alphabet="broker ISR\n`[](){}<>#$-=*_~.", max_size=60))
def test_linking_adds_links_and_changes_nothing_else(text: str) -> None:
    done = link(text)
    assert re.sub(r"\[([^\[\]]*)\]\(glossary\.md#[a-z-]+\)", r"\1", done) == text


def test_the_glossary_is_whole() -> None:
    text = GLOSSARY.read_text(encoding="utf-8")
    known = terms()
    places = set(known.values())
    assert len(places) >= 60
    # Links within it lead to terms, and links elsewhere to files that are there.
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if target.startswith("#"):
            assert target[1:] in places, target
        else:
            assert (GLOSSARY.parent / target).is_file(), target
    # JupyterLab names a heading's place by its text as it is, and GitHub in small letters: both must find it.
    for before, name in re.findall(r"(.*)\n\n## (.+)", text):
        assert name.replace(" ", "-") == anchor(name) or before == f'<a id="{anchor(name)}"></a>', name


def test_the_glossary_has_no_turns_that_are_banned_in_lessons() -> None:
    assert phrases_in(plain(GLOSSARY.read_text(encoding="utf-8"))) == []
