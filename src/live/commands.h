// Commands: lines typed at a terminal or sent by a page, understood in one place.
#pragma once

#include <string>
#include <string_view>

#include "live/cluster.h"
#include "ordeal/result.h"

namespace ordeal::live {

// What a line asks of the whole run and not of its nodes.
struct Obeyed {
  enum class Then : uint8_t { kSay, kStatus, kNodes, kStop } then = Then::kSay;
  std::string says;
};

Result<Obeyed> obey(std::string_view line, Cluster& cluster);

std::string show_status(const LiveStatus& status);
std::string show_nodes(const LiveStatus& status);

}  // namespace ordeal::live
