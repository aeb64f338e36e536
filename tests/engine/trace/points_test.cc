// Where operations of clients took effect in a recorded run: within each operation, and in an order
// that the specification of the object accepts.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/rng.h"
#include "explore/explain/linear_points.h"
#include "explore/explain/walk.h"
#include "history/order_listener.h"
#include "ordeal/history.h"
#include "ordeal/predicate.h"
#include "ordeal/suite.h"
#include "protocols/suite.h"

namespace ordeal {
namespace {

struct Span {
  std::string call;
  std::string result;
  uint32_t begin = 0;
  uint32_t end = UINT32_MAX;  // never
};
using Spans = std::map<std::pair<int, uint32_t>, Span>;  // by client and number

Spans spans_of(const Trace& trace) {
  Spans spans;
  std::map<int, uint32_t> calls;
  const auto take = [&](const std::vector<HistoryEvent>& events, uint32_t step) {
    for (const HistoryEvent& event : events) {
      if (!event.is_return) {
        spans[{event.client, calls[event.client]++}] = {event.text, "", step, UINT32_MAX};
      } else {
        Span& span = spans[{event.client, calls[event.client] - 1}];
        span.result = event.text;
        span.end = step;
      }
    }
  };
  take(trace.initial_history, 0);
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    take(trace.steps[i].detail.history, static_cast<uint32_t>(i) + 1);
  }
  return spans;
}

// The value in "Write{value: "A"}" or "ReadOk{value: "A"}", by its text alone.
std::string inside(const std::string& text) {
  const size_t at = text.find("value: ");
  return at == text.npos ? "" : text.substr(at + 7, text.find('}', at) - at - 7);
}

// Plays the operations on a register, in the order of their points. What is wrong; "": nothing.
std::string problem(const Trace& trace, const std::string& initially, bool all_placed) {
  const Spans spans = spans_of(trace);
  std::string content = initially;
  uint32_t now = 0;
  std::map<int, uint32_t> next;
  size_t placed_returns = 0;
  for (const LinearPoint& point : trace.points) {
    const auto at = spans.find({point.client, point.operation});
    if (at == spans.end()) return "a point of no operation";
    const Span& span = at->second;
    if (point.step < now) return "the points go back";
    now = point.step;
    if (point.step < span.begin || point.step > span.end) return span.call + " outside of itself";
    if (point.operation < next[point.client]) return "a client's operations change their order";
    next[point.client] = point.operation + 1;
    if (span.end != UINT32_MAX) ++placed_returns;
    if (span.call.starts_with("Write")) {
      content = inside(span.call);
    } else if (!span.result.empty() && inside(span.result) != content) {
      return span.call + " = " + span.result + ", but the register holds " + content;
    }
  }
  size_t returns = 0;
  for (const auto& [id, span] : spans) returns += span.end != UINT32_MAX;
  if (all_placed && placed_returns != returns) return "an operation that returned has no point";
  return "";
}

// A random run of a subject, with states.
Trace random_run(const Checkable& subject, uint64_t seed, size_t most) {
  Options options;
  options.states = true;
  explore::Walk walk(subject, options);
  EXPECT_TRUE(walk.go({}).ok());
  Rng rng(seed);
  while (walk.trace().steps.size() < most && !walk.enabled().empty()) {
    if (!walk.take(static_cast<uint32_t>(rng.below(walk.enabled().size())))) break;
  }
  return walk.trace();
}

std::unique_ptr<Checkable> subject(const std::string& name,
                                   const std::map<std::string, std::string>& given = {},
                                   const std::string& bug = "") {
  static const Suite all = protocols::suite();
  const Subject* found = all.find(name);
  const Result<Arguments> arguments = all.arguments(*found, given, bug);
  EXPECT_TRUE(arguments.ok()) << arguments.error().message;
  Builder::Built built = found->build(*arguments);
  EXPECT_TRUE(built.ok()) << built.error().message;
  return std::move(*built);
}

TEST(LinearPoints, LieWithinTheirOperationsInAnOrderThatARegisterAllows) {
  const std::vector<std::pair<std::string, std::map<std::string, std::string>>> subjects = {
      {"abd-register", {{"clients", "3"}, {"servers", "2"}}},
      {"abd-register", {{"clients", "2"}, {"servers", "3"}, {"drops", "1"}}},
      {"single-copy-register", {{"clients", "4"}}},
      {"paxos", {}}};
  for (const auto& [name, parameters] : subjects) {
    const std::unique_ptr<Checkable> checkable = subject(name, parameters);
    size_t points = 0;
    for (uint64_t seed = 0; seed < 30; ++seed) {
      const Trace trace = random_run(*checkable, seed, 120);
      ASSERT_EQ(problem(trace, "-", true), "") << name << ", seed " << seed << "\n"
                                               << to_json(trace);
      points += trace.points.size();
    }
    EXPECT_GT(points, 10U) << name;
  }
}

TEST(LinearPoints, OfAViolatedRunAreThoseOfAllOperationsButTheUnplacedOnes) {
  const std::map<std::string, std::string> parameters = {{"writers", "1"}, {"servers", "3"}};
  const std::unique_ptr<Checkable> broken = subject("abd-register", parameters, "skip-write-back");
  Options options;
  options.states = true;
  const Result<Report> checked = check(*broken, options);
  ASSERT_TRUE(checked.ok());
  const Report& report = *checked;
  ASSERT_EQ(report.violations.size(), 1U);
  const Trace& trace = *report.violations[0].trace;
  EXPECT_EQ(problem(trace, "-", false), "") << to_json(trace);
  EXPECT_NE(problem(trace, "-", true), "") << "some operation has no place";
  EXPECT_FALSE(trace.points.empty());
  const std::vector<TraceOperation>& unplaced = trace.verdict.unplaced;
  const std::vector<TraceOperation>& reason = trace.verdict.operations;
  ASSERT_EQ(unplaced.size(), 1U);
  EXPECT_NE(std::find(reason.begin(), reason.end(), unplaced[0]), reason.end());
  for (const auto& [id, span] : spans_of(trace)) {
    const bool placed =
        std::any_of(trace.points.begin(), trace.points.end(), [&id = id](const LinearPoint& point) {
          return std::pair(point.client, point.operation) == id;
        });
    const bool is_unplaced = unplaced[0] == TraceOperation{id.first, id.second};
    EXPECT_FALSE(placed && is_unplaced);
    EXPECT_TRUE(placed || is_unplaced || span.end == UINT32_MAX);
  }
}

// Client 1 sends a request in step 1, node 9 does something else in step 2 and takes the request in
// step 3, and the answer returns in step 5.
TEST(LinearPoints, LieWhereTheRequestWasTakenIfTheOrderAllowsIt) {
  const auto step = [](int node, int from, std::vector<uint32_t> causes,
                       std::vector<HistoryEvent> history) {
    TraceStep out;
    out.detail.action.node = node;
    out.detail.action.from = from;
    out.causes = std::move(causes);
    out.detail.history = std::move(history);
    return out;
  };
  Trace trace;
  trace.initial_history = {{2, false, "Read"}};
  trace.steps = {step(1, -1, {0}, {{1, false, "Write{value: 1}"}}),
                 step(9, -1, {0}, {}),
                 step(9, 1, {1, 2}, {}),
                 step(9, 2, {0, 3}, {}),
                 step(1, 9, {1, 3}, {{1, true, "WriteOk"}}),
                 step(2, 9, {4}, {{2, true, "ReadOk{value: 1}"}})};
  const auto steps_of = [&](const std::vector<OpRef>& order) {
    std::vector<uint32_t> steps;
    for (const LinearPoint& point : explore::points_of(trace, order)) steps.push_back(point.step);
    return steps;
  };
  EXPECT_EQ(steps_of({{1, 0}, {2, 0}}), (std::vector<uint32_t>{3, 4}));
  // The read comes first: the write waits for it, and returns in step 5.
  EXPECT_EQ(steps_of({{2, 0}, {1, 0}}), (std::vector<uint32_t>{4, 4}));
  // An answer in the next step leaves no place but that of the call.
  trace.steps[1].detail.history = {{1, true, "WriteOk"}};
  trace.steps[4].detail.history.clear();
  EXPECT_EQ(steps_of({{2, 0}, {1, 0}}), (std::vector<uint32_t>{1, 1}));
}

TEST(LinearPoints, AreLeftOutWithoutStatesAndWhereNoPropertyAsksForThem) {
  const std::unique_ptr<Checkable> checkable = subject("abd-register");
  const Result<Trace> plain = record(*checkable, {}, {});
  ASSERT_TRUE(plain.ok());
  EXPECT_TRUE(plain->points.empty());
  const std::unique_ptr<Checkable> other = subject("regular-register");
  EXPECT_TRUE(random_run(*other, 1, 100).points.empty());
}

// Clients of a register whose operations take effect at random moments: their history, and the
// trace that tells of it. `wrong`: reads may return anything.
struct Played {
  Trace trace;
  History history;
};
Played play(uint64_t seed, bool wrong) {
  struct Client {
    int busy = 0;  // 0: idle, 1: has called, 2: has taken effect
    bool writes = false;
    int value = 0;
    uint32_t since = 0;  // the step of its last event
  };
  Rng rng(seed);
  Played out;
  std::vector<Client> clients(2 + rng.below(3));
  int content = 0;
  for (int i = 0; i < 40; ++i) {
    const size_t who = rng.below(clients.size());
    Client& client = clients[who];
    const int id = static_cast<int>(who) + 1;
    TraceStep step;
    const uint32_t now = static_cast<uint32_t>(i) + 1;
    step.causes = {client.since};
    step.detail.action.node = client.busy == 1 ? 9 : id;
    if (client.busy == 1) step.detail.action.from = id;
    const auto say = [&](bool is_return, const value::Any& what) {
      step.detail.history.push_back({id, is_return, value::show(what.tree())});
    };
    if (client.busy == 0) {
      client = {1, rng.below(2) == 0, static_cast<int>(1 + rng.below(3)), 0};
      const value::Any call = client.writes ? value::Any::of(reg::Write<int>{client.value})
                                            : value::Any::of(reg::Read{});
      EXPECT_TRUE(out.history.invoke(id, call).ok());
      say(false, call);
    } else if (client.busy == 1) {
      client.busy = 2;
      if (client.writes) content = client.value;
      if (!client.writes) client.value = wrong ? static_cast<int>(rng.below(4)) : content;
    } else {
      client.busy = 0;
      const value::Any result = client.writes ? value::Any::of(reg::WriteOk{})
                                              : value::Any::of(reg::ReadOk<int>{client.value});
      EXPECT_TRUE(out.history.ret(id, result).ok());
      say(true, result);
    }
    client.since = now;
    out.trace.steps.push_back(std::move(step));
  }
  return out;
}

TEST(LinearPoints, OfRandomHistoriesAreInAnOrderThatTheRegisterAllows) {
  size_t violated = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Played played = play(seed, seed % 2 == 1);
    const LinearResult result = linearizable<RegisterSpec<int>>(played.history);
    ASSERT_TRUE(result.ok || seed % 2 == 1);
    violated += !result.ok;
    played.trace.points = explore::points_of(played.trace, result.order);
    ASSERT_EQ(played.trace.points.size(), result.order.size());
    ASSERT_EQ(problem(played.trace, "0", result.ok), "") << "seed " << seed;
  }
  EXPECT_GT(violated, 100U);
}

TEST(OrderListener, HearsTheInnermostPredicateAndNothingAfterItsEnd) {
  History history;
  ASSERT_TRUE(history.invoke(1, value::Any::of(reg::Read{})).ok());
  ASSERT_TRUE(history.ret(1, value::Any::of(reg::ReadOk<int>{0})).ok());
  const Predicate predicate = linearizable<RegisterSpec<int>>();
  const auto& holds = std::get<Predicate::OverHistory>(predicate.form()).holds;
  EXPECT_TRUE(holds(history).ok());  // nobody listens
  const OrderListener outer;
  {
    const OrderListener inner;
    EXPECT_FALSE(inner.result());
    EXPECT_TRUE(holds(history).ok());
    ASSERT_TRUE(inner.result());
    EXPECT_EQ(inner.result()->order.size(), 1U);
  }
  EXPECT_FALSE(outer.result());
  EXPECT_TRUE(holds(history).ok());
  EXPECT_TRUE(outer.result());
}

}  // namespace
}  // namespace ordeal
