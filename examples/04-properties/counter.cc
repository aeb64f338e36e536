// A counter on a server, and clients that increment it: in one step, or by reading and writing.
#include <ordeal/ordeal.h>

#include <optional>
#include <string>

namespace {

using ordeal::Context;
using ordeal::NodeId;

constexpr NodeId kServer = 1;

// [spec]
struct Increment {};
struct Became {
  int value;
};

// What a counter does when its calls come one after another.
struct CounterSpec {
  using State = int;
  using Call = Increment;
  using Return = Became;

  State initial() const { return 0; }
  std::optional<State> step(const State& n, const Call&, const Return* result) const {
    if (result != nullptr && result->value != n + 1) return std::nullopt;
    return n + 1;
  }
};
// [/spec]

struct Add {};
struct Get {};
struct Set {
  int value;
};
struct Value {
  int value;
};

struct Server {
  using Messages = ordeal::Types<Add, Get, Set>;

  int n = 0;

  void on(Context& ctx, NodeId, const Add&) { ctx.reply(Became{++n}); }
  void on(Context& ctx, NodeId, const Get&) { ctx.reply(Value{n}); }
  void on(Context& ctx, NodeId, const Set& set) {
    n = set.value;
    ctx.reply(Became{n});
  }
};

// [client]
struct Client {
  using Messages = ordeal::Types<Value, Became>;

  bool in_two_steps = false;

  void start(Context& ctx) {
    ctx.invoke(Increment{});
    if (in_two_steps) {
      ctx.send(kServer, Get{});
    } else {
      ctx.send(kServer, Add{});
    }
  }
  void on(Context& ctx, NodeId, const Value& found) { ctx.reply(Set{found.value + 1}); }
  void on(Context& ctx, NodeId, const Became& became) { ctx.returns(became); }
};
// [/client]

ordeal::System counter(int clients, bool in_two_steps) {
  ordeal::System system;
  system.add<Server>();
  system.add<Client>(clients, [=](NodeId) { return Client{in_two_steps}; });
  // [property]
  system.always("linearizable", ordeal::linearizable<CounterSpec>());
  // [/property]
  return system;
}

ordeal::Suite suite() {
  ordeal::Suite suite;
  suite.add({.name = "counter",
             .what = "clients increment a counter once each",
             .parameters = {{"clients", "2", "how many clients", 1, 5}},
             .bugs = {{"two-steps", "a client reads, adds one and writes", "linearizable"}},
             .build = [](const ordeal::Arguments& args) {
               return counter(args.number<int>("clients"), args.bug("two-steps"));
             }});
  return suite;
}

}  // namespace

int main(int argc, char** argv) { return ordeal::main(argc, argv, suite()); }
