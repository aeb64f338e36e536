#include "language/tla/compile/modules.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "language/tla/syntax/parse.h"

namespace ordeal::tla {

// Modules that extend each other share their names; an instance has its own.
struct Modules::Universe {
  bool is_root = false;
  std::string prefix;
  const Environment* around = nullptr;  // where the instance stands; its substitutes are read there
  const Unit* instance = nullptr;
  std::map<std::string, ModuleScope*> scopes;  // by module
  const ModuleScope* within = nullptr;         // whose inner modules are known
};

Modules::Modules(Sources& sources, std::vector<std::string> directories)
    : sources_(sources), directories_(std::move(directories)) {}

void Modules::fail_at(const Place& place, const std::string& message) const {
  throw CompileError{sources_.error(place, message)};
}

namespace {

// What TLC has in Java however often there is a file of that name.
bool is_core(std::string_view name) {
  static const std::set<std::string_view> kCore = {"Naturals",   "Integers", "Reals", "Sequences",
                                                   "FiniteSets", "Bags",     "TLC",   "TLCExt"};
  return kCore.contains(name);
}

}  // namespace

const Module& Modules::module_named(const std::string& name, const Place& from,
                                    const ModuleScope* within) {
  for (; within != nullptr; within = within->around) {
    const auto inner = within->inner.find(name);
    if (inner != within->inner.end()) return *inner->second;
  }
  if (const auto known = modules_.find(name); known != modules_.end()) return *known->second;
  uint32_t file = 0;
  std::string path;
  const LibraryModule* const library = library_module(name);
  for (const std::string& directory : directories_) {
    if (library != nullptr && is_core(name)) break;
    path = (directory == "." ? "" : directory + "/") + name + ".tla";
    if (std::filesystem::is_regular_file(path)) break;
    path.clear();
  }
  if (!path.empty()) {
    Result<std::string> text = read_file(path);
    if (!text) fail_at(from, text.error().message);
    file = sources_.add(path, std::move(*text));
  } else if (library != nullptr) {
    file = sources_.add("<" + name + ">", std::string(library->text));
  } else {
    if (!broken_beside_root_.empty()) throw CompileError{broken_beside_root_};
    std::vector<std::string> known;
    for (const std::string_view module : library_modules()) known.emplace_back(module);
    for (const std::string& directory : directories_) {
      std::error_code error;
      for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
        if (entry.path().extension() == ".tla") known.push_back(entry.path().stem().string());
      }
    }
    std::sort(known.begin(), known.end());
    std::string where;
    for (const std::string& directory : directories_)
      where += (where.empty() ? "" : ", ") + directory;
    fail_at(from,
            "there is no module " + name + did_you_mean(name, known) + "; looked in " + where);
  }
  Result<Module> module = parse_module(sources_, file);
  if (!module) throw CompileError{module.error().message};
  if (module->name != name) {
    fail_at(module->place, "the file of module " + name + " has a module " + module->name);
  }
  return *(modules_[name] = std::make_unique<Module>(std::move(*module)));
}

ModuleScope& Modules::load_root(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text) throw CompileError{text.error().message};
  return load_root_text(path, *std::move(text));
}

ModuleScope& Modules::load_root_text(const std::string& path, std::string text) {
  const uint32_t file = sources_.add(path, std::move(text));
  Result<Module> module = parse_module(sources_, file);
  if (!module) throw CompileError{module.error().message};
  const std::string name = module->name;
  const std::string stem = std::filesystem::path(path).stem().string();
  if (stem != name) {
    fail_at(module->place, "the module is called " + name + ", its file " + stem +
                               ".tla: they must have the same name");
  }
  const Module& kept = *(modules_[name] = std::make_unique<Module>(std::move(*module)));
  Universe universe;
  universe.is_root = true;
  read_beside_root(file);
  root_ = &build(kept, universe, kept.place);
  return *root_;
}

// A file may have several modules, one after the other: they can be extended.
void Modules::read_beside_root(uint32_t file) {
  for (uint32_t number = 1;; ++number) {
    Result<Module> module = parse_module(sources_, file, number);
    if (!module) {
      const bool none = module.error().message.find("there is no module") != std::string::npos;
      if (!none) broken_beside_root_ = module.error().message;
      return;
    }
    const std::string name = module->name;
    if (!modules_.try_emplace(name, std::make_unique<Module>(std::move(*module))).second) return;
    beside_root_.insert(name);
  }
}

bool Modules::has_own(const std::string& name, const ModuleScope* within) const {
  for (; within != nullptr; within = within->around) {
    if (within->inner.contains(name)) return true;
  }
  return beside_root_.contains(name) ||
         std::any_of(directories_.begin(), directories_.end(), [&](const std::string& directory) {
           return std::filesystem::is_regular_file(directory + "/" + name + ".tla");
         });
}

