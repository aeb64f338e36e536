// The bytes that a check reports are those that its process took: whatever takes them.
#include <gtest/gtest.h>

#include <iostream>

#include "protocols/testing.h"
#include "tests/engine/memory/resident.h"
#include "tests/engine/memory/systems.h"

namespace ordeal::memory {
namespace {

using Run = std::function<Result<Report>(Options)>;

struct Kind {
  std::string name;
  Run run;
  Options options = {};
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

template <class Make>
Run of(Make make) {
  return [=](const Options& options) { return check(make(), options); };
}

Run of_subject(const std::string& name, const protocols::testing::Given& given) {
  return [=](const Options& options) -> Result<Report> {
    const auto subject = protocols::testing::build(name, given);
    if (!subject) return subject.error();
    return check(**subject, options);
  };
}

// A scenario that remembers the order in which everything came: another memory in every state.
struct Order {
  std::vector<uint32_t> nodes = std::vector<uint32_t>(30);
};

Run of_scenario() {
  return [](const Options& options) -> Result<Report> {
    const System system = tickers<Number>(2, 8, 1);
    Scenario scenario("the order is kept");
    const auto keep = [](const Event& event, ScenarioContext& context) {
      const Order* before = context.kept<Order>("order");
      Order order = before == nullptr ? Order() : *before;
      order.nodes.push_back(static_cast<uint32_t>(event.node.value));
      context.keep("order", std::move(order));
    };
    scenario.filter(when(is_event(EventKind::kTimer)).then(reaction("keep", keep)));
    const auto both = under(scenario, system);
    if (!both) return both.error();
    return check(**both, options);
  };
}

Options by(const std::string& strategy, int threads = 1) {
  Options options;
  options.strategy = strategy;
  options.threads = threads;
  return options;
}

Options by(const std::string& strategy, int threads, const std::function<void(Options&)>& change) {
  Options options = by(strategy, threads);
  change(options);
  return options;
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"Lists", of([] { return tickers<Lists>(1, 17, 2); }), by("bfs")},
      {"Trees", of([] { return tickers<Trees>(1, 15, 2); }), by("bfs")},
      {"Pairs", of([] { return pairs_of_states(5, 4); }), by("bfs")},
      {"PairsOnFourThreads", of([] { return pairs_of_states(5, 4); }), by("bfs", 4)},
      {"Parcels", of([] { return parcels(); }),
       by("bfs", 2, [](Options& o) { o.max_states = 200'000; })},
      {"Histories", of([] { return callers(2, 3); }), by("bfs")},
      {"Handlers", of([] { return readers(1000, 500); }), by("bfs")},
      {"HandlersOnThreeThreads", of([] { return readers(1000, 300); }), by("bfs", 3)},
      {"ARawModel", of([] { return piles(8, 4); }), by("bfs")},
      {"ARawModelOnTwoThreads", of([] { return piles(7, 5); }), by("bfs", 2)},
      {"ARawModelDepthFirst", of([] { return piles(8, 4); }), by("dfs")},
      {"AScenario", of_scenario(), by("bfs")},
      {"Raft", of_subject("raft", {{"terms", "2"}, {"clients", "2"}}),
       by("bfs", 2, [](Options& o) { o.max_states = 2'000'000; })},
      {"TheWholeOfPbft", of_subject("pbft", {{"drops", "1"}}), by("bfs")},
      {"SleepSets", of_subject("two-phase-commit", {{"rms", "8"}, {"form", "actors"}}),
       by("bfs", 1, [](Options& o) { o.reduce = "sleep"; })},
      {"WideFingerprints", of_subject("two-phase-commit", {{"rms", "8"}}),
       by("bfs", 2, [](Options& o) { o.wide_fingerprints = true; })},
      {"ASecondPassForCycles", of_subject("two-phase-commit", {{"rms", "8"}, {"form", "actors"}}),
       by("dfs", 2)},
      {"Symmetry", of([] {
         System system = tickers<Number>(2, 10, 2);
         system.alike<Ticker<Number>>();
         return system;
       }),
       by("bfs", 1, [](Options& o) { o.symmetry = true; })},
      {"EveryTrace", of_subject("multi-paxos", {{"nodes", "4"}}),
       by("dpor", 1, [](Options& o) { o.max_runs = 600'000; })},
      {"EveryPrefix", of_subject("raft", {{"network", "bag"}}),
       by("prefix", 1, [](Options& o) { o.pick = "random", o.max_runs = 100'000; })},
      {"RandomRuns", of_subject("raft", {{"terms", "4"}, {"clients", "2"}}),
       by("random", 1, [](Options& o) { o.max_runs = 150'000; })},
      {"RandomRunsThatRememberMuch", of([] { return tickers<Trees>(3, 40, 2); }),
       by("random", 1, [](Options& o) { o.max_runs = 4'000; })},
      {"Delays", of_subject("raft", {{"terms", "2"}}),
       by("delay", 1, [](Options& o) { o.delays = 6, o.max_runs = 150'000; })},
  };
  return all;
}

class Bytes : public testing::TestWithParam<Kind> {};

TEST_P(Bytes, AreThoseThatTheProcessTook) {
  if (!can_measure()) GTEST_SKIP() << "sanitizers take memory of their own";
  const Measured measured = measure([] { return GetParam().run(GetParam().options); });
  ASSERT_EQ(measured.error, "");
  constexpr double kMega = 1 << 20;
  const double counted = static_cast<double>(measured.counted) / kMega;
  const double resident = static_cast<double>(measured.resident) / kMega;
  std::cout << counted << " MiB counted, " << resident << " MiB taken, ratio " << counted / resident
            << " " << measured.bounds << "\n";
  constexpr double kNotCounted = 3;  // of the program, of stacks and of the allocator
  EXPECT_GE(resident, 4 * kNotCounted) << "too small to drown what is not counted";
  EXPECT_GE(counted + kNotCounted, 0.75 * resident);
  EXPECT_LE(counted, 1.5 * resident);
}

INSTANTIATE_TEST_SUITE_P(Of, Bytes, testing::ValuesIn(kinds()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ordeal::memory
