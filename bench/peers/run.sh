#!/usr/bin/env bash
# The same protocols on Ordeal, SPIN and Stateright, side by side: one table. Exits with 1 where
# tools that check the same states count differently. What is not there (spin, cargo, the crates)
# is left out, with a line that says so. What the models are: docs/internals/peers.md
#
#   bench/peers/run.sh [ORDEAL]      the ordeal program; default build/release/ordeal
#
#   PEERS_QUICK=1     small sizes, one run each, no optimisation of SPIN's verifiers; Stateright
#                     only if it was built before: for the tests
#   PEERS_RUNS=3      how many runs of each row; the best is shown (the largest size is run once)
#   PEERS_WORK=DIR    where to build; default build/peers
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
ordeal=${1:-$root/build/release/ordeal}
quick=${PEERS_QUICK:-}
runs=${PEERS_RUNS:-3}
work=${PEERS_WORK:-$root/build/peers}
optimise=-O2
[ -z "$quick" ] || optimise=-O0
stateright=$root/build/peers/stateright
mkdir -p "$work"

skip() { echo "skipped: $*"; }
fail() { echo "bench-peers: $*" >&2; exit 1; }
[ -x "$ordeal" ] || fail "there is no $ordeal; 'make build' builds it"

# --- What there is -------------------------------------------------------------------------------

g++ -O2 -std=c++17 -o "$work/measure" "$here/measure.cc"

spin_there=
if command -v spin >/dev/null && command -v gcc >/dev/null; then
  spin_there=1
else
  skip "SPIN: there is no spin (Debian package 'spin') or no gcc on the path"
fi

# Stateright is built where cargo is and its crates can be had; cargo is never installed.
stateright_there=
peer=$stateright/release/ordeal-peers
if [ -n "$quick" ]; then
  if [ -x "$peer" ] && [ -z "$(find "$here/stateright" -name '*.rs' -newer "$peer")" ]; then
    stateright_there=1
  else
    skip "Stateright: not built, or not from these sources; 'make bench-peers' builds it"
  fi
elif ! command -v cargo >/dev/null; then
  skip "Stateright: there is no cargo on the path (https://rustup.rs)"
elif ! cargo build --quiet --release --locked --manifest-path "$here/stateright/Cargo.toml" \
    --target-dir "$stateright" 2>"$work/cargo.log"; then
  skip "Stateright: cargo could not build it: $(grep -m1 -E '^error' "$work/cargo.log" ||
    tail -n 1 "$work/cargo.log")"
else
  stateright_there=1
fi

# --- One run -------------------------------------------------------------------------------------

# The first number after "KEY": in JSON, or before the words KEY in pan's report.
json_number() { sed -n "s/.*\"$2\": *\([0-9][0-9]*\).*/\1/p" "$1" | head -n 1; }
pan_number() { sed -n "s/^ *\([0-9][0-9]*\) $2.*/\1/p" "$1" | head -n 1; }

# Each tool leaves its counts in `states` and `steps`. SPIN and Stateright count the initial state
# as one more step.
run_ordeal() { # THREADS ARGUMENT…
  local threads=$1; shift
  "$work/measure" "$work/measured" "$ordeal" check "$@" --strategy bfs --threads "$threads" \
    --json - >"$work/out" 2>"$work/err" || fail "ordeal check $*: $(tail -n 3 "$work/err")"
  states=$(json_number "$work/out" distinct_states)
  steps=$(json_number "$work/out" transitions)
}

run_stateright() { # THREADS MODEL SIZE
  "$work/measure" "$work/measured" "$peer" "$2" "$3" "$1" >"$work/out" 2>"$work/err" ||
    fail "Stateright, $2 $3: $(tail -n 3 "$work/err")"
  states=$(json_number "$work/out" distinct_states)
  steps=$(($(json_number "$work/out" generated_states) - 1))
}

