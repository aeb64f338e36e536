// Model: a raw model, for when there are no nodes. A state type, its initial states, the actions
// that are possible in a state, and the state each leads to.
//
//   struct Counter {
//     struct State { int n = 0; };
//     enum class Action { kUp, kDown };
//     std::vector<State> initial() const { return {{}}; }
//     void actions(const State& s, std::vector<Action>& out) const {
//       if (s.n < 9) out.push_back(Action::kUp);
//       out.push_back(Action::kDown);
//     }
//     std::optional<State> next(const State& s, const Action& a) const {
//       if (a == Action::kDown && s.n == 0) return std::nullopt;  // no step
//       return State{s.n + (a == Action::kUp ? 1 : -1)};
//     }
//   };
//
// It is checked as a system of nodes is:
//
//   Model<Counter> model;
//   model.always("not negative", [](const Counter::State& s) { return s.n >= 0; });
//   Result<Report> report = check(model);
//
// An optional `void footprint(const State&, const Action&, Footprint& out) const` says what an
// action that is possible there touches (see footprint.h); without it, every two actions depend on
// each other and partial-order reduction leaves nothing out.
//
// Optional, and together: `std::vector<DescribedKind> kinds() const` says what kinds of actions
// there are (see action.h) and `Doing doing(const State&, const Action&) const` which kind an
// action is of, who takes part and what it is about. Traces, diagrams and reports then tell it in
// these words, and what never occurred is reported.
//
// State and Action are values. Every action is progress, but for those of kinds that are faults.
// REQUIRES: all functions are pure, and may be called from several threads at once.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/detail/model_space.h"
#include "ordeal/detail/model_symmetry.h"
#include "ordeal/property.h"
#include "ordeal/value.h"
#include "ordeal/world.h"

namespace ordeal {

template <class M>
class Model : public Checkable {
 public:
  using State = typename M::State;

  explicit Model(M model = {}) : declaration_(std::make_shared<detail::ModelDeclaration<M>>()) {
    static_assert(detail::kHasKinds<M> == detail::kSaysDoing<M> &&
                      detail::kHasKinds<M> == detail::KindsNamed::is_there<M>() &&
                      detail::kSaysDoing<M> == detail::DoingNamed::is_there<M>(),
                  "ordeal: a model has both, `std::vector<DescribedKind> kinds() const` and "
                  "`Doing doing(const State&, const Action&) const`, public, or neither");
    declaration_->model = std::move(model);
    if constexpr (detail::kHasKinds<M>) {
      for (const DescribedKind& kind : declaration_->model.kinds()) {
        declaration_->kinds.push_back(std::make_shared<const DescribedKind>(kind));
      }
    }
    declaration_->properties.push_back({"no handler fails", PropertyKind::kAlways});
    declaration_->tests.push_back([](const State&) { return Outcome(true); });
  }

  template <class F>
  Model& always(std::string name, F test) {
    return add(std::move(name), PropertyKind::kAlways, std::move(test));
  }
  // Of steps: a function of the state before, the action and the state after.
  template <class F>
  Model& always_steps(std::string name, F test) {
    detail::require_const<F, const State&, const typename M::Action&, const State&>();
    Property property{std::move(name), PropertyKind::kAlways};
    property.on_steps = true;
    declaration_->step_tests.resize(declaration_->tests.size() + 1);
    declaration_->step_tests.back() = std::move(test);
    return add(std::move(property), [](const State&) { return true; });
  }
  template <class F>
  Model& sometimes(std::string name, F test) {
    return add(std::move(name), PropertyKind::kSometimes, std::move(test));
  }
  template <class F>
  Model& eventually(std::string name, F test) {
    return add(std::move(name), PropertyKind::kEventually, std::move(test));
  }
  // With a word of its own for its kind: `property.kind` says how it is judged.
  template <class F>
  Model& add(Property property, F test) {
    detail::require_const<F, const State&>();
    const bool claims = property.kind == PropertyKind::kEventually;
    declaration_->properties.push_back(std::move(property));
    declaration_->tests.push_back(std::move(test));
    if (claims) {
      const auto holds = [all = &declaration_->tests, at = declaration_->tests.size() - 1](
                             const State& state) { return (*all)[at](state).ok(); };
      claim_last(formula::eventually(add_atom(holds)));
    }
    return *this;
  }
  // A state without actions where `done` is false violates "no deadlock". Runs that go on for ever
  // do not.
  template <class F>
  Model& no_deadlock(F done) {
    add("no deadlock", PropertyKind::kEventually, [done = std::move(done)](const State& s) {
      return done(s) ? Outcome(true) : violated("no action is enabled, and the run is not done");
    });
    declaration_->runs.claims.back().formula = {};
    return *this;
  }

