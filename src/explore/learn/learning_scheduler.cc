#include "explore/learn/learning_scheduler.h"

#include <algorithm>
#include <cassert>

#include "base/hash.h"
#include "base/text.h"

namespace ordeal::explore {
namespace {

// What an episode comes to whose last handler failed: there is no state to look at.
constexpr uint64_t kFailedState = 0x6661696c'65643031ULL;

}  // namespace

Result<uint32_t> bind(World& world, LearningSetup& setup, uint32_t& seen) {
  const Result<uint32_t> colouring = world.colouring(setup.colouring);
  if (!colouring) return colouring.error();
  seen = *colouring;
  Result<uint32_t> measured = world.colouring(setup.measured);
  if (!measured) return measured.error();
  for (Goal& goal : setup.waypoints) {
    if (const auto known = bind(world, goal); !known) return known.error();
  }
  if (setup.target) {
    if (const auto known = bind(world, *setup.target); !known) return known.error();
  }
  return measured;
}

LearningScheduler::LearningScheduler(LearningSetup setup, std::unique_ptr<Environment> environment,
                                     std::unique_ptr<Agent> agent)
    : setup_(std::move(setup)), environment_(std::move(environment)), agent_(std::move(agent)) {
  learned_.environment = setup_.environment;
  for (const Goal& goal : setup_.waypoints) learned_.waypoints.push_back({goal.text});
  if (setup_.target) {
    learned_.target = setup_.target->text;
    learned_.target_coverage = 0;
  }
}

std::optional<uint32_t> LearningScheduler::begin(uint64_t run, uint32_t initials) {
  if (run >= setup_.episodes) return std::nullopt;
  rng_ = Rng(combine(setup_.seed, run));
  episode_.clear();
  begun_ = acting_ = arrived_ = false;
  coverage_.begin_run();
  farthest_ = 0;
  return initials <= 1 ? 0 : static_cast<uint32_t>(rng_.below(initials));
}

bool LearningScheduler::arrive(const Arrival& at) {
  if (begun_) return true;
  begun_ = true;
  if (bound_ != &at.world) {
    bound_ = &at.world;
    uint32_t seen = 0;
    const Result<uint32_t> measured = bind(at.world, setup_, seen);
    assert(measured);  // as it was for the world that the environment was made in
    coverage_.count(*measured, setup_.target ? &*setup_.target : nullptr);
  }
  environment_->begin(at.world);
  return true;
}

// From 1 on; 0: none, where the thesis has a first predicate that is always true.
uint32_t LearningScheduler::highest_reached(World& world) {
  const uint32_t count = static_cast<uint32_t>(setup_.waypoints.size());
  if (arrived_) return count;
  for (uint32_t i = count; i > 0; --i) {
    if (is_reached(world, setup_.waypoints[i - 1])) {
      arrived_ = i == count;
      return i;
    }
  }
  return 0;
}

void LearningScheduler::look(World& world, bool is_last) {
  Episode::Moment moment;
  moment.first = static_cast<uint32_t>(episode_.actions.size());
  moment.state = environment_->look(world, episode_.actions);
  if (is_last) episode_.actions.resize(moment.first);  // nothing comes of them
  moment.count = static_cast<uint32_t>(episode_.actions.size()) - moment.first;
  moment.predicate = highest_reached(world);
  farthest_ = std::max(farthest_, moment.predicate);
  const bool is_first = episode_.moments.empty();
  if (is_first && learned_.episodes == 0) {
    for (const Goal& waypoint : setup_.waypoints) {
      if (is_reached(world, waypoint)) true_at_start_.push_back(waypoint.text);
    }
  }
  episode_.moments.push_back(moment);
  coverage_.see(world, learned_.steps + episode_.steps(), learned_.episodes + 1);
  if (!is_first) agent_->learn_step(episode_);
}

uint32_t LearningScheduler::pick(World& world) {
  for (;;) {
    if (acting_) {
      const uint32_t step = environment_->next(world, rng_);
      if (step != Environment::kDone) return step;
      acting_ = false;
    }
    look(world, false);
    Episode::Moment& now = episode_.moments.back();
    if (episode_.steps() >= setup_.horizon) return kHorizon;
    if (now.count == 0) return may_end(world) ? kEnd : kHorizon;
    now.picked = agent_->pick(episode_, rng_);
    environment_->take(world, now.picked, rng_);
    acting_ = true;
  }
}

void LearningScheduler::end(World& world, const ShortForm& path, RunEnd how) {
  if (!begun_) return;
  const bool was_cut = !episode_.moments.empty() && !acting_;
  if (how == RunEnd::kFailed) {
    if (!episode_.moments.empty()) {
      Episode::Moment last;
      last.state = kFailedState;
      last.predicate = episode_.moments.back().predicate;
      last.first = static_cast<uint32_t>(episode_.actions.size());
      episode_.moments.push_back(last);
      agent_->learn_step(episode_);
    }
  } else if (!was_cut) {
    look(world, how == RunEnd::kOver);
  }
  ++learned_.episodes;
  learned_.steps += episode_.steps();
  if (episode_.steps() > 0) agent_->learn_episode(episode_);
  for (uint32_t i = 0; i < farthest_; ++i) {
    Learning::Waypoint& waypoint = learned_.waypoints[i];
    ++waypoint.episodes;
    if (!waypoint.first) waypoint.first = learned_.episodes;
  }
  if (farthest_ > closest_) {
    closest_ = farthest_;
    learned_.closest = path;
  }
}

std::string LearningScheduler::covers() const { return counted(setup_.episodes, "episode"); }

std::vector<std::string> LearningScheduler::notes() const {
  std::vector<std::string> out = environment_->notes();
  if (!true_at_start_.empty()) {
    out.push_back("waypoints that are true where runs begin lead nowhere: " +
                  enumeration(true_at_start_));
  }
  if (!setup_.waypoints.empty() && closest_ < setup_.waypoints.size()) {
    const std::string target = setup_.waypoints.back().text;
    if (closest_ == 0) {
      out.push_back("no episode came to " + target + ", nor to any waypoint before it");
    } else {
      const Learning::Waypoint& best = learned_.waypoints[closest_ - 1];
      out.push_back("no episode came to " + target + "; " + counted(best.episodes, "episode") +
                    " came as far as " + best.predicate);
    }
  }
  if (agent_->table() != nullptr && agent_->table()->is_full()) {
    out.emplace_back(
        "the table of the learner was full: what it did not know then it did not learn "
        "(see --table-entries)");
  }
  return out;
}

uint64_t LearningScheduler::bytes() const {
  return agent_->bytes() + (agent_->table() == nullptr ? 0 : agent_->table()->bytes()) +
         coverage_.bytes();
}

std::optional<Learning> LearningScheduler::learning() const {
  Learning out = learned_;
  out.coverage = coverage_.covered();
  if (out.target_coverage) out.target_coverage = coverage_.covered_in_target();
  out.curve = coverage_.curve(out.steps, out.episodes);
  if (agent_->table() != nullptr) {
    out.pairs = agent_->table()->size();
    out.table_bytes = agent_->table()->bytes();
  }
  return out;
}

Result<void> LearningScheduler::finish() {
  if (setup_.table.empty() || agent_->table() == nullptr) return {};
  return write_table(setup_.table, setup_.about, *agent_->table());
}

}  // namespace ordeal::explore
