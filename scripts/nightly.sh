#!/usr/bin/env bash
# Every check there is, one after the other, each to its end whatever the others found; then a table.
#
#   scripts/nightly.sh [TASK]...     (no argument: all)
#
# What a task says is in out/nightly/TASK.log. Fails if any task does.
set -uo pipefail
cd "$(dirname "$0")/.."

all=(test soak tidy asan tsan clang plain fuzz bench bench-peers experiments coverage demo)
tasks=("${@:-${all[@]}}")
for task in "${tasks[@]}"; do
  if [[ " ${all[*]} " != *" $task "* ]]; then
    echo "nightly: there is no task '$task'; it is one of ${all[*]}" >&2
    exit 2
  fi
done

logs=out/nightly
rm -rf "$logs"
mkdir -p "$logs"
failed=0
table=""
line() { printf '%-14s %-10s %9s  %s' "$@"; }
for task in "${tasks[@]}"; do
  echo "nightly: make $task"
  began=$SECONDS
  make --no-print-directory "$task" >"$logs/$task.log" 2>&1
  rc=$?
  took=$((SECONDS - began))
  result=passed
  if [ "$rc" -ne 0 ]; then
    result=FAILED
    failed=$((failed + 1))
  fi
  # What ctest counted, where it did; else the last thing that was said.
  said=$(grep -E '^[0-9]+% tests passed' "$logs/$task.log" | tail -1)
  [ -n "$said" ] || said=$(grep -vE '^\s*$' "$logs/$task.log" | tail -1 | cut -c 1-70)
  table+=$(line "$task" "$result" "$((took / 60)):$(printf %02d $((took % 60)))" "$said")$'\n'
done

echo
line what result "min:sec" "said last"
printf '\n%s' "$table"
if [ "$failed" -gt 0 ]; then
  echo "nightly: $failed of ${#tasks[@]} failed; $logs has what they said" >&2
  exit 1
fi
echo "nightly: all of ${#tasks[@]} passed"
