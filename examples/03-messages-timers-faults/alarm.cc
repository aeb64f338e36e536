// One node with two timers. Without virtual time they fire in any order.
#include <ordeal/ordeal.h>

#include <string>

namespace {

using ordeal::Context;

// [node]
struct Alarm {
  bool warned = false;
  bool stopped = false;

  void start(Context& ctx) {
    ctx.set_timer("warn", {.after = 5});
    ctx.set_timer("stop", {.after = 10});
  }
  void timer(Context&, const std::string& name) { (name == "warn" ? warned : stopped) = true; }
};
// [/node]

ordeal::Suite suite() {
  ordeal::Suite suite;
  suite.add({.name = "alarm",
             .what = "warns, and stops five ticks later",
             .parameters = {{"timed", "no", "timers fire in the order of their deadlines", 0, 0,
                             ordeal::ParameterKind::kFlag}},
             .build = [](const ordeal::Arguments& args) {
               ordeal::System system;
               system.add<Alarm>();
               system.timed(args.flag("timed"));
               system.always("warns before it stops", ordeal::each<Alarm>([](const Alarm& a) {
                               return a.warned || !a.stopped;
                             }));
               return system;
             }});
  return suite;
}

}  // namespace

int main(int argc, char** argv) { return ordeal::main(argc, argv, suite()); }
