// Definitions as predicates: what waypoints of a specification are made of.
#include <algorithm>

#include "language/tla/model/explorer.h"

namespace ordeal::tla {
namespace {

constexpr size_t kMostParameters = 3;

}  // namespace

// Every definition of the root about a state, whose parameters, if there are any, may be numbers.
// Whether it says true or false is known when it is asked.
Steering TlaSystem::steering() const {
  Specification& spec = space_->specification();
  Steering out;
  for (const Unit& unit : spec.modules().root().module->units) {
    const bool is_plain = unit.kind == UnitKind::kOperator && !unit.local &&
                          unit.params.size() <= kMostParameters &&
                          std::all_of(unit.params.begin(), unit.params.end(),
                                      [](const Param& param) { return param.arity == 0; });
    const bool is_word =
        !unit.name.empty() && std::isalpha(static_cast<unsigned char>(unit.name[0]));
    if (!is_plain || !is_word) continue;
    try {
      const Operator* const op = spec.compiler().find(unit.name, unit.params.size());
      if (op == nullptr || op->level != Level::kState) continue;
    } catch (const CompileError&) {
      continue;  // nobody uses it
    }
    out.predicates.push_back(
        {unit.name, "a definition of " + spec.name(), static_cast<uint32_t>(unit.params.size())});
  }
  return out;
}

Result<uint32_t> TlaExplorer::predicate(const std::string& text) {
  auto expression = spec_.expression(text);
  if (!expression) return expression.error();
  if ((*expression)->closed.node->level > Level::kState) {
    return Error{text + " is about more than one state"};
  }
  machine_.grow_constants(spec_.compiler().constants());
  predicates_.push_back(*std::move(expression));
  return static_cast<uint32_t>(predicates_.size() - 1);
}

bool TlaExplorer::holds(StateRef state, uint32_t predicate) {
  const Compiler::Closed& closed = predicates_[predicate]->closed;
  bool holds = false;
  tried([&] {
    ask(state);
    holds = closed.node->truth(machine_, machine_.frame(nullptr, closed.layout->slots));
  });
  return holds;
}

}  // namespace ordeal::tla
