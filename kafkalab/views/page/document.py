"""The HTML file of a recording's page: style, script and data are in it, and it loads nothing.

Its content security policy lets only our script run, by its hash, and forbids every request. The data is JSON that
cannot break out of its element; the text that is shown before the script runs is escaped.
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

# --- PatchStream: the states of a view through a recording, the first one whole, then patches.
#
# It makes up most of the page, so it can be thinned: it then has fewer moments between those that must stay (events,
# and moments with a name).


#: A whole state is stored when the patches since the last one are this many times as long as that one. So it stays
#: cheap for the page to go to any moment, and the whole states stay a small part of it.
WHOLE_EVERY = 6


@dataclass(slots=True)
class PatchStream:
    """The states of a view: the first one whole, then patches.

    ``first`` is the state at ``times[0]``, and ``patches[i]`` leads to the state at ``times[i + 1]``.

    Times are whole milliseconds since the recording began.
    """

    times: list[int] = field(default_factory=list)
    first: Json = None
    patches: list[list[Op]] = field(default_factory=list)

    def states(self) -> Iterable[tuple[int, Json]]:
        """Yield each moment with its state."""
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
    """Return the last of ``times`` (seconds) in every ``spacing`` ms, and all of ``always``, as whole milliseconds.

    It is the last and not the first, so that a change between two moments is seen a little late, but never missed.
    """
    return sorted({*_last_of_each(map(milliseconds, times), spacing), *map(milliseconds, always)})


def milliseconds(at: float) -> int:
    """Return seconds as whole milliseconds, rounded down."""
    return int(at * 1000)


def _last_of_each(times: Iterable[int], spacing: int) -> Iterable[int]:
    return {at // spacing: at for at in sorted(times)}.values()


def thinned(whole: PatchStream, spacing: int, always: Iterable[int]) -> PatchStream:
    """Return the stream with at most one moment in ``spacing`` milliseconds, besides those of ``always``."""
    keep = {*_last_of_each(whole.times, spacing), *always, *whole.times[:1], *whole.times[-1:]}
    return encode((at, state) for at, state in whole.states() if at in keep)


def packed(whole: PatchStream, besides: dict[str, Any]) -> str:
    """Return the stream as the page stores it, packed, with ``besides``, which the view's front end may ask for."""
    return pack({"at": whole.times, "first": whole.first, "patches": whole.patches, "whole": _wholes(whole), **besides})


def pack(value: Json) -> str:
    """Return a value as deflated JSON in base64."""
    return base64.b64encode(zlib.compress(plain_json(value).encode("ascii"), 9)).decode("ascii")


def plain_json(value: Json) -> str:
    """Return JSON in ASCII that any browser reads; numbers that JSON does not have (infinity) become null."""
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), separators=(",", ":"), allow_nan=False)


def _wholes(whole: PatchStream) -> dict[str, Json]:
    """Return some whole states by their place among the moments, so that the page can go far at once, or back."""
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
    """The packed states of a view; ``spacing`` is the number of milliseconds between two moments that are no event.

    ``besides`` has the ``traits`` of its front end, and the ``answers`` to what the front end may ask.
    """

    told: PatchStream
    besides: dict[str, Any]
    spacing: int
    text: str = ""

    def __post_init__(self) -> None:
        self.text = packed(self.told, self.besides)

    def thinner(self, always: Sequence[int]) -> Packed | None:
        """Return a smaller pack: without answers, or else with half the moments besides ``always``; None if none is."""
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
    """Return the packs that fit into ``room`` bytes, and the names of those that had to be left out.

    The largest pack is thinned, again and again. When none can be thinned, the largest that is not ``needed`` is left
    out, and the others are tried again from the start.
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


#: Text near the beginning of each of our pages, which distinguishes them from other files.
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
    """Return the page.

    :param body: the HTML that is shown without scripts.
    :param head: the data that the script needs at once.
    :param told: id → packed data that the script unpacks when it is needed.
    """
    script = esm("page")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    # Views position what they draw with style attributes, so inline styles are allowed; they cannot load anything.
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
    # A lone surrogate (half a character) has no bytes in UTF-8.
    return page.encode("utf-8", "replace")


def in_script(value: Json) -> str:
    """Return JSON that is safe inside a script element, where ``</script`` and ``<!--`` have a meaning."""
    return plain_json(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
