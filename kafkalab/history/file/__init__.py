"""A recording's file: written fact by fact, and read back as far as it can be read."""
