"""Lab 08a: its exercises, and consumers in processes of their own."""
