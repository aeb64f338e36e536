#include "language/tla/model/prompt.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ordeal::tla {

std::string step_text(const Action& action) {
  std::string arguments;
  for (size_t i = 0; i < action.payload.items.size() && i < action.payload.names.size(); ++i) {
    arguments += fmt::format("{}{} = {}", arguments.empty() ? "" : ", ", action.payload.names[i],
                             value::show(action.payload.items[i]));
  }
  return arguments.empty() ? action.type : fmt::format("{}({})", action.type, arguments);
}

Prompt::Prompt(std::shared_ptr<Specification> specification)
    : spec_(std::move(specification)),
      space_(spec_),
      explorer_(space_),
      machine_(spec_->variables().size(), spec_->compiler().constants(), spec_->host()),
      now_(spec_->variables().size()) {
  spec_->prepare(machine_);
}

Result<std::unique_ptr<Prompt>> Prompt::make(std::shared_ptr<Specification> specification) {
  std::unique_ptr<Prompt> out(new Prompt(std::move(specification)));
  if (!out->spec_->has_behaviour) return out;
  Result<std::vector<StateSpace::Initial>> initial = out->space_.initial();
  if (!initial) return initial.error();
  out->initial_ = *std::move(initial);
  if (Result<void> done = out->reset(0); !done) return done.error();
  return out;
}

Result<std::unique_ptr<Prompt>> Prompt::without_specification() {
  // Those whose definitions have names of their own.
  static constexpr const char* kModules[] = {
      "Naturals", "Integers",  "Sequences",     "FiniteSets",    "Bags",         "TLC",
      "TLCExt",   "Functions", "Folds",         "FiniteSetsExt", "SequencesExt", "BagsExt",
      "Bitwise",  "Relation",  "Randomization", "Json",          "CSV",          "IOUtils"};
  const std::vector<std::string_view> known = library_modules();
  std::string names;
  for (const char* name : kModules) {
    if (std::find(known.begin(), known.end(), name) == known.end()) continue;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  LoadOptions options;
  options.path = "Prompt.tla";
  options.text = fmt::format("---- MODULE Prompt ----\nEXTENDS {}\n====\n", names);
  Result<std::shared_ptr<Specification>> specification = Specification::load(options);
  if (!specification) return specification.error();
  return make(*std::move(specification));
}

void Prompt::load() {
  const std::vector<uint32_t>& state = states_.back();
  for (size_t i = 0; i < now_.size(); ++i) {
    now_[i] = Value::from_word(uint64_t{state[2 * i]} | uint64_t{state[2 * i + 1]} << 32);
  }
}

Result<Value> Prompt::evaluate(const std::string& text) {
  const auto expression = spec_->expression(text);
  if (!expression) return expression.error();
  const Compiler::Closed& closed = (*expression)->closed;
  if (closed.node->level == Level::kTemporal) {
    return Error{"a formula about whole behaviours has no value in a single state"};
  }
  spec_->prepare(machine_);
  machine_.settle_on_thread();
  machine_.now = nullptr;
  machine_.next = nullptr;
  if (has_state()) {
    load();
    machine_.now = now_.data();
  }
  try {
    scratch_.clear();
    machine_.use(scratch_);
    const Value value = closed.node->eval(machine_, machine_.frame(nullptr, closed.layout->slots));
    if (is_set(value) && !is_enumerable(value)) return value;  // Nat is told by its name
    return spec_->pool().intern(scratch_, value);
  } catch (const EvalError& error) {
    return Error{spec_->describe(error)};
  }
}

std::string Prompt::state_text() {
  load();
  std::string out;
  const std::vector<std::string>& names = spec_->variables();
  for (size_t i = 0; i < names.size(); ++i) {
    out += (names.size() > 1 ? "/\\ " : "") + names[i] + " = ";
    print(now_[i], out);
    out += '\n';
  }
  return out;
}

Result<void> Prompt::reset(size_t initial) {
  if (initial >= initial_.size()) {
    return Error{fmt::format("there is no initial state number {}; they are numbered from 0 to {}",
                             initial, initial_.size() - 1)};
  }
  states_.assign(1, initial_[initial].state);
  return {};
}

Result<void> Prompt::list() {
  choices_.clear();
  explorer_.enumerate(states_.back(), choices_);
  if (const std::string* trouble = explorer_.trouble()) return Error{*trouble};
  return {};
}

Result<std::vector<std::string>> Prompt::next() {
  if (Result<void> done = list(); !done) return done.error();
  std::vector<std::string> out;
  for (const Choice& choice : choices_) {
    out.push_back(step_text(explorer_.action(states_.back(), choice)));
  }
  return out;
}

Result<void> Prompt::take(size_t number) {
  if (Result<void> done = list(); !done) return done.error();
  if (choices_.empty()) return Error{"no action is possible here"};
  if (number >= choices_.size()) {
    return Error{fmt::format("there is no action number {}; they are numbered from 0 to {}", number,
                             choices_.size() - 1)};
  }
  std::vector<uint32_t> next;
  explorer_.apply(states_.back(), 0, choices_[number], next);
  states_.push_back(std::move(next));
  return {};
}

Result<void> Prompt::back() {
  if (states_.size() < 2) return Error{"this is the initial state"};
  states_.pop_back();
  return {};
}

Result<void> Prompt::go(size_t initial, std::span<const uint32_t> choices) {
  if (Result<void> done = reset(initial); !done) return done;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (Result<void> done = take(choices[i]); !done) {
      return Error{fmt::format("step {}: {}", i + 1, done.error().message)};
    }
  }
  return {};
}

}  // namespace ordeal::tla
