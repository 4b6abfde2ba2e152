"""Predictions: guesses that are locked before the run and compared with what the cluster did."""
