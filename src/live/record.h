// Record: one thing that happened in a live run, as the simulator must find it again.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/action.h"
#include "ordeal/value.h"

namespace ordeal::live {

// An answer that choose(n) gave to an opaque object: in the simulator a step of its own.
struct Asked {
  int node = -1;
  uint32_t answer = 0;
  uint32_t of = 0;
};

struct Record {
  ActionKind kind = ActionKind::kStep;
  int node = -1;
  int from = -1;
  value::Any payload;             // of a timer: its name
  std::vector<uint32_t> choices;  // what choose(n) answered a value node
  std::vector<Asked> asked;       // … an opaque one
  std::string failure;            // why the handler failed; "": it did not
  // What there is to compare. Of each node and component that was touched: the digest of its part.
  std::vector<std::pair<int, uint64_t>> digests;
  // What was sent and posted: to whom, and the hash of what; sorted.
  std::vector<std::pair<int, uint64_t>> sent;
};

// As people would see it in a trace.
std::string show(const Record& record);

}  // namespace ordeal::live
