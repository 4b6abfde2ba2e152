"""Lab 23a, windows and watermarks."""
