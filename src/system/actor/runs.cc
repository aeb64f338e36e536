// What is said of runs of a system: its atoms in a state, and whom a step serves.
#include <algorithm>

#include "base/hash.h"
#include "base/mutant.h"
#include "base/text.h"
#include "system/actor/explorer.h"

namespace ordeal::actor {
namespace {

const char* how(Owed owed) {
  switch (owed) {
    case Owed::kNothing:
      return "need not happen";
    case Owed::kWeakly:
      return "in the end where it stays possible";
    case Owed::kStrongly:
      return "in the end where it is possible again and again";
  }
  return "";
}

std::string words_of(const Fair& fair) {
  std::string out = fair.kind ? to_string(*fair.kind) : "all progress";
  if (!fair.name.empty()) out += " " + fair.name;
  if (fair.sender) out += " from " + std::to_string(fair.sender->value);
  if (fair.node) out += " at " + std::to_string(fair.node->value);
  return out + ": " + how(fair.owed);
}

std::string assumption_of(const detail::Declaration& declaration) {
  std::string out =
      "messages to a node that is up are delivered in the end, timers of a node that is up fire in "
      "the end, requests and events happen in the end (each where it stays possible); faults are "
      "owed nothing";
  for (const Fair& fair : declaration.fair) out += "; " + words_of(fair);
  for (const std::string& words : declaration.assumed_words) out += "; " + words;
  return out;
}

bool speaks_of(const Fair& fair, const Choice& choice, const ActorSpace& space) {
  if (fair.kind ? *fair.kind != choice.kind : !choice.progress) return false;
  const bool by_place = choice.kind == ActionKind::kCrash ||
                        choice.kind == ActionKind::kPartition || choice.kind == ActionKind::kHeal;
  if (by_place) {
    const int node = choice.kind == ActionKind::kCrash ? space.id_of(int(choice.a)) : -1;
    return fair.name.empty() && !fair.sender && (!fair.node || fair.node->value == node);
  }
  const Event& event = space.event(choice.a);
  if (fair.node && fair.node->value != space.id_of(event.to)) return false;
  if (fair.sender && fair.sender->value != space.id_of(event.from)) return false;
  if (fair.name.empty()) return true;
  if (choice.kind == ActionKind::kTimer) {
    const std::string* name = event.payload.try_get<std::string>();
    return name != nullptr && *name == fair.name;
  }
  if (event.payload.empty()) return false;
  return fair.type_id ? event.payload.type()->id() == *fair.type_id
                      : event.payload.type_name() == fair.name;
}

}  // namespace

Result<Liveness> ActorSpace::liveness() const {
  Liveness out;
  out.claims = declaration_->claims;
  out.state_atoms = static_cast<uint32_t>(declaration_->atoms.size());
  out.has_duties = true;
  if (!declaration_->assumed.empty()) out.assumed = formula::all(declaration_->assumed);
  out.assumption = assumption_of(*declaration_);
  return out;
}

void ActorExplorer::atoms_of_state(StateRef state, bool terminal, std::vector<bool>& out) {
  refresh();
  judge_.atoms(state, terminal, out);
}

Duty ActorExplorer::duty(StateRef, const Choice& choice) {
  const bool by_place = choice.kind == ActionKind::kCrash ||
                        choice.kind == ActionKind::kPartition || choice.kind == ActionKind::kHeal;
  Duty out;
  out.key = combine(static_cast<uint64_t>(choice.kind),
                    by_place ? choice.a : space_->event(choice.a).hash);
  if (mutant(Mutant::kOwedBySender) && choice.kind == ActionKind::kDeliver) {
    const Event& event = space_->event(choice.a);
    out.key = combine(static_cast<uint64_t>(event.from + 1), static_cast<uint64_t>(event.to + 1));
  }
  const bool crashes = runs_handler(choice.kind) && ways_[choice.c]->crash_at_persist > 0;
  if (crashes) return out;
  if (choice.progress || mutant(Mutant::kFaultsAreOwed)) out.owed = Owed::kWeakly;
  for (const Fair& fair : space_->declaration().fair) {
    if (speaks_of(fair, choice, *space_)) out.owed = fair.owed;
  }
  return out;
}

void Judge::atoms(StateRef state, bool terminal, std::vector<bool>& out) {
  look_at(state);
  const auto& atoms = space_->declaration().atoms;
  for (uint32_t i = 0; i < atoms.size(); ++i) {
    out[i] = atoms[i].property ? holds(state, terminal, *atoms[i].property)
                               : is_so(state, *atoms[i].predicate, "of a claim about runs");
  }
}

}  // namespace ordeal::actor
