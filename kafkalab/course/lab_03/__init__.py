"""Lab 03, messages."""
