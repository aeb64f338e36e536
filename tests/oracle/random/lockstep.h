// Walks the engine's explorer and the reference hand in hand over every state of a system: the same
// actions in the same order, the same successors, the same judgements; fingerprints that tell apart
// exactly what the reference tells apart, and that are the same when computed from scratch.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/world.h"
#include "tests/oracle/reference/explore.h"
#include "tests/oracle/reference/reference.h"

namespace ordeal::oracle {

class Lockstep {
 public:
  explicit Lockstep(const System& system)
      : system_(system), reference_(system), space_(system.space()), engine_(space_->explorer()) {}

  // The first disagreement, for a person; empty: there is none.
  std::string walk() {
    auto expected = reference_.initial();
    const auto initial = space_->initial();
    if (!expected || !initial.ok()) {
      if (expected.has_value() == initial.ok()) return "";
      return expected ? "the engine cannot start it: " + initial.error().message
                      : "the engine starts what cannot start";
    }
    if (expected->size() != initial->size()) {
      return counts("initial states", initial->size(), expected->size());
    }
    for (size_t i = 0; i < expected->size(); ++i) {
      if (!reference_.within((*expected)[i])) continue;
      if (!meet((*expected)[i], (*initial)[i].fingerprint, (*initial)[i].state)) return problem_;
    }
    while (!queue_.empty()) {
      const std::string key = queue_.front();
      queue_.pop_front();
      if (!step(key)) return problem_ + "\n  in the state reached by:" + way_to(key);
    }
    return "";
  }

  // Where the engine's fingerprint of each reference state is asked for elsewhere.
  const std::map<std::string, uint64_t>& fingerprints() const { return fingerprints_; }

 private:
  struct Both {
    reference::State state;
    std::vector<uint32_t> packed;
    std::string parent;
    std::string by;  // the action that led here
  };

  static std::string counts(const std::string& what, uint64_t engine, uint64_t reference) {
    return what + ": the engine has " + std::to_string(engine) + ", the reference " +
           std::to_string(reference);
  }

  static int group(ActionKind kind) {
    switch (kind) {
      case ActionKind::kDeliver:
      case ActionKind::kRequest:
      case ActionKind::kEvent:
      case ActionKind::kDetect:
      case ActionKind::kRestore:
        return 1;
      case ActionKind::kTimer:
        return 2;
      case ActionKind::kCrash:
        return 3;
      case ActionKind::kRecover:
        return 4;
      case ActionKind::kDrop:
        return 5;
      case ActionKind::kDuplicate:
        return 6;
      case ActionKind::kSuspect:
        return 7;
      default:
        return 8;
    }
  }

  // What the order of actions depends on, up to the content of a message.
  static auto rank(const Action& a) {
    const bool split = a.kind == ActionKind::kPartition || a.kind == ActionKind::kHeal;
    // By the short name: scopes are only shown.
    const size_t scope = a.type.rfind("::");
    const std::string type = scope == std::string::npos ? a.type : a.type.substr(scope + 2);
    return std::make_tuple(group(a.kind), a.node, a.from, a.kind, split ? "" : type);
  }

  static std::string label(const Action& a) {
    std::string out = std::string(to_string(a.kind)) + " node " + std::to_string(a.node) +
                      " from " + std::to_string(a.from);
    if (a.kind != ActionKind::kPartition && a.kind != ActionKind::kHeal) {
      out += " " + a.type + " " + value::show(a.payload);
    }
    for (uint32_t answer : a.choices) out += " chose " + std::to_string(answer);
    if (a.crash_at_persist > 0) out += " crash at " + std::to_string(a.crash_at_persist);
    return out;
  }

  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  std::string way_to(const std::string& key) const {
    std::string out;
    for (const Both* at = &states_.at(key); !at->by.empty(); at = &states_.at(at->parent)) {
      out = "\n    " + at->by + out;
    }
    return out.empty() ? " (initial)" : out;
  }

  // Both arrive in a state: they must agree on whether it is new.
  bool meet(const reference::State& state, uint64_t fingerprint, std::vector<uint32_t> packed,
            const std::string& parent = "", const std::string& by = "") {
    const std::string key = reference_.key(state);
    if (engine_->fingerprint(packed) != fingerprint) {
      return fail("after '" + by + "': the fingerprint differs from the one made from scratch");
    }
    if (engine_->within(packed) != reference_.within(state)) {
      return fail("after '" + by + "': they differ about the constraint");
    }
    const auto [known, fresh] = fingerprints_.emplace(key, fingerprint);
    if (!fresh) {
      if (known->second == fingerprint) return true;
      return fail("after '" + by + "': one state has two fingerprints");
    }
    if (!seen_.insert(fingerprint).second) {
      return fail("after '" + by + "': two states have one fingerprint");
    }
    states_.emplace(key, Both{state, std::move(packed), parent, by});
    if (reference_.within(state)) queue_.push_back(key);
    return true;
  }

