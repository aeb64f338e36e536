// The portfolio: who gets which run, counted again; what it tells; whom it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "ordeal/model.h"
#include "ordeal/report.h"
#include "protocols/cube_world/cube_world.h"
#include "protocols/suite.h"
#include "suite/choose.h"
#include "tests/oracle/learning/watched.h"

namespace ordeal::oracle::learning {
namespace {

namespace portfolio {

using protocols::cube_world::CubeWorld;

Model<CubeWorld> cubes() {
  CubeWorld world;
  world.cubes = 4;
  world.width = world.breadth = 5;
  world.depth = 3;
  return protocols::cube_world::model(world);
}

Options of(const std::string& members, uint64_t runs,
           std::map<std::string, std::string> settings = {}) {
  Options options;
  options.strategy = "portfolio";
  options.system = "cubes";
  options.max_runs = runs;
  options.max_depth = 60;
  options.strategy_options = std::move(settings);
  if (!members.empty()) options.strategy_options["members"] = members;
  return options;
}

Report checked(const Checkable& subject, const Options& options) {
  const Result<Report> report = check(subject, options);
  EXPECT_TRUE(report) << (report ? "" : report.error().message);
  return report ? *report : Report();
}

TEST(Portfolio, OfOneMemberIsThatMember) {
  for (const char* member : {"random", "pct", "pos", "delay", "prefix", "bonusmax", "negrl"}) {
    Options alone = of("", 40);
    alone.strategy = member;
    alone.seed = 5;
    Options led = of(member, 40);
    led.seed = 5;
    const Report one = checked(cubes(), alone);
    const Report other = checked(cubes(), led);
    EXPECT_EQ(one.distinct_states, other.distinct_states) << member;
    EXPECT_EQ(one.transitions, other.transitions) << member;
    EXPECT_EQ(one.runs, other.runs) << member;
    ASSERT_EQ(other.members.size(), 1U);
    EXPECT_EQ(other.members[0].runs, one.runs) << member;
    EXPECT_EQ(other.members[0].steps, one.transitions) << member;
    EXPECT_EQ(other.members[0].new_states, one.distinct_states) << member;
    EXPECT_EQ(other.members[0].learning.has_value(), one.learning.has_value()) << member;
    if (one.learning) {
      EXPECT_EQ(other.members[0].learning->coverage, one.learning->coverage);
    }
  }
}

struct RunMade {
  std::string member;
  double steps = 0;
  double gain = 0;
};

class Bookkeeper : public explore::RunObserver {
 public:
  explicit Bookkeeper(const explore::Scheduler& scheduler) : scheduler_(scheduler) {}
  bool arrive(const explore::Arrival& at) override {
    if (at.is_new) ++now_.gain;
    return true;
  }
  void step(const explore::StepTaken&) override { ++now_.steps; }
  void end(World&, const ShortForm&, explore::RunEnd) override {
    now_.member = scheduler_.member();
    made.push_back(std::exchange(now_, {}));
  }
  std::vector<RunMade> made;

