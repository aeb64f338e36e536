// A raw model as a StateSpace. Used through ordeal/model.h.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ordeal/detail/points.h"
#include "ordeal/liveness.h"
#include "ordeal/property.h"
#include "ordeal/steering.h"
#include "ordeal/value.h"
#include "ordeal/world.h"

namespace ordeal {

// What an action of a raw model is, for people: a kind that the model describes, who takes part
// (-1: nobody), and what it is about.
struct Doing {
  std::string kind;
  int node = -1;
  int from = -1;
  std::string what = {};
};

}  // namespace ordeal

namespace ordeal::detail {

template <class M>
struct ModelDeclaration {
  using State = typename M::State;
  M model;
  std::vector<Property> properties;  // the first is the implicit one
  std::vector<std::function<Outcome(const State&)>> tests;
  // By property, for those that are about steps; may be shorter.
  using StepTest = std::function<Outcome(const State&, const typename M::Action&, const State&)>;
  std::vector<StepTest> step_tests;
  std::vector<std::function<bool(const State&)>> constraints;
  // What is said of runs, but for what is assumed.
  Liveness runs;
  std::vector<std::function<bool(const State&)>> atoms;
  std::vector<std::function<bool(const State&, const typename M::Action&, const State&)>>
      step_atoms;
  std::vector<Formula> assumed;
  std::vector<std::string> assumed_words;
  std::function<Duty(const typename M::Action&)> duty;  // may be empty
  Owed duties_owed = Owed::kNothing;
  std::vector<std::vector<NodeId>> alike;
  std::vector<LikeNames> interchangeable;
  std::vector<KindRef> kinds;
  // What exploration is led by (ordeal/steering.h).
  Steering steering;
  using Test = std::function<bool(const State&)>;
  std::vector<std::function<Test(std::span<const int64_t>)>> families;  // as steering.predicates
  using Grade = std::function<int64_t(const State&)>;
  std::vector<std::function<Grade(std::span<const int64_t>)>> grades;  // empty: it has none
  struct Colour {
    std::string name;
    std::function<uint64_t(const State&)> hash;
    std::function<value::Tree(const State&)> show;
  };
  std::vector<Colour> colours;
};

// Whether there is a function of that name that is not what is asked for, one that is not const or
// not public say: it would never be called, and faults would count as progress.
#define ORDEAL_DETAIL_NAMED(NAME, Name)                                           \
  struct Name {                                                                   \
    struct Another {                                                              \
      int NAME;                                                                   \
    };                                                                            \
    template <class T>                                                            \
    struct Both : T, Another {};                                                  \
    template <class T>                                                            \
    static constexpr bool is_there() {                                            \
      if constexpr (requires { typename T::NAME; }) {                             \
        return false;                                                             \
      } else if constexpr (requires { &T::NAME; }) {                              \
        return !std::is_member_object_pointer_v<decltype(&T::NAME)>;              \
      } else if constexpr (std::is_final_v<T>) {                                  \
        return false;                                                             \
      } else {                                                                    \
        return !requires { &Both<T>::NAME; }; /* not to be told from the other */ \
      }                                                                           \
    }                                                                             \
  }
ORDEAL_DETAIL_NAMED(kinds, KindsNamed);
ORDEAL_DETAIL_NAMED(doing, DoingNamed);
#undef ORDEAL_DETAIL_NAMED

template <class M>
constexpr bool kHasKinds = requires(const M& m) {
  m.kinds();
};
template <class M>
constexpr bool kSaysDoing = requires(const M& m, const typename M::State& s,
                                     const typename M::Action& a) {
  m.doing(s, a);
};

// Packs a state: its bytes where it is flat data, else its serialised form.
template <class State>
struct Packing {
  static constexpr bool kFlat =
      std::is_trivially_copyable_v<State> && std::has_unique_object_representations_v<State>;

  static void pack(const State& state, std::vector<uint32_t>& out) {
    if constexpr (kFlat) {
      const size_t at = out.size();
      out.resize(at + (sizeof(State) + 3) / 4);
      std::memcpy(out.data() + at, &state, sizeof(State));
    } else {
      std::string bytes;
      value::write(state, bytes);
      const size_t at = out.size();
      out.resize(at + 1 + (bytes.size() + 3) / 4);
      out[at] = static_cast<uint32_t>(bytes.size());
      std::memcpy(out.data() + at + 1, bytes.data(), bytes.size());
    }
  }

