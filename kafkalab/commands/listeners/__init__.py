"""The listener doctor: follows a client's way to each broker, hop by hop."""
