"""A model of a cluster in memory: Kafka's rules without Kafka. Nothing in it is real."""