  static void unpack(StateRef packed, State& out) {
    if constexpr (kFlat) {
      std::memcpy(static_cast<void*>(&out), packed.data(), sizeof(State));
    } else {
      read_back({reinterpret_cast<const char*>(packed.data() + 1), packed[0]}, out);
    }
  }
};

// What is assumed of the runs of a model, in a sentence.
std::string assumption_of_model(const std::vector<FairAction>& fair, Owed each,
                                const std::vector<std::string>& assumed);

template <class M>
class ModelExplorer : public Explorer {
 public:
  using State = typename M::State;
  using Step = typename M::Action;

  explicit ModelExplorer(std::shared_ptr<const ModelDeclaration<M>> declaration)
      : declaration_(std::move(declaration)) {}

  void enumerate(StateRef packed, std::vector<Choice>& out) override {
    Packing<State>::unpack(packed, state_);
    actions_.clear();
    next_.clear();
    declaration_->model.actions(state_, actions_);
    // An action without a next state is no step: it is known before anybody picks it.
    size_t kept = 0;
    for (size_t i = 0; i < actions_.size(); ++i) {
      std::optional<State> next = declaration_->model.next(state_, actions_[i]);
      if (!next) continue;
      next_.push_back(std::move(*next));
      if (kept != i) actions_[kept] = std::move(actions_[i]);
      Choice choice;
      if constexpr (kHasKinds<M>) {
        choice.sort = static_cast<uint16_t>(kind_of(doing(actions_[kept])));
        choice.kind = ActionKind::kDescribed;
        choice.progress = !declaration_->kinds[choice.sort]->fault;
      }
      choice.a = static_cast<uint32_t>(kept++);
      out.push_back(choice);
    }
    actions_.resize(kept);
  }

  uint64_t apply(StateRef, uint64_t, const Choice& choice, std::vector<uint32_t>& out) override {
    const State& next = next_[choice.a];
    Packing<State>::pack(next, out);
    return value::hash(next);
  }

  // Of the last enumerate().
  const Step& step(const Choice& choice) const { return actions_[choice.a]; }
  const State& next(const Choice& choice) const { return next_[choice.a]; }

  bool within(StateRef packed) override {
    if (declaration_->constraints.empty()) return true;
    State state;
    Packing<State>::unpack(packed, state);
    for (const auto& constraint : declaration_->constraints) {
      if (!constraint(state)) return false;
    }
    return true;
  }

  void judge(StateRef packed, bool terminal, Judgement& out) override {
    State state;
    Packing<State>::unpack(packed, state);
    for (uint32_t i = 1; i < declaration_->tests.size(); ++i) {
      const PropertyKind kind = declaration_->properties[i].kind;
      if (kind == PropertyKind::kEventually && !terminal) continue;
      if (kind == PropertyKind::kSometimes && out.is_settled(i)) continue;
      if (declaration_->properties[i].on_runs) continue;
      const bool holds = declaration_->tests[i](state).ok();
      if (kind == PropertyKind::kSometimes) {
        if (holds) out.reached.push_back(i);
      } else if (!holds) {
        out.violated.push_back(i);
      }
    }
  }

  Outcome explain(StateRef packed, bool, uint32_t property) override {
    State state;
    Packing<State>::unpack(packed, state);
    Outcome outcome = declaration_->tests[property](state);
    if (outcome.ok() || !outcome.why().empty()) return outcome;
    return std::move(outcome).because("the state is " + value::show(state));
  }

  void judge_step(StateRef packed, const Choice& choice, StateRef, Judgement& out) override {
    State before;
    Packing<State>::unpack(packed, before);
    for (uint32_t i = 1; i < declaration_->step_tests.size(); ++i) {
      const auto& test = declaration_->step_tests[i];
      if (test && !test(before, actions_[choice.a], next_[choice.a]).ok())
        out.violated.push_back(i);
    }
  }

  Outcome explain_step(StateRef packed, const Choice& choice, StateRef,
                       uint32_t property) override {
    State before;
    Packing<State>::unpack(packed, before);
    Outcome outcome =
        declaration_->step_tests[property](before, actions_[choice.a], next_[choice.a]);
    if (outcome.ok() || !outcome.why().empty()) return outcome;
    return std::move(outcome).because("from " + value::show(before) + " to " +
                                      value::show(next_[choice.a]));
  }

