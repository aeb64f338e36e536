#include "protocols/rsl/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ordeal/predicate.h"
#include "protocols/rsl/replica.h"

namespace ordeal::protocols::rsl {
namespace {

const Decided& decided_of(const value::Any& decision) { return *decision.try_get<Decided>(); }

// No two replicas decide a decree differently, whatever became of them.
Outcome logs_are_consistent(const View& view) {
  std::map<Decree, std::pair<int, NodeId>> first;  // the value, and who decided it
  for (NodeId id : view.nodes()) {
    for (const value::Any& decision : view.decisions(id)) {
      const Decided& decided = decided_of(decision);
      const auto [known, is_new] = first.try_emplace(decided.decree, decided.value, id);
      const auto& [value, who] = known->second;
      if (is_new || value == decided.value || who == id) continue;
      return violated(fmt::format("decree {}: replica {} decided {}, replica {} decided {}",
                                  decided.decree, who.value, value, id.value, decided.value))
          .node(who)
          .node(id);
    }
  }
  return true;
}

// What a replica has decided stays, in what it says and in its log.
Outcome decided_for_good(const View& view) {
  for (NodeId id : view.nodes()) {
    std::map<Decree, int> values;
    const auto is_other = [&values](Decree decree, int value) {
      return values.try_emplace(decree, value).first->second != value;
    };
    const auto changed = [&](Decree decree, int value) {
      return violated(fmt::format("replica {} decided {} at decree {}, then {}", id.value,
                                  values.at(decree), decree, value))
          .node(id);
    };
    for (const value::Any& decision : view.decisions(id)) {
      const Decided& decided = decided_of(decision);
      if (is_other(decided.decree, decided.value)) return changed(decided.decree, decided.value);
    }
    if (!view.is<Replica>(id) || !view.up(id)) continue;
    for (const Vote& vote : view.node<Replica>(id).stable.log) {
      if (is_other(vote.decree, vote.value)) return changed(vote.decree, vote.value);
    }
  }
  return true;
}

// A replica decides decree 1 first, and none before the one below it.
Outcome decided_in_order(const View& view) {
  for (NodeId id : view.nodes()) {
    Decree last = 0;
    for (const value::Any& decision : view.decisions(id)) {
      const Decree decree = decided_of(decision).decree;
      if (decree > last + 1) {
        return violated(fmt::format("replica {} decided decree {} after decree {}", id.value,
                                    decree, last))
            .node(id);
      }
      last = std::max(last, decree);
    }
  }
  return true;
}

Outcome one_primary(const Replica& a, const Replica& b) {
  const bool both = a.state == State::kPrimary && b.state == State::kPrimary;
  if (!both || a.stable.max_ballot != b.stable.max_ballot) return true;
  return violated("two replicas are primary in ballot " + name_of(a.stable.max_ballot));
}

Outcome requests_are_decided(const View& view, int requests) {
  std::set<int> values;
  for (const value::Any& decision : view.decisions(1)) values.insert(decided_of(decision).value);
  for (int value = 1; value <= requests; ++value) {
    if (values.contains(value)) continue;
    return violated(fmt::format("replica 1 has not decided request {}", value)).node(1);
  }
  return true;
}

}  // namespace

void add_properties(System& system, const Promised& promised) {
  const int requests = promised.requests;
  system.always("log consistency", Predicate::Global{logs_are_consistent, Reads::kDecisions});
  system.always("validity", every_decision<Decided>([requests](const Decided& decided) {
                  return decided.value >= kNoOperation && decided.value <= requests;
                }));
  system.always("no gaps", Predicate::Global{decided_in_order, Reads::kDecisions});
  system.always("decided for good", decided_for_good);
  system.always("one primary", correct_pairs<Replica>(one_primary));
  if (promised.terminates) {
    system.eventually("requests are decided", [requests](const View& view) {
      return requests_are_decided(view, requests);
    });
  }
  system.sometimes("a primary", [](const View& view) {
    const std::vector<NodeId>& all = view.nodes();
    return std::any_of(all.begin(), all.end(), [&view](NodeId id) {
      return view.is<Replica>(id) && view.up(id) && view.node<Replica>(id).state == State::kPrimary;
    });
  });
  const auto decided = [](const View& view) -> Outcome {
    const std::vector<NodeId>& all = view.nodes();
    return std::any_of(all.begin(), all.end(),
                       [&view](NodeId id) { return !view.decisions(id).empty(); });
  };
  system.sometimes("a decree decided", Predicate::Global{decided, Reads::kDecisions});
}

}  // namespace ordeal::protocols::rsl
