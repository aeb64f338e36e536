#include "system/actor/judge.h"

#include <algorithm>

#include "base/guard.h"
#include "base/mutant.h"
#include "base/watch.h"
#include "ordeal/context.h"

namespace ordeal::actor {
namespace {

constexpr uint32_t kNoPart = ~0U;

}  // namespace

Judge::Judge(std::shared_ptr<ActorSpace> space) : space_(std::move(space)) {
  const detail::Declaration& declaration = space_->declaration();
  needs_view_ = !declaration.constraints.empty();
  slots_.resize(space_->node_count());
  for (uint32_t node = 0; node < space_->node_count(); ++node) {
    slots_[node].type = space_->type_of(node).id;
    slots_[node].state = space_->type_of(node).type;
  }
  shown_.resize(space_->node_count(), kNoPart);
  generation_ = judged_generation_ = space_->generation();
  for (const auto& named : declaration.properties) {
    PropertyState known;
    detail::TypeId type;
    if (const auto* unary = std::get_if<Predicate::Unary>(&named.predicate.form())) {
      type = unary->type;
    } else if (const auto* binary = std::get_if<Predicate::Binary>(&named.predicate.form())) {
      type = binary->type;
    } else if (std::holds_alternative<Predicate::Global>(named.predicate.form())) {
      needs_view_ = true;
    }
    for (uint32_t node = 0; node < space_->node_count(); ++node) {
      if (space_->type_of(node).id == type) known.nodes.push_back(node);
    }
    const size_t nodes = known.nodes.size();
    known.true_of.assign(std::max(nodes, nodes * nodes), kNoPart);
    properties_.push_back(std::move(known));
  }
}

void Judge::forget() {
  for (PropertyState& known : properties_) {
    known.by_id.clear();
    known.by_pair.clear();
    std::fill(known.true_of.begin(), known.true_of.end(), kNoPart);
    known.said.reset();
  }
  judged_.clear();
}

uint64_t Judge::bytes() const {
  uint64_t sum = 0;
  for (const PropertyState& known : properties_) {
    sum += known.by_id.capacity() + known.by_pair.bytes() +
           (known.true_of.capacity() + known.looked_parts.capacity()) * sizeof(uint32_t);
  }
  return sum;
}

const History& Judge::history() const { return space_->history(state_[kHistoryWord]); }

std::vector<InFlight> Judge::messages() const {
  std::vector<InFlight> out;
  for (uint32_t i = kFirstPart + space_->part_count(); i < state_.size(); ++i) {
    const Event& event = space_->event(state_[i]);
    if (event.kind != ActionKind::kDeliver) continue;
    out.push_back({space_->id_of(event.from), space_->id_of(event.to), &event.payload});
  }
  return out;
}

const void* Judge::data_of(uint32_t part) const {
  const Part& content = space_->part(part);
  if (live_ != nullptr && (*live_)[content.node] != nullptr) return (*live_)[content.node];
  return content.state.data();
}

void Judge::look_at(StateRef state) {
  state_ = state;
  if (generation_ != space_->generation()) {
    generation_ = space_->generation();
    std::fill(shown_.begin(), shown_.end(), kNoPart);
  }
  for (uint32_t node = 0; node < space_->node_count(); ++node) {
    // From one state to the next few nodes change; opaque objects change in place.
    const uint32_t id = state[kFirstPart + node];
    if (shown_[node] == id && live_ == nullptr) continue;
    shown_[node] = id;
    const Part& part = space_->part(id);
    View::Slot& slot = slots_[node];
    slot.data = data_of(id);
    slot.disk = part.disk.empty() ? nullptr : &part.disk;
    slot.decisions = &part.decisions;
    slot.up = part.up;
  }
}

template <class F>
Outcome Judge::ask(uint32_t index, const F& holds) const {
  Outcome out = true;
  const Property& property = space_->declaration().properties[index].property;
  const auto known_as = [&] { return value::hash(property.name); };
  // Once it did not return, the property is violated: how often does not matter as much.
  const Hurry hurry(is_known_overdue(known_as));
  const std::string failure = guarded_look([&] { out = holds(); });
  if (failure.empty()) return out;
  if (is_overdue(failure)) remember_overdue(known_as());
  if (property.kind == PropertyKind::kSometimes) {
    throw Failure("the property \"" + property.name + "\" fails: " + failure);
  }
  return violated("the property itself fails: " + failure);
}

template <class F>
bool Judge::is_true(uint32_t index, const F& holds) const {
  if (Trusting::is_on()) {
    try {
      return holds().ok();
    } catch (...) {
      // It is asked again, with more care.
    }
  }
  return ask(index, holds).ok();
}

bool Judge::within(StateRef state) {
  const auto& constraints = space_->declaration().constraints;
  if (constraints.empty() || mutant(Mutant::kConstraintIgnored)) return true;
  look_at(state);
  const View seen = view(false);
  const auto all = [&] {
    return std::all_of(constraints.begin(), constraints.end(),
                       [&](const auto& constraint) { return constraint(seen); });
  };
  if (Trusting::is_on()) return all();
  bool inside = true;
  const std::string failure = guarded_look([&] { inside = all(); });
  if (!failure.empty()) throw Failure("a constraint (within) fails: " + failure);
  return inside;
}

bool Judge::holds_for(uint32_t index, const Predicate::Unary& form, uint32_t part) {
  PropertyState& known = properties_[index];
  if (part >= known.by_id.size()) known.by_id.resize(part + part / 2 + 64, Known::kUnknown);
  Known& answer = known.by_id[part];
  if (answer == Known::kUnknown || live_ != nullptr) {
    const bool holds = is_true(index, [&] { return form.holds(data_of(part)); });
    // Before it is known: what throws here is asked again, and must throw again.
    if (images_ != nullptr && space_->part(part).state.type()->holds_names())
      try_images(index, form, part, holds);
    answer = holds ? Known::kTrue : Known::kFalse;
  }
  return answer == Known::kTrue;
}

// Every state of a node that is reached without symmetry is an image of one that is reached with
// it.
void Judge::try_images(uint32_t index, const Predicate::Unary& form, uint32_t part, bool holds) {
  if (mutant(Mutant::kEachIsTrusted)) return;
  for (const Images::Image& image : images_->of(space_->part(part).state)) {
    if (form.holds(image.value.data()).ok() == holds) continue;
    const detail::Declaration& declaration = space_->declaration();
    throw AssertionFailed(
        "symmetry: \"" + declaration.properties[index].property.name +
        "\" does not treat like nodes alike: it says one thing of a node, and another of the same "
        "node " +
        image.words +
        ". Compare ids with each other, not with one in particular, or check without "
        "symmetry");
  }
  left_images_out_ = left_images_out_ || !images_->complete();
}

bool Judge::holds_for(uint32_t index, const Predicate::Binary& form, uint32_t a, uint32_t b) {
  PropertyState& known = properties_[index];
  const uint64_t key = static_cast<uint64_t>(a) << 32 | (mutant(Mutant::kPairMemoHalfKey) ? 0 : b);
  const bool* answer = live_ != nullptr ? nullptr : known.by_pair.find(key);
  if (answer != nullptr) {
    ++known.pairs_found;
    return *answer;
  }
  const bool holds = is_true(index, [&] { return form.holds(data_of(a), data_of(b)); });
  if (images_ != nullptr && form.holds(data_of(b), data_of(a)).ok() != holds) {
    throw AssertionFailed(
        "symmetry: a function of pairs says one thing of two nodes and another of the same two "
        "the other way round: node " +
        std::to_string(space_->id_of(static_cast<int>(space_->part(a).node))) + " and node " +
        std::to_string(space_->id_of(static_cast<int>(space_->part(b).node))));
  }
  if (live_ != nullptr) return holds;
  // Bounded: a pair that comes back after the cache was emptied is computed again. Where few come
  // back at all, a larger one is only slower.
  if (known.by_pair.size() >= known.pairs_kept) {
    if (known.pairs_found < known.pairs_kept || known.pairs_kept >= kManyPairs) {
      known.by_pair.empty();
    } else {
      known.pairs_kept *= 4;
    }
    known.pairs_found = 0;
  }
  known.by_pair.insert(key, holds);
  return holds;
}

bool Judge::holds(StateRef state, bool terminal, uint32_t index) {
  PropertyState& known = properties_[index];
  const Predicate& predicate = space_->declaration().properties[index].predicate;
  if (const auto* unary = std::get_if<Predicate::Unary>(&predicate.form())) {
    for (size_t i = 0; i < known.nodes.size(); ++i) {
      const uint32_t part = state[kFirstPart + known.nodes[i]];
      if (known.true_of[i] == part && live_ == nullptr) continue;
      const bool any = unary->over == Over::kAll || mutant(Mutant::kCorrectMeansAll);
      if ((any || space_->part(part).up) && !holds_for(index, *unary, part)) return false;
      known.true_of[i] = part;
    }
    return true;
  }
  if (const auto* binary = std::get_if<Predicate::Binary>(&predicate.form())) {
    size_t pair = 0;
    for (size_t i = 0; i < known.nodes.size(); ++i) {
      const uint32_t a = state[kFirstPart + known.nodes[i]];
      for (size_t j = i + 1; j < known.nodes.size(); ++j, pair += 2) {
        const uint32_t b = state[kFirstPart + known.nodes[j]];
        const bool same =
            known.true_of[pair] == a && (known.true_of[pair + 1] == b || mutant(Mutant::kPairKept));
        if (same && live_ == nullptr) continue;
        const bool counts =
            binary->over == Over::kAll || (space_->part(a).up && space_->part(b).up);
        if (counts && !holds_for(index, *binary, a, b)) return false;
        known.true_of[pair] = a;
        known.true_of[pair + 1] = b;
      }
    }
    return true;
  }
  if (const auto* over = std::get_if<Predicate::OverHistory>(&predicate.form())) {
    const uint32_t id = state[kHistoryWord];
    if (id >= known.by_id.size()) known.by_id.resize(id + id / 2 + 64, Known::kUnknown);
    if (known.by_id[id] == Known::kUnknown) {
      const Outcome outcome = ask(index, [&] { return over->holds(space_->history(id)); });
      known.by_id[id] = outcome.ok() ? Known::kTrue : Known::kFalse;
    }
    return known.by_id[id] == Known::kTrue;
  }
  return holds_for_view(state, terminal, index, std::get<Predicate::Global>(predicate.form()));
}

bool Judge::holds_for_view(StateRef state, bool terminal, uint32_t index,
                           const Predicate::Global& form) {
  PropertyState& known = properties_[index];
  if (live_ != nullptr || !takes_runs_) {
    return is_true(index, [&] { return form.holds(view(terminal)); });
  }
  if (known.said && looks_the_same(known, state, terminal)) return *known.said;
  known.said.reset();
  known.looked = {};
  known.looked.nodes.resize(space_->node_count());
  const bool holds = is_true(index, [&] { return form.holds(view(terminal, &known.looked)); });
  const PropertyKind kind = space_->declaration().properties[index].property.kind;
  // What is violated is asked again: it may have failed for a reason of its own.
  // One that looks at nothing may be there to be called.
  const View::Looked& looked = known.looked;
  const bool looks =
      looked.history || looked.terminal ||
      std::any_of(looked.nodes.begin(), looked.nodes.end(), [](uint8_t what) { return what != 0; });
  const bool asks_again = looked.messages || !looks;
  must_ask_ = must_ask_ || asks_again;
  if (asks_again || (!holds && kind != PropertyKind::kSometimes)) return holds;
  const auto parts = state.begin() + kFirstPart;
  known.looked_parts.assign(parts, parts + space_->node_count());
  known.looked_history = state[kHistoryWord];
  known.looked_terminal = terminal;
  known.said = holds;
  return holds;
}

// What a handler leaves as it is, the next part shares with the one before.
bool Judge::looks_the_same(PropertyState& known, StateRef state, bool terminal) const {
  const View::Looked& looked = known.looked;
  if (looked.history && known.looked_history != state[kHistoryWord]) return false;
  if (looked.terminal && known.looked_terminal != terminal) return false;
  const auto is_shared = [](const value::Any& a, const value::Any& b) {
    return a.data() == b.data();
  };
  for (uint32_t node = 0; node < space_->node_count(); ++node) {
    const uint32_t id = state[kFirstPart + node];
    const uint8_t what = looked.nodes[node];
    if (what == 0 || known.looked_parts[node] == id) continue;
    const Part& before = space_->part(known.looked_parts[node]);
    const Part& now = space_->part(id);
    if ((what & View::kUp) != 0 && before.up != now.up) return false;
    if ((what & View::kState) != 0 && !is_shared(before.state, now.state)) return false;
    if ((what & View::kDisk) != 0 && !is_shared(before.disk, now.disk)) return false;
    if ((what & View::kDecisions) != 0 && !mutant(Mutant::kVerdictKept) &&
        !std::equal(before.decisions.begin(), before.decisions.end(), now.decisions.begin(),
                    now.decisions.end(), is_shared)) {
      return false;
    }
    known.looked_parts[node] = id;
  }
  return true;
}

void Judge::judge(StateRef state, bool terminal, Judgement& out) {
  if (judged_generation_ != space_->generation()) {
    judged_generation_ = space_->generation();
    forget();
  }
  if (is_judged_alike(state, terminal, out)) {
    out.reached.insert(out.reached.end(), judged_reached_.begin(), judged_reached_.end());
    return;
  }
  judged_.clear();
  must_ask_ = false;
  // One guard for all: where one fails, they are asked again, with a guard for each.
  if (takes_runs_ && live_ == nullptr && !Trusting::is_on()) {
    const size_t violated = out.violated.size();
    const size_t reached = out.reached.size();
    std::string failure;
    {
      const Trusting trusting;
      failure = guarded_look([&] { judge_all(state, terminal, out); });
    }
    if (failure.empty()) {
      if (out.violated.size() > violated || must_ask_ || !out.settled.empty()) return;
      const auto history = state.begin() + kHistoryWord;
      judged_.assign(history, history + 1 + space_->node_count());
      judged_terminal_ = terminal;
      judged_reached_.assign(out.reached.begin() + static_cast<ptrdiff_t>(reached),
                             out.reached.end());
      return;
    }
    out.violated.resize(violated);
    out.reached.resize(reached);
  }
  judge_all(state, terminal, out);
}

// A step that changes nobody and no history only moves messages, which few properties look at.
bool Judge::is_judged_alike(StateRef state, bool terminal, const Judgement& out) const {
  static_assert(kFirstPart == kHistoryWord + 1);
  return !judged_.empty() && judged_terminal_ == terminal && out.settled.empty() &&
         std::equal(judged_.begin(), judged_.end(), state.begin() + kHistoryWord);
}

void Judge::judge_all(StateRef state, bool terminal, Judgement& out) {
  if (needs_view_) look_at(state);
  const auto& properties = space_->declaration().properties;
  for (uint32_t i = 0; i < properties.size(); ++i) {
    const PropertyKind kind = properties[i].property.kind;
    const bool skip = kind == PropertyKind::kEventually && !terminal;
    if (skip && !mutant(Mutant::kEventuallyEverywhere)) continue;
    if (kind == PropertyKind::kSometimes && out.is_settled(i + 1)) continue;
    if (properties[i].property.on_runs) continue;
    const bool true_here = holds(state, terminal, i);
    // Property 0 of the check is the implicit one.
    if (kind == PropertyKind::kSometimes) {
      if (true_here) out.reached.push_back(i + 1);
    } else if (!true_here) {
      out.violated.push_back(i + 1);
    }
  }
}

bool Judge::is_so(StateRef state, const Predicate& predicate, const std::string& name) {
  look_at(state);
  const auto counts = [&](uint32_t node, const detail::TypeId& type, Over over) {
    return slots_[node].type == type && (over == Over::kAll || slots_[node].up);
  };
  const uint32_t nodes = space_->node_count();
  const auto holds = [&] {
    if (const auto* unary = std::get_if<Predicate::Unary>(&predicate.form())) {
      for (uint32_t i = 0; i < nodes; ++i) {
        if (counts(i, unary->type, unary->over) && !unary->holds(slots_[i].data)) return false;
      }
      return true;
    }
    if (const auto* binary = std::get_if<Predicate::Binary>(&predicate.form())) {
      for (uint32_t i = 0; i < nodes; ++i) {
        for (uint32_t j = i + 1; j < nodes; ++j) {
          if (!counts(i, binary->type, binary->over) || !counts(j, binary->type, binary->over)) {
            continue;
          }
          if (!binary->holds(slots_[i].data, slots_[j].data)) return false;
        }
      }
      return true;
    }
    if (const auto* over = std::get_if<Predicate::OverHistory>(&predicate.form())) {
      return over->holds(history()).ok();
    }
    return std::get<Predicate::Global>(predicate.form()).holds(view(false)).ok();
  };
  bool out = false;
  const std::string failure = guarded_look([&] { out = holds(); });
  if (!failure.empty()) throw Failure("the predicate " + name + " fails: " + failure);
  return out;
}

int64_t Judge::distance_of(StateRef state, const std::function<int64_t(const View&)>& grade,
                           const std::string& name) {
  look_at(state);
  int64_t out = 0;
  const std::string failure = guarded_look([&] { out = grade(view(false)); });
  if (!failure.empty()) throw Failure("the distance of " + name + " fails: " + failure);
  return out;
}

Outcome Judge::explain(StateRef state, bool terminal, uint32_t property) {
  if (property == kNoFailure) return true;
  look_at(state);
  const uint32_t index = property - 1;
  const Predicate& predicate = space_->declaration().properties[index].predicate;
  const auto describe = [&](uint32_t node) {
    const value::Any& content = space_->part(state[kFirstPart + node]).state;
    const OpaqueState* opaque = content.try_get<OpaqueState>();
    return "node " + std::to_string(space_->id_of(static_cast<int>(node))) + " is " +
           (opaque != nullptr ? opaque->shown : value::show(content.tree()));
  };
  // The states of the nodes explain a predicate that gives no reason; one that does is only
  // completed by them where they fit into a line or two.
  const auto or_else = [](const Outcome& outcome, const std::string& states) {
    constexpr size_t kLong = 200;
    if (outcome.why().empty()) return states;
    return states.size() > kLong ? outcome.why() : outcome.why() + "; " + states;
  };
  const std::vector<uint32_t>& nodes = properties_[index].nodes;
  const auto counts = [&](uint32_t node, Over over) {
    return over == Over::kAll || space_->part(state[kFirstPart + node]).up;
  };
  if (const auto* unary = std::get_if<Predicate::Unary>(&predicate.form())) {
    for (uint32_t node : nodes) {
      if (!counts(node, unary->over)) continue;
      const Outcome outcome =
          ask(index, [&] { return unary->holds(data_of(state[kFirstPart + node])); });
      if (!outcome.ok()) {
        return violated(or_else(outcome, describe(node))).node(space_->id_of(int(node)));
      }
    }
    return true;
  }
  if (const auto* binary = std::get_if<Predicate::Binary>(&predicate.form())) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (size_t j = i + 1; j < nodes.size(); ++j) {
        if (!counts(nodes[i], binary->over) || !counts(nodes[j], binary->over)) continue;
        const Outcome outcome = ask(index, [&] {
          return binary->holds(data_of(state[kFirstPart + nodes[i]]),
                               data_of(state[kFirstPart + nodes[j]]));
        });
        if (outcome.ok()) continue;
        return violated(or_else(outcome, describe(nodes[i]) + ", " + describe(nodes[j])))
            .node(space_->id_of(int(nodes[i])))
            .node(space_->id_of(int(nodes[j])));
      }
    }
    return true;
  }
  if (const auto* over = std::get_if<Predicate::OverHistory>(&predicate.form())) {
    return ask(index, [&] { return over->holds(history()); });
  }
  const auto& global = std::get<Predicate::Global>(predicate.form());
  return ask(index, [&] { return global.holds(view(terminal)); });
}

}  // namespace ordeal::actor