Layout* Modules::new_layout(Layout* up) {
  layouts_.push_back({up, 0});
  return &layouts_.back();
}

Environment* Modules::new_environment() {
  environments_.emplace_back();
  return &environments_.back();
}

void Modules::add(ModuleScope& scope, Symbol symbol) {
  const auto known = scope.names.find(symbol.name);
  if (known != scope.names.end()) {
    // What the library defines can be defined again: others may have a library that does not.
    const Symbol& other = *known->second;
    const bool theirs =
        other.kind == Symbol::Kind::kBuiltin ||
        (other.definition != nullptr && scope.module != nullptr &&
         other.place.file != symbol.place.file && sources_.path(other.place.file).starts_with("<"));
    if (!theirs) {
      fail_at(symbol.place,
              symbol.name + " is defined twice; the first is at " + sources_.position(other.place));
    }
  }
  symbols_.push_back(std::move(symbol));
  scope.names[symbols_.back().name] = &symbols_.back();
}

bool Modules::is_of_library(const Symbol& symbol) const {
  return symbol.kind == Symbol::Kind::kBuiltin ||
         (symbol.place.line > 0 && sources_.path(symbol.place.file).starts_with('<'));
}

void Modules::import(ModuleScope& into, const ModuleScope& from, const Place&, bool local) {
  for (const auto& [name, symbol] : from.names) {
    if (symbol->local) continue;
    if (!local) {
      const auto [known, is_new] = into.names.emplace(name, symbol);
      // What somebody wrote for this specification goes before what the library has.
      if (!is_new && is_of_library(*known->second) && !is_of_library(*symbol)) {
        known->second = symbol;
      }
      continue;
    }
    if (into.names.contains(name)) continue;
    symbols_.push_back(*symbol);
    symbols_.back().local = true;
    into.names[name] = &symbols_.back();
  }
  for (const auto& [name, module] : from.inner) into.inner.emplace(name, module);
}

void Modules::add_builtins(ModuleScope& scope, const LibraryModule& library) {
  for (const Builtin& builtin : library.builtins) {
    const std::string name(builtin.name);
    const auto known = scope.names.find(name);
    Symbol symbol;
    symbol.kind = Symbol::Kind::kBuiltin;
    symbol.name = name;
    symbol.builtin = &builtin;
    symbol.arity = static_cast<uint32_t>(builtin.params.size());
    symbol.local = name.front() == '_';  // for the module's own text
    if (known != scope.names.end()) {
      // A text that defines it otherwise keeps its own.
      if (known->second->arity != symbol.arity) continue;
      symbol.local = known->second->local;
    }
    symbols_.push_back(std::move(symbol));
    scope.names[name] = &symbols_.back();
  }
}

ModuleScope& Modules::library_scope(const LibraryModule& library) {
  const std::string name(library.name);
  if (const auto known = library_scopes_.find(name); known != library_scopes_.end()) {
    return *known->second;
  }
  if (!library.text.empty()) {
    Universe universe;
    ModuleScope& scope = build(module_named(name, {}, nullptr), universe, {});
    return *(library_scopes_[name] = &scope);
  }
  scopes_.emplace_back();
  ModuleScope& scope = scopes_.back();
  all_scopes_.push_back(&scope);
  library_scopes_[name] = &scope;
  Environment* const environment = new_environment();
  environment->module = &scope;
  scope.environment = environment;
  for (const std::string_view extended : library.extends) {
    import(scope, library_scope(*library_module(extended)), {}, false);
  }
  add_builtins(scope, library);
  return scope;
}

ModuleScope& Modules::build(const Module& module, Universe& universe, const Place& from) {
  if (const auto known = universe.scopes.find(module.name); known != universe.scopes.end()) {
    return *known->second;
  }
  if (std::find(loading_.begin(), loading_.end(), module.name) != loading_.end()) {
    std::string way;
    for (const std::string& name : loading_) way += name + " → ";
    fail_at(from, "modules extend each other in a circle: " + way + module.name);
  }
  loading_.push_back(module.name);
  scopes_.emplace_back();
  ModuleScope& scope = scopes_.back();
  all_scopes_.push_back(&scope);
  scope.module = &module;
  scope.prefix = universe.prefix;
  scope.around = universe.within;
  Environment* const environment = new_environment();
  environment->module = &scope;
  environment->up = universe.around;
  environment->layout = universe.around == nullptr ? nullptr : universe.around->layout;
  scope.environment = environment;
  for (size_t i = 0; i < module.extends.size(); ++i) {
    const std::string& name = module.extends[i];
    const LibraryModule* const library = library_module(name);
    if (library != nullptr && (is_core(name) || !has_own(name, universe.within))) {
      import(scope, library_scope(*library), module.extends_places[i], false);
    } else {
      const Module& extended = module_named(name, module.extends_places[i], universe.within);
      ModuleScope& other = build(extended, universe, module.extends_places[i]);
      import(scope, other, module.extends_places[i], false);
      scope.assumptions.insert(scope.assumptions.end(), other.assumptions.begin(),
                               other.assumptions.end());
    }
  }
  for (const Unit& unit : module.units) add_unit(scope, unit, universe);
  if (const LibraryModule* library = library_module(module.name);
      library != nullptr && (library->always || is_core(module.name) ||
                             sources_.path(module.place.file) == "<" + module.name + ">")) {
    add_builtins(scope, *library);
  }
  universe.scopes[module.name] = &scope;
  loading_.pop_back();
  return scope;
}

