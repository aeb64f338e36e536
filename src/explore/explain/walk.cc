#include "explore/explain/walk.h"

#include <fmt/format.h>

#include <algorithm>

namespace ordeal::explore {
namespace {

bool contains(const std::vector<uint32_t>& list, uint32_t i) {
  return std::find(list.begin(), list.end(), i) != list.end();
}

}  // namespace

Walk::Walk(const Checkable& subject, const Options& options)
    : world_(subject.world()), recorder_(*world_, options) {}

Result<void> Walk::reset(uint32_t initial) {
  started_ = false;
  const uint32_t count = world_->initial_count();
  if (initial >= count) {
    return Error{
        fmt::format("there is no initial state {}; there are {}, numbered from 0", initial, count)};
  }
  if (const Result<void> begun = recorder_.start(initial); !begun) return begun;
  started_ = true;
  way_ = {initial, {}};
  failure_.clear();
  before_.reset();
  return {};
}

bool Walk::leads_to(const ShortForm& form) const {
  return started_ && form.initial == way_.initial && form.choices.size() >= way_.choices.size() &&
         std::equal(way_.choices.begin(), way_.choices.end(), form.choices.begin());
}

Result<void> Walk::go(const ShortForm& form) {
  if (!leads_to(form)) {
    if (const Result<void> begun = reset(form.initial); !begun) return begun;
  }
  Result<void> gone;
  for (size_t i = way_.choices.size(); i < form.choices.size() && gone; ++i) {
    // Where the way ends, the state before is asked for; on the way, a copy of it is for nothing.
    if (i + 1 == form.choices.size()) before_ = recorder_.snapshot();
    gone = step(form.choices[i]);
    if (!gone) gone = Error{fmt::format("step {}: {}", i + 1, gone.error().message)};
  }
  if (!gone) before_.reset();
  // Only here: judging every state on the way would take long for nothing.
  look();
  return gone;
}

Result<void> Walk::take(uint32_t index) {
  std::optional<Snapshot> before = recorder_.snapshot();
  if (const Result<void> taken = step(index); !taken) return taken;
  before_ = std::move(before);
  look();
  return {};
}

Result<void> Walk::step(uint32_t index) {
  if (over()) return Error{"the run is over: a handler has failed"};
  const size_t count = world_->enabled().size();
  if (index >= count) {
    return Error{count == 0 ? fmt::format("there is no action {}: none is enabled", index)
                            : fmt::format("there is no action {}; they are numbered from 0 to {}",
                                          index, count - 1)};
  }
  if (const Result<void> taken = recorder_.step(index); !taken) return taken;
  way_.choices.push_back(index);
  if (recorder_.failed()) {
    failure_ = recorder_.trace().steps.back().detail.failure;
    if (failure_.empty()) failure_ = "a handler failed";
  }
  return {};
}

Result<void> Walk::back() {
  if (way_.choices.empty()) return Error{"this is the initial state"};
  ShortForm shorter = way_;
  shorter.choices.pop_back();
  return go(shorter);
}

void Walk::look() {
  recorder_.trace().verdict = {};
  trouble_.clear();
  if (recorder_.conclude_trouble()) trouble_ = recorder_.trace().verdict.why;
  list_actions();
  judge();
  if (!trouble_.empty()) return;
  recorder_.find_points();
  for (uint32_t i = 0; i < verdicts_.size(); ++i) {
    if (verdicts_[i].violated && recorder_.conclude(i)) return;
  }
}

void Walk::list_actions() {
  enabled_.clear();
  progress_.clear();
  terminal_ = true;
  if (over()) return;
  const std::vector<Choice>& choices = world_->enabled();
  for (uint32_t i = 0; i < choices.size(); ++i) {
    progress_.push_back(choices[i].progress);
    terminal_ = terminal_ && !choices[i].progress;
  }
  for (uint32_t i = 0; i < progress_.size(); ++i) enabled_.push_back(world_->action(i));
}

void Walk::judge() {
  verdicts_.clear();
  const std::vector<Property>& properties = world_->properties();
  Judgement judgement;
  const bool told = !over() && trouble_.empty();
  if (told) world_->judge(terminal_, judgement);
  if (told && any_on_steps(properties)) world_->judge_step(judgement);
  for (uint32_t i = 0; i < properties.size(); ++i) {
    Verdict verdict{properties[i], contains(judgement.violated, i), contains(judgement.reached, i),
                    true};
    if (verdict.violated) {
      verdict.outcome =
          properties[i].on_steps ? world_->explain_step(i) : world_->explain(terminal_, i);
    }
    verdicts_.push_back(std::move(verdict));
  }
  if (over() && !verdicts_.empty()) {
    verdicts_[kNoFailure].violated = true;
    verdicts_[kNoFailure].outcome = violated(failure_);
  }
}

}  // namespace ordeal::explore
