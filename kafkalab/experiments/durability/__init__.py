"""The durability matrix: acks × min.insync.replicas × brokers up, each cell run on a real cluster."""
