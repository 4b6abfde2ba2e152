#!/usr/bin/env bash
# Makes .venv with the first Python that fits, or says in a sentence why there is none.
# PYTHON=/path/to/python chooses one by hand.
set -euo pipefail
cd "$(dirname "$0")/.."

fits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; }

say() { printf '%s\n' "$@" >&2; }

# A .venv that works is kept, whoever made it.
if [ -x .venv/bin/python ] && fits .venv/bin/python && .venv/bin/python -m pip --version >/dev/null 2>&1; then
  exit 0
fi

python=
for candidate in ${PYTHON:+"$PYTHON"} python3.11 python3.12 python3.13 python3 python; do
  if command -v "$candidate" >/dev/null && fits "$candidate"; then
    python=$candidate
    break
  fi
  if [ "$candidate" = "${PYTHON:-}" ]; then
    say "PYTHON=$candidate is not a Python 3.11, 3.12 or 3.13 that runs." \
      "  do: point PYTHON at one, or leave it out and let one be found."
    exit 1
  fi
done

if [ -z "$python" ]; then
  say "kafkalab needs Python 3.11, 3.12 or 3.13, and found none on PATH." \
    "  seen: $(python3 --version 2>/dev/null || echo 'no python3')" \
    "  do:   Debian, Ubuntu: apt-get install python3 python3-venv;  macOS: brew install python@3.13;" \
    "        anywhere: the conda environment in environment.yml."
  exit 1
fi

# Debian splits venv off: the module imports, but has no pip to put in.
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
  say "$("$python" --version) is here, but cannot make virtual environments." \
    "  do: apt-get install python3-venv   (Debian and Ubuntu keep it in a package of its own)"
  exit 1
fi

say "Making .venv with $("$python" --version) ($(command -v "$python"))"
"$python" -m venv --clear .venv
