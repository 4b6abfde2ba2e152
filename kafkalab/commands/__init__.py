"""What the commands of ``kafkalab …`` do; :mod:`kafkalab.cli` reads the command line and prints."""