 private:
  const explore::Scheduler& scheduler_;
  RunMade now_;
};

// Each index from all runs before, as the document has it.
double naive_index(const std::vector<RunMade>& made, size_t now, const std::string& member,
                   const std::vector<std::string>& members, double curiosity, double recall) {
  std::map<std::string, double> runs;
  std::map<std::string, double> steps;
  std::map<std::string, double> gain;
  double all = 0;
  for (size_t i = 0; i < now; ++i) {
    const double weight = std::pow(recall, static_cast<double>(now - 1 - i));
    runs[made[i].member] += weight;
    steps[made[i].member] += weight * std::max(1.0, made[i].steps);
    gain[made[i].member] += weight * made[i].gain;
    all += weight;
  }
  double best = 0;
  for (const std::string& one : members) best = std::max(best, gain[one] / steps[one]);
  const double share = best > 0 ? gain[member] / steps[member] / best : 0;
  return share + curiosity * std::sqrt(std::log(std::max(1.0, all)) / runs[member]);
}

TEST(Portfolio, GivesEachRunToTheLargestIndex) {
  const std::vector<std::string> members = {"random", "ucbzero", "pct", "bonusmax"};
  const auto subject = cubes();
  const auto world = subject.world();
  const auto scheduler = scheduler_of(
      subject, of("random,ucbzero,pct,bonusmax", 0, {{"curiosity", "0.3"}, {"recall", "0.97"}}),
      *world);
  Bookkeeper books(*scheduler);
  watch_runs(*world, *scheduler, books, 300, 60);
  ASSERT_EQ(books.made.size(), 300U);
  for (size_t now = 0; now < 300; ++now) {
    const std::string& picked = books.made[now].member;
    if (now < members.size()) {
      EXPECT_EQ(picked, members[now]);
      continue;
    }
    const double index = naive_index(books.made, now, picked, members, 0.3, 0.97);
    for (const std::string& other : members) {
      EXPECT_GE(index, naive_index(books.made, now, other, members, 0.3, 0.97) - 1e-9)
          << now << ": " << picked << " and not " << other;
    }
  }
}

TEST(Portfolio, GivesMoreRunsToWhoBringsMore) {
  // UCBZero repeats its first run for long.
  const Report report = checked(protocols::cube_world::model({}), of("ucbzero,random", 400));
  ASSERT_EQ(report.members.size(), 2U);
  EXPECT_GT(report.members[1].runs, 2 * report.members[0].runs);
  EXPECT_GT(report.members[0].runs, 5U);  // nobody is forgotten
}

TEST(Portfolio, TellsWhatEachMemberBrought) {
  const Report report = checked(cubes(), of("", 100));
  ASSERT_EQ(report.members.size(), 5U);
  uint64_t runs = 0;
  uint64_t steps = 0;
  uint64_t states = 0;
  for (const PortfolioMember& member : report.members) {
    runs += member.runs;
    steps += member.steps;
    states += member.new_states;
  }
  EXPECT_EQ(runs, report.runs);
  EXPECT_EQ(steps, report.transitions);
  EXPECT_EQ(states, report.distinct_states);
  const std::string text = to_text(report);
  EXPECT_NE(text.find("members     random: "), text.npos) << text;
  const std::string json = to_json(report);
  EXPECT_NE(json.find("\"new_states\": " + std::to_string(report.members[0].new_states)),
            json.npos);
}

TEST(Portfolio, IsTheSameForTheSameSeedAndOnlyForThat) {
  const auto seeded = [](uint64_t seed) {
    Options options = of("", 60);
    options.seed = seed;
    const Report report = checked(cubes(), options);
    std::vector<uint64_t> out = {report.distinct_states, report.transitions};
    for (const PortfolioMember& member : report.members) out.push_back(member.runs);
    return out;
  };
  EXPECT_EQ(seeded(1), seeded(1));
  EXPECT_NE(seeded(1), seeded(2));
}

TEST(Portfolio, EndsWhenAllItsMembersHaveNoMoreRuns) {
  const Report report =
      checked(cubes(), of("bonusmax,uniform", 0, {{"episodes", "30"}, {"horizon", "10"}}));
  EXPECT_EQ(report.runs, 60U);
  EXPECT_TRUE(report.ended_by(Bound::Kind::kPart));
  EXPECT_EQ(report.members[0].runs, 30U);
}

TEST(Portfolio, CountsCoverageOfAllItsRunsAndKeepsTheWaypointsOfItsMembers) {
  const Report report =
      checked(cubes(), of("random,waypoint", 200,
                          {{"waypoints", "cube-3"}, {"horizon", "40"}, {"measure", "default"}}));
  ASSERT_TRUE(report.learning);
  EXPECT_EQ(report.learning->coverage, report.distinct_states);
  ASSERT_TRUE(report.members[1].learning);
  EXPECT_EQ(report.members[1].learning->waypoints.size(), 3U);
  EXPECT_FALSE(report.members[0].learning);
}

TEST(Portfolio, TellsWhichMemberFoundAViolationAndItsTraceReplays) {
  const Suite suite = protocols::suite();
  const auto chosen = choose(
      suite, {.system = "raft",
              .parameters = {{"terms", "3"}, {"candidates", "0"}, {"bug", "vote-keeps-term"}}});
  ASSERT_TRUE(chosen) << chosen.error().message;
  Options options = of("random,pct,uniform,bonusmax", 3000);
  options.max_depth = 0;
  chosen->label(options);
  const Report report = checked(*chosen->checkable, options);
  ASSERT_EQ(report.verdict, Verdict::kViolated);
  const std::string who = report.violations[0].by;
  EXPECT_TRUE(std::any_of(report.members.begin(), report.members.end(),
                          [&](const PortfolioMember& one) { return one.strategy == who; }))
      << who;
  const std::string text = to_text(report);
  EXPECT_NE(text.find("found by " + who), text.npos) << text;
  EXPECT_NE(text.find("; found " + report.violations[0].property), text.npos) << text;
  EXPECT_NE(to_json(report).find("\"by\": \"" + who + "\""), std::string::npos);
  const auto again = replay(*chosen->checkable, *report.violations[0].trace);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->reproduced) << again->why;
}

TEST(Portfolio, RefusesWhoCannotBeAMember) {
  const auto message = [](const Options& options) {
    const auto report = check(cubes(), options);
    return report ? std::string("accepted") : report.error().message;
  };
  const auto refuses = [&](const Options& options, const std::string& why) {
    const std::string said = message(options);
    EXPECT_NE(said.find(why), std::string::npos) << said;
  };
  refuses(of("random,bfs", 10),
          "bfs does not pick runs step by step; there are prefix, random, pct");
  refuses(of("portfolio", 10), "a portfolio is no member of one");
  refuses(of("randm,pct", 10), "did you mean 'random'");
  refuses(of("random,random", 10), "random is named twice");
  refuses(of("random,,pct", 10), "unknown strategy");
  refuses(of("random,waypoint", 10), "strategy waypoint needs to be told where to");
  refuses(of("bonusmax,negrl", 10, {{"table", "/tmp/t"}}), "a table is of one learner");
  refuses(of("random", 10, {{"confidence", "0.9"}}), "not for portfolio");
  refuses(of("random", 10, {{"recall", "0.2"}}), "recall");
}

TEST(Portfolio, SaysWhatIsOfNoUseToItsMembers) {
  const Report useless = checked(cubes(), of("random,pct", 10, {{"alpha", "0.5"}}));
  ASSERT_FALSE(useless.notes.empty());
  EXPECT_EQ(useless.notes.back(), "of no use to any of its members: --alpha");
  for (const std::string& note :
       checked(cubes(), of("random,bonusmax", 10, {{"alpha", "0.5"}})).notes) {
    EXPECT_EQ(note.find("of no use"), std::string::npos) << note;
  }
}

}  // namespace portfolio
}  // namespace
}  // namespace ordeal::oracle::learning
