// What names stand for: modules, instances, parameters.
#include "tests/oracle/tla/naive_eval.h"

namespace ordeal::oracle::naive {

using tla::Expr;
using tla::ExprKind;
using tla::Unit;
using tla::UnitKind;

Evaluator::Evaluator(std::vector<const tla::Module*> modules,
                     const std::map<std::string, Val>& constants)
    : modules_(std::move(modules)) {
  const tla::Module& root = *modules_.back();
  for (const auto& [name, value] : constants) root_.names[name].value = value;
  const std::function<void(const tla::Module&)> declare = [&](const tla::Module& module) {
    for (const std::string& name : module.extends) {
      for (const tla::Module* other : modules_) {
        if (other->name == name) declare(*other);
      }
    }
    for (const Unit& unit : module.units) {
      if (unit.kind != UnitKind::kVariables) continue;
      for (const tla::Param& param : unit.params) {
        Meaning& meaning = root_.names[param.name];
        meaning.kind = Meaning::Kind::kVariable;
        meaning.variable = variables_.size();
        variables_.push_back(param.name);
      }
    }
  };
  declare(root);
  define_all(root, root_, nullptr, nullptr);
}

Env* Evaluator::new_env(const Env* up) {
  Env& out = envs_.emplace_back();
  out.up = up;
  return &out;
}

const tla::Module& Evaluator::module_named(const std::string& name) const {
  for (const tla::Module* module : modules_) {
    if (module->name == name) return *module;
    for (const Unit& unit : module->units) {
      if (unit.kind == UnitKind::kModule && unit.inner->name == name) return *unit.inner;
    }
  }
  throw NoValue{"no module " + name};
}

void Evaluator::define(const Unit& unit, Env& into) {
  switch (unit.kind) {
    case UnitKind::kOperator: {
      Meaning& meaning = into.names[unit.name];
      meaning.kind = Meaning::Kind::kOperator;
      meaning.expr = unit.body.get();
      meaning.params = &unit.params;
      meaning.env = &into;
      break;
    }
    case UnitKind::kFunction: {
      Meaning& meaning = into.names[unit.name];
      meaning.kind = Meaning::Kind::kFunction;
      meaning.unit = &unit;
      meaning.env = &into;
      break;
    }
    case UnitKind::kInstance: {
      if (unit.name.empty()) {
        define_all(module_named(unit.module), into, &into, &unit);
        break;
      }
      Meaning& meaning = into.names[unit.name];
      meaning.kind = Meaning::Kind::kInstance;
      meaning.unit = &unit;
      meaning.params = &unit.params;
      meaning.env = &into;
      break;
    }
    default:
      break;  // declarations are constants, variables and RECURSIVE; assumptions are not asked
  }
}

// `with`: an instance, whose substitutions and names are read in `around`.
void Evaluator::define_all(const tla::Module& module, Env& into, const Env* around,
                           const Unit* with) {
  for (const std::string& name : module.extends) {
    for (const tla::Module* other : modules_) {
      if (other->name == name) define_all(*other, into, around, with);
    }
  }
  // An instance without a name brings its definitions, which are read among its own names.
  Env* home = &into;
  if (with != nullptr && with->name.empty()) {
    home = &scopes_.emplace_back();
  }
  if (with != nullptr) {
    for (const Unit& unit : module.units) {
      if (unit.kind != UnitKind::kConstants && unit.kind != UnitKind::kVariables) continue;
      for (const tla::Param& param : unit.params) {
        const tla::Substitution* by = nullptr;
        for (const tla::Substitution& one : with->substitutions) {
          if (one.name == param.name) by = &one;
        }
        if (by != nullptr) {
          home->names[param.name] = argument(*by->value, param.arity, around);
        } else if (const Meaning* const same = around->find(param.name)) {
          home->names[param.name] = *same;
        }
      }
    }
  }
  for (const Unit& unit : module.units) define(unit, *home);
  if (home != &into) {
    for (const Unit& unit : module.units) {
      const auto at = home->names.find(unit.name);
      if (!unit.local && at != home->names.end()) into.names[unit.name] = at->second;
    }
  }
}

const Env* Evaluator::instance(const Unit& unit, const Env* env) {
  Env* const out = new_env(nullptr);
  define_all(module_named(unit.module), *out, env, &unit);
  return out;
}

Meaning Evaluator::argument(const Expr& e, uint32_t arity, const Env* env) {
  Meaning out;
  if (arity == 0) {
    out.kind = Meaning::Kind::kByName;
    out.expr = &e;
    out.env = env;
  } else if (e.kind == ExprKind::kLambda) {
    out.kind = Meaning::Kind::kOperator;
    out.expr = e.children[0].get();
    out.params = &e.params;
    out.env = env;
  } else if (const Meaning* const known = operator_of(e, env)) {
    out = *known;
  } else {
    out.kind = Meaning::Kind::kBuiltin;
    out.builtin = e.text;
  }
  return out;
}

const Meaning* Evaluator::operator_of(const Expr& e, const Env* env) {
  for (const tla::Qualifier& qualifier : e.qualifiers) {
    const Meaning* const meaning = env->find(qualifier.name);
    if (meaning == nullptr || meaning->kind != Meaning::Kind::kInstance) {
      throw NoValue{"no instance " + qualifier.name};
    }
    Env* const with = new_env(meaning->env);
    for (size_t i = 0; i < qualifier.arguments.size(); ++i) {
      with->names[(*meaning->params)[i].name] =
          argument(*qualifier.arguments[i], (*meaning->params)[i].arity, env);
    }
    env = instance(*meaning->unit, with);
  }
  return env->find(e.text);
}

const Env* Evaluator::enter(const Meaning& op, const std::vector<tla::ExprRef>& arguments,
                            const Env* env) {
  Env* const out = new_env(op.env);
  for (size_t i = 0; i < arguments.size(); ++i) {
    out->names[(*op.params)[i].name] = argument(*arguments[i], (*op.params)[i].arity, env);
  }
  return out;
}

Val Evaluator::call(const Meaning& op, const std::vector<Val>& arguments, Moment at) {
  if (op.kind == Meaning::Kind::kBuiltin) return builtin(op.builtin, arguments);
  if (op.kind != Meaning::Kind::kOperator) throw NoValue{"no operator"};
  Env* const env = new_env(op.env);
  for (size_t i = 0; i < arguments.size(); ++i) {
    env->names[(*op.params)[i].name].value = arguments[i];
  }
  return eval(*op.expr, env, at);
}

Val Evaluator::meaning_value(const Meaning& meaning, Moment at) {
  switch (meaning.kind) {
    case Meaning::Kind::kValue:
      return meaning.value;
    case Meaning::Kind::kVariable: {
      if (at.now == nullptr || !(*at.now)[meaning.variable]) throw NoValue{"a variable"};
      return *(*at.now)[meaning.variable];
    }
    case Meaning::Kind::kByName:
      return eval(*meaning.expr, meaning.env, at);
    case Meaning::Kind::kOperator:
      return eval(*meaning.expr, meaning.env, at);
    case Meaning::Kind::kFunction: {
      step("f[x \\in S] ==");
      return function_value(meaning.unit->body.get(), meaning.unit->bounds, meaning.env, at,
                            meaning.env);
    }
    default:
      throw NoValue{"no value"};
  }
}

Val Evaluator::apply_name(const Expr& e, const Env* env, Moment at) {
  const Meaning* const meaning = operator_of(e, env);
  if (!e.qualifiers.empty()) step("I!Op");
  if (meaning == nullptr) return builtin_call(e.text, e, env, at);
  if (meaning->kind == Meaning::Kind::kBuiltin) {
    std::vector<Val> values;
    for (const tla::ExprRef& child : e.children) values.push_back(eval(*child, env, at));
    return builtin(meaning->builtin, values);
  }
  if (e.children.empty()) {
    step(meaning->kind == Meaning::Kind::kVariable ? "variable" : "name");
    return meaning_value(*meaning, at);
  }
  step("Op(…)");
  return eval(*meaning->expr, enter(*meaning, e.children, env), at);
}

int Evaluator::variable(const Expr& e, const Env* env) {
  if (e.kind != ExprKind::kApply || !e.children.empty()) return -1;
  const Meaning* const meaning = operator_of(e, env);
  if (meaning == nullptr) return -1;
  switch (meaning->kind) {
    case Meaning::Kind::kVariable:
      return static_cast<int>(meaning->variable);
    case Meaning::Kind::kByName:
      return variable(*meaning->expr, meaning->env);
    case Meaning::Kind::kOperator:
      return meaning->params->empty() ? variable(*meaning->expr, meaning->env) : -1;
    default:
      return -1;
  }
}

int Evaluator::primed_variable(const Expr& e, const Env* env) {
  if (e.kind != ExprKind::kApply) return -1;
  if (e.text == "'") return variable(*e.children[0], env);
  if (!e.children.empty()) return -1;
  const Meaning* const meaning = operator_of(e, env);
  if (meaning == nullptr) return -1;
  if (meaning->kind == Meaning::Kind::kByName) return primed_variable(*meaning->expr, meaning->env);
  if (meaning->kind == Meaning::Kind::kOperator && meaning->params->empty()) {
    return primed_variable(*meaning->expr, meaning->env);
  }
  return -1;
}

Val Evaluator::value_of(const std::string& name, Moment at) {
  envs_.clear();
  steps_ = 0;
  return meaning_value(root_.names.at(name), at);
}

bool Evaluator::truth_of(const std::string& name, Moment at) {
  const Val value = value_of(name, at);
  if (!value.is(Val::Kind::kBoolean)) throw NoValue{"no boolean"};
  return value.truth;
}

bool Evaluator::always_truth_of(const std::string& name, Moment at) {
  envs_.clear();
  steps_ = 0;
  const Meaning& meaning = root_.names.at(name);
  return test(*meaning.expr->children.at(0), meaning.env, at);
}

}  // namespace ordeal::oracle::naive
