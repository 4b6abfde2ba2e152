#!/usr/bin/env bash
# JupyterLab on the labs, with a cluster inside. Arguments are those of `kafkalab lab`.
#
# JupyterLab listens on loopback here as everywhere, and what comes to port 8888 of the container is led there: so the
# address it prints, with the token that opens it, is right outside too when the port is published on loopback
# (-p 127.0.0.1:8888:8888).
set -euo pipefail

me=$(id -u)
say() { printf 'kafkalab: %s\n' "$@" >&2; }

if [ ! -w "$HOME" ]; then
  say "$HOME cannot be written by the user $me of this container, and your notebooks belong there." \
    "If you mounted a folder of yours, run the container as yourself: docker run --user \"\$(id -u):0\" …" \
    "Or let Docker keep the notebooks in a volume: docker run -v kafkalab:$HOME …"
  exit 1
fi
# Spark asks for the user's name.
if ! getent passwd "$me" >/dev/null && ! { echo "learner:x:$me:0::$HOME:/bin/bash" >>/etc/passwd; } 2>/dev/null; then
  say "The user $me has no name in this container, and Spark asks for one." "Run it in group 0: docker run --user $me:0 …"
  exit 1
fi

for address in $(hostname -I); do
  socat "TCP-LISTEN:8888,bind=$address,reuseaddr,fork" TCP:127.0.0.1:8888 &
done
exec kafkalab lab --no-browser --ServerApp.port=8888 --ServerApp.port_retries=0 "$@"
