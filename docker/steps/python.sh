#!/usr/bin/env bash
# The Python of the lab: python.sh system | packages LOCKS VENV | wheel SOURCE OUT VENV
set -euo pipefail
source /build/trust.sh
pip=(-m pip --disable-pip-version-check --quiet --no-cache-dir --cert "$ca")

case $1 in
  system)
    # tini buries what a kernel leaves behind, socat leads the published port to JupyterLab, Spark's scripts call ps.
    fetch_with_apt install --no-install-recommends python3 python3-venv tini socat procps
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
      { echo "The base image's Python is older than 3.11: choose a newer base by --build-arg BASE=…" >&2 && exit 1; }
    ;;
  packages)
    locks=$2 venv=$3
    python3 -m venv "$venv"
    "$venv/bin/python" "${pip[@]}" install --require-hashes -r "$locks/requirements-build.lock"
    "$venv/bin/python" "${pip[@]}" install --require-hashes --no-build-isolation -r "$locks/requirements.lock"
    # The lock is one for all; what only work on kafkalab needs is not needed in here.
    "$venv/bin/python" "${pip[@]}" uninstall --yes \
      hypothesis jupytext mypy playwright pytest-playwright pytest-timeout ruff
    find "$venv" -name __pycache__ -prune -exec rm -rf {} +
    ;;
  wheel)
    "$4/bin/python" "${pip[@]}" wheel --no-deps --no-build-isolation --wheel-dir "$3" "$2"
    ;;
esac
rm -rf /tmp/trusted.crt
