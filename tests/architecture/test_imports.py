"""Imports point one way, from room to room, and go in no circle, not even within a room."""

from __future__ import annotations

import networkx as nx

from tests.architecture.tree import Import, imports, modules

GROUND = frozenset({"errors", "home", "progressbar", "waiting"})
_CLUSTER = GROUND | {"state", "cluster"}
_VIEWS = _CLUSTER | {"history", "views"}
_ENGINE = _VIEWS | {"handles", "exercises", "experiments"}

#: What each room of the package may import besides itself: a room, or one module of it.
MAY_IMPORT: dict[str, frozenset[str]] = {
    **dict.fromkeys(GROUND, GROUND),
    "state": GROUND,
    "cluster": GROUND | {"state"},
    "history": GROUND | {"state"},
    "views": _VIEWS,
    # What a learner holds: here the rooms below meet.
    "handles": _VIEWS,
    # A table in a cell's output is written in one place, as is the Earth's radius.
    "sources": GROUND | {"views.static", "views.map.geography"},
    # Spark's connector is one more locked set of jars; it runs on the brokers' Java, in the memory they leave. Spark's
    # report of a batch is read in one place, and shown in one form.
    "streams": GROUND
    | {"cluster.jars", "cluster.java", "cluster.preflight", "state.stream", "views.static", "views.stream"},
    "experiments": _VIEWS | {"handles", "exercises"},
    "exercises": _VIEWS | {"handles"},
    # Content uses the engine, never the other way round.
    "course": _ENGINE | {"sources", "streams"},
    "grading": _ENGINE,
}

#: Where everything meets: these may import anything, and nothing else may import them.
MEETING = frozenset({"", "__main__", "cli", "commands"})


def _room(module: str) -> str:
    """``kafkalab.cluster.jars`` → ``cluster``; the package itself is the empty room."""
    return [*module.split("."), ""][1]


def upward(found: Import) -> str | None:
    """What is wrong with an import; None if it points down or leaves the package."""
    if found.imported.partition(".")[0] != "kafkalab":
        return None
    own, other = _room(found.importer), _room(found.imported)
    within = found.imported.removeprefix("kafkalab.")
    if own == other or own in MEETING:
        return None
    if own not in MAY_IMPORT:
        return f"{found.importer}: a new room, {own!r}; MAY_IMPORT does not say where it stands"
    if any(within == allowed or within.startswith(f"{allowed}.") for allowed in MAY_IMPORT[own]):
        return None
    return f"{found.importer}, line {found.line}: imports {found.imported}, which stands above it"


def circles(found: list[Import]) -> list[list[str]]:
    """The groups of files that import each other, at their top, in a function, or for types alone."""
    graph = nx.DiGraph((one.importer, one.imported) for one in found if one.importer != one.imported)
    return [sorted(group) for group in nx.strongly_connected_components(graph) if len(group) > 1]


def _all() -> list[Import]:
    known = modules()
    return [found for name, path in known.items() for found in imports(name, path, known)]


def test_no_import_points_up() -> None:
    found = _all()
    assert len(found) > 100, "the imports were not found"
    assert {one.where for one in found} == {"module", "function", "typing"}
    assert [wrong for one in found if (wrong := upward(one))] == []


def test_an_import_that_points_up_is_seen() -> None:
    for importer, imported, where in (
        ("cluster.jars", "views.live", "module"),
        ("handles.cluster", "exercises.lab", "typing"),
        ("sources.fleet", "cluster.jars", "function"),
        ("newcomer", "errors", "module"),
    ):
        assert upward(Import(f"kafkalab.{importer}", f"kafkalab.{imported}", 1, where)), importer  # type: ignore[arg-type]


def test_no_files_import_each_other_in_a_circle() -> None:
    # The package itself hands out names of every room, lazily; what imports it wants its version.
    found = [one for one in _all() if "kafkalab" not in (one.importer, one.imported)]
    assert circles(found) == []
    assert circles([*found, Import("kafkalab.errors", "kafkalab.cli", 1, "function")]) != []
