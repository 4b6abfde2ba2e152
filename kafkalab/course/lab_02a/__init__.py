"""Lab 02a, topics, partitions, offsets: addresses of records, and a reader's position."""
