// What can be wrong with the causal order that a learner sees, as functions that tell the first
// problem they see, or "".
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/rng.h"
#include "explore/learn/causal_order.h"
#include "tests/oracle/dpor/orders.h"
#include "tests/oracle/random/generator.h"

namespace ordeal::oracle::learning {

struct NaiveEvent {
  uint64_t label = 0;
  Footprint touch;
};

// The causes of event `e` by what they are, found by going back from it: who wrote last what it
// reads, who wrote last and has read since what it writes, who made what it takes.
inline std::set<size_t> naive_causes(const std::vector<NaiveEvent>& run, size_t e,
                                     const std::vector<std::set<size_t>>& causes) {
  const auto has = [](const std::vector<uint64_t>& all, uint64_t one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  std::set<size_t> out;
  if (run[e].touch.everything) {
    for (size_t i = 0; i < e; ++i) out.insert(i);
    for (size_t i = 0; i < e; ++i) {
      for (const size_t cause : causes[i]) out.erase(cause);
    }
    return out;
  }
  size_t floor = 0;
  for (size_t i = 0; i < e; ++i) {
    if (run[i].touch.everything) floor = i + 1;
  }
  if (floor > 0) out.insert(floor - 1);
  const auto go_back = [&](uint64_t resource, bool writes) {
    for (size_t i = e; i-- > floor;) {
      if (has(run[i].touch.writes, resource)) {
        out.insert(i);
        return;
      }
      if (writes && has(run[i].touch.reads, resource)) out.insert(i);
    }
  };
  for (const uint64_t resource : run[e].touch.reads) go_back(resource, false);
  for (const uint64_t resource : run[e].touch.writes) go_back(resource, true);
  for (const Footprint::Taken& taken : run[e].touch.takes) {
    size_t younger = taken.present;
    for (size_t i = e; i-- > 0 && younger > 0;) {
      const auto& adds = run[i].touch.adds;
      const auto made = static_cast<size_t>(std::count(adds.begin(), adds.end(), taken.thing));
      if (made >= younger) out.insert(i);
      younger -= std::min(made, younger);
    }
  }
  return out;
}

inline uint64_t naive_layer(const std::vector<NaiveEvent>& run,
                            const std::vector<std::set<size_t>>& causes, size_t e, uint32_t left,
                            bool all) {
  uint64_t sum = 0;
  if (all || left > 1) {
    for (const size_t cause : causes[e]) {
      sum += mix64(naive_layer(run, causes, cause, left - 1, all));
    }
  }
  return combine(run[e].label, sum);
}

inline uint64_t naive_summary(const std::vector<NaiveEvent>& run, uint32_t depth) {
  std::vector<std::set<size_t>> causes;
  std::set<size_t> last;
  for (size_t e = 0; e < run.size(); ++e) {
    causes.push_back(naive_causes(run, e, causes));
    last.insert(e);
    for (const size_t cause : causes[e]) last.erase(cause);
  }
  uint64_t sum = 0;
  for (const size_t e : last) sum += mix64(naive_layer(run, causes, e, depth, depth == 0));
  return mix64(sum);
}

// Random steps that touch a few things.
inline std::string problem_with_causal_order(uint64_t rounds) {
  for (uint64_t seed = 0; seed < rounds; ++seed) {
    Rng rng(seed);
    const uint32_t depth = static_cast<uint32_t>(rng.below(4));
    explore::CausalOrder order(depth);
    std::vector<NaiveEvent> run;
    std::map<uint64_t, uint32_t> there;
    for (int i = 0; i < 12; ++i) {
      NaiveEvent event{1 + rng.below(5), {}};
      event.touch.everything = rng.below(12) == 0;
      for (uint64_t resource = 0; resource < 4 && !event.touch.everything; ++resource) {
        const uint64_t how = rng.below(6);
        if (how == 0) event.touch.writes.push_back(resource);
        if (how == 1) event.touch.reads.push_back(resource);
      }
      const uint64_t thing = 100 + rng.below(2);
      if (!event.touch.everything && rng.below(3) == 0) {
        event.touch.adds.push_back(thing);
        ++there[thing];
      } else if (!event.touch.everything && there[thing] > 0 && rng.below(2) == 0) {
        event.touch.takes.push_back({thing, there[thing]--});
      }
      order.add(event.label, event.touch);
      run.push_back(std::move(event));
      if (order.summary() == naive_summary(run, depth)) continue;
      return fmt::format(
          "seed {}, depth {}, after {} steps: the order is summed up in another "
          "number than by going back from each",
          seed, depth, run.size());
    }
  }
  return "";
}

struct CausesCount {
  uint64_t systems = 0;
  uint64_t runs = 0;
  uint64_t orders = 0;
  uint64_t told_apart = 0;  // systems all of whose orders have numbers of their own
};

// All runs of small random systems: those that become each other by swaps of neighbours that are
// independent have one number, at every depth.
inline std::string problem_with_swaps(uint64_t systems, CausesCount& count) {
  for (uint64_t seed = 0; seed < systems; ++seed) {
    const Case item = generate(seed);
    if (item.system.constrained()) continue;
    const auto space = item.system.space();
    AllRuns runs(*space, 400, 14);
    if (!runs.enumerate() || !runs.problem().empty()) continue;
    const auto explorer = space->explorer();
    explorer->watch_properties();
    const auto initial = space->initial();
    bool has_supplies = false;
    bool has_failures = false;
    std::vector<std::map<size_t, uint64_t>> known(4);  // by depth, of each order
    for (const std::vector<uint64_t>& keys : runs.all()) {
      std::vector<explore::CausalOrder> orders;
      for (uint32_t depth = 0; depth < 4; ++depth) orders.emplace_back(depth);
      std::vector<uint32_t> state = (*initial)[keys[0]].state;
      for (size_t i = 1; i < keys.size() && !has_failures; ++i) {
        std::vector<Choice> choices;
        explorer->enumerate(state, choices);
        const auto at = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
          return explorer->key(state, choice) == keys[i];
        });
        if (at == choices.end()) return fmt::format("seed {}: a run cannot be made again", seed);
        has_failures = at->fails;
        if (has_failures) break;
        Footprint touch;
        explorer->footprint(state, *at, touch);
        has_supplies = has_supplies || !touch.spends.empty();
        for (explore::CausalOrder& order : orders) order.add(keys[i], touch);
        std::vector<uint32_t> next;
        explorer->apply(state, explorer->fingerprint(state), *at, next);
        state = std::move(next);
      }
      if (has_failures) break;
      const size_t order = *runs.order_of(keys);
      for (size_t depth = 0; depth < 4; ++depth) {
        const auto [one, is_new] = known[depth].try_emplace(order, orders[depth].summary());
        if (one->second == orders[depth].summary()) continue;
        return fmt::format("seed {}, depth {}: two runs of one partial order have two numbers",
                           seed, depth);
      }
    }
    if (has_failures || (*initial).size() > 1) continue;
    ++count.systems;
    count.runs += runs.runs();
    count.orders += runs.orders();
    std::set<uint64_t> numbers;
    for (const auto& [order, number] : known[0]) numbers.insert(number);
    if (numbers.size() == known[0].size()) {
      ++count.told_apart;
    } else if (!has_supplies) {
      return fmt::format("seed {}: {} partial orders have {} numbers", seed, known[0].size(),
                         numbers.size());
    }
  }
  return "";
}

}  // namespace ordeal::oracle::learning
