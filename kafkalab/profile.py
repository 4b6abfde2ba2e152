"""Profile: how much memory kafkalab gives to the JVMs it starts. ``KAFKALAB_PROFILE`` chooses."""

from __future__ import annotations

import os
from typing import Final, Literal

from kafkalab.errors import BadInput

Profile = Literal["lesson", "small"]
_PROFILES: Final[dict[str, Profile]] = {"lesson": "lesson", "small": "small"}


def profile() -> Profile:
    """``lesson``, or ``small`` for a machine with 1 to 2 GB of memory.

    :raises BadInput: the variable holds another word.
    """
    said = os.environ.get("KAFKALAB_PROFILE") or "lesson"
    if said not in _PROFILES:
        names = ", ".join(_PROFILES)
        raise BadInput(f"There is no profile {said!r}.", seen=f"KAFKALAB_PROFILE={said}", do=f"Profiles: {names}")
    return _PROFILES[said]