  // --- Of runs (ordeal/liveness.h)
  // ----------------------------------------------------------------- Whenever the one, then or
  // later the other; again and again; from some time on for ever. Where a run ends its last state
  // stays.
  template <class F, class G>
  Model& leads_to(std::string name, F from, G to) {
    const Formula first = atom(std::move(from));
    return claim(std::move(name), formula::leads_to(first, atom(std::move(to))), "leads-to");
  }
  template <class F>
  Model& infinitely_often(std::string name, F test) {
    return claim(std::move(name), formula::always(formula::eventually(atom(std::move(test)))),
                 "infinitely-often");
  }
  template <class F>
  Model& eventually_always(std::string name, F test) {
    return claim(std::move(name), formula::eventually(formula::always(atom(std::move(test)))),
                 "eventually-always");
  }
  // Any formula: `atom` makes one of a function of a state, `step_atom` one of a function of the
  // state before, the action and the state after.
  template <class F>
  Formula atom(F test) {
    detail::require_const<F, const State&>();
    return add_atom(std::move(test));
  }
  template <class F>
  Formula step_atom(F test) {
    detail::require_const<F, const State&, const typename M::Action&, const State&>();
    declaration_->step_atoms.push_back(std::move(test));
    return formula::step(declaration_->runs.step_atoms++);
  }
  Model& claim(std::string name, Formula formula, std::string word = "claim") {
    Property property{std::move(name), PropertyKind::kAlways};
    property.on_runs = true;
    property.word = std::move(word);
    add(std::move(property), [](const State&) { return true; });
    return claim_last(std::move(formula));
  }
  // Only runs of which this is true count; `words` say it to people.
  Model& assume(Formula formula, std::string words) {
    auto& assumed = declaration_->assumed;
    assumed.push_back(std::move(formula));
    declaration_->assumed_words.push_back(std::move(words));
    return *this;
  }
  // By default nothing is owed to any action: a run may take any way again and again. Owed to the
  // actions of which `which` is true, all of them together:
  template <class F>
  Model& fair(std::string name, Owed owed, F which) {
    detail::require_const<F, const typename M::Action&>();
    const M* model = &declaration_->model;
    const Formula enabled = add_atom([model, which](const State& state) {
      std::vector<typename M::Action> actions;
      model->actions(state, actions);
      return std::any_of(actions.begin(), actions.end(), [&](const auto& action) {
        return which(action) && model->next(state, action).has_value();
      });
    });
    const Formula taken = step_atom([which](const State&, const typename M::Action& action,
                                            const State&) { return bool(which(action)); });
    declaration_->runs.fair.push_back({std::move(name), owed, enabled.atom, taken.atom});
    declaration_->runs.has_duties = true;
    return *this;
  }
  // … to every action by itself, or, with a function of it, to all together for which that gives
  // the same value. Instead of what an earlier call has said.
  Model& fair_each(Owed owed) {
    return fair_each(owed, [](const typename M::Action& action) { return action; });
  }
  template <class F>
  Model& fair_each(Owed owed, F serves) {
    detail::require_const<F, const typename M::Action&>();
    declaration_->duty = [owed, serves = std::move(serves)](const typename M::Action& action) {
      return Duty{value::hash(serves(action)), owed};
    };
    declaration_->duties_owed = owed;
    declaration_->runs.has_duties = true;
    return *this;
  }
  // A run may stay in any state for ever, as far as fairness lets it.
  Model& stutters(bool on = true) {
    declaration_->runs.stutters = on;
    return *this;
  }
  template <class F>
  Model& within(F constraint) {
    detail::require_const<F, const State&>();
    declaration_->constraints.push_back(std::move(constraint));
    return *this;
  }

  // These node ids in the state differ in nothing but which is which: with Options::symmetry,
  // states that differ in who is who among them are one. Only ids of type NodeId are renamed.
  // Whether it is true of properties is only found by sampling.
  Model& alike(std::vector<NodeId> nodes) {
    declaration_->alike.push_back(std::move(nodes));
    return *this;
  }
  // The values 0 … count - 1 of this Name<Tag> (see ordeal/name.h) likewise.
  template <class N>
  Model& interchangeable(uint32_t count) {
    return add_interchangeable(N(), count);
  }

