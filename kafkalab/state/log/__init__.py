"""Logs: record batches to the byte, and what reads them from brokers and disks."""
