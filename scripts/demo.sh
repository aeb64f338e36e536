#!/usr/bin/env bash
# The demo: find a planted bug, write its report and its trace, and reproduce it from the trace.
# Succeeds only if the bug was found and reproduced.
set -euo pipefail
cd "$(dirname "$0")/.."

ordeal=${ORDEAL:-build/release/ordeal}
out=out/demo
if [ ! -x "$ordeal" ]; then
  echo "demo: there is no $ordeal; 'make build' makes it" >&2
  exit 2
fi
rm -rf "$out"
mkdir -p "$out"

# ordeal exits 0 when all was well, 1 when it found or reproduced a violation, more on trouble.
expect_violation() {
  local what=$1 rc=0
  shift
  echo "\$ $*"
  "$@" || rc=$?
  echo
  if [ "$rc" -ne 1 ]; then
    echo "demo: FAILED: $what (exit code $rc, where 1 was due)" >&2
    exit 1
  fi
}

expect_violation "the planted bug was not found" \
  "$ordeal" check hierarchical-consensus --nodes 3 --crash 1 --bug advance-once \
  --html "$out/report.html" --trace "$out/trace.json"
for file in report.html trace.json; do
  if [ ! -s "$out/$file" ]; then
    echo "demo: FAILED: $out/$file was not written" >&2
    exit 1
  fi
done
expect_violation "the trace did not reproduce the violation" "$ordeal" replay "$out/trace.json"

echo "demo: the planted bug was found, and reproduced from its trace."
echo "demo: the trace is  $out/trace.json"
echo "demo: the report is $PWD/$out/report.html (open it in a browser)"
