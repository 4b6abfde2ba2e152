"""The one HTML file of a recording's page: style, script and data in it, and nothing that it could load.

A content security policy in it lets one script run, ours by its hash, and forbids every request. The data is JSON that
cannot leave its element; what stands in the page before the script runs is escaped.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import isfinite
from typing import Any

from kafkalab.state.patch import Json, Op, applied, diff
from kafkalab.views.live import css, esm

# --- PatchStream: what a view draws through a recording: the first state whole, and then what changed.
#
# The page is as heavy as this is, so it can be thinned: fewer moments between those that must stay (events, named
# ones).


#: Between two whole states so many characters of patches, at least, for each character of a whole one: what going to a
#: moment costs the page stays bounded, and the whole ones stay a small part of it.
WHOLE_EVERY = 6


@dataclass(slots=True)
class PatchStream:
    """The states of a view, the first one whole and then what changed.

    ``first`` is the state at ``times[0]``, and ``patches[i]`` leads to the state at ``times[i + 1]``.

    Times are whole milliseconds since the recording began.
    """

    times: list[int] = field(default_factory=list)
    first: Json = None
    patches: list[list[Op]] = field(default_factory=list)

    def states(self) -> Iterable[tuple[int, Json]]:
        """Each moment and the state then."""
        state = self.first
        for i, at in enumerate(self.times):
            if i:
                state = applied(state, self.patches[i - 1])
            yield at, state


def encode(states: Iterable[tuple[int, Json]]) -> PatchStream:
    """Encode states with their moments, in order; equal neighbours become one."""
    found = PatchStream()
    last: Json = None
    for at, state in states:
        if not found.times:
            found.first = state
        else:
            ops = diff(last, state)
            if not ops:
                continue
            found.patches.append(ops)
        found.times.append(at)
        last = state
    return found


def moments(times: Iterable[float], spacing: int, always: Iterable[float]) -> list[int]:
    """Of the times (seconds) the last of every ``spacing`` milliseconds, and each of ``always``; whole milliseconds.

    The last and not the first: what is between two moments is seen a little late, and never missed.
    """
    return sorted({*_last_of_each(map(milliseconds, times), spacing), *map(milliseconds, always)})


def milliseconds(at: float) -> int:
    """Seconds → whole milliseconds, never later."""
    return int(at * 1000)


def _last_of_each(times: Iterable[int], spacing: int) -> Iterable[int]:
    return {at // spacing: at for at in sorted(times)}.values()


def thinned(whole: PatchStream, spacing: int, always: Iterable[int]) -> PatchStream:
    """The same with at most one moment in ``spacing`` milliseconds, besides those of ``always``."""
    keep = {*_last_of_each(whole.times, spacing), *always, *whole.times[:1], *whole.times[-1:]}
    return encode((at, state) for at, state in whole.states() if at in keep)


def packed(whole: PatchStream, besides: dict[str, Any]) -> str:
    """As it lies in the page: deflated JSON in base64. ``besides``: what the view's front end may ask for."""
    return pack({"at": whole.times, "first": whole.first, "patches": whole.patches, "whole": _wholes(whole), **besides})


def pack(value: Json) -> str:
    """JSON, deflated, in base64."""
    return base64.b64encode(zlib.compress(plain_json(value).encode("ascii"), 9)).decode("ascii")


def plain_json(value: Json) -> str:
    """JSON in ASCII that any browser reads: what is no number in JSON (infinity) becomes null."""
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), separators=(",", ":"), allow_nan=False)


def _wholes(whole: PatchStream) -> dict[str, Json]:
    """Every now and then the whole state, by its place among the moments: for going far at once, or back."""
    found: dict[str, Json] = {}
    since, size = 0, len(plain_json(whole.first))
    for i, (_, state) in enumerate(whole.states()):
        if i == 0:
            continue
        since += len(plain_json(whole.patches[i - 1]))
        if since > WHOLE_EVERY * size:
            found[str(i)] = state
            since, size = 0, len(plain_json(state))
    return found


def _finite(value: Json) -> Json:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return value


@dataclass(slots=True)
class Packed:
    """A view's told states, packed; ``spacing`` is how many milliseconds lie between two moments that are no event.

    ``besides``: the ``traits`` of its front end, and the ``answers`` to what that may ask.
    """

    told: PatchStream
    besides: dict[str, Any]
    spacing: int
    text: str = ""

    def __post_init__(self) -> None:
        self.text = packed(self.told, self.besides)

    def thinner(self, always: Sequence[int]) -> Packed | None:
        """Without its answers; next with half the moments, those of ``always`` kept; None: no more can be dropped."""
        if self.besides.get("answers"):
            return Packed(self.told, {**self.besides, "answers": []}, self.spacing)
        spacing, end = self.spacing, self.told.times[-1] if self.told.times else 0
        while spacing <= 2 * end:
            spacing *= 2
            told = thinned(self.told, spacing, always)
            if len(told.times) < len(self.told.times):
                return Packed(told, self.besides, spacing)
        return None


def fit_to_size(
    packs: dict[str, Packed], room: int, always: Sequence[int], needed: Callable[[str], bool]
) -> tuple[dict[str, Packed], list[str]]:
    """What fits into ``room`` bytes, and the names of what had to be left out.

    The heaviest is thinned, again and again; when nothing can be, the heaviest that is not ``needed`` goes, and the
    others are tried anew.
    """
    kept, done = dict(packs), set[str]()
    while sum(len(pack.text) for pack in kept.values()) > room:
        heaviest = max(kept, key=lambda name: (name not in done, len(kept[name].text)))
        if heaviest in done:
            spare = [name for name in kept if not needed(name)]
            if not spare:
                break
            gone = max(spare, key=lambda name: len(kept[name].text))
            rest, out = fit_to_size({name: pack for name, pack in packs.items() if name != gone}, room, always, needed)
            return rest, [gone, *out]
        thinner = kept[heaviest].thinner(always)
        if thinner is None:
            done.add(heaviest)
        else:
            kept[heaviest] = thinner
    return kept, []


#: Tells our own pages from other files: stands near the beginning of each.
MARK = '<meta name="generator" content="kafkalab, page of a recording">'

_DOCUMENT = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
{mark}
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
{body}
{data}
<script type="module">{script}</script>
</body>
</html>
"""


def document(title: str, body: str, head: Json, told: Mapping[str, str]) -> bytes:
    """The page.

    :param body: what there is to see without scripts, as HTML.
    :param head: what the script needs to know at once.
    :param told: by id, what it unpacks when it is needed.
    """
    script = esm("page")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    # Views place what they draw by style attributes, so styles may be inline; they can load nothing either.
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    data = [f'<script type="application/json" id="kl-head">{in_script(head)}</script>']
    data += [f'<script type="text/plain" id="{name}">{text}</script>' for name, text in told.items()]
    page = _DOCUMENT.format(
        mark=MARK,
        policy=policy,
        title=escape(title),
        style=css("page"),
        body=body,
        data="\n".join(data),
        script=script,
    )
    # Half a character (a lone surrogate) has no bytes in UTF-8.
    return page.encode("utf-8", "replace")


def in_script(value: Json) -> str:
    """JSON as it may stand inside a script element, where ``</script`` and ``<!--`` would mean something."""
    return plain_json(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
