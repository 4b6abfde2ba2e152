#!/usr/bin/env bash
# user.sh FOLDER…: makes the folders, for the user 1000 and for any other user in group 0 (--user 1234:0, as OpenShift and
# some hubs run containers). Spark asks for the user's name: 1000 gets one here, others from start.sh.
set -euo pipefail
getent passwd 1000 >/dev/null || useradd --uid 1000 --user-group --home-dir "$1" --shell /bin/bash learner
mkdir -p "$@"
chown 1000:0 "$@"
# What is made in them belongs to group 0 too.
chmod 2775 "$@"
chmod g+w /etc/passwd
