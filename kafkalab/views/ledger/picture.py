"""The data that LedgerView draws, as plain JSON: of the same size for ten records and for a million."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypedDict

from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import count, shorten

#: Maximum number of ids that are listed of each kind.
MOST_IDS = 20
#: Maximum number of an id's characters that are sent to the page; a longer id is cut, and a digest is added.
LONGEST_ID = 120

#: Kind → the key of its ids in a result.
IDS = {
    "lost": "lost_ids",
    "duplicated": "duplicated_ids",
    "out_of_order": "out_of_order_ids",
    "redelivered": "redelivered_ids",
    "unacknowledged": "unacknowledged_ids",
    "strangers": "stranger_ids",
}
COUNTS = ("sent", "acknowledged", "seen", *IDS)


def handle(record_id: str) -> str:
    """Return an id as it is sent to the page: itself, or for a long id its beginning and a digest."""
    if len(record_id) <= LONGEST_ID:
        return record_id
    digest = sha256(record_id.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{record_id[:LONGEST_ID]}…{digest[:12]}"


class Flow(TypedDict):
    """The number of ids that go each way."""

    kept: int
    lost: int
    unsure_seen: int
    unsure_gone: int
    strangers: int


class Kind(TypedDict):
    """A kind of records in words."""

    sign: str
    word: str
    means: str


KINDS: dict[str, Kind] = {
    "lost": {"sign": "✗", "word": "lost", "means": "acknowledged, and never seen"},
    "duplicated": {"sign": "⇉", "word": "duplicated", "means": "in the log more than once"},
    "out_of_order": {
        "sign": "⇄", "word": "out of order", "means": "in the log behind a record of the same key that was sent later"
    },
    "redelivered": {"sign": "↻", "word": "read again", "means": "read more than once; the log holds it once"},
    "unacknowledged": {"sign": "⊘", "word": "not acknowledged", "means": "sent, and nobody promised to keep it"},
    "strangers": {"sign": "◇", "word": "sent by others", "means": "seen, and not sent through this ledger"},
}  # fmt: skip
_OPEN: Kind = {"sign": "◌", "word": "not seen yet", "means": "acknowledged; what reads is still at work"}


class Said(TypedDict):
    """A sentence, and what it is about: a kind, ``kept`` or ``open``."""

    kind: str
    sign: str
    text: str


class Picture(TypedDict):
    """The picture of LedgerView. ``moving``: it changed a moment ago, so records not seen yet may still be."""

    topic: str
    counts: dict[str, int]
    ids: dict[str, list[str]]
    kinds: dict[str, Kind]
    flow: Flow
    said: list[Said]
    verdict: str
    live: bool
    moving: bool


def drawn(counted: Mapping[str, Any], *, topic: str | None = None, live: bool = False, moving: bool = False) -> Picture:
    """Return what the page draws.

    :param counted: counts and lists of ids, as in ``LedgerResult.to_dict()``; a list may be shorter than its count, and
        a missing count is 0.
    """
    counts = {name: int(counted.get(name) or 0) for name in COUNTS}
    kinds = {**KINDS, "lost": _OPEN} if moving and counts["lost"] else KINDS
    sentences = said(counts, moving)
    signs = {"kept": "✓", "open": "◌", **{kind: one["sign"] for kind, one in kinds.items()}}
    return {
        "topic": topic or "",
        "counts": counts,
        "ids": {
            kind: [handle(str(one)) for one in list(counted.get(ids) or ())[:MOST_IDS]] for kind, ids in IDS.items()
        },
        "kinds": kinds,
        "flow": flow(counts),
        "said": [{"kind": kind, "sign": signs[kind], "text": text} for kind, text in sentences],
        "verdict": " ".join(text for _, text in sentences),
        "live": live,
        "moving": moving,
    }


def flow(counts: Mapping[str, int]) -> Flow:
    """Return how many ids go which way; each id goes one way only.

    ``kept``: acknowledged and seen; ``lost``; ``unsure_seen``: not acknowledged, and seen all the same;
    ``unsure_gone``: not acknowledged and not seen; ``strangers``.
    """
    lost = counts["lost"]
    kept = max(0, counts["acknowledged"] - lost)
    unsure_seen = min(counts["unacknowledged"], max(0, counts["seen"] - kept - counts["strangers"]))
    return {
        "kept": kept,
        "lost": lost,
        "unsure_seen": unsure_seen,
        "unsure_gone": counts["unacknowledged"] - unsure_seen,
        "strangers": counts["strangers"],
    }


#: What a sentence is about → the sentence, ``n`` of them.
_SAID = {
    "lost": "{n} of {acknowledged} acknowledged records {are} lost: nobody ever saw {them}.",
    "unacknowledged": "{n} {were} not acknowledged: nobody promised to keep {them}.",
    "duplicated": "{n} {lie} in the log more than once.",
    "out_of_order": "{n} {lie} behind a record of the same key that was sent later.",
    "redelivered": "{n} {were} read again, which harms nothing in the log.",
    "strangers": "{n} came from somebody else.",
}
_ONE = {"are": "is", "were": "was", "lie": "lies", "them": "it"}


def said(counts: Mapping[str, int], moving: bool) -> list[tuple[str, str]]:
    """Return the counts in a few sentences, each with what it is about: a kind, ``kept`` or ``open``."""
    if not counts["sent"] and not counts["seen"]:
        return [("open", "Nothing has been sent yet.")]
    acknowledged, lost = count(counts["acknowledged"]), counts["lost"]
    found = []
    if lost and moving:
        found.append(("open", f"{count(lost)} of {acknowledged} acknowledged records have not been seen yet."))
    elif counts["acknowledged"] and not lost:
        kept = f"Every one of {acknowledged} acknowledged records was seen."
        if not counts["duplicated"] and not counts["out_of_order"] and not moving:
            kept += " Nothing is lost, and nothing is there twice."
        found.append(("kept", kept))
    for kind, text in _SAID.items():
        if (n := counts[kind]) and not (kind == "lost" and moving):
            words = _ONE if n == 1 else {word: word for word in _ONE}
            found.append((kind, text.format(n=count(n), acknowledged=acknowledged, **words)))
    return found


# --- A ledger as paragraphs and tables: the verdict, and each count with its first ids.


_SHOWN = 8


def blocks(picture: Picture) -> list[Block]:
    """Return the verdict, and a row for each count."""
    title = f"Ledger of {shorten(picture['topic'], 80)}" if picture["topic"] else "Ledger"
    return [Para(title, "strong"), Para(picture["verdict"]), Table((), _rows(picture), "By record id")]


def _rows(picture: Picture) -> list[tuple[str, str, str]]:
    """Return (words, count, ids) per count. A count of 0 is left out, but not of lost, duplicated or out of order."""
    counts = picture["counts"]
    found = [(word, count(counts[word]), "") for word in ("sent", "acknowledged", "seen")]
    for kind, told in picture["kinds"].items():
        if not counts[kind] and kind not in ("lost", "duplicated", "out_of_order"):
            continue
        ids = picture["ids"][kind][:_SHOWN]
        more = counts[kind] - len(ids)
        listed = ", ".join(shorten(id, 40) for id in ids) + (f" and {count(more)} more" if ids and more > 0 else "")
        words = f"{told['sign']} {told['word']}" if counts[kind] else f"✓ none {told['word']}"
        found.append((words, count(counts[kind]), listed))
    return found
