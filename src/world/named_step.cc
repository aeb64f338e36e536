// Steps by what they are called, for subjects that cannot do better than list all.
#include <vector>

#include "ordeal/world.h"

namespace ordeal {

Result<std::optional<Choice>> Explorer::step_named(StateRef state, const NamedStep& step) {
  std::vector<Choice> choices;
  enumerate(state, choices);
  if (const std::string* why = trouble()) return Error{*why};
  const bool any = step.bindings.kind == value::Tree::Kind::kNull;
  for (const Choice& choice : choices) {
    const Action enabled = action(state, choice);
    if (enabled.type == step.name && (any || enabled.payload == step.bindings)) return {choice};
  }
  return std::optional<Choice>();
}

}  // namespace ordeal
