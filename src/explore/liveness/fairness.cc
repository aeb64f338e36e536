#include "explore/liveness/fairness.h"

#include <algorithm>

#include "base/mutant.h"

namespace ordeal::explore {

FairnessTally::FairnessTally(const RunGraph& graph, const Liveness& liveness,
                             uint32_t acceptance_sets)
    : graph_(graph), liveness_(liveness), sets_(acceptance_sets), duties_(graph.duties().size()) {
  clear();
}

void FairnessTally::clear() {
  met_.assign(sets_ + 1, false);
  // Where a subject stutters, to stay is as good as to go on.
  met_[sets_] = liveness_.stutters || mutant(Mutant::kProgressNotAsked);
  weak_met_.assign(liveness_.fair.size(), false);
  taken_ = enabled_ = weak_met_;
  nodes_ = 0;
  stayed_ = false;
  for (const uint32_t duty : touched_) duties_[duty] = {};
  touched_.clear();
}

bool FairnessTally::is_strong(Owed owed) const {
  return owed == Owed::kStrongly && !mutant(Mutant::kStrongIsWeak);
}

template <class F>
void FairnessTally::each_duty(uint32_t state, const F& f) const {
  if (graph_.duties().size() == 1) return;
  RunGraph::Cursor cursor = graph_.edges_from(state);
  for (RunGraph::Edge edge; cursor.next(edge);) {
    if (const uint32_t duty = graph_.label(edge.label).duty; duty != 0) f(duty);
  }
}

void FairnessTally::add_node(uint32_t state) {
  ++nodes_;
  if (graph_.is_terminal(state)) met_[sets_] = true;
  for (size_t i = 0; i < liveness_.fair.size(); ++i) {
    const bool on = is_enabled(liveness_.fair[i], state);
    enabled_[i] = enabled_[i] || on;
    weak_met_[i] = weak_met_[i] || !on;
  }
  each_duty(state, [&](uint32_t duty) {
    Duties& known = duties_[duty];
    if (known.enabled == 0 && !known.served) touched_.push_back(duty);
    if (known.last == nodes_) return;
    known.last = nodes_;
    ++known.enabled;
  });
}

void FairnessTally::add_edge(const ProductEdge& edge) {
  for (uint32_t set = 0; set < sets_; ++set) {
    if (!edge.put_off->has(set)) met_[set] = true;
  }
  for (size_t i = 0; i < liveness_.fair.size(); ++i) {
    if (is_taken(liveness_.fair[i], edge)) taken_[i] = weak_met_[i] = true;
  }
  if (edge.stays) {
    stayed_ = true;
    return;
  }
  const RunGraph::Label& label = graph_.label(edge.label);
  if (label.progress) met_[sets_] = true;
  if (label.duty == 0) return;
  Duties& known = duties_[label.duty];
  if (known.enabled == 0 && !known.served) touched_.push_back(label.duty);
  known.served = true;
}

bool FairnessTally::misses_duty(uint32_t duty) const {
  if (duties_[duty].served) return false;
  return is_strong(graph_.duties()[duty]) ? duties_[duty].enabled > 0
                                          : duties_[duty].enabled == nodes_;
}

bool FairnessTally::is_hopeless() const {
  if (std::find(met_.begin(), met_.end(), false) != met_.end()) return true;
  if (mutant(Mutant::kWeakIsNothing) || (stayed_ && mutant(Mutant::kStayingIsFair))) return false;
  for (size_t i = 0; i < liveness_.fair.size(); ++i) {
    if (liveness_.fair[i].owed != Owed::kNothing && !weak_met_[i]) return true;
  }
  return std::any_of(touched_.begin(), touched_.end(), [&](uint32_t duty) {
    return duties_[duty].enabled == nodes_ && !duties_[duty].served;
  });
}

bool FairnessTally::must_lose(uint32_t state) const {
  for (size_t i = 0; i < liveness_.fair.size(); ++i) {
    const FairAction& action = liveness_.fair[i];
    if (is_strong(action.owed) && !taken_[i] && is_enabled(action, state)) return true;
  }
  bool out = false;
  each_duty(state, [&](uint32_t duty) {
    out = out || (is_strong(graph_.duties()[duty]) && !duties_[duty].served);
  });
  return out;
}

bool FairnessTally::misses_nothing() const {
  if (is_hopeless()) return false;
  for (size_t i = 0; i < liveness_.fair.size(); ++i) {
    if (is_strong(liveness_.fair[i].owed) && enabled_[i] && !taken_[i]) return false;
  }
  return std::none_of(touched_.begin(), touched_.end(), [&](uint32_t duty) {
    return is_strong(graph_.duties()[duty]) && misses_duty(duty);
  });
}

bool FairnessTally::lets_stay(uint32_t state) const {
  if (mutant(Mutant::kWeakIsNothing) || mutant(Mutant::kStayingIsFair)) return true;
  for (const FairAction& action : liveness_.fair) {
    if (action.owed != Owed::kNothing && is_enabled(action, state)) return false;
  }
  bool out = true;
  each_duty(state, [&](uint32_t) { out = false; });
  return out;
}

bool FairnessTally::helps(const ProductEdge& edge) const {
  for (uint32_t set = 0; set < sets_; ++set) {
    if (!met_[set] && !edge.put_off->has(set)) return true;
  }
  const bool progress = !edge.stays && graph_.label(edge.label).progress;
  if (!met_[sets_] && (progress || graph_.is_terminal(edge.state))) return true;
  for (size_t i = 0; i < liveness_.fair.size(); ++i) {
    const FairAction& action = liveness_.fair[i];
    if (action.owed == Owed::kNothing) continue;
    const bool taken = is_taken(action, edge);
    if (!weak_met_[i] && (taken || !is_enabled(action, edge.state))) return true;
    if (is_strong(action.owed) && enabled_[i] && !taken_[i] && taken) return true;
  }
  const uint32_t serves = edge.stays ? 0 : graph_.label(edge.label).duty;
  std::vector<uint32_t> here;
  each_duty(edge.state, [&](uint32_t duty) { here.push_back(duty); });
  return std::any_of(touched_.begin(), touched_.end(), [&](uint32_t duty) {
    if (!misses_duty(duty)) return false;
    const bool elsewhere = !is_strong(graph_.duties()[duty]) &&
                           std::find(here.begin(), here.end(), duty) == here.end();
    return serves == duty || elsewhere;
  });
}

}  // namespace ordeal::explore
