"""Nodes as containers: the engine, the image, what is owned and cleared, and the backend made of them."""