Definition* Modules::define(const Unit& unit, const Environment& home, const std::string& prefix) {
  definitions_.emplace_back();
  Definition& out = definitions_.back();
  out.unit = &unit;
  out.home = &home;
  out.op.name = prefix + unit.name;
  out.op.place = unit.place;
  out.op.layout.up = const_cast<Layout*>(home.layout);
  for (const Param& param : unit.params) {
    out.op.param_names.push_back(param.name);
    out.op.param_arities.push_back(static_cast<uint8_t>(param.arity));
  }
  return &out;
}

Definition* Modules::add_definition(Unit unit, const Environment& home) {
  units_.push_back(std::move(unit));
  return define(units_.back(), home, "");
}

Definition* Modules::add_lambda(const Expr& lambda, const Environment& home) {
  definitions_.emplace_back();
  Definition& out = definitions_.back();
  out.lambda = &lambda;
  out.home = &home;
  out.op.name = "LAMBDA";
  out.op.place = lambda.place;
  out.op.layout.up = const_cast<Layout*>(home.layout);
  for (const Param& param : lambda.params) {
    out.op.param_names.push_back(param.name);
    out.op.param_arities.push_back(static_cast<uint8_t>(param.arity));
  }
  return &out;
}

void Modules::add_unit(ModuleScope& scope, const Unit& unit, Universe& universe) {
  // What an instance puts in the place of a constant or a variable.
  const auto declared = [&](const Param& param, bool is_variable) {
    Symbol symbol;
    symbol.name = param.name;
    symbol.place = param.place;
    symbol.arity = param.arity;
    if (universe.instance == nullptr) {
      symbol.kind = is_variable ? Symbol::Kind::kVariable : Symbol::Kind::kConstant;
      if (is_variable) {
        symbol.variable = static_cast<uint32_t>(variables_.size());
        variables_.push_back(param.name);
      }
      add(scope, std::move(symbol));
      return;
    }
    symbol.kind = Symbol::Kind::kSubstituted;
    symbol.of_variable = is_variable;
    symbol.substitute.names = universe.around;
    for (const Substitution& substitution : universe.instance->substitutions) {
      if (substitution.name == param.name) symbol.substitute.expr = substitution.value.get();
    }
    if (symbol.substitute.expr == nullptr) {
      // Without WITH it is what has that name where the instance stands.
      const Binding* const binding = universe.around->find(param.name);
      const auto outside = universe.around->module->names.find(param.name);
      if (binding == nullptr && outside == universe.around->module->names.end()) {
        fail_at(universe.instance->place,
                "the instance of " + universe.instance->module + " must say what " + param.name +
                    " is: there is none here, and no WITH " + param.name + " <- …");
      }
      auto name = std::make_unique<Expr>();
      name->kind = ExprKind::kApply;
      name->text = param.name;
      name->place = universe.instance->place;
      name->name_place = universe.instance->place;
      Unit holder;
      holder.body = std::move(name);
      units_.push_back(std::move(holder));
      symbol.substitute.expr = units_.back().body.get();
    }
    add(scope, std::move(symbol));
  };
  switch (unit.kind) {
    case UnitKind::kConstants:
      for (const Param& param : unit.params) declared(param, false);
      break;
    case UnitKind::kVariables:
      for (const Param& param : unit.params) declared(param, true);
      break;
    case UnitKind::kRecursive:
      break;  // definitions say it of themselves
    case UnitKind::kOperator:
    case UnitKind::kFunction: {
      Symbol symbol;
      symbol.kind = Symbol::Kind::kOperator;
      symbol.name = unit.name;
      symbol.place = unit.name_place;
      symbol.arity = static_cast<uint32_t>(unit.params.size());
      symbol.local = unit.local;
      symbol.definition = define(unit, *scope.environment, scope.prefix);
      for (const Unit& other : scope.module->units) {
        if (other.kind != UnitKind::kRecursive) continue;
        for (const Param& param : other.params) {
          if (param.name == unit.name) symbol.definition->recursive = true;
        }
      }
      add(scope, std::move(symbol));
      break;
    }
    case UnitKind::kInstance: {
      if (unit.name.empty()) {
        import(scope, instantiate(unit, *scope.environment, scope.prefix), unit.place, unit.local);
        break;
      }
      Symbol symbol;
      symbol.kind = Symbol::Kind::kInstance;
      symbol.name = unit.name;
      symbol.place = unit.name_place;
      symbol.arity = static_cast<uint32_t>(unit.params.size());
      symbol.local = unit.local;
      symbol.instance = &instantiate(unit, *scope.environment, scope.prefix + unit.name + "!");
      add(scope, std::move(symbol));
      break;
    }
    case UnitKind::kAssumption:
    case UnitKind::kTheorem: {
      if (unit.kind == UnitKind::kAssumption) scope.assumptions.emplace_back(&unit, &scope);
      if (unit.name.empty() || unit.body == nullptr) break;
      // The name of what is assumed or claimed stands for it.
      Symbol symbol;
      symbol.kind = Symbol::Kind::kOperator;
      symbol.name = unit.name;
      symbol.place = unit.name_place;
      symbol.definition = define(unit, *scope.environment, scope.prefix);
      add(scope, std::move(symbol));
      break;
    }
    case UnitKind::kModule:
      scope.inner[unit.inner->name] = unit.inner.get();
      break;
  }
}

