"""Lab 03b, schemas: what the bytes of a value mean."""