  // --- Steering: what exploration may be led by (ordeal/steering.h) ------------------------------
  // What a state looks like: any value that a const function makes of it.
  template <class F>
  Model& colour(Colouring colouring, F f) {
    detail::require_const<F, const State&>();
    typename detail::ModelDeclaration<M>::Colour colour;
    colour.name = colouring.name;
    colour.hash = [f](const State& state) { return value::hash(f(state)); };
    colour.show = [f](const State& state) { return value::tree(f(state)); };
    declaration_->colours.push_back(std::move(colour));
    if (colouring.name != kDefaultColouring) {
      declaration_->steering.colourings.push_back(std::move(colouring));
    }
    return *this;
  }
  // A predicate that can be named, or, of a function of whole numbers that returns one, a family.
  template <class F>
  Model& predicate(std::string name, std::string what, F make) {
    using Test = typename detail::ModelDeclaration<M>::Test;
    if constexpr (std::is_invocable_r_v<bool, const F&, const State&>) {
      declaration_->steering.predicates.push_back({std::move(name), std::move(what), 0});
      declaration_->families.push_back(
          [test = Test(std::move(make))](std::span<const int64_t>) { return test; });
    } else {
      declaration_->steering.predicates.push_back(
          {std::move(name), std::move(what), detail::arguments_of<F>()});
      declaration_->families.push_back(detail::with_arguments<Test>(std::move(make)));
    }
    declaration_->grades.emplace_back();
    return *this;
  }
  // A predicate that says how far it is from being so: a const function of the state that returns a
  // whole number, or, of a function of whole numbers that returns one, a family. It holds where
  // that number is 0 or less.
  template <class F>
  Model& graded(std::string name, std::string what, F make) {
    using Grade = typename detail::ModelDeclaration<M>::Grade;
    using Test = typename detail::ModelDeclaration<M>::Test;
    std::function<Grade(std::span<const int64_t>)> grade;
    uint32_t arguments = 0;
    if constexpr (std::is_invocable_r_v<int64_t, const F&, const State&>) {
      grade = [one = Grade(std::move(make))](std::span<const int64_t>) { return one; };
    } else {
      arguments = detail::arguments_of<F>();
      grade = detail::with_arguments<Grade>(std::move(make));
    }
    declaration_->steering.predicates.push_back(
        {std::move(name), std::move(what), arguments, true});
    declaration_->families.push_back([grade](std::span<const int64_t> given) -> Test {
      return [far = grade(given)](const State& state) { return far(state) <= 0; };
    });
    declaration_->grades.push_back(std::move(grade));
    return *this;
  }
  // Predicates in the order in which they should become true, "Cube(1), Cube(2)"; the last is the
  // target.
  Model& waypoints(std::string name, const std::string& predicates, std::string what = "") {
    declaration_->steering.waypoints.push_back(
        {std::move(name), split_predicates(predicates, ','), std::move(what)});
    return *this;
  }
  // Ways that branch and loop (ordeal/steering.h says how they are written).
  Model& reward_machine(std::string name, std::string text, std::string what = "") {
    declaration_->steering.machines.push_back({std::move(name), std::move(text), std::move(what)});
    return *this;
  }
  Steering steering() const override { return declaration_->steering; }

  const std::vector<Property>& properties() const override { return declaration_->properties; }
  std::shared_ptr<StateSpace> space() const override {
    return std::make_shared<detail::ModelSpace<M>>(declaration_);
  }
  std::unique_ptr<World> world() const override { return run_world(space()); }
  bool constrained() const override { return !declaration_->constraints.empty(); }
  Result<void> validate() const override {
    if constexpr (detail::kHasKinds<M>) {
      if (declaration_->kinds.empty()) return Error{"kinds() describes no kind of actions"};
      if (Result<void> valid = validate_kinds(declaration_->kinds); !valid) return valid;
    }
    if (auto valid = validate_steering(declaration_->steering); !valid) return valid;
    if (std::count_if(declaration_->colours.begin(), declaration_->colours.end(),
                      [](const auto& one) { return one.name == kDefaultColouring; }) > 1) {
      return Error{"the default colouring is declared twice"};
    }
    return detail::validate_names(declaration_->properties);
  }
  Result<std::shared_ptr<Symmetry>> symmetry() const override {
    Result<detail::Points> points =
        detail::Points::of(0, declaration_->alike, declaration_->interchangeable);
    if (!points) return points.error();
    return std::shared_ptr<Symmetry>(
        std::make_shared<detail::ModelSymmetry<M>>(declaration_, std::move(*points)));
  }

 private:
  template <class Tag>
  Model& add_interchangeable(Name<Tag>, uint32_t count) {
    declaration_->interchangeable.push_back(
        {value::name_tag<Tag>(), std::string(detail::kShortTypeName<Tag>), count});
    return *this;
  }
  template <class F>
  Model& add(std::string name, PropertyKind kind, F test) {
    return add(Property{std::move(name), kind}, std::move(test));
  }

  template <class F>
  Formula add_atom(F test) {
    declaration_->atoms.push_back(
        [test = std::move(test)](const State& state) { return bool(test(state)); });
    return formula::state(declaration_->runs.state_atoms++);
  }
  Model& claim_last(Formula formula) {
    const uint32_t property = static_cast<uint32_t>(declaration_->properties.size() - 1);
    declaration_->runs.claims.push_back({property, std::move(formula)});
    return *this;
  }

  std::shared_ptr<detail::ModelDeclaration<M>> declaration_;
};

}  // namespace ordeal
