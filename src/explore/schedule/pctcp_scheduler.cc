#include <algorithm>

#include "base/mutant.h"
#include "base/text.h"
#include "explore/schedule/schedulers.h"
#include "explore/strategy/findings.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {

void PctcpScheduler::start() {
  events_.clear();
  pctcp_.emplace(points_.depth, points_.events, [this](uint64_t n) { return rng().below(n); });
  pasts_.clear();
  past_of_.clear();
  nodes_.clear();
}

Clock PctcpScheduler::past_of_fresh() {
  if (!events_.has_step()) return {};
  Clock past = pasts_[past_of_[events_.taken()]];
  add_to(past, pctcp_->place(events_.taken()));
  if (events_.taken_at() == PendingEvents::kNowhere) return past;
  Clock& node = nodes_[events_.taken_at()];
  if (!mutant(Mutant::kNodesForget)) join_clocks(past, node);
  node = past;
  return past;
}

bool PctcpScheduler::arrive(const Arrival& at) {
  World& world = at.world;
  events_.arrive(world);
  pasts_.push_back(past_of_fresh());
  const uint32_t fresh = static_cast<uint32_t>(events_.fresh().size());
  past_of_.resize(past_of_.size() + fresh, static_cast<uint32_t>(pasts_.size() - 1));
  pctcp_->add(fresh, [this](uint32_t) -> const Clock& { return pasts_.back(); });
  most_events_ = std::max<uint64_t>(most_events_, events_.size());
  most_chains_ = std::max(most_chains_, pctcp_->chains());
  return true;
}

uint32_t PctcpScheduler::pick(World& world) {
  const std::vector<uint32_t>& enabled = events_.enabled();
  if (ends(world, enabled.size())) return kEnd;
  const uint32_t first =
      *std::min_element(enabled.begin(), enabled.end(),
                        [this](uint32_t a, uint32_t b) { return pctcp_->before(a, b); });
  return events_.any_action(first, rng());
}

bool PctcpScheduler::is_before(uint32_t a, uint32_t b) const {
  const Clock& past = pasts_[past_of_[b]];
  const Chains::Place& place = pctcp_->place(a);
  return place.chain < past.size() && past[place.chain] > place.position;
}

std::vector<std::string> PctcpScheduler::notes() const {
  std::string note = "bugs of depth " + grouped(points_.depth) + " among " +
                     grouped(points_.events) + " events a run";
  if (points_.tried_runs > 0) {
    note += " (the most of " + grouped(points_.tried_runs) + " random runs)";
  }
  note += ", in at most " + grouped(most_chains_) + " chains";
  if (most_events_ > points_.events) {
    note += "; the longest run had " + grouped(most_events_) + " (see --events)";
  }
  return {note};
}

Strategy pctcp_strategy() {
  Strategy strategy = with_change_points(sampler(
      "pctcp", "random priorities of chains of causes, with a guarantee (see --bug-depth)"));
  strategy.schedule = [](const Options& options,
                         World& world) -> Result<std::unique_ptr<Scheduler>> {
    const ChangePoints points = change_points(options, world, true);
    return std::unique_ptr<Scheduler>(std::make_unique<PctcpScheduler>(options.seed, points));
  };
  return strategy;
}

}  // namespace ordeal::explore
