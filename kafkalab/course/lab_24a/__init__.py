"""Lab 24a, the notifications."""
