// Vector clocks of a trace, from the causes that its steps name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ordeal/result.h"
#include "ordeal/trace.h"

namespace ordeal::report {

// How many events of each host have happened, as far as an event knows. Hosts are node ids;
// kOutside is what acts without being a node: the network, or a raw model as a whole.
inline constexpr int kOutside = -1;
using Clock = std::map<int, uint32_t>;

// The host that a step is an event of. A message that is dropped or copied never reaches its
// receiver by that, so this is the network's doing.
int host_of(const Action& action);

struct Clocks {
  std::vector<int> hosts;  // nodes, in order, or kOutside alone; each begins with a start event
  std::map<int, Clock> at_start;  // of these
  std::vector<Clock> after;       // of steps
};

// An Error where the clocks would have more than `most` entries together.
Result<Clocks> clocks_of(const Trace& trace, size_t most = 20'000'000);

}  // namespace ordeal::report
