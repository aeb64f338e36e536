#include "ordeal/scenario.h"

#include <fmt/format.h>

#include <algorithm>

#include "system/scenario/evaluator.h"

namespace ordeal {

// --- Machine ------------------------------------------------------------------------------------

Machine::Machine(std::string start, Where where) : where_(where) { number_of(start); }

int Machine::find(const std::string& state) const {
  const auto at = std::find_if(states_.begin(), states_.end(),
                               [&](const State& known) { return known.name == state; });
  return at == states_.end() ? -1 : static_cast<int>(at - states_.begin());
}

uint32_t Machine::number_of(const std::string& state) {
  const int known = find(state);
  if (known >= 0) return static_cast<uint32_t>(known);
  const Kind kind = state == kSuccess   ? Kind::kSuccess
                    : state == kFailure ? Kind::kFailure
                                        : Kind::kPlain;
  states_.push_back({state, kind});
  return static_cast<uint32_t>(states_.size()) - 1;
}

Machine& Machine::on(const std::string& from, Condition condition, const std::string& to,
                     Where where) {
  const uint32_t source = number_of(from);
  transitions_.push_back({source, number_of(to), std::move(condition), where});
  return *this;
}

namespace {

// One that already means the opposite is there twice from then on: validate() refuses it.
void mean(std::vector<Machine::State>& states, uint32_t state, Machine::Kind kind) {
  const bool contradicts =
      states[state].kind != Machine::Kind::kPlain && states[state].kind != kind;
  if (contradicts) {
    states.push_back({states[state].name, kind});
  } else {
    states[state].kind = kind;
  }
}

}  // namespace

Machine& Machine::success(const std::string& state) {
  mean(states_, number_of(state), Kind::kSuccess);
  return *this;
}

Machine& Machine::failure(const std::string& state) {
  mean(states_, number_of(state), Kind::kFailure);
  return *this;
}

// --- Scenario -----------------------------------------------------------------------------------

std::string show(const Expect& expect) {
  switch (expect.kind()) {
    case Expect::Kind::kAlways:
      return "every run succeeds";
    case Expect::Kind::kNever:
      return "no run succeeds";
    case Expect::Kind::kAtLeast:
      return fmt::format("at least {} runs succeed", expect.runs());
  }
  return "";
}

Scenario::Scenario(std::string name, Where where) {
  declaration_.name = std::move(name);
  declaration_.where = where;
}

Scenario& Scenario::what(std::string line) {
  declaration_.what = std::move(line);
  return *this;
}

Scenario& Scenario::filter(Filter filter) {
  declaration_.filters.push_back(std::move(filter));
  return *this;
}

Scenario& Scenario::isolate(Who node, Where where) {
  return filter({is_send(where) && (from(node, where) || to(node, where)), {drop(where)}, where});
}

Scenario& Scenario::machine(Machine machine) {
  declaration_.machine = {std::move(machine)};
  return *this;
}

Who Scenario::draw(std::string name, std::vector<NodeId> among, Where where) {
  declaration_.draws.push_back({name, std::move(among), where});
  return Who::drawn(std::move(name));
}

Scenario& Scenario::draw_number(std::string name, uint32_t below, Where where) {
  declaration_.numbers.push_back({std::move(name), below, where});
  return *this;
}

Partition Scenario::partition(std::string name, std::vector<int> sizes, Where where) {
  declaration_.partitions.push_back({name, std::move(sizes), {}, where});
  return Partition(std::move(name));
}

Partition Scenario::partition(std::string name, std::vector<std::vector<NodeId>> parts,
                              Where where) {
  declaration_.partitions.push_back({name, {}, std::move(parts), where});
  return Partition(std::move(name));
}

Scenario& Scenario::script(std::vector<std::string> actions, Where where) {
  declaration_.script = std::move(actions);
  declaration_.script_where = where;
  return *this;
}

Scenario& Scenario::starts_in(uint32_t initial) {
  declaration_.starts_in = initial;
  return *this;
}

Scenario& Scenario::faults(Faults faults) {
  declaration_.faults = faults;
  return *this;
}

Scenario& Scenario::require(std::string property, Where where) {
  declaration_.required.emplace_back(std::move(property), where);
  return *this;
}

Scenario& Scenario::strategy(std::string name) {
  declaration_.strategy = std::move(name);
  return *this;
}

Scenario& Scenario::iterations(uint64_t runs) {
  declaration_.iterations = runs;
  return *this;
}

Scenario& Scenario::max_steps(uint32_t steps) {
  declaration_.max_steps = steps;
  return *this;
}

Scenario& Scenario::ends_after(uint32_t steps) {
  declaration_.ends_after = steps;
  return *this;
}

Scenario& Scenario::expect(Expect expectation) {
  declaration_.expectation = expectation;
  return *this;
}

Scenario Scenario::without_filter(size_t index) const {
  Scenario out = *this;
  out.declaration_.filters.erase(out.declaration_.filters.begin() +
                                 static_cast<std::ptrdiff_t>(index));
  return out;
}

Scenario Scenario::without_filters() const {
  Scenario out = *this;
  out.declaration_.filters.clear();
  return out;
}

Result<void> is_value(const Scenario& scenario) {
  const monitor::Lexicon lexicon(scenario.declaration(), {});
  const auto refuse = [](const Where& where, const std::string& name) {
    return Error{std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": \"" +
                 name +
                 "\" is not const: it remembers something that is no part of the scenario's "
                 "context, so that states cannot be told apart; keep it in the context "
                 "(ScenarioContext::keep), or use a strategy that runs from the start"};
  };
  for (const Condition& own : lexicon.own_conditions()) {
    if (!own.node().is_value) return refuse(own.node().where, own.node().name);
  }
  for (const Reaction& own : lexicon.own_reactions()) {
    if (!own.node().is_value) return refuse(own.node().where, own.node().name);
  }
  return {};
}

}  // namespace ordeal
