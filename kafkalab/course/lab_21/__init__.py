"""Lab 21, the first stream."""
