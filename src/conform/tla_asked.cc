// What an event asks for: the rule that is about it, steps with arguments, what is seen.
#include <fmt/format.h>

#include <algorithm>

#include "conform/mutant.h"
#include "conform/tla_log_model.h"
#include "language/tla/eval/bindings.h"

namespace ordeal::conform {
namespace {

using tla::Machine;
using tla::Value;

// Where events that need no mapper say what they are.
constexpr const char* kNamesOfAction[] = {"action", "event", "name"};
constexpr const char* kNamesOfArguments[] = {"arguments", "args", "parameters"};

}  // namespace

Result<const tla::MappedRule*> TlaLogModel::rule_for() {
  const tla::MappedRule* found = nullptr;
  for (const tla::MappedRule& rule : mapper_->rules()) {
    const bool may_be = std::all_of(rule.texts.begin(), rule.texts.end(), [&](const auto& one) {
      const Json* const json = fields_.field(one.first);
      return json != nullptr &&
             (!json->is_string() || json->get_ref<const std::string&>() == one.second);
    });
    if (!may_be && !mapper_->renames()) continue;
    bool holds = false;
    const Result<void> done = follower_->in(states_.all()[0].values, checks_, [&](Machine& m) {
      checks_.clear();
      const Value value = fields_.evaluate(rule.condition, m);
      if (!value.is_bool()) tla::fail("it is neither TRUE nor FALSE");
      holds = value.truth();
    });
    if (!done) {
      return Error{fmt::format("the condition at line {} of the mapper has no value: {}", rule.line,
                               done.error().message)};
    }
    if (!holds) continue;
    if (found != nullptr) {
      return Error{
          fmt::format("two rules of the mapper are about it, at line {} and at line {}; "
                      "one 'on' must be about each event",
                      found->line, rule.line)};
    }
    found = &rule;
  }
  return found;
}

Result<TlaLogModel::Asked> TlaLogModel::read(const Json& event) {
  Asked out;
  fields_.read(event);
  const Result<const tla::MappedRule*> rule = rule_for();
  if (!rule) return rule.error();
  if (*rule != nullptr) {
    if (Result<void> read = read_rule(**rule, out); !read) return read.error();
    return out;
  }
  switch (mapper_->otherwise()) {
    case tla::Otherwise::kIgnore:
      out.ignored = true;
      break;
    case tla::Otherwise::kDepart:
      out.departs = true;
      break;
    case tla::Otherwise::kByName:
      if (Result<void> read = read_by_name(event, out); !read) return read.error();
      break;
  }
  return out;
}

Result<std::vector<Value>> TlaLogModel::elements_of(const tla::Term& set) {
  std::vector<Value> out;
  const Result<void> done = follower_->in(states_.all()[0].values, fields_.heap(), [&](Machine& m) {
    const Value value = fields_.evaluate(set, m);
    if (tla::is_function(value)) {
      const tla::Object* const sequence = normal_function(m.heap(), value);
      if (sequence->size > 0 && sequence->kind != tla::ObjectKind::kTuple) {
        tla::fail("it is neither a sequence nor a set");
      }
      for (const Value item : sequence->items()) out.push_back(item);
    } else {
      tla::for_each_element(m, value, [&](Value item) {
        out.push_back(deep_normal(m.heap(), item));
        return true;
      });
    }
  });
  if (!done) return done.error();
  return out;
}

Result<AskedStep> TlaLogModel::asked(const tla::MappedAction& action, Value each) {
  AskedStep out;
  out.maybe = action.maybe;
  out.name = action.name;
  out.each = each;
  for (const tla::MappedArgument& argument : action.arguments) {
    if (mutant(LogMutant::kArgumentsIgnored)) break;
    const tla::Term& term = argument.value;
    if (!fields_.has_all(term) && term.text.find("??") == std::string::npos) continue;
    if (term.about_states) {
      out.open.emplace_back(argument.name, &term);
      continue;
    }
    std::vector<Value> forms;
    if (term.plain >= 0) {
      forms = fields_.forms(static_cast<uint32_t>(term.plain));
    } else {
      const Result<void> done =
          follower_->in(states_.all()[0].values, fields_.heap(), [&](Machine& m) {
            forms.push_back(deep_normal(m.heap(), fields_.evaluate(term, m, each)));
          });
      if (!done) {
        return Error{fmt::format("argument {} of {} has no value: {}", argument.name, action.name,
                                 done.error().message)};
      }
    }
    out.names.push_back(argument.name);
    out.values.push_back(std::move(forms));
  }
  return out;
}

Result<void> TlaLogModel::read_rule(const tla::MappedRule& rule, Asked& out) {
  out.ignored = rule.ignored;
  if (rule.ignored) return {};
  for (const tla::Seen& seen : mapper_->seen()) out.seen.push_back(&seen);
  for (const tla::Seen& seen : rule.seen) out.seen.push_back(&seen);
  for (const tla::MappedSteps& steps : rule.steps) {
    AskedWay way;
    if (steps.when) way.when = &*steps.when;
    for (const tla::MappedAction& action : steps.actions) {
      std::vector<Value> elements(1);
      if (action.each) {
        Result<std::vector<Value>> found = elements_of(*action.each);
        if (!found) return found.error();
        elements = *std::move(found);
      }
      if (mutant(LogMutant::kFirstOfEach) && elements.size() > 1) elements.resize(1);
      for (const Value element : elements) {
        Result<AskedStep> step = asked(action, element);
        if (!step) return step.error();
        way.steps.push_back(*std::move(step));
      }
    }
    out.ways.push_back(std::move(way));
  }
  if (rule.steps.empty()) out.ways.emplace_back();  // only what is seen is said
  return {};
}

Result<void> TlaLogModel::read_by_name(const Json& event, Asked& out) {
  std::string name;
  for (const char* field : kNamesOfAction) {
    const auto at = event.find(field);
    if (at == event.end() || !at->is_string()) continue;
    name = at->get<std::string>();
    break;
  }
  const auto& known = follower_->ways().actions();
  const auto action = std::find_if(known.begin(), known.end(),
                                   [&](const tla::NamedAction& one) { return one.name == name; });
  if (action == known.end()) {
    out.ignored = true;
    note_unknown(name);
    return {};
  }
  const Json* arguments = &event;
  for (const char* field : kNamesOfArguments) {
    const auto at = event.find(field);
    if (at != event.end() && at->is_object()) arguments = &*at;
  }
  AskedStep step;
  step.name = name;
  for (const auto* names : {&action->parameters, &action->witnesses}) {
    for (const std::string& one : *names) {
      const auto at = arguments->find(one);
      if (at == arguments->end()) continue;
      step.names.push_back(one);
      step.values.push_back(tla::forms_of(*mapper_, fields_.heap(), *at));
    }
  }
  out.ways.push_back({{std::move(step)}, nullptr});
  const auto state = event.find("state");
  if (state != event.end() && state->is_object()) read_variables(*state, out);
  return {};
}

void TlaLogModel::note_unknown(const std::string& name) {
  constexpr size_t kMostNames = 100;
  if (unknown_.size() >= kMostNames && !unknown_.contains(name)) return;
  auto& [lines, first] = unknown_[name];
  if (lines++ == 0) first = line_;
}

void TlaLogModel::read_variables(const Json& state, Asked& out) {
  const std::vector<std::string>& variables = follower_->specification().variables();
  for (const auto& [name, value] : state.items()) {
    const auto at = std::find(variables.begin(), variables.end(), name);
    if (at == variables.end()) {
      note_unknown("state." + name);
      continue;
    }
    out.variables.emplace_back(static_cast<size_t>(at - variables.begin()),
                               tla::forms_of(*mapper_, fields_.heap(), value));
  }
}

}  // namespace ordeal::conform
