"""Where the members of a group stand beside the partitions, so that few of the lines between them cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import networkx as nx


def layout(partitions: Sequence[str], members: Sequence[str], holds: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Member → its height, in rows of partitions (0 is that of the first); no two are less than a row apart.

    Partitions stay in their order, for a learner looks them up by number. A member stands in the middle of those that
    it holds; then neighbours are swapped while that takes crossings away. Members that hold none come last.

    :param holds: member → the partitions it holds.
    """
    graph = nx.Graph()
    graph.add_nodes_from(partitions, bipartite=0)
    graph.add_nodes_from(members, bipartite=1)
    graph.add_edges_from((p, m) for m in members for p in holds.get(m, ()) if p in graph)
    row = {p: i for i, p in enumerate(partitions)}
    middle = {m: sum(row[p] for p in graph[m]) / len(graph[m]) for m in members if graph[m]}
    working = _fewer_crossings(sorted(middle, key=lambda m: (middle[m], m)), graph, row)
    standing = [m for m in members if m not in middle]
    rows = max(len(partitions), len(members), 1)
    wanted = [middle[m] for m in working] + [float(rows)] * len(standing)
    # Where partitions are dealt out in turn, all members would crowd in the middle: they are given the whole height.
    distance = max(1.0, 0.8 * (rows - 1) / max(1, len(members) - 1))
    return dict(zip([*working, *standing], _apart(wanted, rows - 1, distance), strict=True))


def crossings(order: Sequence[str], graph: nx.Graph, row: Mapping[str, int]) -> int:
    """How many pairs of lines cross when the members stand in this order."""
    ends = [row[p] for m in order for p in sorted(graph[m], key=row.__getitem__)]
    return sum(a > b for i, a in enumerate(ends) for b in ends[i + 1 :])


def _fewer_crossings(order: list[str], graph: nx.Graph, row: Mapping[str, int]) -> list[str]:
    """Neighbours are swapped as long as that takes crossings away."""
    best = crossings(order, graph, row) if len(order) > 1 else 0
    better = best > 0
    while better:
        better = False
        for i in range(len(order) - 1):
            pair = order[i : i + 2]
            if crossings(pair[::-1], graph, row) < crossings(pair, graph, row):
                order[i : i + 2] = pair[::-1]
                better = True
    return order


def _apart(wanted: Sequence[float], last: float, distance: float) -> list[float]:
    """Heights as near to those wanted as this distance allows, within [0, last]; ``wanted`` ascends."""
    # Blocks of touching neighbours: each stands where its members would stand on average.
    blocks: list[list[float]] = []  # [sum of (wanted - place in the block), size]
    for height in wanted:
        blocks.append([height, 1])
        while len(blocks) > 1 and _end(blocks[-2], last, distance) + distance > _start(blocks[-1], last, distance):
            total, size = blocks.pop()
            before = blocks[-1]
            blocks[-1] = [before[0] + total - size * before[1] * distance, before[1] + size]
    return [_start(block, last, distance) + i * distance for block in blocks for i in range(int(block[1]))]


def _start(block: list[float], last: float, distance: float) -> float:
    return max(0.0, min(block[0] / block[1], last - (block[1] - 1) * distance))


def _end(block: list[float], last: float, distance: float) -> float:
    return _start(block, last, distance) + (block[1] - 1) * distance
