#include "explore/search/search_state.h"

#include <algorithm>
#include <thread>

#include "base/mutant.h"

namespace ordeal::explore {

SearchPlan plan_of(const StateSpace& space, Order order, const Options& options) {
  SearchPlan plan{.options = options};
  plan.order = order;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  plan.threads = std::clamp(options.threads > 0 ? options.threads : cores, 1, 256);
  plan.bounded_depth_first = order == Order::kDepthFirst && options.max_depth > 0;
  const std::vector<Property>& properties = space.properties();
  plan.has_eventually = std::any_of(
      properties.begin(), properties.end(),
      [](const Property& property) { return property.kind == PropertyKind::kEventually; });
  const Result<Liveness> liveness = space.liveness();
  plan.any_step = plan.has_eventually && liveness && !liveness->claims.empty();
  plan.sleeps = options.reduce == "sleep";
  if (plan.sleeps) plan.note = VisitedSet::Note::kNumber;
  if (plan.bounded_depth_first) plan.note = VisitedSet::Note::kDepth;
  return plan;
}

void SearchState::next_level(bool levels_matter) {
  if (!levels_matter || may_have_cycle || ++level_tag <= VisitedSet::kTags) return;
  constexpr uint64_t kWorthIt = 64;
  // On disk they are forgotten by saying so; then there are none in memory between two levels.
  const bool cheap =
      !disk.empty() || out.distinct_states <= kWorthIt * (out.transitions - tags_forgotten_at);
  if (!cheap) {
    may_have_cycle = true;
    level_tag = 1;
    return;
  }
  visited.forget_tags();
  disk.forget_tags();
  tags_forgotten_at = out.transitions;
  level_tag = 2;
}

Result<void> SearchState::settle_with_disk(bool levels_matter) {
  uint64_t known = 0;
  dropped.resize(ancestry.size());
  // The first time, states of all levels are in memory; then, those of the next one only.
  const uint32_t level = disk.empty() ? 0 : level_tag;
  const auto meet_again = [&](const VisitedSet::Place& place, uint32_t tag) {
    const Ancestry::Entry entry = notes_from + visited.note(place);
    dropped[entry] = !mutant(Mutant::kDiskDuplicatesKept);
    ++known;
    if (at_bound && entry < at_bound->entries) --at_bound->out.distinct_states;
    const bool leads_back = place.tag == kLedToByProgress && tag != level;
    if (leads_back && !mutant(Mutant::kLevelsOnDiskIgnored)) may_have_cycle = true;
  };
  if (auto done = disk.absorb(visited, level, meet_again); !done) return done;
  out.distinct_states -= known;
  visited.restart(VisitedSet::Note::kNumber);
  notes_from = ancestry.size();
  if (beyond.size() == 0) return {};
  // States of the last level lead to none that are new and not beyond: the disk has them all now.
  const Result<bool> none_cut = disk.contain_all(beyond);
  if (!none_cut) return none_cut.error();
  cut_by_depth = cut_by_depth || !*none_cut;
  // If none was cut, they lie no deeper than where these edges came from.
  may_have_cycle = may_have_cycle || levels_matter;
  beyond.restart(VisitedSet::Note::kNone);
  return {};
}

Result<void> SearchState::store(const std::string& folder) {
  for (Frontier* frontier : {&next, &current}) {
    if (auto stored = frontier->store(folder); !stored) return stored;
  }
  return ancestry.store(folder);
}

void SearchState::note(const Hit& hit) {
  const auto same = find_alike(hits.begin(), hits.end(), hit.property, hit.failure,
                               [](const auto& known) -> const Hit& { return known.first; });
  if (same != hits.end()) {
    ++same->second;
    if (hit.step < same->first.step) same->first = hit;
    return;
  }
  hits.emplace_back(hit, 1);
  out.tell_violated(hit.property);
}

ShortForm SearchState::path_to(Ancestry::Entry entry, const std::optional<ShortForm>& guide) const {
  ShortForm path;
  while (ancestry.parent(entry) != Ancestry::kRoot) {
    path.choices.push_back(ancestry.choice(entry));
    entry = ancestry.parent(entry);
  }
  path.initial = ancestry.choice(entry);
  if (guide) {
    path.choices.insert(path.choices.end(), guide->choices.rbegin(), guide->choices.rend());
    path.initial = guide->initial;
  }
  std::reverse(path.choices.begin(), path.choices.end());
  return path;
}

std::optional<Finding> SearchState::trouble_found(const std::optional<ShortForm>& guide) const {
  if (!trouble) return std::nullopt;
  Finding out;
  out.trouble = trouble->message;
  out.on_step = trouble->on_step;
  out.path = path_to(trouble->entry, guide);
  if (trouble->on_step) out.path.choices.push_back(trouble->choice);
  return out;
}

void SearchState::go_back_to_bound() {
  if (!at_bound) return;
  hits = std::move(at_bound->hits);
  trouble = std::move(at_bound->trouble);
  outside = at_bound->outside;
  cut_by_depth = at_bound->cut_by_depth;
  out = std::move(at_bound->out);
  at_bound.reset();
}

void SearchState::release() {
  visited.restart(VisitedSet::Note::kNone);
  beyond.restart(VisitedSet::Note::kNone);
  disk.clear();
  for (SleepSets& sets : sleep_sets) sets = SleepSets();
  current = Frontier();
  next = Frontier();
}

uint64_t SearchState::bytes() const {
  uint64_t sum = visited.bytes() + beyond.bytes() + disk.bytes() + ancestry.bytes() +
                 current.bytes() + next.bytes() + dropped.capacity() / 8;
  for (const SleepSets& sets : sleep_sets) sum += sets.bytes();
  return sum;
}

}  // namespace ordeal::explore
