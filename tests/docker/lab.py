"""JupyterLab in a container, asked from outside as a browser would."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from typing import Any

from kafkalab.waiting import wait_until
from tests.docker.nodes import said


def opens_with_its_token(container: Any, port: int) -> None:
    """The address it prints opens the first lab; with a wrong token, or without one, nothing opens."""
    address = r"http://127\.0\.0\.1:8888(/lab/tree/\S+)\?token=(\w{20,})"
    found: Any = wait_until(lambda: re.search(address, said(container)), 30, "JupyterLab to print its address")
    here = f"http://127.0.0.1:{port}"
    assert _asked(f"{here}/api/contents") == 403
    assert _asked(f"{here}/api/contents?token={'0' * 48}") == 403
    assert _asked(f"{here}/api/contents?token={found[2]}") == 200
    assert _asked(f"{here}{found[1]}?token={found[2]}") == 200


def _asked(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        refused.close()
        return refused.code
