#!/usr/bin/env bash
# States a second of `ordeal tla check`, on specifications of the public corpus tlaplus/Examples.
#
#   bench/tla/run.sh ORDEAL EXAMPLES [TLC]
#
# EXAMPLES is a copy of the corpus, TLC a command that takes what tlc2.TLC takes; with it, each model is
# checked by both, one after the other, and the ratio is told. One worker; states that were generated
# by seconds of the wall clock, start included. Fails where the counts differ.
set -euo pipefail

ordeal=$(realpath "${1:?usage: bench/tla/run.sh ORDEAL EXAMPLES [TLC]}")
examples=$(realpath "${2:?usage: bench/tla/run.sh ORDEAL EXAMPLES [TLC]}")
tlc=${3:-}

models=(
  "lamport_mutex MCLamportMutex.tla MCLamportMutex.cfg"
  "Bakery-Boulangerie MCBakery.tla MCBakery.cfg"
  "SlushProtocol Slush.tla SlushSmall.cfg"
  "TeachingConcurrency SimpleRegular.tla SimpleRegular.cfg"
  "MultiPaxos-SMR MultiPaxos_MC.tla MultiPaxos_MC_small.cfg"
  "transaction_commit PaxosCommit.tla PaxosCommit.cfg"
)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
now() { date +%s.%N; }
rate() { awk -v n="$1" -v from="$2" -v to="$3" 'BEGIN { printf "%.0f", n / (to - from) }'; }

# What TLC needs beside the corpus: the module of the proof system, which Ordeal has built in.
cat >"$scratch/TLAPS.tla" <<'MODULE'
---- MODULE TLAPS ----
SMT == TRUE
Z3 == TRUE
Zenon == TRUE
Isa == TRUE
PTL == TRUE
SMTT(seconds) == TRUE
ZenonT(seconds) == TRUE
IsaT(seconds) == TRUE
====
MODULE

printf '%-24s %12s %12s %14s %14s %7s\n' model distinct generated ordeal/s TLC/s ratio
for model in "${models[@]}"; do
  read -r folder spec config <<<"$model"
  cp -r "$examples/specifications/$folder" "$scratch/$folder"
  cd "$scratch/$folder"
  began=$(now)
  "$ordeal" tla check "$spec" --config "$config" --threads 1 --quiet --json "$scratch/ours.json" || true
  ended=$(now)
  count() { sed -n "s/^ *\"$1\": \([0-9]*\),*$/\1/p" "$scratch/ours.json" | head -1; }
  distinct=$(count distinct_states)
  generated=$(count generated_states)
  ours=$(rate "$generated" "$began" "$ended")
  theirs=- ratio=-
  if [ -n "$tlc" ]; then
    cp -n "$scratch/TLAPS.tla" .
    began=$(now)
    $tlc "$spec" -config "$config" -workers 1 -metadir "$scratch/states" >"$scratch/tlc.log" 2>&1 || true
    ended=$(now)
    said=$(tr -d , <"$scratch/tlc.log" |
      sed -n 's/^\([0-9]*\) states generated \([0-9]*\) distinct states found 0 .*/\1 \2/p' | tail -1)
    if [ "$said" != "$generated $distinct" ]; then
      echo "$spec: TLC counts '$said' (generated, distinct), Ordeal '$generated $distinct'" >&2
      exit 1
    fi
    theirs=$(rate "$generated" "$began" "$ended")
    ratio=$(awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "%.1f", a / b }')
  fi
  printf '%-24s %12s %12s %14s %14s %7s\n' "${spec%.tla}" "$distinct" "$generated" "$ours" "$theirs" "$ratio"
done
