"""Consumer groups: their state and history, and the records that their coordinators keep."""
