#!/usr/bin/env bash
# What the tests need that pip does not bring: a Java for the brokers, a Chromium for the browser tests, and bubblewrap for
# graded hand-ins; with `setup-system.sh docker` also a Docker engine and what makes a base image. As root on Debian it
# installs what is missing; elsewhere it says what to install, and does not ask for Docker: tests of containers are
# skipped where there is none.
set -euo pipefail

missing=()
instead=()
wanted=()

# need COMMAND PACKAGE WHAT-TO-DO-ELSEWHERE
need() {
  command -v "$1" >/dev/null && return
  missing+=("$2")
  instead+=("$3")
}

# want COMMAND PACKAGE…
want() {
  command -v "$1" >/dev/null || wanted+=("${@:2}")
}

need java openjdk-17-jre-headless 'a Java 17 or 21 runtime, with `java` on PATH'
need chromium chromium 'Chromium, as `chromium` on PATH'
[ "$(uname)" != Linux ] || need bwrap bubblewrap 'bubblewrap, with `bwrap` on PATH'

if [ "${1:-}" = docker ]; then
  # An engine that answers, whoever made it, is used as it is.
  if ! docker info >/dev/null 2>&1; then
    want dockerd docker.io iptables
  fi
  docker compose version >/dev/null 2>&1 || want docker-compose docker-compose
  want debootstrap debootstrap
fi

if [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ]; then
  packages=(${missing[@]+"${missing[@]}"} ${wanted[@]+"${wanted[@]}"})
  [ ${#packages[@]} -eq 0 ] && exit 0
  echo "Installing for the tests: ${packages[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
elif [ ${#missing[@]} -gt 0 ]; then
  {
    echo 'The tests need more than is on this machine.'
    printf '  do: install %s\n' "${instead[@]}"
    echo '      (as root on Debian, `make test` installs it by itself)'
  } >&2
  exit 1
fi
