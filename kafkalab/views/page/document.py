"""The HTML file of a recording's page: style, scripts and data are in it, and it loads nothing.

Its content security policy lets only our scripts run, each by its hash, and forbids every request. The data is JSON
that cannot break out of its element; the text that is shown before the scripts run is escaped.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from html import escape

from kafkalab.history.recording import Recording
from kafkalab.state.model import MODE_NAMES
from kafkalab.state.patch import Json
from kafkalab.views.cluster.picture import Line
from kafkalab.views.live import css, esm
from kafkalab.views.words import shorten

#: Maximum size of a view's tables, in characters; larger ones are left out, and so the view is there only with scripts.
LARGEST_TABLES = 200_000

#: Verbs after which other brokers lead a broker's partitions.
_TAKES_AWAY = ("kill", "stop", "pause", "cut")

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
{scripts}
</body>
</html>
"""


def document(title: str, body: str, head: Json, told: Mapping[str, str], kinds: Iterable[str]) -> bytes:
    """Return the page.

    :param body: the HTML that is shown without scripts.
    :param head: the data that the page's script needs at once.
    :param told: id → packed data that the page's script unpacks when it is needed.
    :param kinds: the views on the page, by their NAME: their scripts and style sheets get into it.
    """
    names = list(dict.fromkeys(["timeline", *kinds]))
    scripts = [*map(_registered, names), esm("page")]
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts)
    # Views position what they draw with style attributes, so inline styles are allowed; they cannot load anything.
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    data = [f'<script type="application/json" id="kl-head">{in_script(head)}</script>']
    data += [f'<script type="text/plain" id="{name}">{text}</script>' for name, text in told.items()]
    page = _DOCUMENT.format(
        mark=MARK,
        policy=policy,
        title=escape(title),
        style=css(*names, "page"),
        body=body,
        data="\n".join(data),
        scripts="\n".join(f'<script type="module">{script}</script>' for script in scripts),
    )
    # A lone surrogate (half a character) has no bytes in UTF-8.
    return page.encode("utf-8", "replace")


def _registered(name: str) -> str:
    """Return a view's own script, which leaves the view for the page's script instead of exporting it."""
    begin, _, export = esm(name).rpartition("export {")
    exported = re.fullmatch(r"\s*(\w+) as default\s*\};\s*", export)
    assert exported is not None, f"{name}: frontend/build.js lets only bundles with a default export pass"
    return f"{begin}(globalThis.kafkalab ??= {{}}).{name} = {exported[1]};\n"


# --- The data


def pack(value: Json) -> str:
    """Return a value as deflated JSON in base64."""
    return base64.b64encode(zlib.compress(plain_json(value).encode("ascii"), 9)).decode("ascii")