# Verifiers are built once, before anything is measured.
build_spin() { # NAME MODEL DEFINE FLAGS…
  local folder=$work/spin/$1 model=$here/$2 define=$3; shift 3
  rm -rf "$folder"
  mkdir -p "$folder"
  (cd "$folder" && spin -a "-D$define" "$model" >log 2>&1 &&
    gcc "$optimise" -w -DSAFETY -DNOREDUCE "$@" -o pan pan.c >>log 2>&1) ||
    fail "SPIN's verifier $(basename "$folder") could not be built: $(tail -n 3 "$folder/log")"
}

run_spin() { # NAME ARGUMENT…
  local folder=$work/spin/$1; shift
  if ! (cd "$folder" && "$work/measure" "$work/measured" ./pan "$@" >"$work/out" 2>&1); then
    # On two cores it needs more shared memory than some machines grant.
    case $folder in
      *-ncore | *-bfs-par) skip "$(basename "$folder"): $(tail -n 1 "$work/out")"; return 1 ;;
      *) fail "SPIN, $(basename "$folder"): $(tail -n 3 "$work/out")" ;;
    esac
  fi
  grep -q 'errors: 0' "$work/out" || fail "SPIN, $(basename "$folder") reports errors"
  states=$(pan_number "$work/out" 'states, stored')
  steps=$(($(pan_number "$work/out" 'transitions (= stored+matched)') - 1))
}

# --- Rows ----------------------------------------------------------------------------------------

# A row is a protocol, a tool in some form, and threads; a run of it goes into the file results.
results=$work/results
: >"$results"
declare -A expected_states expected_steps
disagree=

row() { # PROTOCOL TOOL THREADS COMMAND…
  local protocol=$1 tool=$2 threads=$3; shift 3
  states= steps=
  "$@" || return 0
  [ -n "$states" ] && [ -n "$steps" ] || fail "$protocol: no counts from $tool"
  if [ "$states" != "${expected_states[$protocol]}" ]; then
    echo "differs: $protocol: $tool has $states states, not ${expected_states[$protocol]}" >&2
    disagree=1
  elif [ "$steps" != "${expected_steps[$protocol]:=$steps}" ]; then
    echo "differs: $protocol: $tool has $steps transitions," \
      "${expected_steps[$protocol]} were counted before" >&2
    disagree=1
  fi
  echo "$protocol|$tool|$threads|$states|$steps|$(tr ' ' '|' <"$work/measured")" >>"$results"
}

# All rows of one protocol, once.
two_phase_commit() { # MANAGERS HASH-BITS
  local protocol="two-phase commit, $1 managers" threads
  for threads in 1 2; do
    row "$protocol" "Ordeal, raw" $threads run_ordeal $threads two-phase-commit --rms "$1"
    row "$protocol" "Ordeal, nodes" $threads \
      run_ordeal $threads two-phase-commit --rms "$1" --form actors
  done
  spin_rows "$protocol" "tpc$1" "$2"
  [ -n "$stateright_there" ] || return 0
  for threads in 1 2; do
    row "$protocol" "Stateright" $threads run_stateright $threads two-phase-commit "$1"
  done
  [ "$1" != 9 ] || return 0 # about a minute more
  for threads in 1 2; do
    row "$protocol" "Stateright, sets" $threads \
      run_stateright $threads two-phase-commit-sets "$1"
  done
}

paxos() { # CLIENTS HASH-BITS
  local protocol="Paxos, $1 clients, 3 servers" threads
  for threads in 1 2; do
    row "$protocol" "Ordeal, nodes" $threads \
      run_ordeal $threads paxos --clients "$1" --servers 3
  done
  spin_rows "$protocol" "paxos$1" "$2"
  [ -n "$stateright_there" ] || return 0
  for threads in 1 2; do
    row "$protocol" "Stateright" $threads run_stateright $threads paxos "$1"
  done
}

