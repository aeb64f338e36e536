// Initial states: every node new, every request pending, then `start` on each, on every path of
// choose(n).
#include <algorithm>
#include <functional>

#include "actor/explorer.h"
#include "actor/space.h"

namespace ordeal::actor {

Result<std::vector<StateSpace::Initial>> ActorSpace::initial() {
  ActorExplorer explorer(shared_from_this());
  Working empty;
  Environment environment;
  environment.crashes = declaration_->crashes;
  environment.recoveries = declaration_->recoveries;
  environment.drops = declaration_->drops;
  environment.duplicates = declaration_->duplicates;
  environment.partitions = declaration_->partition_budget;
  empty.environment = intern_environment(std::move(environment));
  empty.history = intern_history(History());
  for (uint32_t node = 0; node < part_count_; ++node) {
    empty.parts.push_back(intern_part(fresh_part(node)));
  }
  for (const auto& [id, request] : declaration_->requests) {
    explorer.add_pending(empty, intern_event(ActionKind::kRequest, -1, position_of(id), request));
  }

  std::vector<Initial> out;
  std::string failure;
  const std::function<void(const Working&, uint32_t, std::vector<uint32_t>)> start =
      [&](const Working& working, uint32_t node, std::vector<uint32_t> choices) {
        if (node == part_count_) {
          Initial state;
          explorer.pack(working, state.state);
          state.fingerprint = fingerprint(state.state);
          state.choices = std::move(choices);
          const bool known = std::any_of(out.begin(), out.end(), [&](const Initial& other) {
            return other.fingerprint == state.fingerprint;
          });
          if (!known) out.push_back(std::move(state));
          return;
        }
        const uint32_t event =
            intern_event(ActionKind::kStep, -1, static_cast<int>(node), value::Any());
        for (const HandlerOutcome& outcome : *outcomes(working.parts[node], event)) {
          Working next = working;
          const std::string why = explorer.perform(next, outcome, node);
          if (!why.empty()) {
            failure =
                "node " + std::to_string(id_of(static_cast<int>(node))) + " cannot start: " + why;
            return;
          }
          std::vector<uint32_t> path = choices;
          path.insert(path.end(), outcome.choices.begin(), outcome.choices.end());
          start(next, node + 1, std::move(path));
        }
      };
  start(empty, 0, {});
  if (!failure.empty()) return Error{failure};
  return out;
}

}  // namespace ordeal::actor
