"""Lab 20, the fleet reports."""
