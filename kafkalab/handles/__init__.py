"""The objects a learner holds, Cluster and Recording. Here the rooms below meet."""
