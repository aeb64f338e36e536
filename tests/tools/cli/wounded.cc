// A program with a handler that reads beyond its memory, built with AddressSanitizer: for
// hang_test.cc.
#include <memory>
#include <vector>

#include "ordeal/suite.h"
#include "ordeal/system.h"

namespace {

using namespace ordeal;

struct Go {
  int number = 0;
};

struct Node {
  using Messages = Types<Go>;
  int seen = 0;
  int sum = 0;
  void start(Context& ctx) {
    if (ctx.self() != 1) return;
    for (int i = 1; i <= 3; ++i) ctx.send(2, Go{i});
  }
  void on(Context&, NodeId, const Go& go) {
    const std::vector<int> known = {1, 2};
    const int* const first = known.data();
    ++seen;
    if (seen == 2) sum += first[go.number - 1];  // of number 3 there is none
  }
};

struct OpaqueNode {
  using Messages = Types<Go>;
  Node node;
  void start(Context& ctx) { node.start(ctx); }
  void on(Context& ctx, NodeId from, const Go& go) { node.on(ctx, from, go); }
};

}  // namespace

int main(int argc, char** argv) {
  Suite suite;
  suite.add({.name = "value", .what = "a value node", .build = [](const Arguments&) {
               System system;
               system.add<Node>(2);
               system.always("few", each<Node>([](const Node& n) { return n.seen < 3; }));
               return system;
             }});
  suite.add({.name = "opaque", .what = "an opaque node", .build = [](const Arguments&) {
               System system;
               system.add_opaque<OpaqueNode>(2,
                                             [](NodeId) { return std::make_unique<OpaqueNode>(); });
               system.always("few",
                             each<OpaqueNode>([](const OpaqueNode& n) { return n.node.seen < 3; }));
               return system;
             }});
  return ordeal::main(argc, argv, suite);
}
