#!/bin/sh
# Installs what the build needs, by package name; without root or sudo says what is missing.
set -eu
packages="g++ cmake ninja-build libsimdjson-dev nlohmann-json3-dev libyaml-cpp-dev libcli11-dev libfmt-dev
libsqlite3-dev libssl-dev libnghttp2-dev libpcre2-dev libutf8proc-dev libnlopt-dev zlib1g-dev libzstd-dev pkg-config libboost-dev libgtest-dev python3 python3-venv"

# A run over several machines and its tests; everything else is built and runs without them.
optional="libopenmpi-dev openmpi-bin iproute2 libcurl4-openssl-dev nghttp2-proxy"

not_installed() {
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf ' %s' "$package"
  done
}

# shellcheck disable=SC2086 # the names are words on purpose
missing=$(not_installed $packages)
[ -z "$missing" ] && exit 0
# shellcheck disable=SC2086
also=$(not_installed $optional)

if ! command -v apt-get >/dev/null; then
  echo "loadline builds on Debian 12+ or Ubuntu 24.04+; install the equivalents of:$missing" >&2
  exit 1
fi
root=""
if [ "$(id -u)" != 0 ]; then
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    root="sudo"
  else
    echo "These packages are missing; install them and run make again:" >&2
    echo "  sudo apt-get install -y$missing" >&2
    exit 1
  fi
fi
echo "installing:$missing"
log=$(mktemp)
install() { $root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; }
# shellcheck disable=SC2086
{ $root apt-get update && install $missing; } >"$log" 2>&1 ||
  { cat "$log" >&2; echo "apt-get could not install:$missing" >&2; exit 1; }
# shellcheck disable=SC2086
if [ -n "$also" ]; then
  echo "installing, for runs over several machines:$also"
  install $also >"$log" 2>&1 || echo "apt-get could not install$also: built for one machine" >&2
fi
rm -f "$log"
