// Judge: evaluates the properties of a system in packed states, for one thread. Helpers over single
// nodes, pairs and histories are remembered by interned id: a predicate runs once per distinct
// content, not once per global state. In runs, a predicate of the whole view is asked again where
// something has changed that it looked at the last time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ordeal/view.h"
#include "ordeal/world.h"
#include "system/actor/images.h"
#include "system/actor/memo.h"
#include "system/actor/space.h"

namespace ordeal::actor {

class Judge : private View::Source {
 public:
  explicit Judge(std::shared_ptr<ActorSpace> space);

  bool within(StateRef state);
  void judge(StateRef state, bool terminal, Judgement& out);
  Outcome explain(StateRef state, bool terminal, uint32_t property);
  // Whether a predicate that is no property is true there; `name` is for what fails.
  bool is_so(StateRef state, const Predicate& predicate, const std::string& name);
  // Which atoms of what is said of runs are true there, by number.
  void atoms(StateRef state, bool terminal, std::vector<bool>& out);
  // What a function of the user's says of the state.
  int64_t distance_of(StateRef state, const std::function<int64_t(const View&)>& grade,
                      const std::string& name);
  void forget();
  uint64_t bytes() const;  // of what is remembered
  // From now on nodes are these opaque objects, by position (null: the node is a value), and
  // nothing is remembered. REQUIRES: `objects` outlives the judge.
  void use_live(const std::vector<void*>* objects) { live_ = objects; }

  // From now on functions must not tell like nodes apart, and fail if they do: one of pairs must
  // say the same of (a, b) and (b, a), one of single nodes the same of every image of a node.
  // REQUIRES: `images` outlives the judge.
  void hold_to_symmetry(Images* images) { images_ = images; }
  // States of runs are judged, one after the other, by nobody who trusts it already.
  void take_runs() { takes_runs_ = true; }
  // Whether a node had more images than were tried.
  bool left_images_out() const { return left_images_out_; }

  const History& history() const override;
  std::vector<InFlight> messages() const override;

 private:
  enum class Known : uint8_t { kUnknown, kTrue, kFalse };
  struct PropertyState {
    std::vector<uint32_t> nodes;      // positions of the nodes it is about (unary, binary)
    std::vector<Known> by_id;         // by part (unary) or history
    FlatMemo<bool> by_pair;           // by two parts (binary)
    uint64_t pairs_kept = kFewPairs;  // at most
    uint64_t pairs_found = 0;         // since there were last too many
    // What it was last found to be true of: by position in `nodes` a part, or for each pair two.
    std::vector<uint32_t> true_of;
    // Of the whole view: what it looked at the last time, and what it said.
    View::Looked looked;
    std::vector<uint32_t> looked_parts;
    uint32_t looked_history = 0;
    bool looked_terminal = false;
    std::optional<bool> said;
  };
  static constexpr uint64_t kFewPairs = 16'384;
  static constexpr uint64_t kManyPairs = 1'000'000;

  // Asks a function of the user's. One that fails violates the property, if that can be violated.
  template <class F>
  Outcome ask(uint32_t index, const F& holds) const;
  template <class F>
  bool is_true(uint32_t index, const F& holds) const;
  void judge_all(StateRef state, bool terminal, Judgement& out);
  // Whether it is judged as the last one was, which violated nothing.
  bool is_judged_alike(StateRef state, bool terminal, const Judgement& out) const;
  bool holds(StateRef state, bool terminal, uint32_t index);
  bool holds_for(uint32_t index, const Predicate::Unary& form, uint32_t part);
  void try_images(uint32_t index, const Predicate::Unary& form, uint32_t part, bool holds);
  bool holds_for(uint32_t index, const Predicate::Binary& form, uint32_t a, uint32_t b);
  bool holds_for_view(StateRef state, bool terminal, uint32_t index, const Predicate::Global& form);
  bool looks_the_same(PropertyState& known, StateRef state, bool terminal) const;
  void look_at(StateRef state);
  const void* data_of(uint32_t part) const;
  View view(bool terminal, View::Looked* looked = nullptr) const {
    return View(space_->node_ids(), space_->declaration().first_id, slots_, *this, terminal,
                looked);
  }

  std::shared_ptr<ActorSpace> space_;
  std::vector<PropertyState> properties_;
  bool needs_view_ = false;
  std::vector<View::Slot> slots_;
  std::vector<uint32_t> shown_;     // the part that each slot shows
  uint64_t generation_ = 0;         // of the ids in shown_
  uint64_t judged_generation_ = 0;  // of those that are remembered
  StateRef state_;
  const std::vector<void*>* live_ = nullptr;
  Images* images_ = nullptr;
  bool left_images_out_ = false;
  bool takes_runs_ = false;
  // Of the state of a run that was judged last, if nothing is violated in it.
  std::vector<uint32_t> judged_;  // its history and its parts; empty: there is none
  bool judged_terminal_ = false;
  bool must_ask_ = false;  // one of those that were asked looks at messages, or at nothing
  std::vector<uint32_t> judged_reached_;
};

}  // namespace ordeal::actor
