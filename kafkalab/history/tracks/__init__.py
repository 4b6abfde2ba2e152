"""The tracks of a recording: how each kind of fact is recorded, and how it is read back at a moment."""
