// TLA+ evaluated by walking the syntax tree: names are looked up in lists, arguments are
// expressions that are evaluated each time they are asked for, sets are written out. Only the
// parser is the engine's.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "language/tla/syntax/ast.h"
#include "language/tla/syntax/source.h"
#include "tests/oracle/tla/naive_value.h"

namespace ordeal::oracle::naive {

namespace tla = ordeal::tla;

struct Env;
using Bindings = std::map<std::string, struct Meaning>;

// What a name stands for.
struct Meaning {
  enum class Kind : uint8_t {
    kValue,
    kVariable,
    kByName,
    kOperator,
    kFunction,
    kInstance,
    kBuiltin
  };
  Kind kind = Kind::kValue;
  Val value;
  size_t variable = 0;
  const tla::Expr* expr = nullptr;                  // kByName, kOperator: the body
  const std::vector<tla::Param>* params = nullptr;  // kOperator
  const tla::Unit* unit = nullptr;                  // kFunction, kInstance
  const Env* env = nullptr;                         // where the expression is read
  std::string builtin;
};

struct Env {
  const Env* up = nullptr;
  Bindings names;
  const Meaning* find(const std::string& name) const {
    for (const Env* here = this; here != nullptr; here = here->up) {
      if (const auto at = here->names.find(name); at != here->names.end()) return &at->second;
    }
    return nullptr;
  }
};

// A state, or as much of it as is known.
using State = std::vector<std::optional<Val>>;

// What names of variables mean, and what primed ones do; null: nothing.
struct Moment {
  const State* now = nullptr;
  const State* next = nullptr;
};

using Tell = std::function<bool(const State&)>;

class Evaluator {
 public:
  // The modules of a file: the last is the root, those before it may be extended and instantiated.
  // `constants`: values of the root's.
  Evaluator(std::vector<const tla::Module*> modules, const std::map<std::string, Val>& constants);

  const std::vector<std::string>& variables() const { return variables_; }
  // A definition of the root without parameters.
  Val value_of(const std::string& name, Moment at);
  bool truth_of(const std::string& name, Moment at);
  // Each way in which the definition makes a step from `now`, or an initial state (`now` null), in
  // order: every true disjunct and every witness counts. False ends it.
  void steps_of(const std::string& name, const State* now, const Tell& tell);
  // Of `Name == []P`: whether P is true, of a state or of a step.
  bool always_truth_of(const std::string& name, Moment at);

  // How often each kind of expression was evaluated: by name ("EXCEPT", "\\cup", …).
  std::map<std::string, uint64_t> seen;

 private:
  // --- naive_eval.cc
  Val eval(const tla::Expr& e, const Env* env, Moment at);
  bool test(const tla::Expr& e, const Env* env, Moment at);
  Val set_of(const tla::Expr& e, const Env* env, Moment at);
  bool member(const Val& element, const tla::Expr& set, const Env* env, Moment at);
  Val apply_name(const tla::Expr& e, const Env* env, Moment at);
  Val meaning_value(const Meaning& meaning, Moment at);
  Val function_value(const tla::Expr* body, const std::vector<tla::Bound>& bounds, const Env* env,
                     Moment at, const Env* set_env);
  Val apply_definition(const Meaning& meaning, const Val& argument, Moment at);
  const Meaning* function_definition(const tla::Expr& e, const Env* env);
  Val apply_function(const tla::Expr& e, const Env* env, Moment at);
  Val except(const Val& old, const tla::ExceptUpdate& update, size_t step, const Env* env,
             Moment at);
  Val choose(const tla::Expr& e, const Env* env, Moment at);
  const tla::Expr* arm(const tla::Expr& e, const Env* env, Moment at);
  const Env* let(const tla::Expr& e, const Env* env);
  // Each way to bind the names, the last changing fastest.
  bool each(const std::vector<tla::Bound>& bounds, const Env* env, Moment at,
            const std::function<bool(const Env*)>& body);
  const Env* bind(const tla::Bound& bound, size_t name, const Val& element, const Env* env);
  const Env* bind_argument(const std::vector<tla::Bound>& bounds, const Val& argument,
                           const Env* env);
  void step(const char* what);

  // --- naive_names.cc
  // The operator that is applied and where it is found, through instances; null: it is built in.
  const Meaning* operator_of(const tla::Expr& e, const Env* env);
  const Env* enter(const Meaning& op, const std::vector<tla::ExprRef>& arguments, const Env* env);
  Meaning argument(const tla::Expr& e, uint32_t arity, const Env* env);
  Val call(const Meaning& op, const std::vector<Val>& arguments, Moment at);
  const Env* instance(const tla::Unit& unit, const Env* env);
  void define(const tla::Unit& unit, Env& into);
  void define_all(const tla::Module& module, Env& into, const Env* around, const tla::Unit* with);
  const tla::Module& module_named(const std::string& name) const;
  Env* new_env(const Env* up);
  int variable(const tla::Expr& e, const Env* env);
  int primed_variable(const tla::Expr& e, const Env* env);

  // --- naive_builtins.cc
  Val builtin(const std::string& name, const std::vector<Val>& values);
  Val builtin_call(const std::string& name, const tla::Expr& e, const Env* env, Moment at);

  // --- naive_act.cc
  struct Build {
    const State* now = nullptr;  // null: an initial state is made
    State made;
    Moment moment() const { return now == nullptr ? Moment{&made, nullptr} : Moment{now, &made}; }
    bool complete() const;
  };
  using Next = std::function<bool(const Build&)>;
  bool act(const tla::Expr& e, const Env* env, const Build& b, const Next& k);
  bool act_list(const tla::Expr& e, size_t item, const Env* env, const Build& b, const Next& k);
  bool act_for_all(const tla::Expr& e, const std::vector<const Env*>& ways, size_t way,
                   const Build& b, const Next& k);
  bool act_name(const tla::Expr& e, const Env* env, const Build& b, const Next& k);
  bool act_test(const tla::Expr& e, const Env* env, const Build& b, const Next& k);
  bool assign(const tla::Expr& e, const Env* env, const Build& b, const Next& k);
  bool unchanged(const tla::Expr& e, const Env* env, const Build& b, const Next& k);

  std::vector<const tla::Module*> modules_;
  std::vector<std::string> variables_;
  Env root_;
  std::deque<Env> envs_;    // of one evaluation
  std::deque<Env> scopes_;  // for good
  uint64_t steps_ = 0;
  uint32_t depth_ = 0;
};

}  // namespace ordeal::oracle::naive
