"""Grading: runs the notebooks that learners hand in, and judges their answers from outside."""
