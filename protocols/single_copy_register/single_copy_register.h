// A register without replication: every server holds a copy of its own and answers from it.
//
// Linearizable with one server. With more, each holds its own register under the same name, and
// the clients, which write to one server and read from the next, can tell: that is not a planted
// bug, but what the ABD register is for.
#pragma once

#include <vector>

#include "ordeal/node.h"
#include "ordeal/suite.h"
#include "protocols/register/client.h"

namespace ordeal::protocols::single_copy_register {

enum class Planted : uint8_t { kNone, kStaleGet };

struct Server {
  using Messages = Types<Put, Get>;

  Planted bug = Planted::kNone;  // the same for all servers, and no part of the state

  Content value;
  Content before;  // only kept by the planted bug
  ORDEAL_FIELDS(value, before);
  ORDEAL_CONSTANTS(bug);

  void on(Context& ctx, const Put& put) {
    if (bug == Planted::kStaleGet) before = value;
    value = put.value;
    ctx.reply(PutOk{put.request});
  }

  void on(Context& ctx, const Get& get) {
    // Planted: the answer is what the register held before the last Put.
    ctx.reply(GetOk{get.request, bug == Planted::kStaleGet ? before : value});
  }
};

Subject subject();
std::vector<SuiteScenario> scenarios();

}  // namespace ordeal::protocols::single_copy_register
