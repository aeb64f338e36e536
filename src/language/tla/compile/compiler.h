// Expressions to nodes.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "language/tla/compile/modules.h"
#include "language/tla/eval/nodes.h"

namespace ordeal::tla {

class Compiler {
 public:
  explicit Compiler(Modules& modules) : modules_(modules) {}

  // Compiles the definition if that has not been done.
  const Operator& compiled(Definition& definition);
  // An expression among the names of the root, in a frame of its own: evaluate it with a frame of
  // `layout.slots` slots.
  struct Closed {
    NodeRef node;
    std::unique_ptr<Layout> layout;
  };
  Closed compile_closed(const Expr& expr, const Environment& names);
  // The operator without parameters of that name in the root; null: there is none.
  const Operator* find(const std::string& name);
  // With so many parameters.
  const Operator* find(const std::string& name, size_t params);

  uint32_t constants() const { return constants_; }
  // Variables of instances that expressions stand for.
  uint32_t substituted() const { return static_cast<uint32_t>(substituted_.size()); }
  // Definitions that say something else each time because they draw at random, and do not depend on
  // the state: their values are drawn once, and are the same for everybody.
  const std::vector<const Operator*>& drawn() const { return drawn_; }
  uint32_t nodes() const { return nodes_; }

 private:
  friend class ExprCompiler;
  Modules& modules_;
  uint32_t constants_ = 0;
  uint32_t nodes_ = 0;
  std::map<const Symbol*, uint32_t> substituted_;  // their numbers
  std::vector<const Operator*> drawn_;
};

}  // namespace ordeal::tla
