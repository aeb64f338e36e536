// Replicas that lean on consensus without having one: a mocked component decides for them.
#include <ordeal/ordeal.h>

#include <string>
#include <vector>

namespace {

using ordeal::Context;
using ordeal::NodeId;

// [component]
struct Propose {
  uint32_t value;
};
struct Chosen {
  uint32_t value;
};

// Takes the first value that anybody proposes, and tells everybody.
struct Consensus {
  using Messages = ordeal::Types<Propose>;

  std::vector<NodeId> members;
  bool decided = false;

  void on(Context& ctx, NodeId, const Propose& propose) {
    if (decided) return;
    decided = true;
    for (NodeId member : members) ctx.post(member, Chosen{propose.value});
  }
};

struct Replica {
  using Messages = ordeal::Types<Chosen>;

  NodeId consensus;

  void start(Context& ctx) { ctx.send(consensus, Propose{ctx.choose(2)}); }
  void on(Context& ctx, NodeId, const Chosen& chosen) { ctx.decide(chosen.value); }
};
// [/component]

ordeal::Suite suite() {
  ordeal::Suite suite;
  suite.add({.name = "oracle",
             .what = "replicas that ask a mocked consensus",
             .parameters = {{"replicas", "3", "how many", 1, 9}},
             .build = [](const ordeal::Arguments& args) {
               const int replicas = args.number<int>("replicas");
               ordeal::System system;
               // [system]
               // A component's id follows those of the nodes.
               const NodeId consensus = replicas + 1;
               system.add<Replica>(replicas, [=](NodeId) { return Replica{consensus}; });
               Consensus mock;
               for (int id = 1; id <= replicas; ++id) mock.members.push_back(id);
               system.component("consensus", mock);
               system.always("agreement", ordeal::agreement());
               system.eventually("all decide", ordeal::every_correct_node_decides());
               // [/system]
               return system;
             }});
  return suite;
}

}  // namespace

int main(int argc, char** argv) { return ordeal::main(argc, argv, suite()); }
