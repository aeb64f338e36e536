// Strategies bfs and dfs: one search, in two orders.
#include "explore/search/search.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {
namespace {

Strategy search_strategy(Order order) {
  Strategy strategy;
  strategy.preserves = "everything";
  strategy.kept = claims_of_all(Kept::kYes, Kept::kRefused, Kept::kYes);
  strategy.needs_space = true;
  strategy.by_levels = order == Order::kBreadthFirst;
  strategy.explore = [order](Ground& ground, const Options& options) {
    return search(*ground.space(), order, options);
  };
  return strategy;
}

}  // namespace

Strategy bfs_strategy() {
  Strategy strategy = search_strategy(Order::kBreadthFirst);
  strategy.name = "bfs";
  strategy.what = "breadth-first search: every state, shortest counterexample";
  return strategy;
}

Strategy dfs_strategy() {
  Strategy strategy = search_strategy(Order::kDepthFirst);
  strategy.name = "dfs";
  strategy.what = "depth-first search: every state, little waiting memory";
  return strategy;
}

}  // namespace ordeal::explore
