// Places: the states that partial-order reduction looks at, with the actions that are enabled there
// and what each touches. Worlds whose states can be saved are asked directly; others are run again
// from the start.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/footprint.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// One action that is enabled in a place. Where no progress action is left, ending the run is an
// action too, and depends on all others.
struct Act {
  uint64_t key = 0;
  uint32_t index = 0;  // among the enabled actions of the world; kEnd for ending the run
  bool progress = false;
  bool fails = false;  // the handler fails; known before only where states can be saved
  uint16_t sort = 0;   // what the step is counted by
  Footprint touch;

  static constexpr uint32_t kEnd = ~0U;
  bool is_end() const { return index == kEnd; }
};

// What can be said of a state once and for all: it is shared by all places where it is met.
struct Listed {
  struct Next {
    bool known = false;
    std::vector<uint32_t> state;
    uint64_t fingerprint = 0;
  };
  std::vector<uint32_t> state;
  bool terminal = false;  // no progress action is enabled
  std::vector<Act> acts;
  std::vector<Next> next;  // by action

  uint64_t bytes() const;  // but for the states in `next`, which come later
};

struct Place {
  // Of a space: the packed state. Of a world: the choices that lead here.
  std::vector<uint32_t> state;
  uint64_t fingerprint = 0;
  // What handlers touched that failed on the way. A failure leaves the state as it is; what depends
  // on the one that failed does not happen any more.
  std::vector<Footprint> failed;
  std::shared_ptr<Listed> listed;

  // Without what is shared with others.
  uint64_t bytes() const;
  bool terminal() const { return listed->terminal; }
  const Act* begin() const { return listed->acts.data(); }
  const Act* end() const { return begin() + listed->acts.size(); }
  // Null: not enabled here.
  const Act* find(uint64_t key) const {
    const Act* at = std::find_if(begin(), end(), [&](const Act& act) { return act.key == key; });
    return at == end() ? nullptr : at;
  }
};

class Steps {
 public:
  virtual ~Steps() = default;
  // "" or why the system cannot start.
  virtual std::string start(uint32_t initial, Place& out) = 0;
  virtual uint32_t initial_count() = 0;
  // Takes an action of `from`. "" or why its handler failed: `out` is then `from` without what
  // depends on it. REQUIRES: `act` is one of `from` and not the end; `out` is not `from`.
  virtual std::string take(const Place& from, const Act& act, Place& out) = 0;
  virtual Action action(const Place& place, const Act& act) = 0;
  virtual void judge(const Place& place, Judgement& out) = 0;
  // What the subject could not say of a place, or in judging it: the last start(), take() or
  // judge() is for nothing then. "": it said all.
  virtual const std::string& trouble() const = 0;
  virtual uint64_t bytes() const = 0;
  // Gives back what can be found out again.
  virtual void forget() {}
  // What was said of independence has turned out to be wrong: to be explored again from the start,
  // where every two actions depend on each other now.
  virtual bool changed_its_mind() const { return false; }
};

// `space` is null where states cannot be saved; `world` is then used instead.
std::unique_ptr<Steps> steps_of(StateSpace* space, World* world);

}  // namespace ordeal::explore
