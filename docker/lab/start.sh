#!/usr/bin/env bash
# JupyterLab on the labs, with a cluster inside. It listens on every address of the container, for a published port ends
# on one of those; publish it on loopback (-p 127.0.0.1:8888:8888). Who opens it needs the token in the address it prints.
# Arguments are those of `kafkalab lab`.
set -euo pipefail
labs=$HOME/labs
# On a volume that has labs already, the learner's own copies stay as they are.
mkdir -p "$labs"
cp --recursive --no-clobber "$(python -c 'import kafkalab, pathlib; print(pathlib.Path(kafkalab.__file__).parent)')/_labs/." "$labs"
exec kafkalab lab --labs "$labs" --no-browser --ServerApp.ip=0.0.0.0 --ServerApp.port=8888 --ServerApp.port_retries=0 "$@"
