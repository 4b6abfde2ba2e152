#!/usr/bin/env bash
# What the tests need that pip does not bring: a Java for the brokers and a Chromium for the browser tests.
# As root on Debian it installs what is missing; elsewhere it says what to install.
set -euo pipefail

missing=()
instead=()

# need COMMAND PACKAGE WHAT-TO-DO-ELSEWHERE
need() {
  command -v "$1" >/dev/null && return
  missing+=("$2")
  instead+=("$3")
}

need java openjdk-17-jre-headless 'a Java 17 or 21 runtime, with `java` on PATH'
need chromium chromium 'Chromium, as `chromium` on PATH'

[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ]; then
  echo "Installing for the tests: ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
else
  {
    echo 'The tests need more than is on this machine.'
    printf '  do: install %s\n' "${instead[@]}"
    echo '      (as root on Debian, `make test` installs it by itself)'
  } >&2
  exit 1
fi
