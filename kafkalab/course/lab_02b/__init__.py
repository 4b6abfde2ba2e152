"""Lab 02b, how long a record stays: append only, retention, and topics that grow or are made again."""
