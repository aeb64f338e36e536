// What a configuration says of constants and definitions.
#include <algorithm>

#include "base/text.h"
#include "language/tla/compile/modules.h"

namespace ordeal::tla {

Value Modules::value_of(const ConfigValue& value) const {
  Heap heap;
  switch (value.kind) {
    case ConfigValue::Kind::kNumber: {
      static Heap numbers;
      return integer(numbers, BigInt(value.text));
    }
    case ConfigValue::Kind::kString:
      return string_value(value.text);
    case ConfigValue::Kind::kBoolean:
      return Value::boolean(value.text == "TRUE");
    case ConfigValue::Kind::kModelValue:
      return model_value(value.text);
    case ConfigValue::Kind::kSet:
      break;
  }
  // Values of a configuration live as long as the process: there are few of them.
  static Heap sets;
  std::vector<Value> elements;
  for (const ConfigValue& element : value.elements) elements.push_back(value_of(element));
  try {
    return make_set(sets, elements);
  } catch (const EvalError& error) {
    fail_at(value.place, error.message);
  }
}

Symbol& Modules::root_symbol(const std::string& name, const Place& place) {
  const auto known = root_->names.find(name);
  if (known != root_->names.end()) return *known->second;
  std::vector<std::string> names;
  for (const auto& [other, symbol] : root_->names) names.push_back(other);
  std::sort(names.begin(), names.end());
  fail_at(place, "module " + root_->module->name + " has nothing called " + name +
                     did_you_mean(name, names));
}

void Modules::configure(const Config& config) {
  for (const ConfigConstant& constant : config.constants) {
    if (!constant.is_override) {
      Symbol* symbol = nullptr;
      // A model value that is only mentioned: `r1 = r1`, as TLC takes it.
      if (constant.module.empty() && constant.arguments.empty() &&
          constant.value.kind == ConfigValue::Kind::kModelValue &&
          constant.value.text == constant.name && !root_->names.contains(constant.name)) {
        continue;
      }
      if (constant.module.empty()) {
        symbol = &root_symbol(constant.name, constant.place);
      } else {
        for (ModuleScope* scope : all_scopes_) {
          if (scope->module == nullptr || scope->module->name != constant.module) continue;
          const auto known = scope->names.find(constant.name);
          if (known != scope->names.end()) symbol = known->second;
        }
        if (symbol == nullptr) {
          fail_at(constant.place,
                  "there is no " + constant.name + " in a module " + constant.module);
        }
      }
      if (!constant.arguments.empty()) {
        if (symbol->kind != Symbol::Kind::kConstant || symbol->arity != constant.arguments.size()) {
          fail_at(constant.place, constant.name + " is no constant with " +
                                      std::to_string(constant.arguments.size()) + " parameter" +
                                      (constant.arguments.size() == 1 ? "" : "s"));
        }
        std::vector<Value> arguments;
        for (const ConfigValue& value : constant.arguments) arguments.push_back(value_of(value));
        symbol->table.emplace_back(std::move(arguments), value_of(constant.value));
        continue;
      }
      if (symbol->kind == Symbol::Kind::kVariable || symbol->kind == Symbol::Kind::kInstance) {
        fail_at(constant.place, constant.name + " is no constant");
      }
      symbol->value = value_of(constant.value);
      continue;
    }
    Symbol& other = root_symbol(constant.other, constant.place);
    std::vector<Symbol*> replaced;
    if (constant.module.empty()) {
      replaced.push_back(&root_symbol(constant.name, constant.place));
    } else {
      bool module_known = false;
      for (ModuleScope* scope : all_scopes_) {
        if (scope->module == nullptr || scope->module->name != constant.module) continue;
        module_known = true;
        const auto known = scope->names.find(constant.name);
        if (known == scope->names.end()) continue;
        // The definition is replaced, for all who see it: modules that extend this one, instances.
        const Symbol& meant = *known->second;
        for (Symbol& symbol : symbols_) {
          const bool same = meant.definition != nullptr
                                ? symbol.definition != nullptr &&
                                      symbol.definition->unit == meant.definition->unit
                                : meant.builtin != nullptr && symbol.builtin == meant.builtin;
          if (same && std::find(replaced.begin(), replaced.end(), &symbol) == replaced.end()) {
            replaced.push_back(&symbol);
          }
        }
      }
      if (!module_known) fail_at(constant.place, "no module " + constant.module + " is used here");
      if (replaced.empty()) {
        fail_at(constant.place,
                "module " + constant.module + " has no definition called " + constant.name);
      }
    }
    for (Symbol* symbol : replaced) {
      if (symbol == &other) {
        fail_at(constant.place, constant.name + " cannot be replaced by itself");
      }
      if (symbol->arity != other.arity) {
        fail_at(constant.place,
                constant.name + " has " + std::to_string(symbol->arity) +
                    (symbol->arity == 1 ? " parameter, and " : " parameters, and ") +
                    constant.other + " has " + std::to_string(other.arity));
      }
      symbol->replaced_by = &other;
    }
  }
}

void Modules::define_constant(const std::string& name, ExprRef value) {
  Symbol& symbol = root_symbol(name, value->place);
  if (symbol.kind == Symbol::Kind::kVariable || symbol.kind == Symbol::Kind::kInstance) {
    fail_at(value->place, name + " is no constant");
  }
  if (symbol.arity != 0) fail_at(value->place, name + " has parameters");
  Unit unit;
  unit.kind = UnitKind::kOperator;
  unit.name = name;
  unit.place = value->place;
  unit.name_place = value->place;
  unit.body = std::move(value);
  Symbol replacement;
  replacement.kind = Symbol::Kind::kOperator;
  replacement.name = name;
  replacement.place = unit.place;
  replacement.definition = add_definition(std::move(unit), root_environment());
  symbols_.push_back(std::move(replacement));
  symbol.value = Value();
  symbol.replaced_by = &symbols_.back();
}

std::vector<const Symbol*> Modules::missing_constants() const {
  std::vector<const Symbol*> out;
  for (const auto& [name, symbol] : root_->names) {
    if (symbol->kind == Symbol::Kind::kConstant && !symbol->value.defined() &&
        symbol->table.empty() && symbol->replaced_by == nullptr) {
      out.push_back(symbol);
    }
  }
  std::sort(out.begin(), out.end(),
            [](const Symbol* a, const Symbol* b) { return a->name < b->name; });
  return out;
}

}  // namespace ordeal::tla
