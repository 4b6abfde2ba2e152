"""The objects a learner uses: Cluster and Recording. They bring the other packages together."""
