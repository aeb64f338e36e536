#include <fmt/format.h>

#include <algorithm>

#include "base/mutant.h"
#include "base/text.h"
#include "system/scenario/product.h"

namespace ordeal::monitor {

Verdicts::Verdicts(const Scenario::Declaration& scenario, const std::vector<Property>& system) {
  const auto add = [&](Property property, uint32_t number) {
    properties.push_back(std::move(property));
    of_system.push_back(number);
    return static_cast<uint32_t>(properties.size()) - 1;
  };
  for (uint32_t i = 0; i < system.size(); ++i) {
    const bool is_required =
        std::any_of(scenario.required.begin(), scenario.required.end(),
                    [&](const auto& required) { return required.first == system[i].name; });
    // What must come about in the end may well not under the filters, unless it was asked for.
    const bool counts = is_required && !mutant(Mutant::kRequiredForgotten);
    if (system[i].kind == PropertyKind::kAlways || counts) add(system[i], i);
  }
  const bool must_follow =
      std::any_of(scenario.script.begin(), scenario.script.end(),
                  [](const std::string& line) { return !script_line(line).may_be_left_out; });
  if (must_follow) {
    follows_script = add({fmt::format("scenario {} follows its script", scenario.name)}, kNone);
    script_ = scenario.script;
    script_place_ = fmt::format("{}:{}", short_path(scenario.script_where.file_name()),
                                scenario.script_where.line());
  }
  if (scenario.machine.empty()) return;
  never_fails = add({fmt::format("scenario {} does not fail", scenario.name)}, kNone);
  const std::vector<Machine::State>& states = scenario.machine[0].states();
  if (std::none_of(states.begin(), states.end(), [](const Machine::State& state) {
        return state.kind == Machine::Kind::kSuccess;
      })) {
    return;
  }
  switch (scenario.expectation.kind()) {
    case Expect::Kind::kAlways:
      succeeds = add(
          {fmt::format("scenario {} succeeds", scenario.name), PropertyKind::kEventually}, kNone);
      break;
    case Expect::Kind::kNever:
      never_succeeds = add({fmt::format("scenario {} does not succeed", scenario.name)}, kNone);
      break;
    case Expect::Kind::kAtLeast:
      can_succeed = add(
          {fmt::format("scenario {} can succeed", scenario.name), PropertyKind::kSometimes}, kNone);
      break;
  }
}

void Verdicts::judge(const Standing& standing, bool terminal, Judgement& out) const {
  const bool success = standing.kind == Machine::Kind::kSuccess;
  if (follows_script != kNone && standing.lost_line > 0) out.violated.push_back(follows_script);
  if (never_fails != kNone && standing.kind == Machine::Kind::kFailure) {
    out.violated.push_back(never_fails);
  }
  if (succeeds != kNone && terminal && !success) out.violated.push_back(succeeds);
  // A run has succeeded when it ends in success.
  if (never_succeeds != kNone && terminal && success) out.violated.push_back(never_succeeds);
  if (can_succeed != kNone && terminal && success) out.reached.push_back(can_succeed);
}

void Verdicts::take_over(const Judgement& system, Judgement& out) const {
  const auto add = [&](const std::vector<uint32_t>& from, std::vector<uint32_t>& to) {
    for (uint32_t i = 0; i < of_system.size(); ++i) {
      if (std::find(from.begin(), from.end(), of_system[i]) != from.end()) to.push_back(i);
    }
  };
  add(system.violated, out.violated);
  add(system.reached, out.reached);
}

Outcome Verdicts::explain(const Standing& standing, uint32_t property) const {
  const bool success = standing.kind == Machine::Kind::kSuccess;
  const std::string& state = standing.state;
  if (property == follows_script) {
    if (standing.lost_line == 0) return true;
    return violated(fmt::format(
        "line {} of the script ({}), \"{}\", was not possible when its turn came; a line that may "
        "be left out begins with \"? \"",
        standing.lost_line, script_place_, script_[standing.lost_line - 1]));
  }
  if (property == never_fails) {
    if (standing.kind != Machine::Kind::kFailure) return true;
    return violated(
        fmt::format("the property machine is in state \"{}\", which means failure", state));
  }
  if (property == succeeds) {
    if (success) return true;
    return violated(
        fmt::format("the run is over and the property machine is still in state \"{}\"", state));
  }
  if (property == never_succeeds) {
    if (!success) return true;
    return violated(
        fmt::format("the run is over and the property machine is in state \"{}\", which means "
                    "success",
                    state));
  }
  return success;
}

}  // namespace ordeal::monitor
