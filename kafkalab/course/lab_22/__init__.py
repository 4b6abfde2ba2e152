"""Lab 22, the location dashboard."""
