#!/usr/bin/env bash
# The same checks on this tree and on the previous release (bench/previous), turn by turn: the best
# of BENCH_RUNS (3) runs each, and how many times as fast this tree is. Where the release cannot be
# had, it says so and ends well.
#
#   bench/previous.sh [ORDEAL]      this tree's ordeal program; default build/bench/ordeal
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
here=${1:-$root/build/bench/ordeal}
runs=${BENCH_RUNS:-3}
work=$root/build/previous

go_on_without() { echo "previous release: left out: $*"; exit 0; }

read -r revision name < <(grep -v '^#' "$root/bench/previous") || go_on_without "none is named"
git -C "$root" cat-file -e "$revision^{commit}" 2>/dev/null ||
  go_on_without "revision $revision of $name is not in this checkout's git history"
[ -x "$here" ] || { echo "bench: there is no $here" >&2; exit 1; }

# Its sources and its program, made once; the same compiler, flags and launcher as this tree's.
there=$work/$revision/build/ordeal
if [ ! -x "$there" ]; then
  rm -rf "$work"
  mkdir -p "$work/$revision/source"
  git -C "$root" archive "$revision" | tar -x -C "$work/$revision/source"
  echo "building $name"
  { cmake -S "$work/$revision/source" -B "$work/$revision/build" -G Ninja \
      -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_FLAGS_RELEASE="-O2 -g1 -DNDEBUG" \
      -D ORDEAL_BUILD_TESTS=OFF &&
    cmake --build "$work/$revision/build" --parallel "$("$root/scripts/jobs.sh")" \
      --target ordeal; } >"$work/log" 2>&1 ||
    go_on_without "it does not build here; see $work/log"
fi

# The strategy is named, so that a change of a default does not show as one of speed.
checks=(
  "two-phase-commit --rms 9 --strategy bfs"
  "two-phase-commit --rms 8 --form actors --strategy bfs"
  "paxos --clients 3 --servers 3 --strategy bfs"
  "paxos --nodes 3 --crash 3 --strategy bfs"
  "hierarchical-consensus --nodes 5 --crash 2 --strategy prefix --max-runs 100000"
  "paxos --nodes 3 --crash 2 --strategy random --max-runs 100000"
)

# Leaves its seconds and its states (of runs: how many) in `seconds` and `size`. Exit code 2 says
# that random runs prove nothing.
once() { # PROGRAM ARGUMENT…
  local report code=0
  report=$("$1" check "${@:2}" --json - 2>/dev/null) || code=$?
  [ $code -eq 0 ] || [ $code -eq 2 ] || { echo "bench: $* ends with $code" >&2; exit 1; }
  seconds=$(sed -n 's/.*"seconds": *\([0-9.e-]*\).*/\1/p' <<<"$report" | head -n 1)
  size=$(sed -n 's/.*"distinct_states": *\([0-9]*\).*/\1/p' <<<"$report" | head -n 1)
  [ "$size" != 0 ] || size=$(sed -n 's/.*"runs": *\([0-9]*\).*/\1/p' <<<"$report" | head -n 1)
}

echo
echo "| check | threads | states or runs | seconds, $name | seconds, now | times as fast |"
echo "| --- | --: | --: | --: | --: | --: |"
for check in "${checks[@]}"; do
  read -r -a words <<<"$check"
  for threads in 1 2; do
    before= now= before_size= now_size=
    for ((run = 0; run < runs; ++run)); do
      once "$there" "${words[@]}" --threads $threads
      before="$before $seconds" before_size=$size
      once "$here" "${words[@]}" --threads $threads
      now="$now $seconds" now_size=$size
    done
    [ "$before_size" = "$now_size" ] || now_size="$before_size, now $now_size"
    awk -v check="$check" -v threads=$threads -v size="$now_size" -v a="$before" -v b="$now" '
      function best(list,  n, all, i, least) {
        n = split(list, all, " ")
        for (i = 1; i <= n; ++i) if (i == 1 || all[i] + 0 < least) least = all[i] + 0
        return least
      }
      BEGIN {
        printf "| `%s` | %d | %s | %.3f | %.3f | %.2f |\n", check, threads, size, best(a),
               best(b), best(a) / best(b)
      }'
  done
done
