#!/usr/bin/env bash
# Runs every benchmark of the folder given (default: the bench build), one after the other, and then
# compares with the previous release.
set -euo pipefail
build=${1:-build/bench}
for program in "$build"/*_bench; do
  echo "== $(basename "$program")"
  "$program" --benchmark_counters_tabular=true 2>/dev/null
done
if [ -d "$build/viewer/dist" ]; then
  echo "== viewer"
  dist=$(realpath "$build/viewer/dist")
  (cd "$(dirname "$0")/../viewer" && VIEWER_DIST="$dist" npm run --silent bench)
fi
echo "== previous release"
bash "$(dirname "$0")/previous.sh" "$build/ordeal"
