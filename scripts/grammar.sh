#!/usr/bin/env bash
# Fetches the published grammar of TLA+, which tests hold the parser against.
#
#   scripts/grammar.sh FOLDER     FOLDER/package/src: parser.c and scanner.c
#
# Fetched once; fails where there is no network, and then the test is left out.
set -euo pipefail
folder=$(realpath -m "${1:?which folder?}")
package=@tlaplus/tree-sitter-tlaplus@1.5.0
sum=racRCBwSDSm+7PNUnsrTaMq1CAfBQLjoIS6SJtyxr8Ko9aq4gncgB9ILk7ZDatndN0r+9Hk0QzTeS8kioXgr8A==
[ -e "$folder/complete" ] && exit 0
mkdir -p "$folder"
cd "$folder"
archive=$(npm pack --silent --fetch-retries=1 --fetch-timeout=20000 "$package" | tail -n 1)
found=$(openssl dgst -sha512 -binary "$archive" | base64 -w0)
if [ "$found" != "$sum" ]; then
  echo "grammar: $package is not what was expected" >&2
  exit 1
fi
tar xzf "$archive" package/src package/LICENSE
rm "$archive"
touch complete
