"""What the cluster is: snapshots, what changed between two of them, and the watcher that keeps looking."""
