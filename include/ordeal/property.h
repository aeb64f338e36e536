// Properties: what must be true of a system, and how a violation explains itself.
//
// - always(P): P in every reached state
// - sometimes(P): P in some reached state (shows that a check is not vacuous)
// - eventually(P): P in every terminal state (no progress action enabled)
//
// An always(P) may be about steps instead: P of every step, with the state before and after it.
//
// A predicate returns an Outcome: true, false, or false with an explanation:
//
//   system.always("one leader", [](const View& v) -> Outcome {
//     if (!v.node<Server>(1).leads || !v.node<Server>(2).leads) return true;
//     return violated("both lead").node(1).node(2);
//   });
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ordeal/result.h"

namespace ordeal {

enum class PropertyKind : uint8_t { kAlways, kSometimes, kEventually };
const char* to_string(PropertyKind kind);  // "always", "sometimes", "eventually"

// Property number 0 of every check is implicit: no handler may fail.
inline constexpr uint32_t kNoFailure = 0;

// What a property looks at in a state. The less it is, the more a reduction may leave out: see
// docs/reference/strategies.md.
enum class Reads : uint8_t {
  kEachNode,   // every node by itself: each(), every_decision(), decides_at_most_once()
  kNodes,      // several nodes of a type together: pairs()
  kDecisions,  // the decisions of several nodes: agreement()
  kHistory,    // the client history: linearizable()
  kAnything,   // any function of the view, or of the state of a raw model
};

struct Property {
  std::string name;
  PropertyKind kind = PropertyKind::kAlways;  // how it is judged
  Reads reads = Reads::kAnything;
  // What people are told for its kind ("leads-to"): small letters, digits and '-'; empty: `kind`.
  std::string word = {};
  // Of an `always`: it is judged on every step and on no state (Explorer::judge_step).
  bool on_steps = false;
  // Of an `always`: it is judged on whole runs, and on no state (StateSpace::liveness).
  bool on_runs = false;
};
// Whether one of them is on steps.
bool any_on_steps(const std::vector<Property>& properties);

class Outcome {
 public:
  Outcome(bool ok) : ok_(ok) {}  // NOLINT: implicit on purpose

  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  const std::string& why() const { return why_; }
  const std::vector<int>& nodes() const { return nodes_; }

  Outcome node(int id) && {
    nodes_.push_back(id);
    return std::move(*this);
  }
  Outcome because(std::string why) && {
    why_ = std::move(why);
    return std::move(*this);
  }

 private:
  bool ok_;
  std::string why_;
  std::vector<int> nodes_;
};

inline Outcome violated(std::string why) { return Outcome(false).because(std::move(why)); }

namespace detail {
// A function that remembers something between calls says different things of one state.
template <class F, class... Argument>
constexpr void require_const() {
  static_assert(std::is_invocable_v<const F&, Argument...>,
                "ordeal: properties, constraints, factories and handlers of run time must be const "
                "functions (no mutable lambdas) of these arguments: they are called any number of "
                "times, in any order, on several threads");
}
// An Error where two have one name: traces and scenarios know properties by their names.
Result<void> validate_names(const std::vector<Property>& properties);
}  // namespace detail

}  // namespace ordeal
