"""Lab 08b: rebalancing."""
