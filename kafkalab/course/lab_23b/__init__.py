"""Lab 23b, joins."""
