"""Content: the labs' exercises, and what each lab needs besides the engine."""
