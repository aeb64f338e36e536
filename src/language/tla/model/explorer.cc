#include "language/tla/model/explorer.h"

#include <algorithm>

#include "language/tla/model/reasons.h"
#include "language/tla/value/mutant.h"
#include "ordeal/detail/hash.h"

namespace ordeal::tla {

TlaExplorer::TlaExplorer(TlaSpace& space)
    : space_(space),
      spec_(space.specification()),
      machine_(spec_.variables().size(), spec_.compiler().constants(), spec_.host()),
      now_(spec_.variables().size()),
      next_(spec_.variables().size()),
      renamed_(spec_.permutations.size()) {
  machine_.now = now_.data();
  machine_.whole = spec_.whole_next();
  spec_.prepare(machine_);
}

void TlaExplorer::load(StateRef state, std::vector<Value>& into) const {
  for (size_t i = 0; i < into.size(); ++i) {
    into[i] = Value::from_word(uint64_t{state[2 * i]} | uint64_t{state[2 * i + 1]} << 32);
  }
}

void TlaExplorer::ask(StateRef state) {
  asks_.clear();
  machine_.use(asks_);
  machine_.now = now_.data();
  machine_.next = nullptr;
  load(state, now_);
}

bool TlaExplorer::part_is_true(const Part& part) {
  return part.node->truth(machine_, part.frame(machine_));
}

bool TlaExplorer::all_true(const Invariant& invariant) {
  return part_is_true(invariant.part) &&
         std::all_of(invariant.others.begin(), invariant.others.end(),
                     [&](const Part& other) { return part_is_true(other); });
}

namespace {

void pack(const Value* values, size_t count, std::vector<uint32_t>& out) {
  const size_t at = out.size();
  out.resize(at + 2 * count);
  for (size_t i = 0; i < count; ++i) {
    out[at + 2 * i] = static_cast<uint32_t>(values[i].word());
    out[at + 2 * i + 1] = static_cast<uint32_t>(values[i].word() >> 32);
  }
}

// Parts that must all be true, one after the other.
struct AllParts final : Continuation {
  AllParts(const std::vector<Part>& parts, size_t at, const Continuation& k)
      : parts(parts), at(at), k(k) {}
  bool go(Machine& m) const override {
    if (at == parts.size()) return k.go(m);
    const Part& part = parts[at];
    return part.node->act(m, part.frame(m), AllParts(parts, at + 1, k));
  }
  const std::vector<Part>& parts;
  size_t at;
  const Continuation& k;
};

}  // namespace

void TlaExplorer::start(const std::function<void(StateRef, uint64_t)>& tell) {
  struct Tell final : Continuation {
    Tell(TlaExplorer& explorer, const std::function<void(StateRef, uint64_t)>& tell)
        : explorer(explorer), tell(tell) {}
    bool go(Machine& m) const override {
      TlaExplorer& e = explorer;
      std::vector<Value> pooled(e.now_.size());
      for (size_t i = 0; i < pooled.size(); ++i) {
        if (!m.now[i].defined()) {
          throw EvalError{.message = "variable " + e.spec_.variables()[i] +
                                     " has no value in an initial state: " + e.spec_.init[0].name +
                                     " does not say what it is",
                          .placed = true,
                          .place = e.spec_.init[0].node->place};
        }
        pooled[i] = e.spec_.pool().intern(m.heap(), m.now[i]);
      }
      std::vector<uint32_t> packed;
      pack(pooled.data(), pooled.size(), packed);
      m.level = 1;  // a VIEW may ask for it
      const uint64_t fingerprint = e.fingerprint_of(pooled.data());
      m.level = 0;
      tell(packed, fingerprint);
      return true;
    }
    TlaExplorer& explorer;
    const std::function<void(StateRef, uint64_t)>& tell;
  };
  machine_.settle_on_thread();
  steps_.clear();
  machine_.use(steps_);
  std::fill(now_.begin(), now_.end(), Value());
  machine_.now = now_.data();
  machine_.next = nullptr;
  machine_.naming = false;
  machine_.starting = true;
  machine_.level = 0;
  const Tell last(*this, tell);
  AllParts(spec_.init, 0, last).go(machine_);
  machine_.starting = false;
}

struct TlaExplorer::Emit final : Continuation {
  explicit Emit(TlaExplorer& explorer) : explorer(explorer) {}
  bool go(Machine&) const override {
    explorer.emit_successor();
    return true;
  }
  TlaExplorer& explorer;
};

void TlaExplorer::emit_successor() {
  const size_t count = next_.size();
  const size_t at = successors_.size();
  successors_.resize(at + count);
  for (size_t i = 0; i < count; ++i) {
    const Value value = next_[i];
    if (!value.defined()) {
      const std::string action =
          machine_.label.op != nullptr ? machine_.label.op->name : spec_.next.name;
      EvalError error{.message = "action " + action + " does not say what " + spec_.variables()[i] +
                                 "' is; if it stays as it is, say UNCHANGED " +
                                 spec_.variables()[i]};
      if (machine_.label.op != nullptr) {
        error.placed = true;
        error.place = machine_.label.op->place;
      }
      throw error;
    }
    successors_[at + i] =
        same(value, now_[i]) ? value : spec_.pool().intern(machine_.heap(), value);
  }
  Successor& successor = list_.emplace_back();
  successor.label = machine_.label;
  successor.first_argument = static_cast<uint32_t>(arguments_.size());
  if (successor.label.op != nullptr) {
    // Arguments are evaluated while what they mention still has its values. The frame keeps them as
    // they were passed: a formula may stand for a variable that is given another value next.
    Frame* const frame = successor.label.frame;
    for (uint32_t i = 0; i < successor.label.op->param_names.size(); ++i) {
      Value value = frame->slot(i);
      if (value.is_pending()) {
        try {
          Value passed = value;
          value = successor.label.op->param_arities[i] == 0 ? force(machine_, passed) : Value();
        } catch (const EvalError&) {
          value = Value();  // nothing depends on it
        }
      }
      arguments_.push_back(value);
    }
  }
  successor.first_witness = static_cast<uint32_t>(witnesses_.size());
  const size_t first = successor.label.op == nullptr ? 0 : successor.label.first_witness;
  witnesses_.insert(witnesses_.end(), machine_.witnesses.begin() + static_cast<ptrdiff_t>(first),
                    machine_.witnesses.end());
  successor.witnesses = static_cast<uint32_t>(witnesses_.size()) - successor.first_witness;
  if (!spec_.action_constraints.empty()) {
    const bool naming = machine_.naming;
    machine_.naming = false;
    for (const Part& part : spec_.action_constraints) {
      if (mutant(TlaMutant::kForbiddenKept)) break;
      successor.outside = successor.outside || !part_is_true(part);
    }
    machine_.naming = naming;
  }
  ++machine_.level;  // a VIEW may ask for it
  successor.fingerprint = fingerprint_of(&successors_[at]);
  --machine_.level;
}

void TlaExplorer::enumerate(StateRef state, std::vector<Choice>& out) {
  list_.clear();
  successors_.clear();
  witnesses_.clear();
  arguments_.clear();
  listed_.clear();
  if (spec_.next.node == nullptr) {
    trouble_.clear();
    return;
  }
  const bool done = tried([&] {
    steps_.clear();
    machine_.use(steps_);
    load(state, now_);
    machine_.now = now_.data();
    std::fill(next_.begin(), next_.end(), Value());
    machine_.next = next_.data();
    machine_.naming = true;
    machine_.label = {};
    machine_.witnesses.clear();
    const Emit emit(*this);
    spec_.next.node->act(machine_, machine_.frame(nullptr, spec_.next.layout->slots), emit);
    machine_.naming = false;
    machine_.next = nullptr;
  });
  if (!done) {
    list_.clear();
    return;
  }
  if (!space_.temporal().of_states().empty()) listed_.assign(state.begin(), state.end());
  for (uint32_t i = 0; i < list_.size(); ++i) {
    Choice choice;
    choice.a = i;
    choice.sort = list_[i].label.op == nullptr ? uint16_t{0} : space_.action_of(list_[i].label.op);
    choice.outside = list_[i].outside;
    out.push_back(choice);
  }
}

uint64_t TlaExplorer::apply(StateRef, uint64_t, const Choice& choice, std::vector<uint32_t>& out) {
  const size_t count = now_.size();
  pack(&successors_[choice.a * count], count, out);
  return list_[choice.a].fingerprint;
}

bool TlaExplorer::within(StateRef state) {
  if (spec_.constraints.empty()) {
    trouble_.clear();
    return true;
  }
  bool inside = true;
  tried([&] {
    ask(state);
    for (const Part& part : spec_.constraints) inside = inside && part_is_true(part);
  });
  return inside;
}

void TlaExplorer::judge(StateRef state, bool terminal, Judgement& out) {
  tried([&] {
    ask(state);
    uint32_t number = 1;
    for (const Invariant& invariant : spec_.invariants) {
      if (mutant(TlaMutant::kFirstInvariant) && number > 1) break;
      if (!all_true(invariant)) out.violated.push_back(number);
      ++number;
    }
    if (!spec_.initially.empty() && space_.is_initial(fingerprint_of(now_.data()))) {
      for (const Invariant& invariant : spec_.initially) {
        if (!all_true(invariant)) out.violated.push_back(number);
        ++number;
      }
    }
    if (terminal && space_.deadlock() != 0) {
      out.violated.push_back(static_cast<uint32_t>(space_.deadlock()));
    }
  });
}

Outcome TlaExplorer::explain(StateRef state, bool terminal, uint32_t property) {
  Judgement judgement;
  judge(state, terminal, judgement);
  if (std::find(judgement.violated.begin(), judgement.violated.end(), property) ==
      judgement.violated.end()) {
    return true;
  }
  if (property == space_.deadlock()) return violated("no action of the specification is possible");
  size_t index = property - 1;
  const std::vector<Invariant>* which = &spec_.invariants;
  if (index >= which->size()) {
    index -= which->size();
    which = &spec_.initially;
  }
  const std::string why = space_.properties()[property].name + " is false";
  if (index >= which->size()) return violated(why);
  ask(state);
  return violated(why + blame((*which)[index]));
}

// Which part of a formula is false here, for people: ": spec.tla:12:5: this is not true …".
std::string TlaExplorer::blame(const Invariant& invariant) {
  std::string out;
  tried([&] {
    const auto other = std::find_if(invariant.others.begin(), invariant.others.end(),
                                    [&](const Part& one) { return !part_is_true(one); });
    const bool is_first = other == invariant.others.end() || !part_is_true(invariant.part);
    const Part& part = is_first ? invariant.part : *other;
    Frame* const frame = part.frame(machine_);
    const Reason reason = reason_of(machine_, *part.node, frame);
    out = ": " + spec_.sources().error(reason.node->place, to_text(reason));
  });
  trouble_.clear();
  return out;
}

void TlaExplorer::judge_step(StateRef before, const Choice&, StateRef after, Judgement& out) {
  tried([&] {
    ask(before);
    load(after, next_);
    machine_.next = next_.data();
    uint32_t number = static_cast<uint32_t>(space_.first_on_steps());
    for (const ActionProperty& property : spec_.action_properties) {
      if (!all_true(property)) out.violated.push_back(number);
      ++number;
    }
    machine_.next = nullptr;
  });
}

Outcome TlaExplorer::explain_step(StateRef before, const Choice& choice, StateRef after,
                                  uint32_t property) {
  Judgement judgement;
  judge_step(before, choice, after, judgement);
  if (std::find(judgement.violated.begin(), judgement.violated.end(), property) ==
      judgement.violated.end()) {
    return true;
  }
  const size_t index = property - space_.first_on_steps();
  ask(before);
  load(after, next_);
  machine_.next = next_.data();
  const std::string why = blame(spec_.action_properties[index]);
  machine_.next = nullptr;
  return violated("this step is none that " + space_.properties()[property].name + " allows" + why);
}

std::string TlaExplorer::name_of(const Successor& successor) const {
  return successor.label.op == nullptr ? spec_.next.name : successor.label.op->name;
}

value::Tree TlaExplorer::bindings_of(const Successor& successor) {
  value::Tree out = value::Tree::record("");
  if (const Operator* op = successor.label.op) {
    for (uint32_t i = 0; i < op->param_names.size(); ++i) {
      const Value value = arguments_[successor.first_argument + i];
      if (!value.defined()) continue;
      out.add(op->param_names[i], tree_of(value));
    }
  }
  for (uint32_t i = 0; i < successor.witnesses; ++i) {
    const Witness& witness = witnesses_[successor.first_witness + i];
    if (out.find(*witness.name) == nullptr) out.add(*witness.name, tree_of(witness.value));
  }
  if (out.items.empty()) return value::Tree::of(value::Tree::Kind::kNull);
  return out;
}

Action TlaExplorer::action(StateRef, const Choice& choice) {
  const Successor& successor = list_[choice.a];
  Action out;
  out.kind = ActionKind::kStep;
  out.type = name_of(successor);
  out.payload = bindings_of(successor);
  // Of several that have one name, each is its own.
  out.payload_digest = mix64(successor.fingerprint);
  return out;
}

StepDetail TlaExplorer::detail(StateRef state, const Choice& choice) {
  StepDetail out;
  out.action = action(state, choice);
  return out;
}

Snapshot TlaExplorer::observe(StateRef state) {
  load(state, now_);
  Snapshot out;
  Snapshot::Part part;
  part.name = "state";
  part.digest = plain_fingerprint(now_.data(), false);
  // A run that comes back to a view has come back, where that is what cycles are made of.
  out.digest = space_.closes_in_view() ? fingerprint(state) : part.digest;
  part.tree = value::Tree::record("");
  const std::vector<std::string>& names = spec_.variables();
  for (size_t i = 0; i < names.size(); ++i) part.tree.add(names[i], tree_of(now_[i]));
  out.parts.push_back(std::move(part));
  if (spec_.alias.node != nullptr) {
    Snapshot::Part& alias = out.parts.emplace_back();
    alias.name = spec_.alias.name;
    alias.digest = out.parts[0].digest;  // it says the same in other words
    alias.tree = alias_of(state);
  }
  return out;
}

uint64_t TlaExplorer::key(StateRef, const Choice& choice) {
  const Successor& successor = list_[choice.a];
  detail::Hasher hasher;
  const std::string name = name_of(successor);
  hasher.bytes(name.data(), name.size());
  const std::string bindings = value::show(bindings_of(successor));
  hasher.bytes(bindings.data(), bindings.size());
  // Of those with one name and the same bindings: the how-manieth.
  uint32_t same_before = 0;
  for (uint32_t i = 0; i < choice.a; ++i) {
    if (list_[i].label.op == successor.label.op && value::show(bindings_of(list_[i])) == bindings) {
      ++same_before;
    }
  }
  hasher.word(same_before);
  return hasher.finish();
}

void TlaExplorer::footprint(StateRef, const Choice&, Footprint& out) {
  out.clear();
  out.everything = true;
}

}  // namespace ordeal::tla
