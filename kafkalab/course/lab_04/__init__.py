"""Lab 04, keys and order."""