  bool step(const std::string& key) {
    const Both& both = states_.at(key);
    std::vector<reference::Move> moves = reference_.moves(both.state);
    std::vector<Choice> choices;
    engine_->enumerate(both.packed, choices);
    std::vector<Action> actions;
    for (const Choice& choice : choices) {
      actions.push_back(engine_->action(both.packed, choice));
    }
    std::string listed = "\n  engine:";
    for (const Action& action : actions) listed += "\n    " + label(action);
    listed += "\n  reference:";
    for (const auto& move : moves) listed += "\n    " + label(move.action);
    if (actions.size() != moves.size()) {
      return fail(counts("enabled actions", actions.size(), moves.size()) + listed);
    }
    // The same order, but for messages that differ in content only: the engine orders those by
    // hash.
    std::vector<size_t> partner(moves.size());
    std::vector<bool> taken(moves.size(), false);
    for (size_t i = 0; i < moves.size(); ++i) {
      if (rank(actions[i]) != rank(moves[i].action)) {
        return fail("the order of actions differs at number " + std::to_string(i) + listed);
      }
      size_t j = 0;
      while (j < moves.size() && (taken[j] || label(actions[i]) != label(moves[j].action))) ++j;
      if (j == moves.size())
        return fail("only the engine has '" + label(actions[i]) + "'" + listed);
      taken[j] = true;
      partner[i] = j;
    }
    return judged(both, moves) && followed(key, both, moves, choices, actions, partner);
  }

  bool judged(const Both& both, const std::vector<reference::Move>& moves) {
    const bool terminal =
        std::none_of(moves.begin(), moves.end(), [](const auto& move) { return move.progress; });
    Judgement judgement;
    engine_->judge(both.packed, terminal, judgement);
    const auto& properties = system_.properties();
    for (uint32_t p = 1; p < properties.size(); ++p) {
      const PropertyKind kind = properties[p].kind;
      const bool reached = std::count(judgement.reached.begin(), judgement.reached.end(), p) > 0;
      const bool violated = std::count(judgement.violated.begin(), judgement.violated.end(), p) > 0;
      const bool holds = reference_.holds(both.state, terminal, p);
      bool agree = false;
      switch (kind) {
        case PropertyKind::kAlways:
          agree = violated == !holds && !reached;
          break;
        case PropertyKind::kSometimes:
          agree = reached == holds && !violated;
          break;
        case PropertyKind::kEventually:
          agree = violated == (terminal && !holds) && !reached;
          break;
      }
      if (!agree) return fail("they differ about the property '" + properties[p].name + "'");
      if (violated && engine_->explain(both.packed, terminal, p).ok()) {
        return fail("what is violated explains itself as fine: '" + properties[p].name + "'");
      }
    }
    return true;
  }

  bool followed(const std::string& key, const Both& both, std::vector<reference::Move>& moves,
                const std::vector<Choice>& choices, const std::vector<Action>& actions,
                const std::vector<size_t>& partner) {
    // Copies: what meet() adds may move things.
    const std::vector<uint32_t> packed = both.packed;
    const uint64_t fingerprint = fingerprints_.at(key);
    for (size_t i = 0; i < choices.size(); ++i) {
      const reference::Move& move = moves[partner[i]];
      const std::string name = label(actions[i]);
      if (choices[i].kind != move.action.kind) return fail("another kind: '" + name + "'");
      if (choices[i].progress != move.progress) {
        return fail("they differ on whether '" + name + "' is progress");
      }
      if (choices[i].fails != move.fails) {
        return fail("they differ on whether '" + name + "' fails");
      }
      if (move.fails) continue;
      std::vector<uint32_t> next;
      const uint64_t after = engine_->apply(packed, fingerprint, choices[i], next);
      if (!meet(move.next, after, std::move(next), key, name)) return false;
    }
    return true;
  }

  const System& system_;
  reference::Reference reference_;
  std::shared_ptr<StateSpace> space_;
  std::unique_ptr<Explorer> engine_;
  std::map<std::string, Both> states_;  // by the reference's key
  std::map<std::string, uint64_t> fingerprints_;
  std::set<uint64_t> seen_;
  std::deque<std::string> queue_;
  std::string problem_;
};

}  // namespace ordeal::oracle
