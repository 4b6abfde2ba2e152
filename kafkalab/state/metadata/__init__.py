"""Cluster metadata: ZooKeeper's nodes, KRaft's log, and the quorum that keeps them."""
