// What was mined, for people and as JSON.
#pragma once

#include <string>

#include "explore/mine.h"

namespace ordeal::report {

struct MinedAbout {
  std::string subject = {};  // "raft --servers 3"
  std::string target = {};
  std::string strategy = {};
  uint64_t seed = 0;
  std::string program = {};  // as the user calls it
};

// The list on the first line, as --waypoints takes it; then what it rests on.
std::string mined_text(const explore::Mined& mined, const MinedAbout& about);
std::string mined_json(const explore::Mined& mined, const MinedAbout& about);

}  // namespace ordeal::report
