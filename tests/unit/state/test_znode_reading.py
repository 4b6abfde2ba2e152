"""Which nodes of ZooKeeper's tree count as changed when nobody was told: before and after a lost session."""

from __future__ import annotations

from dataclasses import replace

from kafkalab.state.znode_reading import Znode, changed


def test_changed() -> None:
    node = Znode("/a", b"1", 1, 0, None, created=1.0, modified=1.0, zxid=7, child_count=0)
    with_children = replace(node, children=("a",))
    assert not changed(None, None)
    assert changed(None, node) and changed(node, None)
    assert not changed(node, node)
    assert changed(node, replace(node, zxid=8)), "written to"
    assert changed(node, replace(node, created=2.0)), "gone, and made anew"
    assert changed(with_children, replace(node, children=("a", "b")))
    assert not changed(with_children, node), "its children were not asked for this time"
