#!/usr/bin/env bash
# user.sh FOLDER…: gives the user 1000 a name, which Spark asks for, and the folders.
set -euo pipefail
getent passwd 1000 >/dev/null || useradd --uid 1000 --user-group --home-dir "$1" --shell /bin/bash learner
mkdir -p "$@"
chown 1000:1000 "$@"
