"""Code that a grader executes inside a learner's kernel, as text."""
