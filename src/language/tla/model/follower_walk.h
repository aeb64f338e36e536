// The way from Next to an action, gone through by a Follower: inside of its sources alone.
#pragma once

#include <algorithm>
#include <array>

#include "language/tla/eval/bindings.h"
#include "language/tla/model/follower.h"

namespace ordeal::tla {

struct Follower::Walk {
  Follower& follower;
  const Way& way;
  const FollowedAction& action;

  bool go(Machine& m, size_t at, Frame* f, const Continuation& k) const {
    const WayStep& step = way[at];
    switch (step.kind) {
      case WayStep::Kind::kAll:
        return all(m, at, f, 0, k);
      case WayStep::Kind::kExists:
        return exists(m, at, f, k);
      case WayStep::Kind::kCall:
        return call(m, at, f, k);
      case WayStep::Kind::kIf: {
        const auto& node = static_cast<const IfNode&>(*step.node);
        return node.test->truth(m, f) == (step.item == 0) ? go(m, at + 1, f, k) : true;
      }
      case WayStep::Kind::kCase: {
        const auto& node = static_cast<const CaseNode&>(*step.node);
        return node.pick(m, f) == step.arm ? go(m, at + 1, f, k) : true;
      }
      case WayStep::Kind::kLet:
        static_cast<const LetNode&>(*step.node).bind(m, f);
        return go(m, at + 1, f, k);
      case WayStep::Kind::kDo:
        if (follower.blamed_ != nullptr && blames(m, f, *step.node)) return true;
        return step.node->act(m, f, k);
    }
    return true;
  }

  // The items of a conjunction, one after the other, as the evaluator does them.
  bool all(Machine& m, size_t at, Frame* f, size_t item, const Continuation& k) const;

  bool call(Machine& m, size_t at, Frame* f, const Continuation& k) const {
    const WayStep& step = way[at];
    const auto& node = static_cast<const CallNode&>(*step.node);
    m.enter();
    Frame* const frame = node.enter(m, f);
    try {
      for (uint32_t i = 0; i < step.given.size(); ++i) {
        if (step.given[i] < 0) continue;
        Value passed = frame->slot(i);
        if (passed.is_pending()) passed = force(m, passed);
        if (!fits(m, step.given[i], passed)) return true;
      }
      return go(m, at + 1, frame, k);
    } catch (EvalError& error) {
      constexpr size_t kShown = 64;
      if (error.calls.size() < kShown) error.calls.emplace_back(node.op->name, node.place);
      throw;
    }
  }

  bool fits(Machine& m, int given, Value value) const {
    const std::vector<Value>& forms = action.values[static_cast<size_t>(given)];
    return std::any_of(forms.begin(), forms.end(),
                       [&](Value form) { return is_one(m, form, value); });
  }

  static constexpr size_t kMostBounds = 16;
  using Sets = std::array<Value, kMostBounds>;

  bool exists(Machine& m, size_t at, Frame* f, const Continuation& k) const {
    const auto& node = static_cast<const QuantifierNode&>(*way[at].node);
    if (node.bounds.size() > kMostBounds) fail("\\E binds names of more than 16 sets");
    Sets sets;
    return bind_from(m, at, f, 0, 0, 0, sets, k);
  }

  // `number`: of the name among all of the quantifier.
  bool bind_from(Machine& m, size_t at, Frame* f, size_t bound, size_t name, size_t number,
                 Sets& sets, const Continuation& k) const {
    const WayStep& step = way[at];
    const auto& node = static_cast<const QuantifierNode&>(*step.node);
    if (bound == node.bounds.size()) return go(m, at + 1, f, k);
    const BoundSet& here = node.bounds[bound];
    const bool last = here.is_tuple || name + 1 == here.slots.size();
    const size_t after = number + (here.is_tuple ? here.slots.size() : 1);
    const auto on = [&] {
      return last ? bind_from(m, at, f, bound + 1, 0, after, sets, k)
                  : bind_from(m, at, f, bound, name + 1, after, sets, k);
    };
    if (const int given = step.given[number]; !here.is_tuple && given >= 0) {
      for (const Value form : action.values[static_cast<size_t>(given)]) {
        if (!is_member(m, f, *here.set, form)) continue;
        f->slot(here.slots[name]) = form;
        return on();
      }
      follower.outside_ = given;
      return true;
    }
    if (!sets[bound].defined()) sets[bound] = set_of(m, f, *here.set);
    return for_each_element(m, sets[bound], [&](Value element) {
      bind(m, f, here, name, element);
      for (size_t i = 0; here.is_tuple && i < here.slots.size(); ++i) {
        const int given = step.given[number + i];
        if (given >= 0 && !fits(m, given, f->slot(here.slots[i]))) return true;
      }
      return on();
    });
  }

  static bool is_member(Machine& m, Frame* f, const Node& set, Value value) {
    try {
      return set.has_member(m, f, value);
    } catch (const EvalError& error) {
      // It cannot be compared with what lies there; but the set must have a value.
      set_of(m, f, set);
      return false;
    }
  }

  static bool is_one(Machine& m, Value a, Value b) {
    try {
      return equal(m.heap(), a, b);
    } catch (const EvalError&) {
      return false;  // of another type
    }
  }

  // What is false here, for whoever asks why an action is not enabled.
  void blame(Machine& m, Frame* f, const Node& test) const;
  // Whether one of the tests of a conjunction is false, which is blamed then.
  bool blames(Machine& m, Frame* f, const Node& body) const;
  bool blames_witnesses(Machine& m, Frame* f, const QuantifierNode& exists) const;

  static Value set_of(Machine& m, Frame* f, const Node& node) {
    const Value set = node.eval(m, f);
    if (!is_set(set) || !is_enumerable(set)) {
      node.fail_here("names are bound to the elements of sets that can be enumerated, not of " +
                     describe(set));
    }
    return set;
  }
};

struct Follower::Rest final : Continuation {
  Rest(const Walk& walk, size_t at, Frame* f, size_t item, const Continuation& k)
      : walk(walk), at(at), f(f), item(item), k(k) {}
  bool go(Machine& m) const override { return walk.all(m, at, f, item, k); }
  const Walk& walk;
  size_t at;
  Frame* f;
  size_t item;
  const Continuation& k;
};

inline bool Follower::Walk::all(Machine& m, size_t at, Frame* f, size_t item,
                                const Continuation& k) const {
  const auto& list = static_cast<const ListNode&>(*way[at].node);
  const size_t through = way[at].item;
  for (; item < list.items.size(); ++item) {
    const bool last = item + 1 == list.items.size();
    if (item == through) {
      return last ? go(m, at + 1, f, k) : go(m, at + 1, f, Rest(*this, at, f, item + 1, k));
    }
    const Node& node = *list.items[item];
    const bool is_test = !node.branches && node.level < Level::kAction;
    if (is_test || (item > through && m.is_complete())) {
      if (!node.truth(m, f)) {
        if (follower.blamed_ != nullptr) blame(m, f, node);
        return true;
      }
      continue;
    }
    return last ? node.act(m, f, k) : node.act(m, f, Rest(*this, at, f, item + 1, k));
  }
  return k.go(m);
}

}  // namespace ordeal::tla
