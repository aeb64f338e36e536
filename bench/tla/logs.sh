#!/usr/bin/env bash
# How many lines of a log are held against a specification in a second of processor time, and that
# twice the lines take twice the time: three logs, each of three lengths.
#
#   bench/tla/logs.sh ORDEAL
set -euo pipefail
TIMEFORMAT=%U
ordeal=$(realpath "${1:-build/release/ordeal}")
root=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/Counters.tla" <<'SPEC'
---- MODULE Counters ----
EXTENDS Naturals
CONSTANTS Who
VARIABLES owns, told
Init == owns = [w \in Who |-> 0] /\ told = 0
Add(w, n) == owns' = [owns EXCEPT ![w] = (@ + n) % 1000] /\ UNCHANGED told
Tell == told' = (told + 1) % 7 /\ UNCHANGED owns
Next == Tell \/ \E w \in Who, n \in 1 .. 3 : Add(w, n)
====
SPEC
printf 'CONSTANT Who = {ann, bob}\nINIT Init\nNEXT Next\n' > "$work/Counters.cfg"
cat > "$work/Counters.mapper" <<'MAPPER'
specification Counters
hidden Tell at most 1
on event.op = "add"
  do Add(event.who, event.n)
  see owns[event.who] = event.has
MAPPER
# The whole state in each line, and then less and less: names alone leave three ways for each step.
awk -v lines=800000 -v out="$work/whole" 'BEGIN { for (i = 1; i <= lines; ++i)
  printf("{\"action\": \"Add\", \"w\": \"%s\", \"n\": 1, \"state\": {\"told\": 0}}\n",
         i % 2 ? "ann" : "bob") > out }'
awk -v lines=800000 -v out="$work/part" 'BEGIN { for (i = 1; i <= lines; ++i) {
  who = i % 2 ? "ann" : "bob"; n[who] = (n[who] + 1 + i % 3) % 1000;
  if (i % 5 == 0) printf("{\"op\": \"add\", \"who\": \"%s\", \"has\": %d}\n", who, n[who]) > out;
  else printf("{\"op\": \"add\", \"who\": \"%s\", \"n\": %d}\n", who, 1 + i % 3) > out } }'
# A live log of Raft, its heartbeats over and over.
"$ordeal" live raft --heartbeats 3 --seconds 3 --quiet --log "$work/live"
grep -v '"Submit"\|"Answer"' "$work/live" > "$work/raft"
grep '"Appended"' "$work/live" | tail -1 > "$work/beat"
awk -v times=80000 -v out="$work/raft" '{ for (i = 0; i < times; ++i) print >> out }' "$work/beat"

measure() {  # name, log, arguments
  local name=$1 log=$2
  shift 2
  local all
  all=$(wc -l < "$log")
  for share in 4 2 1; do
    local lines=$((all / share))
    head -n "$lines" "$log" > "$work/log"
    { time "$ordeal" tla trace "$@" --json "$work/json" --quiet --progress never; } 2> "$work/time"
    python3 - "$name" "$work/json" "$work/time" <<'SHOW'
import json, sys
told = json.load(open(sys.argv[2]))
seconds = float(open(sys.argv[3]).read().split()[-1])
assert told["conforms"], told["why"] or told["departure"]
print(f'{sys.argv[1]:24} {told["lines"]:>9,} lines {seconds:8.2f} s '
      f'{told["lines"] / seconds:>10,.0f} lines/s  frontier {told["frontier"]["most"]}')
SHOW
  done
}
measure "names and arguments" "$work/whole" "$work/Counters.tla" "$work/log"
measure "parts, a hidden step" "$work/part" "$work/Counters.tla" "$work/log" --mapper "$work/Counters.mapper"
measure "live Raft" "$work/raft" "$root/specs/Raft.tla" "$work/log" \
  --config "$root/specs/RaftFollow.cfg" --mapper "$root/specs/Raft.mapper"
