"""Lab 05, brokers and discovery."""
