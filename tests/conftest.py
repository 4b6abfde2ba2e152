"""What every test run keeps to: skips are listed, examples are the same, and its clusters are in a home of its own."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

from tests.support.clusters import cluster, home, mode, new_topic, one_cluster

__all__ = ["cluster", "home", "mode", "new_topic", "one_cluster"]

pytest_plugins = ["tests.support.left_open", "tests.support.skip_list"]

# The same examples every time and no time limit on one, so that red here is red everywhere, on a busy machine as well.
# `--hypothesis-profile=random` looks further.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", untimed, derandomize=True, database=None)
settings.register_profile("random", untimed, print_blob=True)
settings.load_profile("same")


def pytest_configure() -> None:
    # Nor in processes that tests start: what tests answer is nobody's progress.
    os.environ["KAFKALAB_PROGRESS"] = "off"
    # In the background of a script Ctrl-C is ignored, and under nohup a closed terminal, and so they would be in all
    # that tests start. Handled here, they have their usual meaning there.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)
