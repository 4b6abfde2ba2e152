#!/usr/bin/env bash
# Writes requirements-build.lock and requirements.lock: every package, at one version, with the sha256 of each of
# its files, for every platform and every Python that pyproject.toml allows. No address is written.
#
# uv rather than pip-compile, because it resolves for all platforms at once: a lock made on Linux by pip-compile
# lacks what only macOS needs, and pip refuses a hash-checked install that is not complete.
set -euo pipefail
cd "$(dirname "$0")/.."

uv_version=0.13.8
tools=build/lock
# A folder of local wheels named in the environment would be written down by name, so it is not looked at.
unset PIP_FIND_LINKS UV_FIND_LINKS UV_INDEX_URL UV_EXTRA_INDEX_URL UV_DEFAULT_INDEX UV_INDEX

if [ "$("$tools/bin/uv" --version 2>/dev/null | cut -d' ' -f2)" != "$uv_version" ]; then
  "${PYTHON:-.venv/bin/python}" -m venv --clear "$tools"
  "$tools/bin/python" -m pip install --quiet --disable-pip-version-check "uv==$uv_version"
fi

compile() {
  "$tools/bin/uv" pip compile --quiet --universal --fork-strategy fewest --python-version 3.11 \
    --generate-hashes --no-header --no-emit-index-url --no-emit-find-links "$@" >/dev/null
}

# With --upgrade the newest versions are taken; without it, what is locked stays if it still fits.
compile "$@" --group build --output-file requirements-build.lock
compile "$@" --all-extras pyproject.toml --output-file requirements.lock
grep -c '^[a-z]' requirements-build.lock requirements.lock
