#!/usr/bin/env bash
# Builds the web viewer from its lock file.
#
#   scripts/viewer.sh FOLDER     FOLDER/dist: script and style sheet; FOLDER/bundle.cc: both as C++
#
# Packages are installed once for each state of the lock file, into viewer/node_modules.
set -euo pipefail
folder=$(realpath -m "${1:?which folder?}")
cd "$(dirname "$0")/../viewer"

export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
stamp=node_modules/.ordeal-lock
if ! cmp -s package-lock.json "$stamp"; then
  # Two builds at once would install over each other.
  exec 9>.install-lock
  flock 9
  if ! cmp -s package-lock.json "$stamp"; then
    npm ci --no-audit --no-fund --loglevel=error
    cp package-lock.json "$stamp"
  fi
  flock -u 9
fi
mkdir -p "$folder"
node_modules/.bin/vite build --logLevel warn --emptyOutDir --outDir "$folder/dist"
node scripts/embed.mjs "$folder/dist" "$folder/bundle.cc"
