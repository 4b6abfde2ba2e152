"""Reads the glossary's terms, and links their first mentions in a lab's prose to it.

In ``glossary.md`` a term is a heading of the second level; the line ``also:`` beneath it names the
other forms that are linked:

    ## in-sync replica

    also: in-sync replicas, ISR

A form is linked as whole words, whatever its capitals, and the longest form that fits first.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

GLOSSARY = Path(__file__).resolve().parent / "glossary.md"

_TERM = re.compile(r"^## +(?P<name>.+?) *$(?P<rest>(?:\n(?!## ).*)*)", re.MULTILINE)
_ALSO = re.compile(r"^also: *(?P<forms>.+?) *$", re.MULTILINE)

#: What is left as it is: everything in which a link would be wrong, or would not be one.
_APART = re.compile(
    "|".join(
        (
            r"(?:^|(?<=\n))(?P<fence>`{3,}|~{3,}).*?(?:\n(?P=fence)[ \t]*(?=\n|$)|$)",
            r"(?:(?<=\n\n)|^)(?:(?: {4}|\t).*(?:\n|$))+",  # indented code
            r"(?:^|(?<=\n)) {0,3}#{1,6} [^\n]*",  # a heading
            r"(?:^|(?<=\n))[^\n|]+\n(?:=+|-+)[ \t]*(?=\n|$)",  # the other kind of heading
            r"(?:^|(?<=\n)) {0,3}\[[^\]\n]+\]:[^\n]*",  # where a link leads
            r"<(?P<tag>a|code|kbd|pre|samp|script|style|svg)\b.*?</(?P=tag)>",
            r"<!--.*?-->",
            r"</?[A-Za-z][^<>]*>",  # a tag, or an address in angle brackets
            r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)",
            # A link or an image: one may hold another.
            r"!?\[(?:[^\[\]]|!?\[[^\[\]]*\](?:\([^()]*\))?)*\](?:\([^()]*\)|\[[^\[\]]*\])?",
            r"https?://\S+",
            r"\{\{.*?\}\}",
            r"\$\$.*?\$\$|\$[^$\n]+\$",  # mathematics
        )
    ),
    re.DOTALL,
)


def anchor(name: str) -> str:
    """What GitHub calls the place of a heading: ``high watermark`` → ``high-watermark``."""
    return re.sub(r"[^\w\- ]", "", name.strip().lower()).replace(" ", "-")


def terms(glossary: str | None = None) -> dict[str, str]:
    """The forms of all terms, in small letters → the anchor of the term.

    :param glossary: the glossary's text; None for that of the file beside this one.
    :raises ValueError: a form stands with two terms, or an anchor would be used twice.
    """
    text = GLOSSARY.read_text(encoding="utf-8") if glossary is None else glossary
    found: dict[str, str] = {}
    places: set[str] = set()
    for term in _TERM.finditer(text):
        place = anchor(term["name"])
        if place in places:
            raise ValueError(f"two terms have the anchor #{place}")
        places.add(place)
        also = _ALSO.search(term["rest"])
        forms = [term["name"], *(also["forms"].split(",") if also else ())]
        for form in (" ".join(form.lower().split()) for form in forms):
            if found.setdefault(form, place) != place:
                raise ValueError(f"{form!r} stands with #{found[form]} and with #{place}")
    return found


def linked(markdown: str, seen: set[str], address: str = "glossary.md", known: dict[str, str] | None = None) -> str:
    """The text with the first mention of each term linked to the glossary.

    :param seen: the anchors linked already; those linked here are added.
    :param address: where the glossary lies as the text sees it.
    :param known: what :func:`terms` returns; None for the glossary's own.
    """
    forms = _of_the_file() if known is None else known
    if not forms:
        return markdown
    mention = _pattern(tuple(forms))

    def link(match: re.Match[str]) -> str:
        place = forms[" ".join(match[0].lower().split())]
        if place in seen:
            return match[0]
        seen.add(place)
        return f"[{match[0]}]({address}#{place})"

    out, at = [], 0
    for apart in _APART.finditer(markdown):
        out += [mention.sub(link, markdown[at : apart.start()]), apart[0]]
        at = apart.end()
    return "".join([*out, mention.sub(link, markdown[at:])])


@lru_cache(maxsize=1)
def _of_the_file() -> dict[str, str]:
    return terms()


@lru_cache(maxsize=4)
def _pattern(forms: tuple[str, ...]) -> re.Pattern[str]:
    """The forms as whole words, the longest first; a line may end between two of their words."""
    longest = sorted(forms, key=lambda form: (-len(form), form))
    words = (r"[ \t]*[ \t\n][ \t]*".join(map(re.escape, form.split())) for form in longest)
    return re.compile(rf"(?<![\w/.-])(?:{'|'.join(words)})(?![\w-])(?!\.\w)", re.IGNORECASE)
