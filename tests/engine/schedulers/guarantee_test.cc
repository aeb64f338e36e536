// What PCTCP promises, over all partial orders of at most 6 events and bugs of depth at most 3.
#include "tests/engine/schedulers/guarantee.h"

#include <gtest/gtest.h>

#include <utility>

namespace ordeal::oracle::schedulers {
namespace {

using explore::Draw;

constexpr int kMostEvents = 6;
constexpr int kDeepest = 3;

TEST(Posets, AreAllThereAre) {
  const std::vector<size_t> known = {1, 2, 5, 16, 63, 318};  // OEIS A000112
  for (int size = 1; size <= kMostEvents; ++size) {
    EXPECT_EQ(posets(size).size(), known[static_cast<size_t>(size - 1)]) << size << " elements";
  }
}

TEST(Binomial, TailsAreThoseOfTheTables) {
  EXPECT_NEAR(binomial_tail(10, 2, 0.5), 0.0546875, 1e-12);
  EXPECT_NEAR(binomial_tail(20, 0, 0.1), 0.1215766546, 1e-9);
  EXPECT_NEAR(binomial_tail(1000, 1000, 0.3), 1.0, 1e-9);
}

TEST(StronglyHits, AsksThatOnlyWhatMustComeLaterComesLater) {
  // 0 before 2; 1 is by itself.
  const Poset poset{3, {0, 0, 1}};
  EXPECT_TRUE(strongly_hits(poset, {1, 0, 2}, {0}));
  EXPECT_FALSE(strongly_hits(poset, {0, 1, 2}, {0}));  // 1 could have come before
  EXPECT_TRUE(strongly_hits(poset, {0, 1, 2}, {1, 2}));
  EXPECT_TRUE(strongly_hits(poset, {0, 2, 1}, {0, 1}));
  EXPECT_FALSE(strongly_hits(poset, {0, 1, 2}, {0, 1}));  // 2 could have come before 1
  EXPECT_FALSE(strongly_hits(poset, {0, 2, 1}, {0, 2}));
  EXPECT_FALSE(strongly_hits(poset, {1, 0, 2}, {0, 1}));  // the other way round
}

TEST(Pctcp, HitsEveryListAsOftenAsPromised) {
  for (int depth = 1; depth <= kDeepest; ++depth) {
    EXPECT_EQ(broken_promise(schedule_by_pctcp, kMostEvents, depth), "") << "depth " << depth;
  }
}

// Deeper bugs of fewer events: there is more to be drawn.
TEST(Pctcp, HitsEveryListAsOftenAsPromisedCountedOut) {
  EXPECT_EQ(broken_promise_exactly(schedule_by_pctcp, 6, 1), "");
  EXPECT_EQ(broken_promise_exactly(schedule_by_pctcp, 5, 2), "");
  EXPECT_EQ(broken_promise_exactly(schedule_by_pctcp, 4, 3), "");
}

// The algorithm as it is published: chains by a fixed rule, from what becomes possible in a fixed
// order.
struct Published {
  Schedule operator()(const Poset& poset, int depth, const Draw& draw) const {
    const auto points = explore::draw_points(static_cast<uint64_t>(depth - 1),
                                             static_cast<uint64_t>(poset.size), draw);
    std::vector<int> last;                  // by chain: its last event
    std::vector<std::vector<int>> groups;   // group i has at most i + 1 chains
    std::vector<std::pair<int, int>> rank;  // by chain: how often lowered, then its place
    std::vector<int> chain_of(poset.size);
    uint64_t number = 0;
    Unfolding run(poset);
    while (!run.is_over()) {
      for (const int event : run.fresh()) {
        const int chain = first_fit(poset, event, groups, last);
        chain_of[event] = chain;
        if (chain == static_cast<int>(rank.size())) {
          const int place = static_cast<int>(draw(rank.size() + 1));
          for (auto& other : rank) other.second += other.second >= place ? 1 : 0;
          rank.emplace_back(0, place);
        }
        const auto point = std::find(points.begin(), points.end(), number++);
        if (point == points.end()) continue;
        rank[chain].first = 1 + static_cast<int>(point - points.begin());
      }
      run.happen(*std::min_element(run.possible().begin(), run.possible().end(), [&](int a, int b) {
        return rank[chain_of[a]] < rank[chain_of[b]];
      }));
    }
    return run.schedule();
  }

