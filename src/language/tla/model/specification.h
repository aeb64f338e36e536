// A specification with its configuration, ready to be evaluated.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "language/tla/compile/compiler.h"
#include "language/tla/compile/modules.h"
#include "language/tla/eval/nodes.h"
#include "language/tla/model/part.h"
#include "language/tla/syntax/lexer.h"
#include "language/tla/value/pool.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::tla {

struct LoadOptions {
  std::string path;                              // SPEC.tla
  std::string text = {};                         // of the module, where it is in no file
  std::string config;                            // "": SPEC.cfg beside it, if it is there
  std::vector<std::string> libraries;            // directories with modules
  std::map<std::string, std::string> constants;  // NAME → expression, instead of the configuration
  // What takes the place of the configuration's, where it is given.
  std::string init, next;
  std::vector<std::string> invariants;
  bool ignore_deadlock = false;
  bool write_files = false;  // what Json, CSV and IOUtils say may write
};

struct Invariant {
  std::string name;
  Part part;
  std::vector<Part> others = {};  // the same for other elements of a quantifier
};
using ActionProperty = Invariant;  // [A]_v

struct Assumption {
  std::string name;  // as the specification calls it, or by its line
  bool holds = true;
  std::string why;  // it does not hold: which part of it, with its place
};

class Specification {
 public:
  // An Error has the place and what would be right.
  static Result<std::shared_ptr<Specification>> load(const LoadOptions& options);

  const std::string& name() const { return name_; }
  const std::vector<std::string>& variables() const { return modules_->variables(); }
  const Sources& sources() const { return *sources_; }
  Modules& modules() { return *modules_; }
  Compiler& compiler() { return *compiler_; }
  const Compiler& compiler() const { return *compiler_; }

  std::vector<Part> init;  // all of them
  Part next;               // node null: there is none, the states stand alone
  // The definition that Next comes to; null: it is no definition.
  const Operator* whole_next() const;
  std::vector<Invariant> invariants;
  std::vector<Invariant> initially;  // what properties say of initial states
  std::vector<ActionProperty> action_properties;
  std::vector<Invariant> temporal;  // what properties say of whole behaviours, besides
  std::vector<Part> assumed;        // what the specification says of whole behaviours, besides
  std::vector<Part> constraints;
  std::vector<Part> action_constraints;
  Part view;
  Part alias;
  Part postcondition;
  // Ways to rename model values, without the identity; closed under composition.
  std::vector<std::map<uint32_t, uint32_t>> permutations;
  bool check_deadlock = true;
  bool from_formula = false;   // SPECIFICATION, not INIT and NEXT
  bool has_behaviour = false;  // Init and Next; false: constants and assumptions alone

  std::vector<Assumption> assumptions;  // judged when the specification is loaded
  // Of a whole exploration, with what TLCGet("stats") says of it.
  Result<bool> postcondition_holds(const Totals& totals);

  // Tells the machine of constants that were drawn at random, for all machines alike.
  void prepare(Machine& machine);

  Pool& pool() { return pool_; }
  Host& host() { return *host_; }
  std::string directory() const { return directory_; }
  // The text of an error of evaluation: where, the line, and who called.
  std::string describe(const EvalError& error) const;

  // The names of the model values in constants, in their order.
  std::vector<std::string> model_values() const;
  // An expression of the command line or the prompt, among the names of the specification; model
  // values of its constants are known by their names, too.
  struct Expression {
    Compiler::Closed closed;
  };
  Result<std::shared_ptr<Expression>> expression(const std::string& text);
  // The same in two steps, of an expression that stands in another file: `text` has blanks for all
  // of the file that is no part of it, so that places are right.
  Result<ExprRef> read_expression(const std::string& path, std::string text);
  Result<std::shared_ptr<Expression>> expression(ExprRef written);
  // A name in expressions that come later, where the specification has none of that name.
  void name_value(const std::string& name, Value value);
  // Of such a file; what the tokens refer to lives as long as the specification.
  Result<std::vector<Token>> tokens(const std::string& path, std::string text);
  // `Twice(x) == 2 * x`, for expressions that come later. The names that are known now.
  Result<std::vector<std::string>> define(const std::string& text);

 private:
  Specification() = default;
  void configure(const LoadOptions& options);
  void take_specification(const Part& part);
  void take_property(const std::string& name, const Part& part);
  // For each element apart. False: it cannot be.
  bool take_each(const std::string& name, const Part& part, const QuantifierNode& node);
  Part part_of(const std::string& name, const Place* place, const std::string& what);
  void judge_assumptions();
  void draw_constants();
  void find_permutations(const Operator& symmetry);
  const Environment& names_of_expressions();

  std::string name_;
  std::string directory_;
  std::unique_ptr<Sources> sources_ = std::make_unique<Sources>();
  std::unique_ptr<Modules> modules_;
  std::unique_ptr<Compiler> compiler_;
  std::unique_ptr<Host> host_;
  Pool pool_;
  std::unique_ptr<Machine> elements_;  // in its memory lie those of quantifiers of properties
  Heap drawn_heap_;
  std::vector<Value> drawn_;                      // of Compiler::drawn()
  std::unique_ptr<ModuleScope> expressions_;      // the root, and model values
  std::vector<ExprRef> written_;                  // expressions that were asked for
  std::vector<std::unique_ptr<Symbol>> symbols_;  // that are in expressions_ alone
};

}  // namespace ordeal::tla
