"""What a widget needs of Jupyter's comms so that its buttons work while a cell runs."""

from __future__ import annotations

from typing import Any


def answer_where_asked(comm: Any) -> None:
    """Let messages from the front end be handled in the subshell to which the front end addressed them.

    JupyterLab sends what widgets say to a subshell of the kernel, a thread beside the one that runs cells. ipykernel 7
    then moves it to whichever shell sent on that comm last: for a widget that is updated while a cell runs, the very
    shell that is busy with the cell. A button would do nothing until the cell ends, and a learner who wants to kill a
    broker *during* a cell would wait in vain. Kernels without this routing are left as they are.
    """
    if hasattr(comm, "_reply_subshell_for"):
        comm._reply_subshell_for = lambda data, asked: asked
