#include "language/tla/model/specification.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "language/tla/model/console.h"
#include "language/tla/model/reasons.h"
#include "language/tla/model/temporal_parts.h"
#include "language/tla/syntax/parse.h"
#include "language/tla/value/mutant.h"

namespace ordeal::tla {

std::string Specification::describe(const EvalError& error) const {
  std::string out = error.placed && error.place.line > 0
                        ? sources_->error(error.place, error.message)
                        : error.message;
  if (error.calls.empty()) return out;
  constexpr size_t kInnermost = 8;  // as many as errors keep
  const size_t left_out = error.depth - error.calls.size();
  out += "\nwithin:";
  for (size_t i = 0; i < error.calls.size(); ++i) {
    const auto& [name, place] = error.calls[i];
    if (left_out > 0 && i == kInnermost) out += "\n  … " + grouped(left_out) + " more …";
    out += "\n  " + name;
    if (place.line > 0) out += ", called at " + sources_->position(place);
  }
  return out;
}

Result<std::shared_ptr<Specification>> Specification::load(const LoadOptions& options) {
  std::shared_ptr<Specification> out(new Specification());
  try {
    const std::filesystem::path path(options.path);
    out->directory_ = path.has_parent_path() ? path.parent_path().string() : ".";
    std::vector<std::string> directories{out->directory_};
    for (const std::string& library : options.libraries) {
      if (!std::filesystem::is_directory(library)) {
        return Error{"--library " + library + ": there is no such directory"};
      }
      directories.push_back(library);
    }
    out->host_ = make_console(out->directory_, options.write_files);
    out->modules_ = std::make_unique<Modules>(*out->sources_, directories);
    if (options.text.empty()) {
      out->modules_->load_root(options.path);
    } else {
      out->modules_->load_root_text(options.path, options.text);
    }
    out->name_ = out->modules_->root().module->name;
    out->compiler_ = std::make_unique<Compiler>(*out->modules_);
    out->configure(options);
    out->judge_assumptions();
  } catch (const CompileError& error) {
    return Error{error.message};
  } catch (const EvalError& error) {
    return Error{out->describe(error)};
  }
  return out;
}

Part Specification::part_of(const std::string& name, const Place* place, const std::string& what) {
  const Operator* const op = compiler_->find(name);
  if (op == nullptr) {
    std::vector<std::string> names;
    for (const auto& [other, symbol] : modules_->root().names) {
      if (symbol->kind == Symbol::Kind::kOperator && symbol->arity == 0) names.push_back(other);
    }
    std::sort(names.begin(), names.end());
    const bool with_params = modules_->root().names.contains(name);
    const std::string message =
        with_params
            ? what + " " + name + " is no definition without parameters"
            : what + " " + name + " is not defined in module " + name_ + did_you_mean(name, names);
    if (place != nullptr) modules_->fail_at(*place, message);
    throw CompileError{message};
  }
  return {op->body, &op->layout, name};
}

void Specification::configure(const LoadOptions& options) {
  std::string config_path = options.config;
  if (config_path.empty()) {
    std::filesystem::path beside(options.path);
    beside.replace_extension(".cfg");
    if (std::filesystem::is_regular_file(beside)) config_path = beside.string();
  }
  Config config;
  if (!config_path.empty()) {
    Result<std::string> text = read_file(config_path);
    if (!text) throw CompileError{text.error().message};
    const uint32_t file = sources_->add(config_path, std::move(*text));
    Result<Config> read = parse_config(*sources_, file);
    if (!read) throw CompileError{read.error().message};
    config = std::move(*read);
  }
  for (const auto& [name, text] : options.constants) {
    const uint32_t file = sources_->add("--constant " + name, text);
    Result<ExprRef> value = parse_expression(*sources_, file);
    if (!value) throw CompileError{value.error().message};
    modules_->define_constant(name, std::move(*value));
    std::erase_if(config.constants,
                  [&name = name](const ConfigConstant& constant) { return constant.name == name; });
  }
  modules_->configure(config);

  const auto named = [&](const std::vector<ConfigName>& names, const std::string& what) {
    std::vector<Part> parts;
    for (const ConfigName& name : names) parts.push_back(part_of(name.name, &name.place, what));
    return parts;
  };
  if (!options.init.empty() || !options.next.empty()) {
    if (options.init.empty() || options.next.empty()) {
      throw CompileError{"--init and --next go together"};
    }
    init.push_back(part_of(options.init, nullptr, "--init"));
    next = part_of(options.next, nullptr, "--next");
  } else if (!config.specification.empty()) {
    if (!config.init.empty() || !config.next.empty()) {
      modules_->fail_at(config.specification[0].place,
                        "a configuration has SPECIFICATION, or INIT and NEXT, not both");
    }
    from_formula = true;
    take_specification(named(config.specification, "SPECIFICATION")[0]);
    if (init.empty()) {
      modules_->fail_at(config.specification[0].place,
                        config.specification[0].name + " says nothing of initial states");
    }
  } else if (!config.init.empty() || !config.next.empty()) {
    if (config.init.empty() || config.next.empty()) {
      const ConfigName& there = config.init.empty() ? config.next[0] : config.init[0];
      modules_->fail_at(there.place, "INIT and NEXT go together");
    }
    init = named(config.init, "INIT");
    next = named(config.next, "NEXT")[0];
  } else if (!variables().empty() && compiler_->find("Init") != nullptr &&
             compiler_->find("Next") != nullptr && config_path.empty()) {
    // Without a configuration the usual names are tried.
    init.push_back(part_of("Init", nullptr, "INIT"));
    next = part_of("Next", nullptr, "NEXT");
  } else if (!variables().empty() && !config_path.empty()) {
    throw CompileError{
        config_path +
        ": says neither SPECIFICATION nor INIT and NEXT: what are the behaviours of " + name_ +
        "?"};
  }
  has_behaviour = !init.empty();

  for (const ConfigName& name : config.invariants) {
    const Part part = part_of(name.name, &name.place, "INVARIANT");
    if (part.node->level > Level::kState) {
      modules_->fail_at(name.place, name.name +
                                        " is no invariant: it is about more than one state. "
                                        "Say PROPERTY");
    }
    invariants.push_back({name.name, part});
  }
  for (const std::string& name : options.invariants) {
    invariants.push_back({name, part_of(name, nullptr, "--invariant")});
  }
  for (const ConfigName& name : config.properties) {
    take_property(name.name, part_of(name.name, &name.place, "PROPERTY"));
  }
  constraints = named(config.constraints, "CONSTRAINT");
  action_constraints = named(config.action_constraints, "ACTION_CONSTRAINT");
  if (!config.view.empty()) view = named(config.view, "VIEW").back();
  if (!config.alias.empty()) alias = named(config.alias, "ALIAS").back();
  if (!config.postcondition.empty()) {
    postcondition = named(config.postcondition, "POSTCONDITION").back();
  }
  check_deadlock = config.check_deadlock && !options.ignore_deadlock;
  if (const std::vector<const Symbol*> missing = modules_->missing_constants(); !missing.empty()) {
    std::string names;
    for (const Symbol* symbol : missing) names += (names.empty() ? "" : ", ") + symbol->name;
    modules_->fail_at(missing[0]->place,
                      (missing.size() == 1 ? "constant " + names + " has no value"
                                           : "constants " + names + " have no values") +
                          ": say CONSTANT " + missing[0]->name + " = … in " +
                          (config_path.empty() ? name_ + ".cfg" : config_path) +
                          ", or --constant " + missing[0]->name + "=…");
  }
  if (!config.symmetry.empty()) {
    for (const ConfigName& name : config.symmetry) {
      const Operator* const op = compiler_->find(name.name);
      if (op == nullptr) part_of(name.name, &name.place, "SYMMETRY");
      find_permutations(*op);
    }
  }
}

const Operator* Specification::whole_next() const {
  const Operator* whole = nullptr;
  const Node* node = next.node;
  while (node != nullptr) {
    const CallNode* const call = plain_call(*node);
    if (call == nullptr) break;
    whole = call->op;
    node = call->op->body;
  }
  return whole;
}

void Specification::find_permutations(const Operator& symmetry) {
  Machine machine(variables().size(), compiler_->constants(), *host_);
  prepare(machine);
  const Value set = symmetry.body->eval(machine, machine.frame(nullptr, symmetry.layout.slots));
  using Permutation = std::map<uint32_t, uint32_t>;
  std::set<Permutation> known;
  const Object* const elements = normal_set(machine.heap(), set);
  for (const Value element : elements->items()) {
    const Object* const function = normal_function(machine.heap(), element);
    Permutation permutation;
    std::set<uint32_t> from;
    std::set<uint32_t> to;
    const auto refuse = [&] {
      symmetry.body->fail_here("SYMMETRY " + symmetry.name + " must permute model values; " +
                               to_text(element) + " does not");
    };
    if (function->kind == ObjectKind::kTuple && function->size > 0) refuse();
    for (uint32_t i = 0; function->kind == ObjectKind::kFunction && i < function->size; ++i) {
      const Value key = function->keys->item(i);
      const Value item = function->item(i);
      if (!key.is_model() || !item.is_model()) refuse();
      from.insert(key.atom());
      to.insert(item.atom());
      if (!same(key, item)) permutation[key.atom()] = item.atom();
    }
    if (from != to) refuse();
    if (!permutation.empty()) known.insert(permutation);
  }
  for (const Permutation& other : permutations) known.insert(other);
  // Closed under composition: one after the other, until nothing new comes.
  std::vector<Permutation> all(known.begin(), known.end());
  const auto image = [](const Permutation& p, uint32_t atom) {
    const auto at = p.find(atom);
    return at == p.end() ? atom : at->second;
  };
  for (size_t i = 0; i < all.size() && !mutant(TlaMutant::kOpenSymmetry); ++i) {
    for (size_t j = 0; j < all.size(); ++j) {
      Permutation product;
      std::set<uint32_t> atoms;
      for (const auto& [from, to] : all[i]) atoms.insert(from);
      for (const auto& [from, to] : all[j]) atoms.insert(from);
      for (const uint32_t atom : atoms) {
        const uint32_t to = image(all[j], image(all[i], atom));
        if (to != atom) product[atom] = to;
      }
      if (!product.empty() && known.insert(product).second) all.push_back(product);
      constexpr size_t kMost = 100000;
      if (all.size() > kMost) fail("SYMMETRY has more than 100,000 permutations");
    }
  }
  permutations = std::move(all);
}

void Specification::judge_assumptions() {
  for (const auto& [unit, scope] : modules_->root().assumptions) {
    if (unit->body == nullptr) continue;
    const Compiler::Closed closed = compiler_->compile_closed(*unit->body, *scope->environment);
    Machine machine(variables().size(), compiler_->constants(), *host_);
    prepare(machine);
    Assumption assumption;
    assumption.name = unit->name.empty()
                          ? "assumption of line " + std::to_string(unit->body->place.line)
                          : "assumption " + unit->name;
    Frame* const frame = machine.frame(nullptr, closed.layout->slots);
    assumption.holds = closed.node->truth(machine, frame);
    if (!assumption.holds) {
      const Reason reason = reason_of(machine, *closed.node, frame);
      assumption.why = sources_->error(reason.node->place, to_text(reason));
    }
    assumptions.push_back(std::move(assumption));
  }
}

void Specification::draw_constants() {
  const std::vector<const Operator*>& operators = compiler_->drawn();
  while (drawn_.size() < operators.size()) {
    const Operator& op = *operators[drawn_.size()];
    Machine machine(variables().size(), compiler_->constants(), *host_);
    for (size_t i = 0; i < drawn_.size(); ++i) {
      machine.keep_constant(static_cast<uint32_t>(operators[i]->constant), drawn_[i]);
    }
    machine.use(drawn_heap_);
    const Value value = op.body->eval(machine, machine.frame(nullptr, op.layout.slots));
    drawn_.push_back(deep_normal(drawn_heap_, value));
  }
}

void Specification::prepare(Machine& machine) {
  draw_constants();
  machine.grow_constants(compiler_->constants());
  machine.substituted = compiler_->substituted();
  for (size_t i = 0; i < drawn_.size(); ++i) {
    machine.keep_constant(static_cast<uint32_t>(compiler_->drawn()[i]->constant), drawn_[i]);
  }
}

Result<bool> Specification::postcondition_holds(const Totals& totals) {
  try {
    host_->finished(totals.generated_states, totals.distinct_states, totals.depth);
    Machine machine(variables().size(), compiler_->constants(), *host_);
    prepare(machine);
    return postcondition.node->truth(machine, machine.frame(nullptr, postcondition.layout->slots));
  } catch (const EvalError& error) {
    return Error{describe(error)};
  }
}

namespace {

void collect_models(Value value, std::set<std::string>& out) {
  if (value.is_model()) out.insert(atom_text(value.atom()));
  if (!value.is_object()) return;
  const ObjectKind kind = value.object()->kind;
  if (kind != ObjectKind::kSet && kind != ObjectKind::kTuple && kind != ObjectKind::kFunction)
    return;
  for (const Value item : value.object()->items()) collect_models(item, out);
}

}  // namespace

std::vector<std::string> Specification::model_values() const {
  std::set<std::string> out;
  for (const auto& [name, symbol] : modules_->root().names) {
    if (symbol->value.defined()) collect_models(symbol->value, out);
    for (const auto& [arguments, value] : symbol->table) collect_models(value, out);
  }
  return {out.begin(), out.end()};
}

const Environment& Specification::names_of_expressions() {
  if (expressions_ == nullptr) {
    expressions_ = std::make_unique<ModuleScope>(modules_->root());
    for (const std::string& name : model_values()) {
      auto symbol = std::make_unique<Symbol>();
      symbol->name = name;
      symbol->value = model_value(name);
      if (expressions_->names.emplace(name, symbol.get()).second) {
        symbols_.push_back(std::move(symbol));
      }
    }
    // Whoever asks needs numbers and sizes, whether the specification does or not.
    for (const char* name : {"Naturals", "Integers", "Sequences", "FiniteSets", "TLC"}) {
      for (const Builtin& builtin : library_module(name)->builtins) {
        auto symbol = std::make_unique<Symbol>();
        symbol->kind = Symbol::Kind::kBuiltin;
        symbol->name = std::string(builtin.name);
        symbol->arity = static_cast<uint32_t>(builtin.params.size());
        symbol->builtin = &builtin;
        if (expressions_->names.emplace(symbol->name, symbol.get()).second) {
          symbols_.push_back(std::move(symbol));
        }
      }
    }
    Environment* const names = modules_->new_environment();
    names->module = expressions_.get();
    expressions_->environment = names;
  }
  return *expressions_->environment;
}

Result<std::shared_ptr<Specification::Expression>> Specification::expression(
    const std::string& text) {
  const uint32_t file = sources_->add("<expression>", text);
  Result<ExprRef> parsed = parse_expression(*sources_, file);
  if (!parsed) return parsed.error();
  // Nodes refer to what was written.
  written_.push_back(std::move(*parsed));
  try {
    auto out = std::make_shared<Expression>();
    out->closed = compiler_->compile_closed(*written_.back(), names_of_expressions());
    return out;
  } catch (const CompileError& error) {
    return Error{error.message};
  }
}

Result<std::vector<std::string>> Specification::define(const std::string& text) {
  const uint32_t file = sources_->add("<definition>", text);
  Result<std::vector<Unit>> units = parse_definitions(*sources_, file);
  if (!units) return units.error();
  std::vector<std::string> out;
  try {
    const Environment& names = names_of_expressions();
    for (Unit& unit : *units) {
      if (unit.kind != UnitKind::kOperator && unit.kind != UnitKind::kFunction) {
        return Error{"only definitions, such as Twice(x) == 2 * x, can be made here"};
      }
      auto symbol = std::make_unique<Symbol>();
      symbol->kind = Symbol::Kind::kOperator;
      symbol->name = unit.name;
      symbol->place = unit.place;
      symbol->arity = static_cast<uint32_t>(unit.params.size());
      symbol->definition = modules_->add_definition(std::move(unit), names);
      out.push_back(symbol->name);
      expressions_->names[symbol->name] = symbol.get();
      symbols_.push_back(std::move(symbol));
    }
  } catch (const CompileError& error) {
    return Error{error.message};
  }
  return out;
}

}  // namespace ordeal::tla
