"""Lab 24b, timers and what the state forgets."""
