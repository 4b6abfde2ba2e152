"""Imports point one way: errors, waiting ← cluster ← state ← views; the other parts stand beside them."""

from __future__ import annotations

from tests.architecture.tree import Import, imports, modules

GROUND = frozenset({"errors", "home", "profile", "progress", "waiting"})

#: What each part of the package may import besides itself: a part, or one module of it.
MAY_IMPORT: dict[str, frozenset[str]] = {
    **dict.fromkeys(GROUND, GROUND),
    "cluster": GROUND,
    "state": GROUND | {"cluster"},
    # The outline of the map is one of the datasets.
    "views": GROUND | {"cluster", "state", "sources.data"},
    "sources": GROUND,
    # Spark's connector is one more locked set of jars; it runs on the brokers' Java, in the memory they leave.
    "streams": GROUND | {"cluster.jars", "cluster.java", "cluster.preflight"},
    # A prediction and the matrix of durability are looked at as views.
    "checks": GROUND | {"cluster", "state", "views"},
}

#: Where the parts meet: these may import anything, and nothing else may import them.
MEETING = frozenset({"", "__main__", "cli", "commands"})

#: Cluster is what a learner holds, so it hands out what stands above it. It loads that when asked, never before.
HANDS_OUT = {
    "kafkalab.cluster.cluster": frozenset({"state"}),
    # The cluster in memory has no brokers that a capture could ask, so it makes snapshots itself.
    "kafkalab.cluster.fake.backend": frozenset({"state"}),
    "kafkalab.cluster.fake.snapshot": frozenset({"state"}),
    "kafkalab.cluster.looking": frozenset({"state", "views"}),
    # A recording is held by a learner too: it shows itself, and writes a page of all its views.
    "kafkalab.state.recording": frozenset({"views"}),
}


def _part(module: str) -> str:
    """``kafkalab.cluster.jars`` → ``cluster``; the package itself is the empty part."""
    return [*module.split("."), ""][1]


def upward(found: Import) -> str | None:
    """What is wrong with an import; None if it points down or leaves the package."""
    if found.imported.partition(".")[0] != "kafkalab":
        return None
    own, other = _part(found.importer), _part(found.imported)
    within = found.imported.removeprefix("kafkalab.")
    if own == other or own in MEETING:
        return None
    if own not in MAY_IMPORT:
        return f"{found.importer}: a new part, {own!r}; MAY_IMPORT does not say where it stands"
    if any(within == allowed or within.startswith(f"{allowed}.") for allowed in MAY_IMPORT[own]):
        return None
    if found.where != "module" and other in HANDS_OUT.get(found.importer, ()):
        return None
    return f"{found.importer}, line {found.line}: imports {found.imported}, which stands above it"


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
        ("cluster.jars", "state.model", "module"),
        ("cluster.looking", "state.model", "module"),
        ("sources.fleet", "cluster.jars", "function"),
        ("newcomer", "errors", "module"),
    ):
        assert upward(Import(f"kafkalab.{importer}", f"kafkalab.{imported}", 1, where)), importer  # type: ignore[arg-type]
