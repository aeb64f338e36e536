// Steer: the colours of nodes and the predicates that a system declares for steering, asked of
// packed states, for one thread. The colour of a node is worked out once for each of its states.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/world.h"
#include "system/actor/judge.h"
#include "system/actor/space.h"

namespace ordeal::actor {

class Steer {
 public:
  // REQUIRES: `judge` outlives it.
  Steer(std::shared_ptr<ActorSpace> space, Judge& judge);

  Result<uint32_t> predicate(const std::string& text);
  bool holds(StateRef state, uint32_t predicate);
  std::optional<uint32_t> distance(StateRef state, uint32_t predicate);
  Result<uint32_t> colouring(const std::string& name) const;
  void colours(StateRef state, uint32_t colouring, std::vector<uint64_t>& out);
  void show_colours(StateRef state, uint32_t colouring, std::vector<value::Tree>& out) const;
  void forget();
  uint64_t bytes() const;

 private:
  // One for every colouring, the default one first.
  struct Painter {
    std::string name;
    std::vector<const detail::Declaration::Colour*> by_node;  // null: it looks like what it is
    std::vector<std::vector<uint64_t>> by_part;               // of every node; 0: not known yet
  };
  uint64_t colour_of(const Painter& painter, uint32_t node, uint32_t part) const;

  std::shared_ptr<ActorSpace> space_;
  Judge& judge_;
  std::vector<Painter> painters_;
  struct Asked {
    std::string text;
    Predicate predicate;
    detail::Declaration::Family::Grade grade;  // empty: it has none
    uint32_t times = 0;
  };
  std::vector<Asked> asked_;
  uint32_t looks_ = 0;
};

}  // namespace ordeal::actor
