"""A recording as one HTML page that plays without a kernel."""
