// Compiles one expression: the state that goes along.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "language/tla/compile/compiler.h"

namespace ordeal::tla {

// The variables that a tuple of variables is made of, through definitions.
bool flatten_variables(const Node& node, std::vector<uint32_t>& out);

class ExprCompiler {
 public:
  // Frames have `layout`; slots are added to it. `primed`: under a prime, UNCHANGED or ENABLED.
  ExprCompiler(Compiler& compiler, Layout& layout) : c_(compiler), layout_(layout) {}

  NodeRef compile(const Expr& expr, const Environment& names);
  NodeRef compile_function(const Unit& unit, const Environment& names, const std::string& name);
  // Puts what does not depend on the state into a place of its own.
  NodeRef hoist(NodeRef node);

 private:
  friend class Compiler;
  // What a name with its qualifiers stands for.
  struct Found {
    const Binding* binding = nullptr;
    Symbol* symbol = nullptr;
    const Environment* names = nullptr;  // where it was found
    // Arguments of parametrised instances on the way, with the frames that they make.
    std::vector<std::pair<const Layout*, const std::vector<ExprRef>*>> instances;
  };

  Found find(const Expr& expr, const Environment& names);
  NodeRef apply_found(const Expr& expr, const Found& found, const Environment& names);
  NodeRef call(const Expr& expr, Definition& definition, const Found& found,
               const Environment& names);
  NodeRef builtin(const Expr& expr, const Builtin& builtin, const Environment& names);
  NodeRef local(const Expr& expr, const Binding& binding, const Environment& names);
  NodeRef symbol(const Expr& expr, Symbol& symbol, const Found& found, const Environment& names);
  [[noreturn]] void fail_undefined(const Expr& expr, const Place& place, const Environment& names);
  NodeRef part_of(const Expr& expr, const Environment& names);
  NodeRef table(const Expr& expr, const Symbol& symbol, const Environment& names);
  NodeRef substituted(const Expr& expr, const Symbol& symbol, const Environment& names);
  NodeRef apply(const Expr& expr, const Environment& names);
  NodeRef known_operator(const Expr& expr, const Environment& names);  // null: it is none
  NodeRef temporal(const Expr& expr, std::string what, const Environment& names);
  NodeRef fairness(const Expr& expr, std::string what, const Environment& names);
  NodeRef box(const Expr& expr, const Expr& action, const Expr& subscript, bool is_box,
              const Environment& names);
  Argument argument(const Expr& expr, uint32_t arity, const Environment& names);
  void arguments(const Expr& call, const std::vector<uint8_t>& arities, const Environment& names,
                 std::vector<Argument>& out);
  uint32_t hops_to(const Layout* layout, const Place& place) const;

  NodeRef list(const Expr& expr, const Environment& names);
  NodeRef record(const Expr& expr, const Environment& names);
  NodeRef except(const Expr& expr, const Environment& names);
  NodeRef let(const Expr& expr, const Environment& names);
  NodeRef quantifier(const Expr& expr, const Environment& names);
  NodeRef case_of(const Expr& expr, const Environment& names);
  NodeRef lambda_set(const Expr& expr, const Environment& names);  // filter, map, function
  // Compiles the sets and adds the names to `inner`.
  std::vector<BoundSet> bounds(const std::vector<Bound>& bounds, const Environment& names,
                               Environment& inner);
  NodeRef refused(const Expr& expr, std::string why);

  // Says of a node what follows from its children, and hoists those that the node is more than.
  template <class N>
  NodeRef seal(std::unique_ptr<N> node, const Place& place, const std::vector<NodeRef*>& children,
               const std::vector<uint32_t>& bound = {}, Level least = Level::kConstant) {
    seal_node(*node, place, children, bound, least);
    return node;
  }
  void seal_node(Node& node, const Place& place, const std::vector<NodeRef*>& children,
                 const std::vector<uint32_t>& bound, Level least);
  std::vector<uint32_t> slots_of(const std::vector<BoundSet>& bounds) const;

  Compiler& c_;
  Layout& layout_;
  int primed_ = 0;
};

}  // namespace ordeal::tla
