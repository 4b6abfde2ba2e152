"""The commands of ``kafkalab …``, a module each; :mod:`kafkalab.cli` reads the command line and prints."""
