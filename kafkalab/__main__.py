"""``python -m kafkalab``: the same as the ``kafkalab`` command."""

from kafkalab.cli import main

if __name__ == "__main__":
    main()
