"""The durability matrix: acks × min.insync.replicas × brokers up, each cell really run."""