ModuleScope& Modules::instantiate(const Unit& unit, const Environment& around,
                                  const std::string& prefix) {
  const ModuleScope* within = around.module;
  const LibraryModule* const library = library_module(unit.module);
  // What declares nothing means the same everywhere.
  const auto declares = [](const Module& one) {
    return std::any_of(one.units.begin(), one.units.end(), [](const Unit& unit) {
      return unit.kind == UnitKind::kConstants || unit.kind == UnitKind::kVariables;
    });
  };
  if (library != nullptr && (is_core(unit.module) || !has_own(unit.module, within)) &&
      (library->text.empty() || !declares(module_named(unit.module, unit.module_place, within)))) {
    return library_scope(*library);
  }
  const Module& module = module_named(unit.module, unit.module_place, within);
  Environment* const environment = new_environment();
  environment->up = &around;
  environment->module = around.module;
  environment->layout = around.layout;
  Layout* params = nullptr;
  if (!unit.params.empty()) {
    params = new_layout(const_cast<Layout*>(around.layout));
    environment->layout = params;
    for (const Param& param : unit.params) {
      Binding binding;
      binding.kind = param.arity == 0 ? Binding::Kind::kSlot : Binding::Kind::kOperatorSlot;
      binding.name = param.name;
      binding.layout = params;
      binding.slot = params->slots++;
      binding.arity = param.arity;
      environment->bindings.push_back(std::move(binding));
    }
  }
  Universe universe;
  universe.prefix = prefix;
  universe.around = environment;
  universe.instance = &unit;
  universe.within = within;
  const std::vector<std::string> loading = std::move(loading_);
  loading_ = loading;
  ModuleScope& scope = build(module, universe, unit.module_place);
  loading_ = loading;
  scope.params = params;
  for (const Param& param : unit.params) scope.param_names.push_back(param.name);
  for (const Substitution& substitution : unit.substitutions) {
    bool known = false;
    for (const auto& [name, other] : universe.scopes) {
      const auto symbol = other->names.find(substitution.name);
      known = known ||
              (symbol != other->names.end() && symbol->second->kind == Symbol::Kind::kSubstituted);
    }
    if (!known) {
      std::vector<std::string> names;
      for (const auto& [name, symbol] : scope.names) {
        if (symbol->kind == Symbol::Kind::kSubstituted) names.push_back(name);
      }
      std::sort(names.begin(), names.end());
      fail_at(substitution.place, "module " + unit.module + " declares no constant or variable " +
                                      substitution.name + did_you_mean(substitution.name, names) +
                                      "; it declares " +
                                      (names.empty() ? "none" : join(names, ", ")));
    }
  }
  return scope;
}

std::vector<std::string> Modules::names_like(const Environment& names, const std::string&) const {
  std::vector<std::string> out;
  for (const Environment* here = &names; here != nullptr; here = here->up) {
    for (const Binding& binding : here->bindings) out.push_back(binding.name);
  }
  for (const auto& [name, symbol] : names.module->names) out.push_back(name);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace ordeal::tla
