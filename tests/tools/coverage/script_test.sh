#!/usr/bin/env bash
# scripts/coverage.py on a protocol of one page: what it counts, what it asks a reason for, when it
# fails.
#
#   tests/tools/coverage/script_test.sh SOURCE_DIR COMPILER
set -euo pipefail

script=$1/scripts/coverage.py
compiler=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p protocols/toy

cat >protocols/toy/toy.h <<'END'
template <class T>
int sign(T x) {
  if (x < 0) return -1;
  return x > 0 ? 1 : 0;
}
END
cat >protocols/toy/toy.cc <<'END'
#include "toy.h"
#include <string>
namespace {
int never_called(int x) {
  return x + 1;
}
}  // namespace
std::string text(int x);
int weigh(int x) {
  if (x > 100) {
    int y = never_called(x);
    return y;
  }
  const std::string told = text(x) + text(x + 1);
  return static_cast<int>(told.size());
}
std::string text(int x) { return std::to_string(x); }
END
cat >protocols/toy/toy_test.cc <<'END'
#include "toy.h"
int weigh(int x);
int main(int argc, char**) {
  if (argc > 7) return 1;
  int sum = sign(3) + sign(0) + sign(-2L);
  for (int i = 0; i < argc; ++i) sum += weigh(argc > 2 ? 1000 : i);
  return sum == 1000000;
}
END

fails=0
complain() {
  echo "FAILED: $*"
  fails=1
}
# expect EXIT TEXT…: the script ends so, and prints each of these.
expect() {
  local code=0
  python3 "$script" --build build --markdown out.md >told 2>&1 || code=$?
  [ "$code" -eq "$1" ] || complain "exit $code instead of $1: $(cat told)"
  shift
  for text in "$@"; do
    grep -qF -- "$text" told || complain "no '$text' in: $(cat told)"
  done
}

mkdir build
expect 2 "nothing was counted in build"

"$compiler" -std=c++20 -O0 --coverage protocols/toy/toy.cc protocols/toy/toy_test.cc -o build/toy
./build/toy

# The edges of exceptions, in the line with the texts, are not there; the template is one function,
# each of whose branches some instance takes; the test itself is not measured.
expect 1 "branches     5/6" "toy is below 95 %" \
  "protocols/toy/toy.cc:10: 1 of 2 branches not taken, and 2 lines behind it not reached" \
  "    if (x > 100) {" "toy.cc:10 has no reason" "protocols/toy/toy.cc | if (x > 100) { | …" \
  "toy.cc:4: not reached, and 1 line behind it"
if grep -q "toy_test.cc\|toy.h:\|toy.cc:14" told; then complain "too much: $(cat told)"; fi

cat >protocols/uncovered.txt <<'END'
# A comment.
protocols/toy/toy.cc | if (x > 100) { | nothing is so heavy
protocols/toy/toy.cc | fn never_called | nothing is so heavy
END
expect 1 "toy is below 95 %" "    nothing is so heavy"
if grep -q "no reason" told; then complain "a reason was not seen: $(cat told)"; fi
grep -qF '`if (x > 100) {`: 1 of 2 branches not taken, and 2 lines behind it not reached: nothing' \
  out.md || complain "no reason in $(cat out.md)"

# The compiler's own are listed, and not counted.
sed -i 's/if (x > 100) { | /&gcc: /' protocols/uncovered.txt
expect 1 "branches     5/5" "gcc: nothing is so heavy"

# Once it is taken, the reason is in the way.
./build/toy 1 2
expect 1 "a reason for 'if (x > 100) {' in protocols/toy/toy.cc, which is taken"
rm protocols/uncovered.txt
expect 0 "branches     6/6"

echo "protocols/toy/toy.cc: why not" >protocols/uncovered.txt
expect 2 "protocols/uncovered.txt:1: the form is"

[ "$fails" -eq 0 ] && echo "coverage: the script does what it says"
exit "$fails"
