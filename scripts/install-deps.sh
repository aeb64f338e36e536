#!/usr/bin/env bash
# Installs the Debian packages a task needs, and only those that are missing.
#
#   scripts/install-deps.sh [build] [viewer] [browser] [bench] [peers] [tidy] [fuzz] [coverage]
#                           [grammar]
#                                                                         (no argument: build)
#
# Silent, and without touching apt, when nothing is missing. As root it calls apt-get; otherwise
# through sudo; without sudo it prints what to install and fails.
set -euo pipefail

packages=()
for task in "${@:-build}"; do
  case "$task" in
    build) packages+=(g++ cmake ninja-build make pkg-config libfmt-dev nlohmann-json3-dev
                      libcpp-httplib-dev libboost-dev libsqlite3-dev libtomlplusplus-dev libgtest-dev
                      libdw-dev) ;;
    viewer) # whatever brings node and npm will do
            command -v node >/dev/null && command -v npm >/dev/null || packages+=(nodejs npm) ;;
    browser) packages+=(chromium) ;;  # for the tests of the viewer
    bench) packages+=(libbenchmark-dev) ;;
    peers) packages+=(spin gcc) ;;
    tidy)  packages+=(clang-format clang-tidy) ;;
    fuzz)  packages+=(clang libclang-rt-dev) ;;
    coverage) packages+=(python3) ;;
    grammar) packages+=(libtree-sitter-dev openssl) ;;  # for the test of the parser of TLA+
    *) echo "install-deps: unknown task '$task'; it is one of build, viewer, browser, bench, peers," \
            "tidy, fuzz, coverage, grammar" >&2
       exit 2 ;;
  esac
done

if ! command -v dpkg-query >/dev/null; then
  echo "install-deps: no dpkg here; see to it that the equivalents of these Debian 12 packages" \
       "are installed: ${packages[*]}" >&2
  exit 0
fi

# "provided": by its own name, or by an installed package that Provides it (pkg-config by pkgconf).
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides}\n' 2>/dev/null |
  sed -n 's/^installed //p' | tr ',' '\n' | sed 's/^ *//; s/ (.*//' | sort -u)
missing=()
for package in "${packages[@]}"; do
  # A here-string, not a pipe: grep -q would close the pipe early and fail it.
  grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

# The fuzz runtime may also be present under its versioned name only.
if [ "${missing[*]}" = "libclang-rt-dev" ] && grep -qE '^libclang-rt-[0-9]+-dev$' <<<"$installed"
then
  exit 0
fi

echo "install-deps: missing: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install-deps: not root, and no sudo. As root, run:" >&2
    echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >>"$log" 2>&1; }
apt update || echo "install-deps: apt-get update failed; trying with the package lists at hand" >&2
if ! apt install -y --no-install-recommends "${missing[@]}"; then
  cat "$log" >&2
  echo "install-deps: apt-get could not install: ${missing[*]}" >&2
  exit 1
fi
echo "install-deps: installed ${missing[*]}"
