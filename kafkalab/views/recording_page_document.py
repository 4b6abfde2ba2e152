"""The one HTML file of a recording's page: style, script and data in it, and nothing that it could load.

A content security policy in it lets one script run, ours by its hash, and forbids every request. The data is JSON that
cannot leave its element; what stands in the page before the script runs is escaped.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from html import escape

from kafkalab.state.patch import Json
from kafkalab.views.assets import css, esm
from kafkalab.views.recording_page_told import plain_json

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
    script = esm("recording_page")
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
        style=css("recording_page"),
        body=body,
        data="\n".join(data),
        script=script,
    )
    # Half a character (a lone surrogate) has no bytes in UTF-8.
    return page.encode("utf-8", "replace")


def in_script(value: Json) -> str:
    """JSON as it may stand inside a script element, where ``</script`` and ``<!--`` would mean something."""
    return plain_json(value).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
