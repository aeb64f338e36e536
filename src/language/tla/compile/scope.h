// What names mean: modules with what they extend and instantiate, and the names within expressions.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "language/tla/eval/nodes.h"
#include "language/tla/syntax/ast.h"

namespace ordeal::tla {

struct Environment;
struct ModuleScope;

// A definition, compiled when it is first used.
struct Definition {
  enum class Stage : uint8_t { kUntouched, kCompiling, kDone };
  const Unit* unit = nullptr;  // kOperator or kFunction; null: a LAMBDA
  const Expr* lambda = nullptr;
  const Environment* home = nullptr;  // the names around it
  bool recursive = false;             // declared RECURSIVE
  Stage stage = Stage::kUntouched;
  Operator op;
  NodeRef body;
};

// What an instance replaces a constant or a variable with.
struct Substitute {
  const Expr* expr = nullptr;  // to be read among the names of `names`
  const Environment* names = nullptr;
};

struct Symbol {
  enum class Kind : uint8_t { kConstant, kVariable, kOperator, kBuiltin, kInstance, kSubstituted };
  Kind kind = Kind::kConstant;
  std::string name;
  Place place;
  uint32_t arity = 0;
  bool local = false;
  uint32_t variable = 0;  // kVariable: its number
  Value value;            // kConstant, or what the configuration puts in its place
  std::vector<std::pair<std::vector<Value>, Value>> table;  // NAME(1, 2) = value
  Definition* definition = nullptr;
  const Builtin* builtin = nullptr;
  ModuleScope* instance = nullptr;
  Substitute substitute;
  bool of_variable = false;       // kSubstituted: in place of a variable
  Symbol* replaced_by = nullptr;  // <- in the configuration
};

struct ModuleScope {
  const Module* module = nullptr;
  std::string prefix;  // "I!" within instance I
  std::unordered_map<std::string, Symbol*> names;
  const Environment* environment = nullptr;  // its names, and those around a LET or an instance
  Layout* params = nullptr;                  // of a parametrised instance
  std::vector<std::string> param_names;
  std::unordered_map<std::string, const Module*> inner;  // modules within it
  const ModuleScope* around = nullptr;                   // of a module within a module
  std::vector<std::pair<const Unit*, const ModuleScope*>> assumptions;
};

struct Binding {
  enum class Kind : uint8_t { kSlot, kOperatorSlot, kDefinition, kInstance };
  Kind kind = Kind::kSlot;
  std::string name;
  const Layout* layout = nullptr;
  uint32_t slot = 0;
  uint32_t arity = 0;
  Operator* param_of = nullptr;     // kSlot, kOperatorSlot: of whom it is a parameter
  const Node* let_value = nullptr;  // kSlot: what LET defines, where it is known
  bool is_running = false;          // kSlot: a function of LET within its own definition
  Definition* definition = nullptr;
  ModuleScope* instance = nullptr;
};

// Names, the innermost last; what is not found is looked for further out, then in the module.
struct Environment {
  const Environment* up = nullptr;
  const ModuleScope* module = nullptr;
  const Layout* layout = nullptr;  // of the frame that definitions here are in; null: none
  std::vector<Binding> bindings;

  const Binding* find(const std::string& name) const {
    for (const Environment* here = this; here != nullptr; here = here->up) {
      for (size_t i = here->bindings.size(); i-- > 0;) {
        if (here->bindings[i].name == name) return &here->bindings[i];
      }
      // An instance reads its own module, not the names around it.
      if (here->up != nullptr && here->up->module != here->module) break;
    }
    return nullptr;
  }
};

}  // namespace ordeal::tla
