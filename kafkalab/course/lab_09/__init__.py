"""Lab 09: offsets and delivery: where a group reads on, and what a crash makes of its work."""
