"""Lab 07, producers and acknowledgements: its exercises, and the faults that its producers meet."""
