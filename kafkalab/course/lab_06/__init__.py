"""Lab 06: replication."""
