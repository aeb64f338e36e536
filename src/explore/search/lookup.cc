#include "explore/search/lookup.h"

#include <algorithm>

#include "base/mutant.h"

namespace ordeal::explore {
namespace {

constexpr size_t kPrefetchAhead = 24;

uint32_t depth_after(const Record& parent) {
  return std::min(parent.depth + (mutant(Mutant::kStepsCountTwice) ? 2 : 1), Record::kDeepest);
}

size_t words_needed(const Unit& unit) {
  size_t needed = 0;
  for (const Lane& lane : unit.lanes) {
    for (const Lane::Queued& queued : lane.queued) {
      needed += Frontier::kHeaderWords + unit.state(queued.candidate).size();
    }
  }
  return needed;
}

}  // namespace

void Lookup::expand_and_look_up(Expander& expander, Unit& unit) {
  Lane& lane = unit.lanes[0];
  lane.clear();
  uint32_t next = 0;
  const auto behind = [&](size_t before) {
    const size_t count = unit.candidates.size();
    for (size_t i = before; i < count; ++i) s_.visited.prefetch(unit.candidates[i].fingerprint);
    while (next + kPrefetchAhead < count) look_up(unit, next++, lane);
  };
  expander.expand(unit, behind);
  while (next < unit.candidates.size()) look_up(unit, next++, lane);
}

void Lookup::look_up_shards(int self, Unit& unit) {
  const uint32_t threads = static_cast<uint32_t>(plan_.threads);
  const auto is_mine = [threads, mine = static_cast<uint32_t>(self)](uint64_t fingerprint) {
    return VisitedSet::shard_of(fingerprint) % threads == mine;
  };
  Lane& lane = unit.lanes[self];
  lane.clear();
  const std::vector<Candidate>& candidates = unit.candidates;
  const size_t count = candidates.size();
  // Even a prefetch looks at the shard, which its owner may be growing.
  const auto prefetch = [&](size_t i) {
    if (i < count && is_mine(candidates[i].fingerprint)) {
      s_.visited.prefetch(candidates[i].fingerprint);
    }
  };
  for (size_t i = 0; i < kPrefetchAhead; ++i) prefetch(i);
  for (size_t i = 0; i < count; ++i) {
    prefetch(i + kPrefetchAhead);
    if (is_mine(candidates[i].fingerprint)) look_up(unit, static_cast<uint32_t>(i), lane);
  }
}

void Lookup::look_up(const Unit& unit, uint32_t number, Lane& lane) {
  const Candidate& candidate = unit.candidates[number];
  const Record& parent = unit.records[candidate.record];
  const uint32_t depth = depth_after(parent);
  const uint64_t second = plan_.options.wide_fingerprints ? unit.seconds[number] : 0;
  // With sleep sets, an edge that would close a cycle may be left out; then one that is taken leads
  // back elsewhere, but perhaps not by progress.
  const bool matters = plan_.has_eventually && (candidate.may_return || plan_.sleeps);
  if (plan_.options.max_depth > 0 && depth > plan_.depth_limit()) {
    // Not to be visited; but if it is known anyway, nothing was cut, and it lies no deeper.
    if (s_.visited.contains(candidate.fingerprint, second)) {
      lane.leads_back = lane.leads_back || matters;
    } else if (s_.disk.empty()) {
      lane.cut_by_depth = true;
    } else {
      s_.beyond.put(candidate.fingerprint, second);
    }
    return;
  }
  if (depth == Record::kDeepest) lane.too_deep_to_tell = true;
  ++lane.considered;
  const bool tentative = !s_.disk.empty();
  const uint32_t tag = !tentative ? s_.level_tag : matters ? kLedToByProgress : kLedTo;
  const VisitedSet::Place place = s_.visited.put(candidate.fingerprint, second, tag);
  if (place.is_new) ++lane.fresh;
  Lane::Queued queued;
  queued.candidate = number;
  queued.is_new = place.is_new;
  if (matters && !place.is_new) {
    // Only an edge that does not lead to the level after this one can close a cycle. With states on
    // disk, all that are in memory lie on that level; whether they do is found out later.
    if (!tentative) {
      lane.leads_back = lane.leads_back || place.tag != s_.level_tag;
    } else if (place.tag != kLedToByProgress) {
      s_.visited.set_tag(place, kLedToByProgress);
    }
  }
  if (plan_.sleeps) {
    if (merge_sleep_sets(unit, place, queued, lane)) lane.queued.push_back(queued);
    return;
  }
  if (place.is_new) {
    if (plan_.bounded_depth_first) s_.visited.set_note(place, depth);
    lane.queued.push_back(queued);
    return;
  }
  if (!plan_.bounded_depth_first) return;
  const uint32_t known = s_.visited.note(place);
  if (depth >= known) return;
  s_.visited.set_note(place, depth);
  if (mutant(Mutant::kNoSecondExpansion)) return;
  // Reached on a shorter way: what lies behind it may have been cut before.
  queued.count = known >= plan_.options.max_depth;
  if (depth >= VisitedSet::kDeepest) lane.too_deep_to_tell = true;
  lane.queued.push_back(queued);
}

bool Lookup::merge_sleep_sets(const Unit& unit, const VisitedSet::Place& place,
                              Lane::Queued& queued, Lane& lane) {
  SleepSets& sets = s_.sleep_sets[place.shard];
  const Keys asleep = unit.asleep(queued.candidate);
  if (place.is_new) {
    s_.visited.set_note(place, sets.intern(asleep));
    return true;
  }
  const Keys known = sets.get(s_.visited.note(place));
  queued.keys_at = static_cast<uint32_t>(lane.keys.size());
  for (const bool woken : {false, true}) {
    const size_t before = lane.keys.size();
    for (size_t i = 0; i < known.size(); ++i) {
      if (asleep.contains(known[i]) != woken) Keys::push(known[i], lane.keys);
    }
    (woken ? queued.woken : queued.asleep) = static_cast<uint32_t>(lane.keys.size() - before);
  }
  if (queued.woken == 0 || mutant(Mutant::kSleepersNotWoken)) {
    lane.keys.resize(queued.keys_at);
    return false;
  }
  const Keys both(StateRef(lane.keys.data() + queued.keys_at, queued.asleep));
  s_.visited.set_note(place, sets.intern(both));
  return true;
}

void Lookup::queue(Unit& unit) {
  Frontier::Words words;
  uint32_t done = 0;
  const bool tentative = !s_.disk.empty();
  std::vector<size_t> at(unit.lanes.size(), 0);
  if (unit.most_queued > 0) words.reserve(words_needed(unit));
  while (done < unit.most_queued) {
    // The lanes are in order each; together, too.
    Lane* lane = nullptr;
    size_t* place = nullptr;
    for (size_t i = 0; i < unit.lanes.size(); ++i) {
      if (at[i] == unit.lanes[i].queued.size()) continue;
      if (lane == nullptr ||
          unit.lanes[i].queued[at[i]].candidate < lane->queued[*place].candidate) {
        lane = &unit.lanes[i];
        place = &at[i];
      }
    }
    const Lane::Queued& queued = lane->queued[(*place)++];
    const Candidate& candidate = unit.candidates[queued.candidate];
    const Record& parent = unit.records[candidate.record];
    Record record;
    record.fingerprint = candidate.fingerprint;
    record.entry = unit.first_entry + done++;
    record.depth = depth_after(parent);
    record.first = queued.is_new;
    record.count = queued.count;
    record.sleeps = plan_.sleeps;
    record.state = unit.state(queued.candidate);
    if (plan_.sleeps && queued.is_new) {
      record.asleep = unit.asleep(queued.candidate);
    } else if (plan_.sleeps) {
      const uint32_t* keys = lane->keys.data() + queued.keys_at;
      record.asleep = Keys(StateRef(keys, queued.asleep));
      record.woken = Keys(StateRef(keys + queued.asleep, queued.woken));
    }
    s_.ancestry.set(record.entry, parent.entry,
                    mutant(Mutant::kWrongParent) ? 0 : candidate.choice);
    if (tentative) {
      // The disk will tell whether it is new; then its entry must be known.
      const uint64_t second = plan_.options.wide_fingerprints ? unit.seconds[queued.candidate] : 0;
      s_.visited.set_note(s_.visited.find_place(record.fingerprint, second),
                          static_cast<uint32_t>(record.entry - s_.notes_from));
    }
    Frontier::write(record, words);
  }
  unit.waiting = std::move(words);
}

}  // namespace ordeal::explore
