// The symmetry of a raw model: its states renamed, and the space of their classes. Used through
// ordeal/model.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/detail/labelling.h"
#include "ordeal/detail/model_space.h"
#include "ordeal/detail/points.h"
#include "ordeal/symmetry.h"

namespace ordeal::detail {

// Takes states to those that stand for their classes, for one thread.
template <class State>
class ModelCanonical : private Labelling::Source {
 public:
  explicit ModelCanonical(std::shared_ptr<const Points> points)
      : points_(std::move(points)),
        labelling_(points_->classes()),
        colours_(points_->size()),
        exchange_(points_->size()) {
    for (size_t i = 0; i < exchange_.size(); ++i) exchange_[i] = static_cast<uint8_t>(i);
  }

  // Renames `state` to the one that stands for its class.
  void find(State& state) {
    state_ = &state;
    for (size_t i = 0; i < colours_.size(); ++i) {
      Eye eye(*points_, static_cast<int>(i));
      colours_[i] = value::hash_as(state, eye);
    }
    labelling_.find(colours_, *this, to_);
    value::rename(state, points_->renaming(to_));
  }

 private:
  uint64_t relation(uint8_t a, uint8_t b) override {
    Eye eye(*points_, a, b);
    return value::hash_as(*state_, eye);
  }
  bool exchangeable(uint8_t a, uint8_t b) override {
    std::swap(exchange_[a], exchange_[b]);
    State other = value::copy(*state_);
    value::rename(other, points_->renaming(exchange_));
    std::swap(exchange_[a], exchange_[b]);
    return value::equal(other, *state_);
  }
  uint64_t image(const std::vector<uint8_t>& to) override {
    State other = value::copy(*state_);
    value::rename(other, points_->renaming(to));
    return value::hash(other);
  }

  std::shared_ptr<const Points> points_;
  Labelling labelling_;
  std::vector<uint64_t> colours_;
  std::vector<uint8_t> exchange_;  // the identity, except while exchangeable() runs
  std::vector<uint8_t> to_;
  const State* state_ = nullptr;
};

template <class M>
class ModelClassExplorer : public ModelExplorer<M> {
 public:
  using State = typename M::State;

  ModelClassExplorer(std::shared_ptr<const ModelDeclaration<M>> declaration,
                     std::shared_ptr<const Points> points)
      : ModelExplorer<M>(std::move(declaration)), canonical_(std::move(points)) {}

  uint64_t apply(StateRef, uint64_t, const Choice& choice, std::vector<uint32_t>& out) override {
    State next = value::copy(this->next(choice));
    canonical_.find(next);
    Packing<State>::pack(next, out);
    return value::hash(next);
  }
  // Whether an action names what is renamed is not known: none is carried across a renaming.
  uint64_t key_after_apply(StateRef state, const Choice& choice) override {
    return combine(this->key(state, choice), kNoAction);
  }

 private:
  static constexpr uint64_t kNoAction = 0x94d049bb133111ebULL;
  ModelCanonical<State> canonical_;
};

template <class M>
class ModelClassSpace : public ModelSpace<M> {
 public:
  ModelClassSpace(std::shared_ptr<const ModelDeclaration<M>> declaration,
                  std::shared_ptr<const Points> points)
      : ModelSpace<M>(declaration), declaration_(declaration), points_(std::move(points)) {}

  Result<std::vector<StateSpace::Initial>> initial() override {
    std::vector<StateSpace::Initial> out;
    ModelCanonical<typename M::State> canonical(points_);
    for (typename M::State state : declaration_->model.initial()) {
      canonical.find(state);
      StateSpace::Initial initial;
      initial.fingerprint = value::hash(state);
      Packing<typename M::State>::pack(state, initial.state);
      const bool known = std::any_of(out.begin(), out.end(), [&](const auto& other) {
        return other.fingerprint == initial.fingerprint;
      });
      if (!known) out.push_back(std::move(initial));
    }
    if (out.empty()) return Error{"the model has no initial state"};
    return out;
  }
  std::unique_ptr<Explorer> explorer() override {
    return std::make_unique<ModelClassExplorer<M>>(declaration_, points_);
  }

 private:
  std::shared_ptr<const ModelDeclaration<M>> declaration_;
  std::shared_ptr<const Points> points_;
};

template <class M>
class ModelSymmetry : public Symmetry {
 public:
  using State = typename M::State;

  ModelSymmetry(std::shared_ptr<const ModelDeclaration<M>> declaration, Points points)
      : declaration_(std::move(declaration)),
        points_(std::make_shared<const Points>(std::move(points))),
        canonical_(points_) {}

  std::shared_ptr<StateSpace> states() override {
    return std::make_shared<ModelSpace<M>>(declaration_);
  }
  std::shared_ptr<StateSpace> classes() override {
    return std::make_shared<ModelClassSpace<M>>(declaration_, points_);
  }
  const std::vector<std::vector<uint8_t>>& alike() const override { return points_->classes(); }
  std::string name(uint8_t point) const override { return points_->name(point); }
  std::string what() const override { return points_->what(); }
  Result<void> validate() override { return {}; }

  void renamed(StateRef packed, const Permutation& to, std::vector<uint32_t>& out) override {
    State state{};
    Packing<State>::unpack(packed, state);
    value::rename(state, points_->renaming(to));
    Packing<State>::pack(state, out);
  }
  uint64_t class_of(StateRef packed) override {
    State state{};
    Packing<State>::unpack(packed, state);
    canonical_.find(state);
    return value::hash(state);
  }
  uint64_t renamed_key(StateRef state, const Choice& choice, const Permutation& to) override {
    ModelExplorer<M> explorer(declaration_);
    std::vector<Choice> choices;
    explorer.enumerate(state, choices);
    auto step = value::copy(explorer.step(choice));
    value::rename(step, points_->renaming(to));
    return value::hash(step);
  }

  uint32_t constraints() const override {
    return static_cast<uint32_t>(declaration_->constraints.size());
  }
  bool is_alike_by_form(uint32_t property) const override { return property == kNoFailure; }
  // A function of a state asks for no node that the engine could withhold: only samples tell.
  std::string names_a_node(StateRef, bool, uint32_t) override { return ""; }

 private:
  std::shared_ptr<const ModelDeclaration<M>> declaration_;
  std::shared_ptr<const Points> points_;
  ModelCanonical<State> canonical_;
};

}  // namespace ordeal::detail