spin_rows() { # PROTOCOL NAME HASH-BITS
  [ -n "$spin_there" ] || return 0
  row "$1" "SPIN" 1 run_spin "$2" "-w$3"
  row "$1" "SPIN -DCOLLAPSE" 1 run_spin "$2-collapse" "-w$3"
  [ -z "$quick" ] || return 0
  row "$1" "SPIN -DNCORE=2" 2 run_spin "$2-ncore" "-w$3"
  row "$1" "SPIN -DBFS_PAR" 2 run_spin "$2-bfs-par" "-w$3" -u2
}

spin_verifiers() { # NAME MODEL DEFINE
  [ -n "$spin_there" ] || return 0
  build_spin "$@"
  build_spin "$1-collapse" "$2" "$3" -DCOLLAPSE
  [ -z "$quick" ] || return 0
  build_spin "$1-ncore" "$2" "$3" -DNCORE=2 -DMEMLIM=6000
  build_spin "$1-bfs-par" "$2" "$3" -DBFS_PAR -DMEMLIM=6000
}

expected_states=(
  ["two-phase commit, 5 managers"]=8832
  ["two-phase commit, 8 managers"]=1745408
  ["two-phase commit, 9 managers"]=10340352
  ["Paxos, 2 clients, 3 servers"]=16668
  ["Paxos, 3 clients, 3 servers"]=1194428
)

if [ -n "$quick" ]; then
  spin_verifiers tpc5 two_phase_commit.pml N=5
  spin_verifiers paxos2 paxos.pml C=2
  two_phase_commit 5 18
  paxos 2 18
else
  echo "building SPIN's verifiers; then $runs rounds of the smaller sizes and one of the largest"
  spin_verifiers tpc8 two_phase_commit.pml N=8
  spin_verifiers tpc9 two_phase_commit.pml N=9
  spin_verifiers paxos3 paxos.pml C=3
  # In rounds, not row by row: what else the machine does then falls on all of them.
  for ((round = 0; round < runs; ++round)); do
    two_phase_commit 8 21
    paxos 3 21
  done
  two_phase_commit 9 24
fi

# --- The table -----------------------------------------------------------------------------------

[ -z "$quick" ] || echo "quick: counts are compared; the times say nothing"

# The best run of each row, in the order of their first; how many times as fast Ordeal is, with as
# many threads, in each of its forms. On a machine that does other things, compare CPU seconds.
awk -F'|' '
  function grouped(n,  text, out) {
    text = sprintf("%d", n)
    for (; length(text) > 3; text = substr(text, 1, length(text) - 3)) {
      out = "," substr(text, length(text) - 2) out
    }
    return text out
  }
  function times(form, row,  part, base) {
    split(row, part, "|")
    base = part[1] "|Ordeal, " form "|" part[3]
    return base in seconds ? sprintf("%.2f", seconds[row] / seconds[base]) : "–"
  }
  {
    row = $1 "|" $2 "|" $3
    if (!(row in seconds)) order[++rows] = row
    if (!(row in seconds) || $6 + 0 < seconds[row]) seconds[row] = $6 + 0
    if (!(row in cpu) || $7 + 0 < cpu[row]) cpu[row] = $7 + 0
    if ($8 + 0 > memory[row]) memory[row] = $8 + 0
    states[row] = $4
    steps[row] = $5
    ++runs[row]
  }
  END {
    print ""
    print "| protocol | tool | threads | distinct states | transitions | seconds | CPU s | states/s |" \
          " peak MiB | best of | Ordeal raw ÷ this | Ordeal nodes ÷ this |"
    print "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |"
    for (i = 1; i <= rows; ++i) {
      row = order[i]
      split(row, part, "|")
      printf "| %s | %s | %s | %s | %s | %.2f | %.2f | %s | %s | %d | %s | %s |\n", part[1], part[2],
             part[3], grouped(states[row]), grouped(steps[row]), seconds[row], cpu[row],
             grouped(states[row] / seconds[row]), grouped(memory[row] / 1024), runs[row],
             times("raw", row), times("nodes", row)
    }
  }' "$results"

[ -z "$disagree" ] || exit 1
