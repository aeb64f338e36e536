#include "explore/search/expansion.h"

#include <algorithm>
#include <cassert>

#include "base/mutant.h"
#include "base/watch.h"
#include "explore/strategy/failures.h"

namespace ordeal::explore {
namespace {

// Whether a step may be part of a cycle in which there is progress: one that spends a budget is
// not, as nothing gives budgets back.
bool may_return(const Choice& choice) {
  switch (choice.kind) {
    case ActionKind::kCrash:
    case ActionKind::kRecover:
    case ActionKind::kDrop:
    case ActionKind::kDuplicate:
    case ActionKind::kPartition:
    case ActionKind::kHeal:
    case ActionKind::kSuspect:
      return choice.progress;  // a scenario may want it
    default:
      return true;
  }
}

}  // namespace

void Unit::start(std::span<const Record> of) {
  records = of;
  candidates.clear();
  words.clear();
  seconds.clear();
  keys.clear();
  keys_end.clear();
  hits.clear();
  trouble.reset();
  reached.clear();
  transitions = self_loops = repeated = terminal = outside = 0;
  steps.clear();
  depth = 0;
  loops = progress_loops = too_many_choices = too_large = overdue = false;
  visiting = 0;
  judged = false;
  error.clear();
}

uint64_t Unit::bytes() const {
  uint64_t sum = candidates.size() * sizeof(Candidate) + seconds.size() * sizeof(uint64_t) +
                 (words.size() + keys.size() + keys_end.size()) * sizeof(uint32_t);
  for (const Lane& lane : lanes) {
    sum += lane.queued.size() * sizeof(Lane::Queued) + lane.keys.size() * sizeof(uint32_t);
  }
  return sum;
}

Expander::Expander(std::unique_ptr<Explorer> explorer, const Options& options, uint64_t most_bytes,
                   Judging judging)
    : explorer_(std::move(explorer)),
      options_(options),
      // A candidate knows where its words are by a number of 32 bits.
      most_words_(std::clamp<uint64_t>(most_bytes / sizeof(uint32_t), 1 << 20, ~0U)),
      judging_(judging),
      // A sleep set may be smaller than before; and half a fingerprint does not tell states apart.
      may_skip_(options.reduce == "none" && !options.wide_fingerprints),
      last_met_(may_skip_ ? most_bytes / 8 : 0) {}

bool Expander::meets_trouble(const Record& record, Unit& unit) {
  const std::string* const trouble = explorer_->trouble();
  if (trouble == nullptr || mutant(Mutant::kTroubleIgnored)) return false;
  if (!unit.trouble) unit.trouble = {*trouble, record.entry, false, 0, unit.hits.size()};
  return true;
}

bool Expander::meets_trouble_in(size_t choice, const Record& record, Unit& unit) {
  const bool is_first = !unit.trouble;
  if (!meets_trouble(record, unit)) return false;
  if (is_first) {
    unit.trouble->on_step = true;
    unit.trouble->choice = static_cast<uint32_t>(choice);
  }
  return true;
}

bool Expander::judge(const Record& record, bool terminal, Unit& unit) {
  judgement_.clear();
  for (size_t i = 0; i < told_.size(); ++i) judgement_.settled[i] = told_[i] <= record.depth;
  explorer_->judge(record.state, terminal, judgement_);
  if (meets_trouble(record, unit)) return false;
  if (terminal) ++unit.terminal;
  for (uint32_t property : judgement_.violated) {
    unit.hits.push_back({property, record.entry, record.depth, false, 0});
    if (any_overdue()) {
      note_overdue(explorer_->explain(record.state, terminal, property).why(), unit);
    }
  }
  for (uint32_t property : judgement_.reached) {
    unit.reached.emplace_back(property, record.depth);
    if (property >= told_.size()) {
      told_.resize(property + 1, ~0U);
      judgement_.settled.resize(property + 1);
    }
    told_[property] = record.depth;
  }
  return true;
}

void Expander::judge_outside(const Record& record, Unit& unit) {
  ++unit.outside;
  if (!judging_.outside) return;
  judgement_.clear();
  explorer_->judge(record.state, false, judgement_);
  if (meets_trouble(record, unit)) return;
  // Nothing is reached there: it is not within.
  for (uint32_t property : judgement_.violated) {
    unit.hits.push_back({property, record.entry, record.depth});
  }
}

bool Expander::judge_step(const Record& record, size_t choice, StateRef after, Unit& unit) {
  judgement_.clear();
  if (judging_.steps) {
    explorer_->judge_step(record.state, choices_[choice], after, judgement_);
    if (meets_trouble_in(choice, record, unit)) return false;
  }
  if (choices_[choice].outside && judging_.outside) {
    explorer_->at_depth(record.depth + 1);
    explorer_->judge(after, false, judgement_);
    explorer_->at_depth(record.depth);
    if (meets_trouble_in(choice, record, unit)) return false;
  }
  for (uint32_t property : judgement_.violated) {
    Hit hit{property, record.entry, record.depth + 1, false, static_cast<uint32_t>(choice)};
    hit.by_step = true;
    unit.hits.push_back(hit);
  }
  return true;
}

void Expander::visit(const Record& record, uint8_t number, Unit& unit) {
  explorer_->at_depth(record.depth);
  const bool within = explorer_->within(record.state);
  if (meets_trouble(record, unit)) return;
  if (!within) {
    if (record.first) judge_outside(record, unit);
    return;
  }
  // A state that is expanded again was reached at a lesser depth before.
  if (record.first) unit.depth = std::max(unit.depth, record.depth);
  choices_.clear();
  explorer_->enumerate(record.state, choices_);
  if (meets_trouble(record, unit)) return;
  if (record.first) {
    const bool terminal = std::none_of(choices_.begin(), choices_.end(),
                                       [](const Choice& choice) { return choice.progress; });
    if (!judge(record, terminal, unit)) return;
  }
  unit.judged = true;
  const bool beyond = options_.max_depth > 0 && record.depth >= options_.max_depth;
  if (choices_.size() > kMostChoices) {
    unit.too_many_choices = true;
    choices_.resize(kMostChoices);
  }
  if (record.sleeps) {
    step_awake(record, number, beyond, unit);
  } else {
    step_all(record, number, beyond, unit);
  }
}

void Expander::note_failure(const Record& record, size_t choice, bool beyond, Unit& unit) const {
  if (beyond || !record.first || mutant(Mutant::kFailureIgnored)) return;
  Hit hit{kNoFailure, record.entry, record.depth + 1, true, static_cast<uint32_t>(choice)};
  if (options_.keep_going) {
    hit.failure = failure_kind(explorer_->action(record.state, choices_[choice]),
                               explorer_->detail(record.state, choices_[choice]).failure);
  }
  unit.hits.push_back(hit);
  if (any_overdue()) {
    note_overdue(explorer_->detail(record.state, choices_[choice]).failure, unit);
  }
}

void Expander::note_overdue(std::string_view why, Unit& unit) const {
  if (!options_.keep_going && is_overdue(why)) unit.overdue = true;
}

bool Expander::step(const Record& record, uint64_t second, size_t choice, bool beyond, Unit& unit) {
  if (unit.words.size() + unit.keys.size() + record.state.size() > most_words_) {
    unit.too_large = true;
    return false;
  }
  Candidate candidate;
  candidate.at = static_cast<uint32_t>(unit.words.size());
  candidate.fingerprint =
      explorer_->apply(record.state, record.fingerprint, choices_[choice], unit.words);
  // Builds with assertions compare every fingerprint with one computed from scratch.
  assert(candidate.fingerprint ==
         explorer_->fingerprint(StateRef(unit.words).subspan(candidate.at)));
  bool is_loop = candidate.fingerprint == record.fingerprint;
  uint64_t candidate_second = 0;
  if (options_.wide_fingerprints) {
    candidate_second = explorer_->second_fingerprint(StateRef(unit.words).subspan(candidate.at));
    is_loop = is_loop && candidate_second == second;
  }
  if (record.count && !beyond) {
    ++unit.transitions;
    unit.steps.add(choices_[mutant(Mutant::kOtherStepsCounted) ? choice / 2 : choice].sort);
    if (is_loop) ++unit.self_loops;
    const bool is_judged = judging_.steps || choices_[choice].outside;
    if (is_judged && !mutant(Mutant::kStepsNotJudged) &&
        !judge_step(record, choice, StateRef(unit.words).subspan(candidate.at), unit)) {
      unit.words.resize(candidate.at);
      return false;
    }
  }
  if (choices_[choice].outside) {  // nothing goes on from there
    unit.words.resize(candidate.at);
    return false;
  }
  if (is_loop) {  // nothing to look up
    unit.loops = true;
    unit.progress_loops = unit.progress_loops || choices_[choice].progress;
    unit.words.resize(candidate.at);
    return false;
  }
  candidate.may_return = may_return(choices_[choice]);
  if (may_skip_ && last_met_.again(candidate.fingerprint, record.depth, candidate.may_return)) {
    ++unit.repeated;
    unit.words.resize(candidate.at);
    return false;
  }
  candidate.choice = static_cast<uint32_t>(choice);
  unit.candidates.push_back(candidate);
  if (options_.wide_fingerprints) unit.seconds.push_back(candidate_second);
  return true;
}

void Expander::step_all(const Record& record, uint8_t number, bool beyond, Unit& unit) {
  const uint64_t second =
      options_.wide_fingerprints ? explorer_->second_fingerprint(record.state) : 0;
  for (size_t i = 0; i < choices_.size(); ++i) {
    if (choices_[i].fails) {
      note_failure(record, i, beyond, unit);
    } else if (step(record, second, i, beyond, unit)) {
      unit.candidates.back().record = number;
    }
  }
}

void Expander::step_awake(const Record& record, uint8_t number, bool beyond, Unit& unit) {
  const uint64_t second =
      options_.wide_fingerprints ? explorer_->second_fingerprint(record.state) : 0;
  const bool only_woken = !record.first;
  std::vector<uint32_t> awake;
  asleep_.clear();
  if (footprints_.size() < choices_.size()) footprints_.resize(choices_.size());
  for (uint32_t i = 0; i < choices_.size(); ++i) {
    if (choices_[i].fails) {
      note_failure(record, i, beyond, unit);
      continue;
    }
    const uint64_t key = explorer_->key(record.state, choices_[i]);
    const bool asleep = record.asleep.contains(key);
    const bool take = only_woken ? record.woken.contains(key) : !asleep;
    if (asleep) asleep_.push_back(i);
    if (take) awake.push_back(i);
    if (asleep || take) explorer_->footprint(record.state, choices_[i], footprints_[i]);
  }
  for (uint32_t i : awake) {
    if (step(record, second, i, beyond, unit)) {
      unit.candidates.back().record = number;
      add_sleep_set(record, i, unit);
    }
    asleep_.push_back(i);
  }
}

void Expander::add_sleep_set(const Record& record, size_t taken, Unit& unit) {
  successor_keys_.clear();
  for (uint32_t other : asleep_) {
    const bool sleeps_on = independent(footprints_[other], footprints_[taken]) ||
                           mutant(Mutant::kSleepsThroughDependent);
    if (!sleeps_on) continue;
    successor_keys_.push_back(explorer_->key_after_apply(record.state, choices_[other]));
  }
  std::sort(successor_keys_.begin(), successor_keys_.end());
  for (uint64_t key : successor_keys_) Keys::push(key, unit.keys);
  unit.keys_end.push_back(static_cast<uint32_t>(unit.keys.size()));
}

}  // namespace ordeal::explore
