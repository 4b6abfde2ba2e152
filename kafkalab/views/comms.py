"""A widget that its page can always reach, and that always reaches its page."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import anywidget
import traitlets


class Heard(anywidget.AnyWidget):
    """What every view is: an anywidget whose buttons work while a cell runs, and whose page drops no message.

    ``me`` is the widget's own id. With it the page finds the model that Jupyter keeps, which it needs where anywidget
    has given up on it (``static/hearing.js``).
    """

    me = traitlets.Unicode("").tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        id = uuid4().hex
        super().__init__(model_id=id, me=id, **traits)
        answer_where_asked(self.comm)


def answer_where_asked(comm: Any) -> None:
    """Let messages from the front end be handled in the subshell to which the front end addressed them.

    JupyterLab sends what widgets say to a subshell of the kernel, a thread beside the one that runs cells. ipykernel 7
    then moves it to whichever shell sent on that comm last: for a widget that is updated while a cell runs, the very
    shell that is busy with the cell. A button would do nothing until the cell ends, and a learner who wants to kill a
    broker *during* a cell would wait in vain. Kernels without this routing are left as they are.
    """
    if hasattr(comm, "_reply_subshell_for"):
        comm._reply_subshell_for = lambda data, asked: asked
