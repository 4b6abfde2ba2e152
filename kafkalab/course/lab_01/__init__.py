"""Lab 01, why Kafka."""
