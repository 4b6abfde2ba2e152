"""A model of a cluster in memory: Kafka's rules without Kafka. Nothing of it is real."""
