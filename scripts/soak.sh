#!/usr/bin/env bash
# Runs the tests labelled soak, or says that there are none.
set -euo pipefail
build=${1:?usage: scripts/soak.sh BUILD_FOLDER}

count=$(ctest --test-dir "$build" -N -L '^soak$' | sed -n 's/^Total Tests: //p')
if [ "${count:-0}" -eq 0 ]; then
  echo "soak: there are no soak tests (*_soak_test.cc) yet; nothing was run"
  exit 0
fi
exec ctest --test-dir "$build" -L '^soak$' --output-on-failure --no-tests=error
