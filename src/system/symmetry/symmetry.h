// The symmetry of a system of nodes: its states renamed, and the space of their classes.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "ordeal/detail/labelling.h"
#include "ordeal/symmetry.h"
#include "system/actor/explorer.h"
#include "system/actor/space.h"
#include "system/symmetry/renamer.h"

namespace ordeal::actor {

// Takes states to those that stand for their classes, for one thread.
class Canonical : private detail::Labelling::Source {
 public:
  using Permutation = Points::Permutation;

  Canonical(std::shared_ptr<ActorSpace> space, std::shared_ptr<const Points> points);

  // Appends the state that stands for the class of `state`, and returns its fingerprint.
  uint64_t find(StateRef state, uint64_t fingerprint, std::vector<uint32_t>& out);
  // The renaming that the last find() used.
  const Permutation& renaming() const { return to_; }

  uint64_t bytes() const { return renamer_.bytes(); }

  // Appends the renamed state.
  void rename(StateRef state, const Permutation& to, std::vector<uint32_t>& out);
  // The action as it is called in the renamed state.
  Choice rename(const Choice& choice, const Permutation& to);

 private:
  // Something in the state that mentions several points.
  struct Mention {
    Table table;
    uint32_t id;
    uint32_t place;  // in its queue, where the network is ordered
    uint64_t points;
  };

  uint64_t relation(uint8_t a, uint8_t b) override;
  bool exchangeable(uint8_t a, uint8_t b) override;
  uint64_t image(const Permutation& to) override;

  void refresh();
  void look_at(StateRef state);
  void mention(Table table, uint32_t id, uint32_t place);
  uint64_t share(Table table, uint32_t id, uint32_t place) const;
  // Appends the renamed state, and returns by how much its fingerprint differs.
  uint64_t move(StateRef state, const Permutation& to, std::vector<uint32_t>& out);

  std::shared_ptr<ActorSpace> space_;
  std::shared_ptr<const Points> points_;
  Renamer renamer_;
  detail::Labelling labelling_;
  uint64_t generation_ = 0;
  bool ordered_;
  std::vector<uint64_t> colours_;
  std::vector<Mention> many_;
  StateRef state_;
  std::vector<uint32_t> trial_;
  std::vector<uint64_t> keys_;  // of the pending events that move() has put in order
  Permutation to_;
  Permutation exchange_;  // the identity, except while exchangeable() runs
};

class ActorSymmetry : public Symmetry, public std::enable_shared_from_this<ActorSymmetry> {
 public:
  ActorSymmetry(std::shared_ptr<ActorSpace> space, Points points);

  std::shared_ptr<StateSpace> states() override { return space_; }
  std::shared_ptr<StateSpace> classes() override;
  const std::vector<std::vector<uint8_t>>& alike() const override { return points_->classes(); }
  std::string name(uint8_t point) const override { return points_->name(point); }
  std::string what() const override { return points_->what(); }
  Result<void> validate() override;
  void renamed(StateRef state, const Permutation& to, std::vector<uint32_t>& out) override;
  uint64_t class_of(StateRef state) override;
  uint64_t renamed_key(StateRef state, const Choice& choice, const Permutation& to) override;
  uint32_t constraints() const override {
    return static_cast<uint32_t>(space_->declaration().constraints.size());
  }
  bool is_alike_by_form(uint32_t property) const override;
  std::string names_a_node(StateRef state, bool terminal, uint32_t property) override;
  std::vector<std::string> tried_in_part() const override;

 private:
  Result<void> validate_exchange(uint8_t a, uint8_t b);
  // Whether nodes of that type hold ids of nodes, or names.
  bool sees_names(const detail::TypeId& type) const;

  std::shared_ptr<ActorSpace> space_;
  std::shared_ptr<const Points> points_;
  Canonical canonical_;
  ActorExplorer explorer_;
  // A search through the classes met a node with more images than it tried.
  std::shared_ptr<std::atomic<bool>> images_left_out_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace ordeal::actor
