// Filter distances with numbers that can be counted on one's fingers, and what is left of a
// scenario without one of its filters.
#include "ordeal/ablate.h"

#include <gtest/gtest.h>

#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/system.h"

namespace ordeal {
namespace {

using Kind = FilterDistance::Kind;

constexpr int kNodes = 4;
constexpr int kRounds = 6;

struct Round {
  int number = 0;
};

// A ring in rounds: every node sends to the next one, and goes on to the next round when it has
// heard from the one before it. So a round has as many messages as there are nodes.
struct Peer {
  using Messages = Types<Round>;
  int round = 1;
  void start(Context& ctx) { pass_on(ctx); }
  void on(Context& ctx, NodeId, const Round& heard) {
    round = heard.number + 1;
    if (round <= kRounds) pass_on(ctx);
    if (round == kRounds) ctx.decide(round);
  }

 private:
  void pass_on(Context& ctx) { ctx.send(ctx.self() % kNodes + 1, Round{round}); }
};

System ring() {
  System system;
  system.add<Peer>(kNodes);
  return system;
}

Condition of_round(int number, Where where = Where::current()) {
  return is_message<Round>([number](const Round& r) { return r.number == number; }, where);
}

std::vector<FilterDistance> distances(const Scenario& scenario) {
  const System system = ring();
  const auto result = filter_distances(scenario, system);
  EXPECT_TRUE(result.ok()) << result.error().message;
  return result ? *result : std::vector<FilterDistance>();
}

TEST(FilterDistance, IsTwoRoundsOfMessagesWhenReleasedTwoRoundsLater) {
  Scenario scenario("two rounds");
  // Captured when the first message of round 2 is sent, which is when the first of round 1 has been
  // received; released when the first of round 3 has.
  scenario.filter(when(is_send() && of_round(2)).then(hold("late")))
      .filter(when(is_receive() && of_round(3)).then(release("late")));
  const auto found = distances(scenario);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, Kind::kReorder);
  EXPECT_TRUE(found[0].captures);
  EXPECT_FALSE(found[0].infinite);
  EXPECT_EQ(found[0].release, 1);
  EXPECT_EQ(found[0].messages, 2U * kNodes);
  EXPECT_EQ(found[1].kind, Kind::kOther);
}

TEST(FilterDistance, CountsAsTheFiltersWould) {
  Scenario scenario("all of a round");
  // Released by the last message of round 2: rounds 1 and 2 have been received by then.
  scenario.filter(when(is_send() && of_round(1)).then(hold("late")))
      .filter(
          when(is_receive() && of_round(2) && counter("heard") == kNodes - 1).then(release("late")))
      .filter(when(is_receive() && of_round(2)).then(count("heard")));
  EXPECT_EQ(distances(scenario)[0].messages, 2U * kNodes);
  Scenario sized("as many as there are");
  sized.filter(when(is_send() && of_round(2)).then(hold("late")))
      .filter(when(is_receive() && set_size("late") == kNodes).then(release("late")));
  // The last of round 2 is sent, and counted, when the last of round 1 is received; the next
  // message received is one of round 2.
  EXPECT_EQ(distances(sized)[0].release, 1);
  EXPECT_EQ(distances(sized)[0].messages, 1U * kNodes);
}

TEST(FilterDistance, OfADropIsTheRestOfTheRun) {
  Scenario scenario("lost");
  scenario.filter(when(is_send() && of_round(2) && to(1)).then(drop()));
  const FilterDistance found = distances(scenario)[0];
  EXPECT_EQ(found.kind, Kind::kDrop);
  // It is sent by node 4, which hears last in each round: round 1 is over by then.
  EXPECT_EQ(found.messages, uint64_t{kNodes} * (kRounds - 1));
}

TEST(FilterDistance, OfWhatIsNeverReleasedIsTheRestOfTheRun) {
  Scenario scenario("kept");
  scenario.filter(when(is_send() && of_round(1)).then(hold("late")))
      .filter(when(is_receive() && of_round(kRounds + 1)).then(release("late")));
  const FilterDistance found = distances(scenario)[0];
  EXPECT_EQ(found.release, -1);
  EXPECT_EQ(found.messages, uint64_t{kNodes} * kRounds);
}

TEST(FilterDistance, OfWhatNoScheduleDoesIsInfinite) {
  Scenario scenario("invented");
  scenario.filter(when(is_send() && of_round(2)).then(mutate_field("number", 5)))
      .filter(when(is_receive() && of_round(1)).then(inject(1, 2, Round{9})))
      .filter(when(is_send() && of_round(3)).then(duplicate()))
      .filter(when(is_send() && of_round(4)).then(delay(3)))
      .filter(when(is_send() && of_round(77)).then(drop()));
  const auto found = distances(scenario);
  EXPECT_EQ(found[0].kind, Kind::kByzantine);
  EXPECT_TRUE(found[0].infinite);
  EXPECT_EQ(found[1].kind, Kind::kByzantine);
  EXPECT_TRUE(found[1].infinite);
  EXPECT_TRUE(found[1].captures);
  EXPECT_EQ(found[2].kind, Kind::kOther);
  EXPECT_TRUE(found[2].infinite);
  EXPECT_EQ(found[3].kind, Kind::kReorder);
  EXPECT_EQ(found[3].messages, 3U);
  EXPECT_FALSE(found[4].captures);
}

TEST(Ablate, TellsWhatEachFilterIsGoodFor) {
  const System system = ring();
  Scenario scenario("a message is lost");
  // What node 1 hears in round 5 began at node 4, and came by node 2 in round 2.
  scenario.filter(when(is_send() && of_round(2) && to(2)).then(drop(), count("lost")))
      .filter(when(is_send() && of_round(3) && to(1)).then(hold("late")))
      .filter(when(decides() && at(2) && counter("lost") < 2).then(release("late")))
      .machine(Machine("all wait")
                   .on("all wait", decides() && at(1), Machine::kFailure)
                   .on("all wait", ended(), Machine::kSuccess))
      .strategy("random")
      .iterations(20);
  const auto result = ablate(scenario, system);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->whole.verdict, Verdict::kHolds);
  ASSERT_EQ(result->rows.size(), 3U);
  EXPECT_EQ(result->rows[0].without->failures, 20U) << "nothing is lost, and node 1 decides";
  EXPECT_EQ(result->rows[0].without->filters[0].fired, 0U);
  EXPECT_EQ(result->rows[2].without->verdict, Verdict::kHolds);
  EXPECT_EQ(result->rows[0].text, show(scenario.declaration().filters[0]));
  EXPECT_EQ(result->rows[0].distance.kind, Kind::kDrop);
  EXPECT_EQ(result->bare->failures, 20U);
  for (const std::string& note : result->bare->notes) {
    EXPECT_EQ(note.find("never fired"), std::string::npos) << note;
  }
}

}  // namespace
}  // namespace ordeal
