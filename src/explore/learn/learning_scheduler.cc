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
  if (setup.machine) {
    if (const auto known = setup.machine->bind(world); !known) return known.error();
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
  waypoints_.track(setup_.waypoints);
  if (setup_.target) {
    learned_.target = setup_.target->text;
    learned_.target_coverage = 0;
  } else if (setup_.machine) {
    learned_.target = Machine::kSuccess;
    learned_.target_coverage = 0;
  }
}

std::optional<uint32_t> LearningScheduler::begin(uint64_t run, uint32_t initials) {
  if (run >= setup_.episodes) return std::nullopt;
  rng_ = Rng(combine(setup_.seed, run));
  episode_.clear();
  begun_ = acting_ = false;
  coverage_.begin_run();
  waypoints_.begin_run();
  if (setup_.machine) setup_.machine->begin_run();
  return initials <= 1 ? 0 : static_cast<uint32_t>(rng_.below(initials));
}

bool LearningScheduler::arrive(const Arrival& at) {
  taken_ = at.path.choices.size();
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

void LearningScheduler::place(World& world, Episode::Moment& moment) {
  if (setup_.machine) {
    setup_.machine->look(world);
    moment.predicate = setup_.machine->state();
    moment.pays = setup_.machine->paid();
    moment.distance = setup_.machine->distance();
    return;
  }
  moment.predicate = waypoints_.highest(world, setup_.waypoints);
  moment.distance = waypoints_.distance(world, setup_.waypoints, moment.predicate);
  const uint32_t before = episode_.moments.empty() ? 0 : episode_.moments.back().predicate;
  if (moment.predicate > before) moment.pays = setup_.reward;
}

void LearningScheduler::look(World& world, bool is_last) {
  Episode::Moment moment;
  moment.first = static_cast<uint32_t>(episode_.actions.size());
  moment.state = environment_->look(world, episode_.actions);
  if (is_last) episode_.actions.resize(moment.first);  // nothing comes of them
  moment.count = static_cast<uint32_t>(episode_.actions.size()) - moment.first;
  place(world, moment);
  const bool is_first = episode_.moments.empty();
  if (is_first && learned_.episodes == 0) waypoints_.note_start(world, setup_.waypoints);
  episode_.moments.push_back(moment);
  const bool is_at_target = setup_.machine && !setup_.target && setup_.machine->succeeded();
  const uint64_t state =
      coverage_.see(world, learned_.steps + episode_.steps(), learned_.episodes + 1, is_at_target);
  if (setup_.machine) {
    setup_.machine->reach(state, episode_.steps(), taken_);
  } else {
    waypoints_.reach(moment.predicate, state, episode_.steps(), taken_);
  }
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
    if (episode_.steps() >= setup_.horizon || has_failed()) return kHorizon;
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
    taken_ = path.choices.size();
    look(world, how == RunEnd::kOver);
  }
  ++learned_.episodes;
  learned_.steps += episode_.steps();
  if (episode_.steps() > 0) agent_->learn_episode(episode_);
  waypoints_.end_run(path, learned_.episodes);
  if (setup_.machine) setup_.machine->end_run(path, learned_.episodes);
}

std::string LearningScheduler::covers() const { return counted(setup_.episodes, "episode"); }

std::vector<std::string> LearningScheduler::notes() const {
  std::vector<std::string> out = environment_->notes();
  out.insert(out.end(), setup_.notes.begin(), setup_.notes.end());
  for (std::string& note : waypoints_.notes("episode")) out.push_back(std::move(note));
  if (setup_.machine) {
    for (std::string& note : setup_.machine->notes("episode")) out.push_back(std::move(note));
  }
  if (agent_->table() != nullptr && agent_->table()->is_full()) {
    out.emplace_back(
        "the table of the learner was full: what it did not know then it did not learn "
        "(see --table-entries)");
  }
  return out;
}

uint64_t LearningScheduler::bytes() const {
  return agent_->bytes() + environment_->bytes() +
         (agent_->table() == nullptr ? 0 : agent_->table()->bytes()) + coverage_.bytes() +
         waypoints_.bytes() + (setup_.machine ? setup_.machine->bytes() : 0);
}

std::optional<Learning> LearningScheduler::learning() const {
  Learning out = learned_;
  waypoints_.tell(out);
  if (setup_.machine) setup_.machine->tell(out);
  out.coverage = coverage_.covered();
  if (out.target_coverage) {
    out.target_coverage = coverage_.covered_in_target();
    out.target_episodes = coverage_.runs_in_target();
  }
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
