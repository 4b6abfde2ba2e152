"""Experiments: they count what became of every record, and break brokers to see it."""
