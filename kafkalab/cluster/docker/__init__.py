"""The Docker backend, whose nodes are containers: the engine, the image, the containers, and what is cleaned up."""
