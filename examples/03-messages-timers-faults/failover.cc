// Node 1 leads; node 2 takes over when its failure detector reports node 1.
#include <ordeal/ordeal.h>

#include <string>

namespace {

using ordeal::Context;
using ordeal::Detector;
using ordeal::NodeId;

// [node]
struct Server {
  bool leads = false;

  void start(Context& ctx) { leads = ctx.self() == 1; }
  void crashed(Context&, NodeId) { leads = true; }
};
// [/node]

ordeal::Suite suite() {
  ordeal::Suite suite;
  suite.add({.name = "failover",
             .what = "a backup leads when its detector reports the primary",
             .parameters = {{"detector",
                             "perfect",
                             "the failure detector",
                             0,
                             0,
                             ordeal::ParameterKind::kWord,
                             {"perfect", "eventually-perfect"}}},
             .build = [](const ordeal::Arguments& args) {
               ordeal::System system;
               // [system]
               system.add<Server>(2);
               system.crash({1});
               system.detector(args.word("detector") == "perfect" ? Detector::kPerfect
                                                                  : Detector::kEventuallyPerfect);
               system.always("one leader",
                             ordeal::correct_pairs<Server>([](const Server& a, const Server& b) {
                               return !(a.leads && b.leads);
                             }));
               system.eventually("somebody leads", [](const ordeal::View& view) {
                 for (NodeId id : view.nodes()) {
                   if (view.up(id) && view.node<Server>(id).leads) return true;
                 }
                 return false;
               });
               // [/system]
               return system;
             }});
  return suite;
}

}  // namespace

int main(int argc, char** argv) { return ordeal::main(argc, argv, suite()); }
