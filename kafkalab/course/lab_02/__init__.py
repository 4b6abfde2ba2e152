"""Lab 02, topics, partitions, offsets."""
