// What looks like a slip and is none: all of it must compile. See near_misses.cc.
#include "ordeal/ordeal.h"

using namespace ordeal;  // NOLINT

struct Ping {
  int n = 0;
};
struct Pong : Ping {
  ORDEAL_FIELDS(n);
};

template <class T>
void use() {
  System system;
  system.add<T>(2);
}

// Fields, types and enumerators may have the names of handlers.
struct FieldsOfThatName {
  enum State { start, recover };
  struct request {};
  std::set<NodeId> crashed;
  int timer = 0;
  State restored = start;
};
template void use<FieldsOfThatName>();

class PrivateFieldsOfThatName {
  std::set<NodeId> crashed;
  int timer = 0;
  ORDEAL_FIELDS(crashed, timer);
};
template void use<PrivateFieldsOfThatName>();

// Beside the handler there may be others of its name.
struct Overloaded {
  using Disk = Ping;
  int n = 0;
  void start(Context& ctx) { start(ctx, 1); }
  void start(Context&, int by) { n += by; }
  void recover(Context&, const Ping&) { recover(); }
  void recover() { n = 0; }
};
template void use<Overloaded>();

// One handler may take several of the listed types.
struct OnForAll {
  using Messages = Types<Ping, Pong>;
  int n = 0;
  template <class M>
  void on(Context&, NodeId, const M& m) {
    n += m.n;
  }
};
template void use<OnForAll>();

struct OnForTheBase {
  using Messages = Types<Pong>;
  int n = 0;
  void on(Context&, const Ping& m) { n += m.n; }
};
template void use<OnForTheBase>();

struct StaticHandlers {
  using Messages = Types<Ping>;
  int n = 0;
  static void start(Context& ctx) { ctx.send(ctx.self(), Ping{}); }
  static void on(Context&, NodeId, const Ping&) {}
};
template void use<StaticHandlers>();

struct Derived : StaticHandlers {
  int more = 0;
  ORDEAL_FIELDS(n, more);
};
template void use<Derived>();

struct Scattered {
  char a = 0;
  double most = 0;
  char b = 0;
  const char* name = "";
  std::set<int> seen;
  ORDEAL_FIELDS(a, b, seen);
  ORDEAL_CONSTANTS(most, name);
};
template void use<Scattered>();

struct Nothing {
  ORDEAL_FIELDS();
};
template void use<Nothing>();

// Fields and types of a model may have the names of what it may say of its actions.
struct Named {
  struct State {
    int n = 0;
  };
  struct Action {
    int by = 1;
  };
  struct doing {};
  int kinds = 3;
  std::vector<State> initial() const { return {{}}; }
  void actions(const State&, std::vector<Action>&) const {}
  std::optional<State> next(const State& s, const Action&) const { return s; }
};
template class ordeal::Model<Named>;