  void atoms_of_state(StateRef packed, bool, std::vector<bool>& out) override {
    State state;
    Packing<State>::unpack(packed, state);
    for (size_t i = 0; i < declaration_->atoms.size(); ++i) out[i] = declaration_->atoms[i](state);
  }
  void atoms_of_step(StateRef packed, const Choice& choice, StateRef,
                     std::vector<bool>& out) override {
    State before;
    Packing<State>::unpack(packed, before);
    for (size_t i = 0; i < declaration_->step_atoms.size(); ++i) {
      out[i] = declaration_->step_atoms[i](before, actions_[choice.a], next_[choice.a]);
    }
  }
  Duty duty(StateRef, const Choice& choice) override {
    return declaration_->duty ? declaration_->duty(actions_[choice.a]) : Duty();
  }

  Action action(StateRef, const Choice& choice) override {
    const Step& step = actions_[choice.a];
    Action out;
    out.kind = ActionKind::kStep;
    out.payload_digest = value::hash(step);
    if constexpr (kHasKinds<M>) {
      Doing doing = this->doing(step);
      out.kind = ActionKind::kDescribed;
      out.described = declaration_->kinds[kind_of(doing)];
      out.node = doing.node;
      out.from = doing.from;
      out.type = std::move(doing.what);
      return out;
    }
    // Most models call the type Action, which says nothing.
    if (value::type_name<Step>() != "Action") out.type = std::string(value::type_name<Step>());
    out.payload = value::tree(step);
    return out;
  }

  StepDetail detail(StateRef state, const Choice& choice) override {
    StepDetail out;
    out.action = action(state, choice);
    return out;
  }

  Snapshot observe(StateRef packed) override {
    State state;
    Packing<State>::unpack(packed, state);
    Snapshot out;
    out.digest = value::hash(state);
    Snapshot::Part part;
    part.name = "state";
    part.digest = out.digest;
    part.tree = value::tree(state);
    out.parts.push_back(std::move(part));
    return out;
  }

  uint64_t fingerprint(StateRef packed) override {
    State state;
    Packing<State>::unpack(packed, state);
    return value::hash(state);
  }

  uint64_t second_fingerprint(StateRef packed) override {
    State state;
    Packing<State>::unpack(packed, state);
    return value::second_hash(state);
  }

  void footprint(StateRef, const Choice& choice, Footprint& out) override {
    out.clear();
    if constexpr (requires { declaration_->model.footprint(state_, actions_[choice.a], out); }) {
      declaration_->model.footprint(state_, actions_[choice.a], out);
    } else {
      out.everything = true;
    }
  }

  bool declares_footprints() const override {
    return requires(const M& m, const State& s, const Step& a, Footprint& f) {
      m.footprint(s, a, f);
    };
  }

  uint64_t key(StateRef, const Choice& choice) override { return value::hash(actions_[choice.a]); }

  Result<uint32_t> predicate(const std::string& text) override {
    const Result<PredicateCall> call = parse_predicate(text);
    if (!call) return call.error();
    const Result<uint32_t> family = find_predicate(declaration_->steering.predicates, *call);
    if (!family) return family.error();
    asked_.push_back(declaration_->families[*family](call->arguments));
    const auto& grade = declaration_->grades[*family];
    grades_.push_back(grade ? grade(call->arguments) : nullptr);
    return static_cast<uint32_t>(asked_.size() - 1);
  }
  bool holds(StateRef packed, uint32_t predicate) override {
    Packing<State>::unpack(packed, looked_at_);
    const bool is_so = asked_[predicate](looked_at_);
    if (is_asked_again() && asked_[predicate](looked_at_) != is_so) {
      throw std::logic_error(
          "a predicate is not a function of the state: asked twice of the same one, it says yes "
          "and no");
    }
    return is_so;
  }
  std::optional<uint32_t> distance(StateRef packed, uint32_t predicate) override {
    if (!grades_[predicate]) return std::nullopt;
    Packing<State>::unpack(packed, looked_at_);
    const int64_t far = grades_[predicate](looked_at_);
    if (is_asked_again() && grades_[predicate](looked_at_) != far) {
      throw std::logic_error(
          "a distance is not a function of the state: asked twice of the same one, it gives two "
          "numbers");
    }
    return bounded_distance(far);
  }
  Result<uint32_t> colouring(const std::string& name) override {
    const auto& colours = declaration_->colours;
    for (uint32_t i = 0; i < colours.size(); ++i) {
      if (colours[i].name == name) return i + 1;
    }
    return Explorer::colouring(name);
  }
  void colours(StateRef packed, uint32_t colouring, std::vector<uint64_t>& out) override {
    Packing<State>::unpack(packed, looked_at_);
    if (colouring == 0) return out.push_back(value::hash(looked_at_));
    const auto& colour = declaration_->colours[colouring - 1];
    out.push_back(colour.hash(looked_at_));
    if (is_asked_again() && colour.hash(looked_at_) != out.back()) {
      throw std::logic_error("the colouring " + colour.name +
                             " is not a function of the state: asked twice of the same one, it "
                             "gives two colours");
    }
  }
  void show_colours(StateRef packed, uint32_t colouring, std::vector<value::Tree>& out) override {
    Packing<State>::unpack(packed, looked_at_);
    out.push_back(colouring == 0 ? value::tree(looked_at_)
                                 : declaration_->colours[colouring - 1].show(looked_at_));
  }

