"""Recordings: the facts of a cluster's history, which views can show again at any moment."""
