// Painters who paint what they like, or what they see: who is who does not matter, and neither does
// which colour is which.
#include <ordeal/ordeal.h>

#include <optional>
#include <string>

namespace {

using ordeal::Context;
using ordeal::NodeId;
using ordeal::View;

// [node]
struct Colour;  // only a tag
using Paint = ordeal::Name<Colour>;

struct Painted {
  Paint colour;
};

struct Painter {
  using Messages = ordeal::Types<Painted>;

  std::optional<Paint> colour;
  std::optional<NodeId> after;  // whose colour it took

  void start(Context& ctx) { ctx.set_timer("paint"); }
  void timer(Context& ctx, const std::string&) {
    if (!colour) colour = Paint(ctx.choose(3));
    ctx.broadcast(Painted{*colour});
  }
  void on(Context&, NodeId from, const Painted& painted) {
    if (colour) return;
    colour = painted.colour;
    after = from;
  }
};
// [/node]

ordeal::System painters() {
  ordeal::System system;
  // [alike]
  system.add<Painter>(3);
  system.alike<Painter>();           // or alike({1, 2, 3})
  system.interchangeable<Paint>(3);  // colours 0, 1 and 2
  // [/alike]
  // [properties]
  system.always("taken from who has it", [](const View& view) {
    for (NodeId node : view.nodes()) {
      const Painter& painter = view.node<Painter>(node);
      if (painter.after && !view.node<Painter>(*painter.after).colour) return false;
    }
    return true;
  });
  system.sometimes("all the same", [](const View& view) {
    for (NodeId node : view.nodes()) {
      const auto& colour = view.node<Painter>(node).colour;
      if (!colour || colour != view.node<Painter>(view.nodes()[0]).colour) return false;
    }
    return true;
  });
  // [/properties]
  return system;
}

ordeal::Suite suite() {
  ordeal::Suite suite;
  suite.add({.name = "painters",
             .what = "three painters with three colours",
             .build = [](const ordeal::Arguments&) { return painters(); }});
  suite.add({.name = "first",
             .what = "… and a property that is about one of them",
             .build = [](const ordeal::Arguments&) {
               ordeal::System system = painters();
               // [first]
               system.always("node 1 is nobody's pupil",
                             [](const View& view) { return !view.node<Painter>(1).after; });
               // [/first]
               return system;
             }});
  suite.add({.name = "unlike",
             .what = "… of whom one begins to paint before the others",
             .build = [](const ordeal::Arguments&) {
               ordeal::System system;
               // [unlike]
               system.add<Painter>(3, [](NodeId id) {
                 return id == 1 ? Painter{Paint(0), std::nullopt} : Painter{};
               });
               system.alike<Painter>();
               // [/unlike]
               return system;
             }});
  return suite;
}

}  // namespace

int main(int argc, char** argv) { return ordeal::main(argc, argv, suite()); }
