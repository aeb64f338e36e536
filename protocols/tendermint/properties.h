// What must be true of Tendermint, told from what correct nodes decided and wrote on their disks.
#pragma once

#include <set>

#include "ordeal/system.h"
#include "protocols/tendermint/messages.h"

namespace ordeal::protocols::tendermint {

struct Claims {
  Setup setup;
  std::set<NodeId> byzantine;
  bool good_weather = false;  // rounds go on, and what one node decides reaches all
  bool crashes = false;
  bool prompt = false;
  bool can_decide = false;
};

void declare(const Claims& claims, System& system);

}  // namespace ordeal::protocols::tendermint
