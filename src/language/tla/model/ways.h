// The ways from Next to its actions, so that one action can be taken without asking for the others.
//
// Next is taken apart under disjunctions, conjunctions, \E, IF, CASE, LET and calls: a way goes
// into one disjunct after the other until it comes to the action that is wanted. Arguments are
// bound by name on the way there: the parameters of the action (where one is passed on from a
// witness of \E, that witness), the witnesses above it and those within it. What is bound is not
// looked for: that it lies in its set is asked, and nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "language/tla/model/specification.h"
#include "ordeal/result.h"

namespace ordeal::tla {

struct WayStep {
  enum class Kind : uint8_t {
    kAll,     // a conjunction, on through one of its items
    kExists,  // \E
    kCall,    // a definition
    kIf,      // IF, into one of its branches
    kCase,    // CASE, into one of its arms
    kLet,     // LET
    kDo,      // whatever is left, as the evaluator does it
  };
  Kind kind = Kind::kDo;
  const Node* node = nullptr;
  uint32_t item = 0;  // kAll: which; kIf: 0 or 1
  const Node* arm = nullptr;
  // The number of the argument that is given, -1 for none. kExists: for each name, bound by bound;
  // kCall: for each parameter whose value must be that.
  std::vector<int> given;
};

using Way = std::vector<WayStep>;

struct NamedAction {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<std::string> witnesses;  // of \E above it and within it, but for its parameters
};

class Ways {
 public:
  explicit Ways(const Part& next);

  // Those by whose names steps are called, in the order of the text.
  const std::vector<NamedAction>& actions() const { return actions_; }
  // Also names on the way: of a definition whose disjuncts have names of their own.
  // An Error: there is no such action, or it binds no such name.
  Result<std::vector<Way>> find(const std::string& action,
                                const std::vector<std::string>& arguments) const;

 private:
  const Part& next_;
  std::vector<NamedAction> actions_;
};

}  // namespace ordeal::tla
