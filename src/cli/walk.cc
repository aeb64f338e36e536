#include "cli/walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ordeal::cli {

Walk::Walk(const Checkable& subject) : world_(subject.world()) {}

Result<void> Walk::reset(uint32_t initial) {
  const uint32_t count = world_->initial_count();
  if (initial >= count) {
    return Error{
        fmt::format("there is no initial state {}; there are {}, numbered from 0", initial, count)};
  }
  if (const Result<void> started = world_->reset(initial); !started) return started;
  way_ = {initial, {}};
  failure_.clear();
  before_.reset();
  look();
  return {};
}

Result<void> Walk::go(const ShortForm& form) {
  if (const Result<void> started = reset(form.initial); !started) return started;
  for (size_t i = 0; i < form.choices.size(); ++i) {
    if (const Result<void> taken = take(form.choices[i]); !taken) {
      return Error{fmt::format("step {}: {}", i + 1, taken.error().message)};
    }
  }
  return {};
}

Result<void> Walk::take(uint32_t index) {
  if (over()) return Error{"the run is over: a handler has failed; 'back' leads out"};
  if (index >= enabled_.size()) {
    return Error{enabled_.empty()
                     ? fmt::format("there is no action {}: none is enabled", index)
                     : fmt::format("there is no action {}; they are numbered from 0 to {}", index,
                                   enabled_.size() - 1)};
  }
  before_ = state_;
  way_.choices.push_back(index);
  if (const Result<void> applied = world_->apply(index); !applied) {
    failure_ = applied.error().message.empty() ? "a handler failed" : applied.error().message;
    enabled_.clear();
    terminal_ = true;
    for (Verdict& verdict : verdicts_) verdict = {verdict.property, false, false, true};
    if (!verdicts_.empty()) {
      verdicts_[kNoFailure].violated = true;
      verdicts_[kNoFailure].outcome = violated(failure_);
    }
    return {};
  }
  look();
  return {};
}

Result<void> Walk::back() {
  if (way_.choices.empty()) return Error{"this is the initial state"};
  ShortForm shorter = way_;
  shorter.choices.pop_back();
  return go(shorter);
}

void Walk::look() {
  const std::vector<Choice>& choices = world_->enabled();
  terminal_ = std::none_of(choices.begin(), choices.end(),
                           [](const Choice& choice) { return choice.progress; });
  enabled_.clear();
  for (uint32_t i = 0; i < choices.size(); ++i) enabled_.push_back(world_->action(i));
  state_ = world_->observe();
  Judgement judgement;
  world_->judge(terminal_, judgement);
  verdicts_.clear();
  const std::vector<Property>& properties = world_->properties();
  const auto contains = [](const std::vector<uint32_t>& list, uint32_t i) {
    return std::find(list.begin(), list.end(), i) != list.end();
  };
  for (uint32_t i = 0; i < properties.size(); ++i) {
    Verdict verdict{properties[i], contains(judgement.violated, i), contains(judgement.reached, i),
                    true};
    if (verdict.violated) verdict.outcome = world_->explain(terminal_, i);
    verdicts_.push_back(std::move(verdict));
  }
}

}  // namespace ordeal::cli
