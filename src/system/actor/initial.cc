// Initial states: every node new, every request pending, then `start` on each, on every path of
// choose(n).
#include <algorithm>
#include <functional>

#include "system/actor/explorer.h"
#include "system/actor/space.h"

namespace ordeal::actor {

Working ActorExplorer::before_start() {
  const detail::Declaration& declaration = space_->declaration();
  Working working;
  Environment environment;
  environment.crashes = declaration.crashes;
  environment.recoveries = declaration.recoveries;
  environment.drops = declaration.drops;
  environment.duplicates = declaration.duplicates;
  environment.partitions = declaration.partition_budget;
  working.environment = space_->intern_environment(std::move(environment));
  working.history = space_->intern_history(History());
  for (uint32_t node = 0; node < space_->part_count(); ++node) {
    working.parts.push_back(space_->intern_part(space_->fresh_part(node)));
  }
  for (const auto& [id, request] : declaration.requests) {
    add_pending(working,
                space_->intern_event(ActionKind::kRequest, -1, space_->position_of(id), request));
  }
  return working;
}

Result<std::vector<StateSpace::Initial>> ActorSpace::initial() {
  ActorExplorer explorer(shared_from_this());
  const Working empty = explorer.before_start();
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
