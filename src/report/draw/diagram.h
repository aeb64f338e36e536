// The space-time diagram of a trace: a lane per node, a row per step, and what crosses from lane to
// lane. Positions only; svg.cc draws it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ordeal/trace.h"

namespace ordeal::report {

struct Lane {
  int node = -1;     // -1: the whole state, for raw models
  std::string name;  // "1", "client 9"
  std::string type;  // "Server"; empty: unknown
};

// A message, event or notice from its sending to its end. Rows: 0 is the start, n is after step n.
struct Flight {
  enum class End { kDelivered, kDropped, kPending };
  size_t from_lane = 0;
  size_t to_lane = 0;
  size_t from_row = 0;
  size_t to_row = 0;  // kPending: meaningless
  End end = End::kPending;
  bool copy = false;    // a duplicate, or delivered once more
  bool notice = false;  // a failure detector's
  std::string text;
};

// A stretch of rows: a node that is down, a partition, an operation of a client.
struct Stretch {
  size_t lane = 0;
  size_t from_row = 0;
  size_t to_row = 0;
  bool open = false;  // not ended within the trace
  std::string text;
};

struct Diagram {
  std::vector<Lane> lanes;
  std::vector<Flight> flights;
  std::vector<Stretch> down;
  std::vector<Stretch> partitions;  // across all lanes
  std::vector<Stretch> operations;
  size_t rows = 0;       // steps
  size_t first_row = 0;  // rows up to this one are left out of very long traces

  // REQUIRES: the node acts or is named in the trace.
  size_t lane_of(int node) const;
};

Diagram layout(const Trace& trace);

}  // namespace ordeal::report
