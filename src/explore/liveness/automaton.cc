#include "explore/liveness/automaton.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"

namespace ordeal::explore {
namespace {

using Is = Formula::Is;

void put(std::vector<uint32_t>& set, uint32_t node) {
  const auto at = std::lower_bound(set.begin(), set.end(), node);
  if (at == set.end() || *at != node) set.insert(at, node);
}

bool contains_all(const std::vector<uint32_t>& set, const std::vector<uint32_t>& of) {
  return std::includes(set.begin(), set.end(), of.begin(), of.end());
}

}  // namespace

Automaton::Automaton(const Formula& formula) {
  const Node node = normal(formula, false);
  empty_ = nodes_[node].is == Is::kFalse;
  Set set;
  if (nodes_[node].is != Is::kTrue) set.push_back(node);
  state_of(std::move(set));
}

Automaton::Node Automaton::make(Content content) {
  const auto known = known_.find(content);
  if (known != known_.end()) return known->second;
  const Node node = static_cast<Node>(nodes_.size());
  known_.emplace(content, node);
  if (content.is == Is::kEventually) {
    content.promise = static_cast<uint32_t>(promises_.size());
    promises_.push_back(node);
  }
  nodes_.push_back(std::move(content));
  return node;
}

Automaton::Node Automaton::literal(Is is, uint32_t atom, bool negated) {
  return make({.is = is, .negated = negated, .atom = atom});
}

// kAnd or kOr of parts, in a normal form.
Automaton::Node Automaton::join(Is is, Set parts) {
  const Is nothing = is == Is::kAnd ? Is::kTrue : Is::kFalse;
  const Is all = is == Is::kAnd ? Is::kFalse : Is::kTrue;
  Set flat;
  for (const Node part : parts) {
    const Content& content = nodes_[part];
    if (content.is == all) return part;
    if (content.is == nothing) continue;
    if (content.is != is) {
      put(flat, part);
      continue;
    }
    for (const Node inner : content.parts) put(flat, inner);
  }
  for (const Node part : flat) {
    const Content& content = nodes_[part];
    if (content.is != Is::kState && content.is != Is::kStep) continue;
    if (!content.negated) continue;
    const auto other = known_.find({.is = content.is, .negated = false, .atom = content.atom});
    const bool both =
        other != known_.end() && std::binary_search(flat.begin(), flat.end(), other->second);
    if (both) return make({.is = all});
  }
  if (flat.empty()) return make({.is = nothing});
  if (flat.size() == 1) return flat[0];
  return make({.is = is, .parts = std::move(flat)});
}

Automaton::Node Automaton::always(Node of) {
  const Content content = nodes_[of];
  switch (content.is) {
    case Is::kTrue:
    case Is::kFalse:
    case Is::kAlways:
      return of;
    case Is::kAnd: {
      Set parts;
      for (const Node part : content.parts) parts.push_back(always(part));
      return join(Is::kAnd, std::move(parts));
    }
    default:
      break;
  }
  // []<>[]f is <>[]f.
  if (content.is == Is::kEventually && nodes_[content.parts[0]].is == Is::kAlways) return of;
  return make({.is = Is::kAlways, .parts = {of}});
}

Automaton::Node Automaton::eventually(Node of) {
  const Content content = nodes_[of];
  switch (content.is) {
    case Is::kTrue:
    case Is::kFalse:
    case Is::kEventually:
      return of;
    case Is::kOr: {
      Set parts;
      for (const Node part : content.parts) parts.push_back(eventually(part));
      return join(Is::kOr, std::move(parts));
    }
    default:
      break;
  }
  // <>[]<>f is []<>f.
  if (content.is == Is::kAlways && nodes_[content.parts[0]].is == Is::kEventually) return of;
  return make({.is = Is::kEventually, .parts = {of}});
}

Automaton::Node Automaton::normal(const Formula& formula, bool negated) {
  const auto parts = [&] {
    Set out;
    for (const Formula& part : formula.parts) out.push_back(normal(part, negated));
    return out;
  };
  switch (formula.is) {
    case Is::kTrue:
    case Is::kFalse:
      return make({.is = (formula.is == Is::kTrue) != negated ? Is::kTrue : Is::kFalse});
    case Is::kState:
    case Is::kStep:
      return literal(formula.is, formula.atom, negated);
    case Is::kNot:
      return normal(formula.parts[0], !negated);
    case Is::kAnd:
    case Is::kOr:
      return join((formula.is == Is::kAnd) != negated ? Is::kAnd : Is::kOr, parts());
    case Is::kAlways:
    case Is::kEventually: {
      const Node of = normal(formula.parts[0], negated);
      return (formula.is == Is::kAlways) != negated ? always(of) : eventually(of);
    }
  }
  return make({});
}

Automaton::Now Automaton::now(Node node, const Letter& letter) const {
  const Content& content = nodes_[node];
  const auto of_parts = [&](Now all, Now any) {
    bool later = false;
    for (const Node part : content.parts) {
      const Now said = now(part, letter);
      if (said == any) return any;
      later = later || said == Now::kLater;
    }
    return later ? Now::kLater : all;
  };
  switch (content.is) {
    case Is::kTrue:
      return Now::kTrue;
    case Is::kFalse:
      return Now::kFalse;
    case Is::kState:
      return (*letter.state)[content.atom] != content.negated ? Now::kTrue : Now::kFalse;
    case Is::kStep:
      return (*letter.step)[content.atom] != content.negated ? Now::kTrue : Now::kFalse;
    case Is::kAnd:
      return of_parts(Now::kTrue, Now::kFalse);
    case Is::kOr:
      return of_parts(Now::kFalse, Now::kTrue);
    case Is::kAlways:
      return now(content.parts[0], letter) == Now::kFalse ? Now::kFalse : Now::kLater;
    case Is::kEventually:
      return now(content.parts[0], letter) == Now::kTrue ? Now::kTrue : Now::kLater;
    case Is::kNot:
      break;
  }
  return Now::kLater;
}

void Automaton::expand(Branch branch, const Letter& letter, std::vector<Branch>& out) const {
  while (!branch.todo.empty()) {
    const Node node = branch.todo.back();
    branch.todo.pop_back();
    const Now said = now(node, letter);
    if (said == Now::kFalse) return;
    if (said == Now::kTrue) continue;
    const Content& content = nodes_[node];
    switch (content.is) {
      case Is::kAnd:
        branch.todo.insert(branch.todo.end(), content.parts.begin(), content.parts.end());
        break;
      case Is::kOr:
        for (const Node part : content.parts) {
          Branch one = branch;
          one.todo.push_back(part);
          expand(std::move(one), letter, out);
        }
        return;
      case Is::kAlways:
        if (!mutant(Mutant::kAlwaysIsNow)) put(branch.next, node);
        branch.todo.push_back(content.parts[0]);
        break;
      case Is::kEventually: {
        if (now(content.parts[0], letter) != Now::kFalse) {
          Branch at_once = branch;
          at_once.todo.push_back(content.parts[0]);
          expand(std::move(at_once), letter, out);
        }
        put(branch.next, node);
        if (!mutant(Mutant::kPutOffForEver)) branch.put_off.add(content.promise);
        break;
      }
      default:
        break;
    }
  }
  // What is asked for again and again need not be remembered once more.
  for (const Node node : Set(branch.next)) {
    const Content& content = nodes_[node];
    if (content.is != Is::kAlways || nodes_[content.parts[0]].is != Is::kEventually) continue;
    std::erase(branch.next, content.parts[0]);
  }
  out.push_back(std::move(branch));
}

std::vector<Automaton::Move> Automaton::moves(State from, const Letter& letter) {
  if (empty_) return {};
  std::vector<Branch> branches;
  expand({.todo = states_[from], .next = {}, .put_off = {}}, letter, branches);
  // One that asks for less later, and puts off no more, can do all that the other can.
  std::vector<bool> needless(branches.size());
  for (size_t i = 0; i < branches.size(); ++i) {
    for (size_t j = 0; j < branches.size() && !needless[i]; ++j) {
      if (i == j || needless[j]) continue;
      needless[i] = contains_all(branches[i].next, branches[j].next) &&
                    branches[j].put_off.is_within(branches[i].put_off);
    }
  }
  std::vector<Move> out;
  for (size_t i = 0; i < branches.size(); ++i) {
    if (needless[i]) continue;
    const State to = state_of(std::move(branches[i].next));
    out.push_back({to, std::move(branches[i].put_off)});
  }
  return out;
}

Automaton::State Automaton::state_of(Set set) {
  const auto known = known_states_.find(set);
  if (known != known_states_.end()) return known->second;
  const State state = static_cast<State>(states_.size());
  known_states_.emplace(set, state);
  states_.push_back(std::move(set));
  return state;
}

}  // namespace ordeal::explore