 private:
  static int first_fit(const Poset& poset, int event, std::vector<std::vector<int>>& groups,
                       std::vector<int>& last) {
    for (size_t i = 0;; ++i) {
      if (i == groups.size()) groups.emplace_back();
      std::vector<int>& group = groups[i];
      const auto found = std::find_if(group.begin(), group.end(),
                                      [&](int c) { return poset.is_below(last[c], event); });
      if (found == group.end() && group.size() > i) continue;
      int chain = static_cast<int>(last.size());
      if (found != group.end()) {
        chain = *found;
        group.erase(found);
      } else {
        last.push_back(event);
      }
      last[chain] = event;
      if (i > 0) std::swap(groups[i - 1], group);
      group.push_back(chain);
      return chain;
    }
  }
};

// As it should be, but at a change point two chains swap their priorities.
Schedule schedule_by_swapping(const Poset& poset, int depth, const Draw& draw) {
  const auto points = explore::draw_points(static_cast<uint64_t>(depth - 1),
                                           static_cast<uint64_t>(poset.size), draw);
  explore::Chains chains;
  std::vector<uint32_t> order;  // chains, the first first
  std::vector<explore::Chains::Place> places(poset.size);
  uint64_t number = 0;
  Unfolding run(poset);
  const auto place_in_order = [&](int event) {
    return std::find(order.begin(), order.end(), places[event].chain);
  };
  while (!run.is_over()) {
    std::vector<int> fresh = run.fresh();
    for (size_t i = fresh.size(); i > 1; --i) std::swap(fresh[i - 1], fresh[draw(i)]);
    for (const int event : fresh) {
      explore::Clock past;
      for (int e = 0; e < poset.size; ++e) {
        if (poset.is_below(e, event)) explore::add_to(past, places[e]);
      }
      places[event] = chains.add(past, draw);
      if (places[event].is_first()) {
        const auto at = static_cast<std::ptrdiff_t>(draw(order.size() + 1));
        order.insert(order.begin() + at, places[event].chain);
      }
      if (std::find(points.begin(), points.end(), number++) != points.end()) {
        std::swap(*place_in_order(event), order[draw(order.size())]);
      }
    }
    run.happen(*std::min_element(run.possible().begin(), run.possible().end(), [&](int a, int b) {
      return place_in_order(a) < place_in_order(b);
    }));
  }
  return run.schedule();
}

Schedule schedule_by_walking(const Poset& poset, int, const Draw& draw) {
  Unfolding run(poset);
  while (!run.is_over()) {
    run.fresh();
    run.happen(run.possible()[draw(run.possible().size())]);
  }
  return run.schedule();
}

TEST(TheTest, RejectsSwappingInsteadOfLowering) {
  EXPECT_NE(broken_promise(schedule_by_swapping, kMostEvents, 3), "");
}

// What becomes possible when depends on the priorities, and the chains depend on that: the last of
// these five events is only ever put into a chain that does not wait.
TEST(TheTest, RejectsChainsByAFixedRule) {
  EXPECT_EQ(broken_promise_exactly(Published{}, 4, 1), "");
  EXPECT_NE(broken_promise_exactly(Published{}, 5, 1).find("list 4: hit with probability 0.000000"),
            std::string::npos);
  EXPECT_NE(broken_promise(Published{}, 5, 1), "");
}

TEST(TheTest, RejectsARandomWalk) {
  std::string broken;
  for (int depth = 1; depth <= kDeepest && broken.empty(); ++depth) {
    broken = broken_promise(schedule_by_walking, kMostEvents, depth);
  }
  EXPECT_NE(broken, "");
}

}  // namespace
}  // namespace ordeal::oracle::schedulers
