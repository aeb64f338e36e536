// Programs with a slip each. None of them may compile: if it did, a handler would never be called,
// or a field be lost, and everything would hold. A struct is followed by what the compiler must say
// of it. Compiled by refusals_test.cc, not by the build.
#include "ordeal/ordeal.h"

using namespace ordeal;  // NOLINT

struct Ping {
  int n = 0;
};
struct Pong {
  int n = 0;
};
struct Ask {
  int n = 0;
};

template <class T>
void use() {
  System system;
  system.add<T>(2);
}

struct StartWithoutContext {
  int n = 0;
  void start() {}
};
template void use<StartWithoutContext>();  // `start` must be public and be `void start(Context&

class PrivateStart {
  int n_ = 0;
  ORDEAL_FIELDS(n_);
  void start(Context&) { ++n_; }
};
template void use<PrivateStart>();  // `start` must be public

struct ConstStart {
  int n = 0;
  void start(Context&) const {}
};
template void use<ConstStart>();  // `start` must not be const

struct TimerWithoutName {
  int n = 0;
  void timer(Context&) {}
};
template void use<TimerWithoutName>();  // `void timer(Context& ctx, const std::string& name)`

struct TimerOwnsName {
  int n = 0;
  void timer(Context&, std::string&) {}
};
template void use<TimerOwnsName>();  // `void timer(Context& ctx, const std::string& name)`

struct CrashedWithoutWho {
  int n = 0;
  void crashed(Context&) {}
};
template void use<CrashedWithoutWho>();  // `void crashed(Context& ctx, NodeId who)`

struct RestoredWithoutWho {
  int n = 0;
  void restored(Context&) {}
};
template void use<RestoredWithoutWho>();  // `void restored(Context& ctx, NodeId who)`

struct RecoverWithoutDisk {
  using Disk = Ping;
  int n = 0;
  void recover(Context&) {}
};
template void use<RecoverWithoutDisk>();  // `void recover(Context& ctx, const Disk& disk)`

struct RecoverFromNoDisk {
  int n = 0;
  void recover(Context&, const Ping&) {}
};
template void use<RecoverFromNoDisk>();  // `recover` of a node without a Disk must be public

struct RecoveredInstead {
  int n = 0;
  void recovered(Context&) {}
};
template void use<RecoveredInstead>();  // `recovered` is never called

struct RecoveredFromDisk {
  using Disk = Ping;
  int n = 0;
  void recovered(Context&, const Ping&) {}
};
template void use<RecoveredFromDisk>();  // `recovered` is never called

struct OnWithoutMessages {
  int n = 0;
  void on(Context&, NodeId, const Ping&) { ++n; }
};
template void use<OnWithoutMessages>();  // `on` is never called: list what it handles

struct OnForOneMore {
  using Messages = Types<Ping>;
  int n = 0;
  void on(Context&, NodeId, const Ping&) { ++n; }
  void on(Context&, NodeId, const Pong&) { ++n; }
};
template void use<OnForOneMore>();  // there is an `on` for a type that Messages does not list

struct OnForTwoMore {
  using Messages = Types<Ping>;
  int n = 0;
  void on(Context&, NodeId, const Ping&) { ++n; }
  void on(Context&, NodeId, const Pong&) { ++n; }
  void on(Context&, NodeId, const Ask&) { ++n; }
};
template void use<OnForTwoMore>();  // there is an `on` for a type that Messages does not list

struct ShortOnForOneMore {
  using Messages = Types<Ping>;
  int n = 0;
  void on(Context&, const Ping&) { ++n; }
  void on(Context&, Pong) { ++n; }
};
template void use<ShortOnForOneMore>();  // there is an `on` for a type that Messages does not list

struct FinalOnForOneMore final {
  using Messages = Types<Ping>;
  int n = 0;
  void on(Context&, NodeId, const Ping&) { ++n; }
  void on(Context&, NodeId, const Pong&) { ++n; }
};
template void use<FinalOnForOneMore>();  // there is an `on` for a type that Messages does not list

struct ConstOn {
  using Messages = Types<Ping>;
  int n = 0;
  void on(Context&, NodeId, const Ping&) const {}
};
template void use<ConstOn>();  // `on` must not be const

struct RequestWithoutList {
  int n = 0;
  void request(Context&, const Ask&) { ++n; }
};
template void use<RequestWithoutList>();  // `request` is never called: list what it handles

struct RequestForOneMore {
  using Requests = Types<Ask>;
  int n = 0;
  void request(Context&, const Ask&) { ++n; }
  void request(Context&, const Ping&) { ++n; }
};
template void use<RequestForOneMore>();  // there is a `request` for a type that Requests does not

struct FieldLeftOut {
  int n = 0;
  int lost = 0;
  ORDEAL_FIELDS(n);
};
template void use<FieldLeftOut>();  // has a field that ORDEAL_FIELDS does not name

struct FieldLeftOutBesidesConstants {
  int n = 0;
  int most = 0;
  std::set<int> lost;
  ORDEAL_FIELDS(n);
  ORDEAL_CONSTANTS(most);
};
template void use<FieldLeftOutBesidesConstants>();  // has a field that ORDEAL_FIELDS does not name

struct Counting {
  struct State {
    int n = 0;
  };
  struct Action {
    int by = 1;
  };
  std::vector<State> initial() const { return {{}}; }
  void actions(const State&, std::vector<Action>&) const {}
  std::optional<State> next(const State& s, const Action&) const { return s; }
};
template <class T>
void model() {
  Model<T> unused;
}

struct KindsThatAreNotConst : Counting {
  std::vector<DescribedKind> kinds() { return {{.name = "up", .fault = true}}; }
  Doing doing(const State&, const Action&) { return {"up"}; }
};
template void model<KindsThatAreNotConst>();  // `std::vector<DescribedKind> kinds() const`

class PrivateKinds : public Counting {
  std::vector<DescribedKind> kinds() const { return {{"up"}}; }
  Doing doing(const State&, const Action&) const { return {"up"}; }
};
template void model<PrivateKinds>();  // `std::vector<DescribedKind> kinds() const`

struct KindsThatNobodyIsOf : Counting {
  std::vector<DescribedKind> kinds() const { return {{"up"}}; }
};
template void model<KindsThatNobodyIsOf>();  // `Doing doing(const State&, const Action&) const`

struct DoingWithoutState : Counting {
  Doing doing(const Action&) const { return {"up"}; }
};
template void model<DoingWithoutState>();  // `Doing doing(const State&, const Action&) const`
