#!/usr/bin/env bash
# Runs the protocols' tests of the build with counters, then tells what they did not take
# (coverage.py says what is counted).
#
#   scripts/coverage.sh BUILD_DIR
set -euo pipefail

build=$1
find "$build" -name '*.gcda' -delete
for program in "$build"/test_protocols*; do
  if [ ! -f "$program" ] || [ ! -x "$program" ]; then continue; fi
  echo "coverage: running $(basename "$program")"
  if ! told=$("$program" --gtest_brief=1 2>&1); then
    echo "$told" >&2
    echo "coverage: $(basename "$program") fails; what it would have taken is not counted" >&2
    exit 1
  fi
done
python3 scripts/coverage.py --build "$build" --markdown docs/experiments/coverage.md
