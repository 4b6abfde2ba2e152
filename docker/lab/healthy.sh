#!/usr/bin/env bash
# JupyterLab answers; which version it is, it tells without a token.
set -euo pipefail
exec 3<>/dev/tcp/127.0.0.1/8888
printf 'GET /api HTTP/1.0\r\n\r\n' >&3
grep -q '^HTTP/1.[01] 200' <&3