def in_script(value: Json) -> str:
    """Return JSON that is safe inside a script element, where ``</script`` and ``<!--`` have a meaning."""
    return plain_json(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def plain_json(value: Json) -> str:
    """Return JSON in ASCII that any browser reads.

    :raises ValueError: a number that JSON does not have (infinity).
    """
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


# --- What readers without scripts see: each view's last moment as tables, and what happened.


def body(
    title: str, recording: Recording, tables: Mapping[str, tuple[str, str]], lines: Sequence[Line], notes: Sequence[str]
) -> str:
    """Return everything between ``<body>`` and the data. All text from the cluster is escaped.

    :param tables: a view's NAME → its heading, and its tables as HTML.
    """
    said = "".join(f"<p>{_text(note, 400)}</p>" for note in notes)
    return (
        '<div class="kl kl-page" id="kl-page"><a class="kl-page-skip" href="#views">skip to the views</a>'
        f'<header class="kl-page-head"><h1><bdi>{_text(title, 120)}</bdi></h1><p>{_when(recording)}</p>'
        f'<p class="kl-page-story">{_text(story(lines), 300)}</p></header>'
        '<div id="kl-time" class="kl-page-time"></div>'
        '<noscript><p class="kl-page-note">Without scripts this page shows the end of the recording and what happened. '
        "With scripts it plays.</p></noscript>"
        f'<main id="views" tabindex="-1">{_happened(lines)}{"".join(_view(k, *v) for k, v in tables.items())}</main>'
        f'<footer class="kl-page-foot">{said}<p>Made by kafkalab from what was recorded of the cluster. '
        "This file holds everything it shows and loads nothing.</p></footer></div>"
    )


def story(lines: Sequence[Line]) -> str:
    """Return what the learner did first and what came of it, in a sentence for outsiders; "" when nothing was done."""
    first = next((line for line in lines if line["kind"] == "you"), None)
    if first is None:
        return ""
    told = f"{clock(first['t'])}: {first['text']}"
    after = lines[lines.index(first) + 1 :]
    until = next((at for at, line in enumerate(after) if line["kind"] == "you"), len(after))
    led = [line["t"] for line in after[:until] if line["kind"] in ("leader_moved", "leader_elected")]
    if first.get("verb") in _TAKES_AWAY and led:
        told += f", and at {clock(led[-1])} others led its partitions"
    return f"{told}."


def _view(kind: str, heading: str, tables: str) -> str:
    fits = tables if len(tables) <= LARGEST_TABLES else "<p>This view is here only with scripts.</p>"
    return (
        f'<section class="kl-page-shelf kl-page-still" id="view-{kind}" aria-labelledby="kl-head-{kind}">'
        f'<h2 id="kl-head-{kind}">{escape(heading)}</h2><div class="kl-page-tables">{fits}</div></section>'
    )


def _happened(lines: Sequence[Line]) -> str:
    rows = "".join(map(_row, lines)) or '<tr><td colspan="2">No events.</td></tr>'
    return (
        '<section class="kl-page-shelf kl-page-happened" id="happened" aria-labelledby="kl-happened">'
        '<h2 id="kl-happened">What happened</h2>'
        '<div class="kl-page-rows" tabindex="0" role="group" aria-labelledby="kl-happened"><table>'
        '<thead><tr><th scope="col">when</th><th scope="col">since you acted</th><th scope="col">what</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _row(line: Line) -> str:
    at, what = line["t"], _text(line["text"], 400)
    since = "" if line["since"] is None else f"+{line['since']:.2f} s"
    if line["parts"]:
        parts = "".join(f"<li>{_text(part, 260)}</li>" for part in line["parts"][:60])
        what = f"<details><summary>{what}</summary><ul>{parts}</ul></details>"
    link = f'<a href="#t={max(0.0, at):.3f}" data-t="{at:.6f}">{clock(at)}</a>'
    return f'<tr data-kind="{_text(line["kind"], 40)}"><td>{link}</td><td>{since}</td><td>{what}</td></tr>'


def clock(seconds: float) -> str:
    """Return seconds since the beginning as minutes and seconds: "2:14.3"."""
    tenths = int(max(0.0, seconds) * 10)
    minutes, rest = divmod(tenths, 600)
    return f"{minutes}:{rest // 10:02d}.{rest % 10}"


def _when(recording: Recording) -> str:
    header, (minutes, seconds) = recording.header, divmod(int(recording.seconds), 60)
    long = f"{minutes} min {seconds} s long" if minutes else f"{recording.seconds:.1f} s long"
    began = datetime.fromtimestamp(header.began, UTC)
    told = [
        f'Recorded <time datetime="{began.isoformat()}">{began:%Y-%m-%d %H:%M:%S} UTC</time>, {long}',
        _text(f"Kafka {header.version}", 40) if header.version else "",
        MODE_NAMES.get(header.mode, ""),
        _text(header.label, 60),
        _text(recording.problem, 300),
    ]
    return " · ".join(part for part in told if part)


def _text(text: object, limit: int) -> str:
    return escape(shorten(text, limit))
