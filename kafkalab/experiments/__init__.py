"""Experiments: they break brokers and count what became of every record."""
