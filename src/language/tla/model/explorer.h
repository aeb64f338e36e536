// Goes through the states of a specification, in one thread.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "language/tla/eval/machine.h"
#include "language/tla/model/space.h"

namespace ordeal::tla {

class TlaExplorer final : public Explorer {
 public:
  explicit TlaExplorer(TlaSpace& space);

  // Tells of each initial state, in the order in which Init says them. Throws EvalError.
  void start(const std::function<void(StateRef, uint64_t)>& tell);

  // How often nodes that count are evaluated, from now on.
  void count_in(std::vector<uint64_t>* counts) { machine_.counts = counts; }

  void enumerate(StateRef state, std::vector<Choice>& out) override;
  uint64_t apply(StateRef state, uint64_t fingerprint, const Choice& choice,
                 std::vector<uint32_t>& out) override;
  bool within(StateRef state) override;
  void at_depth(uint32_t depth) override { machine_.level = depth + 1; }
  const std::string* trouble() override { return trouble_.empty() ? nullptr : &trouble_; }
  void judge(StateRef state, bool terminal, Judgement& out) override;
  Outcome explain(StateRef state, bool terminal, uint32_t property) override;
  void judge_step(StateRef before, const Choice& choice, StateRef after, Judgement& out) override;
  Outcome explain_step(StateRef before, const Choice& choice, StateRef after,
                       uint32_t property) override;
  void atoms_of_state(StateRef state, bool terminal, std::vector<bool>& out) override;
  void atoms_of_step(StateRef before, const Choice& choice, StateRef after,
                     std::vector<bool>& out) override;
  Action action(StateRef state, const Choice& choice) override;
  StepDetail detail(StateRef state, const Choice& choice) override;
  Snapshot observe(StateRef state) override;
  uint64_t fingerprint(StateRef state) override;
  uint64_t second_fingerprint(StateRef state) override;
  uint64_t key(StateRef state, const Choice& choice) override;
  void footprint(StateRef state, const Choice& choice, Footprint& out) override;
  // A definition, with numbers as arguments. Where it has no value it does not hold.
  Result<uint32_t> predicate(const std::string& text) override;
  bool holds(StateRef state, uint32_t predicate) override;

 private:
  // What a successor is called by.
  struct Successor {
    Label label;
    uint32_t first_witness = 0;  // in witnesses_
    uint32_t witnesses = 0;
    uint32_t first_argument = 0;  // in arguments_: one for each parameter
    bool outside = false;
    uint64_t fingerprint = 0;
  };
  struct Emit;

  void load(StateRef state, std::vector<Value>& into) const;
  // Goes over to scratch memory for what is asked of a single state.
  void ask(StateRef state);
  bool part_is_true(const Part& part);
  bool all_true(const Invariant& invariant);
  std::string blame(const Invariant& invariant);
  uint64_t fingerprint_of(const Value* values);
  uint64_t plain_fingerprint(const Value* values, bool second) const;
  uint64_t canonical(const Value* values, bool second);
  bool is_beyond_constraint();
  Value renamed(Value value, size_t permutation);
  void emit_successor();
  bool is_enabled_in_list(const BoxNode& box) const;
  // What ALIAS makes of the state; of a field that has no value, why.
  value::Tree alias_of(StateRef state);
  std::string name_of(const Successor& successor) const;
  value::Tree bindings_of(const Successor& successor);
  // Runs what may fail to be evaluated; false, with trouble_, if it does.
  template <class F>
  bool tried(F&& run);

  TlaSpace& space_;
  Specification& spec_;
  Machine machine_;
  Heap steps_;  // of the last enumeration
  Heap asks_;
  std::vector<Value> now_, next_;
  std::vector<Value> successors_;  // variables of one after the other
  std::vector<Successor> list_;
  std::vector<uint32_t> listed_;  // the state that they are successors of; empty: not known
  std::vector<Witness> witnesses_;
  std::vector<Value> arguments_;  // undefined: it has no value
  std::string trouble_;
  std::vector<std::shared_ptr<Specification::Expression>> predicates_;
  std::vector<std::unordered_map<uint64_t, Value>> renamed_;  // by permutation and word
};

template <class F>
bool TlaExplorer::tried(F&& run) {
  trouble_.clear();
  machine_.settle_on_thread();
  try {
    run();
    return true;
  } catch (const EvalError& error) {
    trouble_ = spec_.describe(error);
  }
  machine_.now = now_.data();
  machine_.next = nullptr;
  machine_.naming = false;
  machine_.starting = false;
  machine_.witnesses.clear();
  return false;
}

}  // namespace ordeal::tla
