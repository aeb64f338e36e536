#!/usr/bin/env bash
# Runs every fuzz target of the fuzz preset for FUZZ_SECONDS (30 unless told). What a target was
# taught in the repository, tests/tools/fuzz/corpus/<name>/, is its start; what it learns stays in out/.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${FUZZ_SECONDS:-30}
found=0
for source in tests/tools/fuzz/*_fuzz.cc; do
  [ -e "$source" ] || continue
  found=1
  name=$(basename "$source" .cc)
  learned=out/fuzz/$name
  mkdir -p "$learned"
  corpora=("$learned")
  if [ -d "tests/tools/fuzz/corpus/$name" ]; then corpora+=("tests/tools/fuzz/corpus/$name"); fi
  echo "fuzz: $name for $seconds s"
  "build/fuzz/$name" -max_total_time="$seconds" -print_final_stats=1 \
    -artifact_prefix="out/fuzz/$name-" "${corpora[@]}"
done
if [ "$found" -eq 0 ]; then echo "fuzz: there are no fuzz targets (tests/tools/fuzz/*_fuzz.cc) yet"; fi