 private:
  Doing doing(const Step& step) const { return declaration_->model.doing(state_, step); }
  // By number. A name that is none of them is a mistake in the model, and no kind of its own.
  size_t kind_of(const Doing& doing) const {
    const std::vector<KindRef>& kinds = declaration_->kinds;
    for (size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i]->name == doing.kind) return i;
    }
    throw std::logic_error("doing() says \"" + doing.kind + "\", which kinds() does not describe");
  }

  // Now and then, functions of the user's are asked twice: those that remember something are found
  // out.
  bool is_asked_again() { return looks_++ % 64 == 0; }

  std::shared_ptr<const ModelDeclaration<M>> declaration_;
  State state_{};
  State looked_at_{};
  uint32_t looks_ = 0;
  std::vector<typename ModelDeclaration<M>::Test> asked_;
  std::vector<typename ModelDeclaration<M>::Grade> grades_;  // of those; empty: it has none
  std::vector<Step> actions_;
  std::vector<State> next_;
};

template <class M>
class ModelSpace : public StateSpace {
 public:
  explicit ModelSpace(std::shared_ptr<const ModelDeclaration<M>> declaration)
      : declaration_(std::move(declaration)) {}

  const std::vector<Property>& properties() const override { return declaration_->properties; }
  Result<Liveness> liveness() const override {
    Liveness out = declaration_->runs;
    if (!declaration_->assumed.empty()) out.assumed = formula::all(declaration_->assumed);
    out.assumption =
        assumption_of_model(out.fair, declaration_->duties_owed, declaration_->assumed_words);
    return out;
  }
  Result<std::vector<Initial>> initial() override {
    std::vector<Initial> out;
    for (const auto& state : declaration_->model.initial()) {
      Initial initial;
      initial.fingerprint = value::hash(state);
      Packing<typename M::State>::pack(state, initial.state);
      out.push_back(std::move(initial));
    }
    if (out.empty()) return Error{"the model has no initial state"};
    return out;
  }
  std::unique_ptr<Explorer> explorer() override {
    return std::make_unique<ModelExplorer<M>>(declaration_);
  }
  SpaceStatistics statistics() const override { return {}; }
  bool can_travel() const override { return true; }
  void encode(StateRef state, std::string& bytes) override {
    typename M::State content;
    Packing<typename M::State>::unpack(state, content);
    value::write(value::hash(content), bytes);
    value::write(content, bytes);
  }
  Result<uint64_t> decode(std::string_view bytes, std::vector<uint32_t>& out) override {
    typename M::State content;
    uint64_t fingerprint = 0;
    // Most bytes are some state: by the fingerprint it is known that it is the one that was meant.
    if (!value::read(bytes, fingerprint) || !value::read(bytes, content) || !bytes.empty() ||
        value::hash(content) != fingerprint) {
      return Error{"these bytes are no state of the model"};
    }
    Packing<typename M::State>::pack(content, out);
    return fingerprint;
  }
  std::vector<KindRef> kinds() const override { return declaration_->kinds; }
  // What is told apart is counted.
  std::vector<StepSort> sorts() const override {
    std::vector<StepSort> out;
    for (const KindRef& kind : declaration_->kinds) out.push_back({kind->name});
    return out;
  }
  void forget() override {}

 private:
  std::shared_ptr<const ModelDeclaration<M>> declaration_;
};

}  // namespace ordeal::detail
