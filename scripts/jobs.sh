#!/usr/bin/env bash
# Prints how many compile jobs this machine can run at once: one a processor, but no more than its
# memory allows at 1.5 GiB a job, and at least one.
set -euo pipefail

jobs=$(nproc 2>/dev/null || echo 1)
kib=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo 2>/dev/null || true)
limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
if [[ "$limit" =~ ^[0-9]+$ ]]; then
  limit=$((limit / 1024))
  if [ -z "$kib" ] || [ "$limit" -lt "$kib" ]; then kib=$limit; fi
fi
if [ -n "$kib" ]; then
  by_memory=$((kib / (1536 * 1024)))
  if [ "$by_memory" -lt "$jobs" ]; then jobs=$by_memory; fi
fi
if [ "$jobs" -lt 1 ]; then jobs=1; fi
echo "$jobs"
