"""Lab 03a, messages: records, batches and compression to the byte."""
