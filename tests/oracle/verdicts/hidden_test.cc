#include "tests/oracle/verdicts/hidden.h"

namespace ordeal {
namespace {

struct Note {  // as names_test.cc has one
  int n = 0;
};

}  // namespace

void hidden::decide_a_note(Context& ctx) { ctx.decide(Note{1}); }

}  // namespace ordeal
