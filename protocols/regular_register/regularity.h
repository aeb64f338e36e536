// Regularity of a register with one writer: a read that overlaps no write returns the value written
// last, one that overlaps writes that value or one of theirs.
#pragma once

#include "ordeal/history.h"
#include "ordeal/property.h"

namespace ordeal::protocols::regular_register {

// Of reg::Write<int> and reg::Read operations; the register holds 0 at first.
// REQUIRES: only `writer` writes.
Outcome regular(const History& history, NodeId writer);

}  // namespace ordeal::protocols::regular_register
