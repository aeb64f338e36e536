// Reads modules and puts together what their names mean.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "language/tla/compile/scope.h"
#include "language/tla/library/library.h"
#include "language/tla/syntax/config.h"
#include "language/tla/syntax/source.h"

namespace ordeal::tla {

// Thrown while modules are put together and compiled; the message says where. Never leaves the
// interface.
struct CompileError {
  std::string message;
};

class Modules {
 public:
  // Directories are looked through in this order for modules that are extended or instantiated.
  Modules(Sources& sources, std::vector<std::string> directories);

  // The module of a file, with all that it needs.
  ModuleScope& load_root(const std::string& path);
  // A root that is in no file; `path`: what it is called in errors.
  ModuleScope& load_root_text(const std::string& path, std::string text);
  // An environment in which the names of the root are known, for expressions from outside.
  const Environment& root_environment() const { return *root_->environment; }
  ModuleScope& root() { return *root_; }

  const std::vector<std::string>& variables() const { return variables_; }
  // Names of the scope in the order of the file, for lists and suggestions.
  std::vector<std::string> names_like(const Environment& names, const std::string& name) const;

  // Constants, `<-` and `<- [M]` of the configuration.
  void configure(const Config& config);
  // NAME=EXPR of the command line: a definition in place of the constant.
  void define_constant(const std::string& name, ExprRef value);
  // Constants without a value.
  std::vector<const Symbol*> missing_constants() const;

  const Sources& sources() const { return sources_; }
  // Definitions that come later: from the prompt or the command line.
  Definition* add_definition(Unit unit, const Environment& home);
  Definition* add_lambda(const Expr& lambda, const Environment& home);
  // LET: a scope of definitions within an expression.
  Environment* new_environment();
  // REQUIRES: unit.kind is kInstance.
  ModuleScope& instantiate(const Unit& unit, const Environment& around, const std::string& prefix);
  Definition* define(const Unit& unit, const Environment& home, const std::string& prefix);
  Layout* new_layout(Layout* up);

  [[noreturn]] void fail_at(const Place& place, const std::string& message) const;

 private:
  struct Universe;  // a root or an instance: what modules that it extends are part of

  const Module& module_named(const std::string& name, const Place& from, const ModuleScope* within);
  void read_beside_root(uint32_t file);
  // Whether the specification has a module of its own of that name, and not only the library.
  bool has_own(const std::string& name, const ModuleScope* within) const;
  // `from`: where it is extended or instantiated.
  ModuleScope& build(const Module& module, Universe& universe, const Place& from);
  ModuleScope& library_scope(const LibraryModule& library);
  void add_builtins(ModuleScope& scope, const LibraryModule& library);
  bool is_of_library(const Symbol& symbol) const;
  void import(ModuleScope& into, const ModuleScope& from, const Place& place, bool local);
  void add(ModuleScope& scope, Symbol symbol);
  void add_unit(ModuleScope& scope, const Unit& unit, Universe& universe);
  Value value_of(const ConfigValue& value) const;
  Symbol& root_symbol(const std::string& name, const Place& place);

  Sources& sources_;
  std::vector<std::string> directories_;
  std::map<std::string, std::unique_ptr<Module>> modules_;  // by name
  std::set<std::string> beside_root_;  // modules in the file of the root, behind it
  std::string broken_beside_root_;     // why those that follow cannot be read
  std::map<std::string, ModuleScope*> library_scopes_;
  std::deque<ModuleScope> scopes_;
  std::deque<Symbol> symbols_;
  std::deque<Definition> definitions_;
  std::deque<Environment> environments_;
  std::deque<Layout> layouts_;
  std::deque<Unit> units_;  // made here, not read
  std::vector<std::string> variables_;
  std::vector<std::string> loading_;  // modules that are being extended, for cycles
  ModuleScope* root_ = nullptr;
  std::vector<ModuleScope*> all_scopes_;
};

}  // namespace ordeal::tla
