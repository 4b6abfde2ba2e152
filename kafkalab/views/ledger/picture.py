"""The data that LedgerView draws, as plain JSON: of the same size for ten records and for a million."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Literal, TypedDict

from kafkalab.views.static import Block, Para, Table
from kafkalab.views.words import shorten

Drawn = dict[str, Any]

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

#: Kind → sign, word, and what it means.
KINDS = {
    "lost": ("✗", "lost", "acknowledged, and never seen"),
    "duplicated": ("⇉", "duplicated", "in the log more than once"),
    "out_of_order": ("⇄", "out of order", "in the log behind a record of the same key that was sent later"),
    "redelivered": ("↻", "read again", "read more than once; the log holds it once"),
    "unacknowledged": ("⊘", "not acknowledged", "sent, and nobody promised to keep it"),
    "strangers": ("◇", "sent by others", "seen, and not sent through this ledger"),
}


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


class Picture(TypedDict):
    """The picture of LedgerView; ``said``: sentences, each with what it is about."""

    topic: str
    counts: dict[str, int]
    ids: dict[str, list[str]]
    flow: Flow
    said: list[tuple[str, str]]
    verdict: str
    good: Literal["good", "bad", "open"]
    live: bool
    moving: bool


def drawn(counted: Mapping[str, Any], *, topic: str | None = None, live: bool = False, moving: bool = False) -> Drawn:
    """Return what the page draws.

    :param counted: counts and lists of ids, as in ``LedgerResult.to_dict()``; a list may be shorter than its count, and
        a missing count is 0.
    :param moving: True when it changed a moment ago, so that records that were not seen yet may still be.
    """
    counts = {name: int(counted.get(name) or 0) for name in COUNTS}
    ids = {kind: [handle(str(one)) for one in list(counted.get(ids) or ())[:MOST_IDS]] for kind, ids in IDS.items()}
    picture: Drawn = {"topic": topic or "", "counts": counts, "ids": ids, "live": live, "moving": moving}
    picture["flow"] = flow(counts)
    picture["said"] = [list(one) for one in said(counts, moving)]
    picture["verdict"] = " ".join(sentence for _, sentence in picture["said"])
    picture["good"] = good(counts, moving)
    return picture


def flow(counts: Mapping[str, int]) -> dict[str, int]:
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


def good(counts: Mapping[str, int], moving: bool) -> str:
    """Return ``good``, ``bad``, or ``open`` while that is not known yet."""
    if counts["duplicated"] or counts["out_of_order"] or (counts["lost"] and not moving):
        return "bad"
    return "open" if moving or not counts["sent"] or counts["unacknowledged"] else "good"


def number(n: int) -> str:
    """Return a number with a thin space, as the page writes it: 21400 → ``21 400``."""
    return f"{n:,}".replace(",", "\u202f")


def said(counts: Mapping[str, int], moving: bool) -> list[tuple[str, str]]:
    """Return the counts in a few sentences, each with what it is about: a kind, ``kept`` or ``open``."""
    if not counts["sent"] and not counts["seen"]:
        return [("open", "Nothing has been sent yet.")]
    found = []
    acknowledged, lost = counts["acknowledged"], counts["lost"]
    if lost and moving:
        text = f"{number(lost)} of {number(acknowledged)} acknowledged records have not been seen yet."
        found.append(("open", text))
    elif lost:
        gone = f"{_are(lost)} lost: nobody ever saw {_them(lost)}."
        found.append(("lost", f"{number(lost)} of {number(acknowledged)} acknowledged records {gone}"))
    elif acknowledged:
        kept = f"Every one of {number(acknowledged)} acknowledged records was seen."
        if not counts["duplicated"] and not counts["out_of_order"] and not moving:
            kept += " Nothing is lost, and nothing is there twice."
        found.append(("kept", kept))
    if n := counts["unacknowledged"]:
        found.append(
            ("unacknowledged", f"{number(n)} {_were(n)} not acknowledged: nobody promised to keep {_them(n)}.")
        )
    if n := counts["duplicated"]:
        found.append(("duplicated", f"{number(n)} {_lie(n)} in the log more than once."))
    if n := counts["out_of_order"]:
        text = f"{number(n)} {_lie(n)} behind a record of the same key that was sent later."
        found.append(("out_of_order", text))
    if n := counts["redelivered"]:
        found.append(("redelivered", f"{number(n)} {_were(n)} read again, which harms nothing in the log."))
    if n := counts["strangers"]:
        found.append(("strangers", f"{number(n)} came from somebody else."))
    return found


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _were(n: int) -> str:
    return "was" if n == 1 else "were"


def _lie(n: int) -> str:
    return "lies" if n == 1 else "lie"


def _them(n: int) -> str:
    return "it" if n == 1 else "them"


# --- A ledger as paragraphs and tables: the verdict, and each count with its first ids.


_SHOWN = 8


def blocks(picture: Drawn) -> list[Block]:
    """Return the verdict, and a row for each count."""
    title = f"Ledger of {shorten(picture['topic'], 80)}" if picture["topic"] else "Ledger"
    return [Para(title, "strong"), Para(picture["verdict"]), Table((), _rows(picture), "By record id")]


def _rows(picture: Drawn) -> list[tuple[str, str, str]]:
    """Return (words, count, ids) per count. A count of 0 is left out, but not of lost, duplicated or out of order."""
    counts = picture["counts"]
    found = [(word, number(counts[word]), "") for word in ("sent", "acknowledged", "seen")]
    for kind, (sign, word, _) in KINDS.items():
        if not counts[kind] and kind not in ("lost", "duplicated", "out_of_order"):
            continue
        if kind == "lost" and picture["moving"]:
            sign, word = "◌", "not seen yet"
        ids = picture["ids"][kind][:_SHOWN]
        more = counts[kind] - len(ids)
        listed = ", ".join(shorten(id, 40) for id in ids) + (f" and {number(more)} more" if ids and more > 0 else "")
        found.append((f"{sign} {word}" if counts[kind] else f"✓ none {word}", number(counts[kind]), listed))
    return found
