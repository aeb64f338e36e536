#!/usr/bin/env bash
# What takes longest: the sources, by the log of the last time each was compiled, and the tests, by
# what ctest remembers. Times are of a machine with other things to do: compare, do not add up.
#
#   scripts/slowest.sh BUILD_FOLDER [HOW_MANY]     (20)
set -euo pipefail
build=${1:?usage: scripts/slowest.sh BUILD_FOLDER [HOW_MANY]}
count=${2:-20}

if [ ! -f "$build/.ninja_log" ]; then
  echo "slowest: nothing was built in $build yet; 'make build' does" >&2
  exit 2
fi
echo "Compiled (seconds, source or batch):"
# start, end (ms), when, output, hash; the last line of an output counts, if it is still there
awk -F '\t' 'NF >= 5 {took[$4] = $2 - $1}
  END {for (name in took) if (name ~ /\.o$/) printf "%8.1f  %s\n", took[name] / 1000, name}' \
  "$build/.ninja_log" | while read -r took name; do
    if [ -e "$build/$name" ]; then printf '%8s  %s\n' "$took" "$name"; fi
  done | sed 's|CMakeFiles/||; s|\.dir/Unity/unity_|: |; s|\.dir/|: |; s|_cxx\.cxx\.o$||; s|\.o$||' |
  sort -rn | sed -n "1,${count}p"

costs=$build/Testing/Temporary/CTestCostData.txt
echo
if [ ! -f "$costs" ]; then
  echo "No test has been run in $build yet."
  exit 0
fi
echo "Tests (seconds on average, how often run, test):"
sed '/^---/,$d' "$costs" | awk '{printf "%8.1f  %4d  %s\n", $3, $2, $1}' | sort -rn |
  sed -n "1,${count}p"
