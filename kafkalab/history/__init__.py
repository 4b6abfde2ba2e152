"""Recordings: the facts of a cluster's history, to be looked at again at any moment."""
