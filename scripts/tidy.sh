#!/usr/bin/env bash
# clang-format over every C++ file, then clang-tidy over src/ as the dev preset compiles it.
#
#   scripts/tidy.sh [format-check | format-fix | lint]...      (no argument: format-check lint)
set -euo pipefail
cd "$(dirname "$0")/.."

sources() {  # of the folders given, those that exist
  local folders=() folder
  for folder in "$@"; do [ -d "$folder" ] && folders+=("$folder"); done
  [ ${#folders[@]} -eq 0 ] && return
  find "${folders[@]}" \( -name '*.cc' -o -name '*.h' \) -not -path '*/node_modules/*' -print0 |
    sort -z
}

jobs=$(scripts/jobs.sh)
for step in "${@:-format-check lint}"; do
  for action in $step; do
    case "$action" in
      format-check)
        echo "tidy: clang-format"
        sources include src protocols tests bench |
          xargs -0 -r clang-format --dry-run -Werror --ferror-limit=5 ||
          { echo "tidy: 'make format' would fix this" >&2; exit 1; } ;;
      format-fix)
        sources include src protocols tests bench | xargs -0 -r clang-format -i ;;
      lint)
        # Only what the dev preset compiles: a file it skips has no flags to be read with.
        mapfile -d '' -t files < <(sources src | while IFS= read -r -d '' file; do
          if [[ "$file" == *.cc ]] && grep -qF "\"$PWD/$file\"" build/dev/compile_commands.json
          then printf '%s\0' "$file"; fi
        done)
        if [ ${#files[@]} -eq 0 ]; then
          echo "tidy: clang-tidy: src/ has no compiled sources yet"
          continue
        fi
        echo "tidy: clang-tidy over ${#files[@]} files"
        printf '%s\0' "${files[@]}" |
          xargs -0 -n 1 -P "$jobs" clang-tidy -p build/dev --quiet --warnings-as-errors='*' 2>&1 |
          { grep -vE '^[0-9]+ warnings? generated\.$' || true; } ;;
      *) echo "tidy: unknown step '$action'" >&2; exit 2 ;;
    esac
  done
done
echo "tidy: done"
