"""Lab: what the set-up cell of a lab's notebook makes, and its clean-up cell puts away again."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from kafkalab.exercises import standing
from kafkalab.exercises.course import exercises_of
from kafkalab.exercises.exercise import Exercise, Method
from kafkalab.exercises.topics import tidy

if TYPE_CHECKING:
    from kafkalab.handles.cluster import Cluster


class Lab:
    """A lab on the cluster that runs, or on one of this kernel where none does.

    Making it brings back every node that is down, and removes the topics and groups that an earlier run left: all whose
    name begins with :attr:`prefix`. Made twice, it does nothing the second time.

    :param number: of the lab: "02".
    :param mode: of the cluster, where one must be started.
    :raises BadInput: there is no such lab.
    :raises WaitTimeout: a broker does not come back, or a replica does not get back in sync, within a minute.
    """

    def __init__(self, number: str, *, mode: Any = None) -> None:
        from kafkalab.handles.cluster import Cluster

        self.number = number
        exercises = exercises_of(number)
        self.cluster: Cluster = Cluster.lab(mode)
        tidy(self.cluster, prefix=self.prefix)
        self.exercises: tuple[Exercise, ...] = exercises(self.cluster)

    name_in_labs = "lab"

    @property
    def prefix(self) -> str:
        """What the names of this lab's topics and groups begin with."""
        return f"lab{self.number}-"

    def tidy(self) -> None:
        """Bring back what is down, and delete this lab's topics and groups; idempotent.

        Views of the cluster keep their last picture, so that a notebook that was run to its end still shows what its
        text speaks of.
        """
        views = sys.modules.get("kafkalab.views.live")
        if views is not None:
            views.freeze_all(self.cluster)
        tidy(self.cluster, prefix=self.prefix)

    @Method
    def score(self) -> str:
        """The points so far, in text: a line for each exercise, and the sum. A right answer keeps its points."""
        return standing.score(self.exercises)

    @Method
    def progress(self) -> Any:
        """What of this lab, and of the others, is done: a small widget."""
        return standing.shown(self.number, self.exercises)

    def __repr__(self) -> str:
        return f"<Lab {self.number} on {self.cluster!r}>"
