"""The state of a cluster: snapshots, the changes between two of them, and the watcher that keeps looking."""
