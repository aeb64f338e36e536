// A node that never comes to rest: what can be said of it with `within`, and what cannot.
#include <ordeal/ordeal.h>

#include <string>

namespace {

using ordeal::Context;
using ordeal::NodeId;
using ordeal::View;

// [node]
struct Tick {};

struct Clock {
  using Messages = ordeal::Types<Tick>;

  int hours = 0;  // 0: goes on for ever; otherwise it starts again after that many
  int hour = 0;

  void start(Context& ctx) { ctx.send(ctx.self(), Tick{}); }
  void on(Context& ctx, NodeId, const Tick&) {
    ++hour;
    if (hour == hours) hour = 0;
    ctx.send(ctx.self(), Tick{});
  }
};
// [/node]

ordeal::Suite suite() {
  ordeal::Suite suite;
  suite.add({.name = "round",
             .what = "a clock that starts again after twelve hours",
             .build = [](const ordeal::Arguments&) {
               ordeal::System system;
               // [round]
               system.add<Clock>(1, [](NodeId) { return Clock{12}; });
               system.sometimes("noon", [](const View& v) { return v.node<Clock>(1).hour == 11; });
               system.infinitely_often("midnight",
                                       [](const View& v) { return v.node<Clock>(1).hour == 0; });
               system.eventually("rest", [](const View& v) { return v.messages().empty(); });
               // [/round]
               return system;
             }});
  suite.add({.name = "two",
             .what = "two clocks, the second of which need not go",
             .build = [](const ordeal::Arguments&) {
               ordeal::System system;
               // [two]
               system.add<Clock>(2, [](NodeId) { return Clock{12}; });
               system.infinitely_often("noon",
                                       [](const View& v) { return v.node<Clock>(2).hour == 11; });
               system.fair(ordeal::Fair::nothing().deliver<Tick>().to(2));
               // [/two]
               return system;
             }});
  suite.add({.name = "endless",
             .what = "a clock that counts on for ever, looked at up to an hour",
             .parameters = {{"until", "24", "the last hour that is explored", 1, 1'000'000}},
             .build = [](const ordeal::Arguments& args) {
               const int until = args.number<int>("until");
               ordeal::System system;
               // [endless]
               system.add<Clock>(1);
               system.always("not negative",
                             ordeal::each<Clock>([](const Clock& c) { return c.hour >= 0; }));
               system.within([=](const View& v) { return v.node<Clock>(1).hour <= until; });
               // [/endless]
               return system;
             }});
  return suite;
}

}  // namespace

int main(int argc, char** argv) { return ordeal::main(argc, argv, suite()); }
