"""A JupyterLab of the tests' own: started, waited for, ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from kafkalab.cluster.net import PortBook
from kafkalab.cluster.supervisor import die_with_parent
from kafkalab.waiting import wait_until
from tests.browser.jupyter_page import Server


@contextmanager
def serving(*module: str, folder: Path, environment: Mapping[str, str] | None = None) -> Iterator[Server]:
    """``python -m MODULE …``, which is to serve JupyterLab; it ends with the block, or at the latest with the tests.

    :param folder: for its log, and for settings and kernels, so that the tester's own stay out of it.
    """
    with PortBook() as book:
        port = book.take()
    log = folder / "lab.log"
    own = {f"JUPYTER_{kind}_DIR": str(folder / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", *module, "--no-browser", "--LabApp.expose_app_in_browser=True"),
                *(f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=test"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, **own, **(environment or {})},
            preexec_fn=lambda: die_with_parent(signal.SIGTERM),
        )

    def told() -> str:
        return log.read_text(errors="replace")

    try:
        wait_until(
            lambda: "is running at" in told() or process.poll() is not None, 120, "JupyterLab to serve", seen=told
        )
        assert process.poll() is None, told()
        yield Server(f"http://127.0.0.1:{port}", "test", told)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
