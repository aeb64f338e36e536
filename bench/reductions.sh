#!/usr/bin/env bash
# What each technique saves, on systems that are verified exhaustively: a Markdown table of states,
# transitions (or runs), user code that ran, time and memory, and the factor against the plain
# search of the same system. One thread, so that times compare.
#
#   bench/reductions.sh [ORDEAL]      default build/release/ordeal
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
ordeal=${1:-$root/build/release/ordeal}
[ -x "$ordeal" ] || { echo "reductions: there is no $ordeal; make build first" >&2; exit 1; }

report=$(mktemp)
trap 'rm -f "$report"' EXIT
field() { sed -n "s/^  \"$1\": \([0-9.e+-]*\),*$/\1/p" "$report" | head -n 1; }

plain_work=0 plain_seconds=0
row() {  # system, technique, arguments…
  local system=$1 technique=$2
  shift 2
  if ! "$ordeal" check "$@" --threads 1 --progress never --quiet --json "$report" 2>/dev/null; then
    echo "| $system | $technique | not verified: exit code $? | | | | | |"
    return
  fi
  local states transitions runs work
  states=$(field distinct_states) transitions=$(field transitions) runs=$(field runs)
  work=$transitions
  [ "$technique" = plain ] && plain_work=$transitions plain_seconds=$(field seconds)
  awk -v name="$system" -v technique="$technique" -v states="$states" -v work="$work" \
      -v runs="$runs" -v calls="$(field handler_calls)" -v seconds="$(field seconds)" \
      -v bytes="$(field bytes)" -v plain="$plain_work" -v base="$plain_seconds" '
    function grouped(n,  text, out) {
      text = sprintf("%d", n)
      while (length(text) > 3) {
        out = "," substr(text, length(text) - 2) out
        text = substr(text, 1, length(text) - 3)
      }
      return text out
    }
    BEGIN {
      of_runs = (runs > 0) ? grouped(runs) : "–"
      fewer = (work > 0) ? plain / work : 0
      faster = (seconds > 0) ? base / seconds : 0
      printf("| %s | %s | %s | %s | %s | %s | %.2f s | %.1f MiB | %.2f | %.2f |\n", name, technique,
             grouped(states), grouped(work), of_runs, grouped(calls), seconds, bytes / 1048576,
             fewer, faster)
    }'
}

echo "| system | technique | states | transitions | runs | handler calls | time | memory |" \
     "fewer transitions | faster |"
echo "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |"

consensus=(hierarchical-consensus --nodes 5 --crash 1,2,3,4,5 --max-crashes 2)
row "hierarchical consensus, 5 nodes, 2 crashes" plain "${consensus[@]}"
row "" "sleep sets" "${consensus[@]}" --reduce sleep

paxos=(multi-paxos --nodes 3 --crash 1,2,3 --max-crashes 1)
row "multi-Paxos, 3 nodes, 1 crash" plain "${paxos[@]}"
row "" "sleep sets" "${paxos[@]}" --reduce sleep

commit=(two-phase-commit --form actors --rms 7)
row "two-phase commit, 7 managers" plain "${commit[@]}"
row "" "sleep sets" "${commit[@]}" --reduce sleep
row "" "symmetry" "${commit[@]}" --symmetry
row "" "symmetry and sleep sets" "${commit[@]}" --symmetry --reduce sleep
