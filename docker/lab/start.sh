#!/usr/bin/env bash
# JupyterLab on the labs, with a cluster inside. Arguments are those of `kafkalab lab`.
#
# JupyterLab listens on loopback here as everywhere, and what comes to port 8888 of the container is led there: so the
# address it prints, with the token that opens it, is right outside too when the port is published on loopback
# (-p 127.0.0.1:8888:8888).
set -euo pipefail

for address in $(hostname -I); do
  socat "TCP-LISTEN:8888,bind=$address,reuseaddr,fork" TCP:127.0.0.1:8888 &
done
exec kafkalab lab --no-browser --ServerApp.port=8888 --ServerApp.port_retries=0 "$@"
