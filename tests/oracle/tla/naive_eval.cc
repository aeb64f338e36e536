#include "tests/oracle/tla/naive_eval.h"

namespace ordeal::oracle::naive {

using Kind = Val::Kind;
using tla::Expr;
using tla::ExprKind;

namespace {

constexpr uint64_t kMostSteps = 100'000;
constexpr uint32_t kDeepest = 300;
constexpr size_t kLargest = 3000;

class Deeper {
 public:
  explicit Deeper(uint32_t& depth) : depth_(depth) {
    if (++depth_ > kDeepest) {
      --depth_;
      throw TooMuch{};
    }
  }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  uint32_t& depth_;
};

Val tuple_or_one(const std::vector<Val>& values) {
  return values.size() == 1 ? values[0] : Val::sequence(values);
}

// Every way to pick one of each, the last changing fastest.
std::vector<std::vector<Val>> choices(const std::vector<Val>& sets) {
  std::vector<std::vector<Val>> out{{}};
  for (const Val& set : sets) {
    std::vector<std::vector<Val>> longer;
    for (const std::vector<Val>& before : out) {
      for (const Val& element : *set.set) {
        longer.push_back(before);
        longer.back().push_back(element);
        if (longer.size() > kLargest) throw TooMuch{};
      }
    }
    out = std::move(longer);
  }
  return out;
}

bool is_endless(const std::vector<Val>& sets) {
  for (const Val& set : sets) {
    if (set.is(Kind::kEndlessSet)) return true;
  }
  return false;
}

bool has(const Val& set, const Val& element) {
  if (set.is(Kind::kEndlessSet)) return set.has(element);
  bool found = false, incomparable = false;
  for (const Val& one : *set.set) {
    try {
      found = found || equal(one, element);
    } catch (const NoValue&) {
      incomparable = true;
    }
  }
  if (found && incomparable) throw TooMuch{};
  if (incomparable) throw NoValue{"membership of another type"};
  return found;
}

// [keys → sets], as a set of functions over the keys.
Val functions_over(const std::vector<Val>& keys, const std::vector<Val>& sets) {
  if (is_endless(sets)) {
    return Val::endless([keys, sets](const Val& element) {
      if (!element.is(Kind::kFunction)) throw NoValue{"no function"};
      if (element.function->size() != keys.size()) return false;
      for (size_t i = 0; i < keys.size(); ++i) {
        const auto at = element.function->find(keys[i]);
        if (at == element.function->end() || !has(sets[i], at->second)) return false;
      }
      return true;
    });
  }
  Set out;
  for (const std::vector<Val>& choice : choices(sets)) {
    Function function;
    for (size_t i = 0; i < keys.size(); ++i) function.emplace(keys[i], choice[i]);
    out.insert(Val::of(std::move(function)));
  }
  return Val::of(std::move(out));
}

}  // namespace

void Evaluator::step(const char* what) {
  if (++steps_ > kMostSteps) throw TooMuch{};
  ++seen[what];
}

bool Evaluator::test(const Expr& e, const Env* env, Moment at) {
  const Val value = eval(e, env, at);
  if (!value.is(Kind::kBoolean)) throw NoValue{"no boolean: " + text_of(value)};
  return value.truth;
}

Val Evaluator::set_of(const Expr& e, const Env* env, Moment at) {
  Val out = eval(e, env, at);
  if (!out.is_set()) throw NoValue{"no set: " + text_of(out)};
  return out;
}

bool Evaluator::member(const Val& element, const Expr& set, const Env* env, Moment at) {
  Val value;
  try {
    value = eval(set, env, at);
  } catch (NoValue& error) {
    error.unread = true;
    throw;
  }
  if (!value.is_set()) throw NoValue{"no set: " + text_of(value)};
  return has(value, element);
}

const Env* Evaluator::bind(const tla::Bound& bound, size_t name, const Val& element,
                           const Env* env) {
  Env* const out = new_env(env);
  const auto put = [&](const std::string& which, const Val& value) {
    Meaning& meaning = out->names[which];
    meaning.kind = Meaning::Kind::kValue;
    meaning.value = value;
  };
  if (!bound.is_tuple) {
    put(bound.names[name], element);
    return out;
  }
  std::vector<Val> items;
  if (!is_sequence(element, &items) || items.size() != bound.names.size()) {
    throw NoValue{"names of a tuple are bound to " + text_of(element)};
  }
  for (size_t i = 0; i < items.size(); ++i) put(bound.names[i], items[i]);
  return out;
}

bool Evaluator::each(const std::vector<tla::Bound>& bounds, const Env* env, Moment at,
                     const std::function<bool(const Env*)>& body) {
  std::vector<std::pair<const tla::Bound*, size_t>> names;
  std::vector<Val> sets;
  for (const tla::Bound& bound : bounds) {
    const Val set = set_of(*bound.set, env, at);
    if (set.is(Kind::kEndlessSet)) throw NoValue{"an endless set"};
    for (size_t i = 0; i < (bound.is_tuple ? 1 : bound.names.size()); ++i) {
      names.emplace_back(&bound, i);
      sets.push_back(set);
    }
  }
  const std::function<bool(size_t, const Env*)> from = [&](size_t i, const Env* here) {
    if (i == names.size()) return body(here);
    for (const Val& element : *sets[i].set) {
      if (!from(i + 1, bind(*names[i].first, names[i].second, element, here))) return false;
    }
    return true;
  };
  return from(0, env);
}

// What `[x \in S, <<y, z>> \in T |-> e]` binds when it is applied.
const Env* Evaluator::bind_argument(const std::vector<tla::Bound>& bounds, const Val& argument,
                                    const Env* env) {
  size_t count = 0;
  for (const tla::Bound& bound : bounds) count += bound.is_tuple ? 1 : bound.names.size();
  std::vector<Val> items{argument};
  if (count > 1) {
    items.clear();
    if (!is_sequence(argument, &items) || items.size() != count) throw NoValue{"wrong arguments"};
  }
  size_t next = 0;
  for (const tla::Bound& bound : bounds) {
    for (size_t i = 0; i < (bound.is_tuple ? 1 : bound.names.size()); ++i) {
      env = bind(bound, i, items[next++], env);
    }
  }
  return env;
}

Val Evaluator::function_value(const Expr* body, const std::vector<tla::Bound>& bounds,
                              const Env* env, Moment at, const Env* set_env) {
  std::vector<Val> sets;
  for (const tla::Bound& bound : bounds) {
    const Val set = set_of(*bound.set, set_env, at);
    for (size_t i = 0; i < (bound.is_tuple ? 1 : bound.names.size()); ++i) sets.push_back(set);
  }
  if (is_endless(sets)) {
    Val out;
    out.kind = Kind::kEndlessFunction;
    out.has = [sets](const Val& argument) {
      std::vector<Val> items{argument};
      if (sets.size() > 1) {
        items.clear();
        if (!is_sequence(argument, &items) || items.size() != sets.size()) return false;
      }
      for (size_t i = 0; i < sets.size(); ++i) {
        if (!naive::has(sets[i], items[i])) return false;
      }
      return true;
    };
    out.at = [=, this, &bounds](const Val& argument) {
      return eval(*body, bind_argument(bounds, argument, env), at);
    };
    return out;
  }
  Function out;
  for (const std::vector<Val>& choice : choices(sets)) {
    const Val argument = tuple_or_one(choice);
    out.emplace(argument, eval(*body, bind_argument(bounds, argument, env), at));
  }
  return Val::of(std::move(out));
}

Val Evaluator::apply_definition(const Meaning& meaning, const Val& argument, Moment at) {
  const Deeper deeper(depth_);
  const std::vector<tla::Bound>& bounds = meaning.unit->bounds;
  std::vector<Val> sets;
  for (const tla::Bound& bound : bounds) {
    const Val set = set_of(*bound.set, meaning.env, at);
    for (size_t i = 0; i < (bound.is_tuple ? 1 : bound.names.size()); ++i) sets.push_back(set);
  }
  std::vector<Val> items{argument};
  if (sets.size() > 1) {
    items.clear();
    if (!is_sequence(argument, &items) || items.size() != sets.size()) throw NoValue{"arguments"};
  }
  for (size_t i = 0; i < sets.size(); ++i) {
    if (!naive::has(sets[i], items[i])) throw NoValue{"outside of the domain"};
  }
  return eval(*meaning.unit->body, bind_argument(bounds, argument, meaning.env), at);
}

// The recursive function that an expression names, through parameters; null: it does not.
const Meaning* Evaluator::function_definition(const Expr& e, const Env* env) {
  if (e.kind != ExprKind::kApply || !e.children.empty()) return nullptr;
  const Meaning* const meaning = operator_of(e, env);
  if (meaning == nullptr) return nullptr;
  if (meaning->kind == Meaning::Kind::kFunction) return meaning;
  if (meaning->kind == Meaning::Kind::kByName)
    return function_definition(*meaning->expr, meaning->env);
  return nullptr;
}

Val Evaluator::apply_function(const Expr& e, const Env* env, Moment at) {
  std::vector<Val> arguments;
  if (const Meaning* const definition = function_definition(*e.children[0], env)) {
    for (size_t i = 1; i < e.children.size(); ++i) {
      arguments.push_back(eval(*e.children[i], env, at));
    }
    return apply_definition(*definition, tuple_or_one(arguments), at);
  }
  const Val function = eval(*e.children[0], env, at);
  for (size_t i = 1; i < e.children.size(); ++i) {
    arguments.push_back(eval(*e.children[i], env, at));
  }
  const Val argument = tuple_or_one(arguments);
  if (function.is(Kind::kEndlessFunction)) {
    if (!function.has(argument)) throw NoValue{"outside of the domain"};
    return function.at(argument);
  }
  if (!function.is(Kind::kFunction)) throw NoValue{"no function: " + text_of(function)};
  // What is of another type than the domain is no part of it either: no value in both cases.
  const auto found = function.function->find(argument);
  if (found == function.function->end()) throw NoValue{"outside of the domain"};
  return found->second;
}

Val Evaluator::except(const Val& old, const tla::ExceptUpdate& update, size_t step, const Env* env,
                      Moment at) {
  if (step == update.path.size()) {
    Env* const with_old = new_env(env);
    with_old->names["@"].value = old;
    return eval(*update.value, with_old, at);
  }
  const tla::ExceptStep& here = update.path[step];
  if (!old.is(Kind::kFunction)) throw NoValue{"EXCEPT changes functions"};
  Val key = Val::string(here.field);
  if (!here.is_field) {
    std::vector<Val> indices;
    for (const tla::ExprRef& index : here.indices) indices.push_back(eval(*index, env, at));
    key = tuple_or_one(indices);
  }
  Function out = *old.function;
  Val* known = nullptr;
  for (auto& [argument, value] : out) {
    try {
      if (equal(argument, key)) known = &value;
    } catch (const NoValue&) {
      throw TooMuch{};  // of another type: the rules are silent
    }
  }
  if (known == nullptr) return old;
  *known = except(*known, update, step + 1, env, at);
  return Val::of(std::move(out));
}

Val Evaluator::choose(const Expr& e, const Env* env, Moment at) {
  std::optional<Val> chosen;
  const tla::Bound& bound = e.bounds[0];
  const Val set = set_of(*bound.set, env, at);
  if (set.is(Kind::kEndlessSet)) throw NoValue{"an endless set"};
  for (const Val& element : *set.set) {
    if (test(*e.children[0], bind(bound, 0, element, env), at)) return element;
  }
  throw NoValue{"CHOOSE without a witness"};
}

const Expr* Evaluator::arm(const Expr& e, const Env* env, Moment at) {
  for (size_t i = 0; i + 1 < e.children.size(); i += 2) {
    if (test(*e.children[i], env, at)) return e.children[i + 1].get();
  }
  if (e.children.size() % 2 == 0) throw NoValue{"CASE without a true condition"};
  return e.children.back().get();
}

const Env* Evaluator::let(const Expr& e, const Env* env) {
  Env* const out = new_env(env);
  for (const tla::Unit& unit : e.units) define(unit, *out);
  return out;
}

Val Evaluator::eval(const Expr& e, const Env* env, Moment at) {
  const Deeper deeper(depth_);
  switch (e.kind) {
    case ExprKind::kNumber:
      step("number");
      return Val::integer(Integer(e.text));
    case ExprKind::kString:
      step("string");
      return Val::string(e.text);
    case ExprKind::kAt:
      step("@");
      return env->find("@")->value;
    case ExprKind::kApply:
      return apply_name(e, env, at);
    case ExprKind::kConjunction:
    case ExprKind::kDisjunction: {
      const bool is_and = e.kind == ExprKind::kConjunction;
      step(e.by_list ? is_and ? "/\\ list" : "\\/ list" : is_and ? "/\\" : "\\/");
      for (const tla::ExprRef& item : e.children) {
        if (test(*item, env, at) != is_and) return Val::boolean(!is_and);
      }
      return Val::boolean(is_and);
    }
    case ExprKind::kSet: {
      step("{…}");
      Set out;
      std::vector<Val> items;
      for (const tla::ExprRef& item : e.children) items.push_back(eval(*item, env, at));
      for (Val& item : items) out.insert(std::move(item));
      return Val::of(std::move(out));
    }
    case ExprKind::kTuple: {
      step("<<…>>");
      std::vector<Val> items;
      for (const tla::ExprRef& item : e.children) items.push_back(eval(*item, env, at));
      return Val::sequence(items);
    }
    case ExprKind::kRecord: {
      step("[a |-> …]");
      Function out;
      for (size_t i = 0; i < e.names.size(); ++i) {
        out.emplace(Val::string(e.names[i]), eval(*e.children[i], env, at));
      }
      return Val::of(std::move(out));
    }
    case ExprKind::kRecordSet: {
      step("[a : …]");
      std::vector<Val> keys, sets;
      for (size_t i = 0; i < e.names.size(); ++i) {
        keys.push_back(Val::string(e.names[i]));
        sets.push_back(set_of(*e.children[i], env, at));
      }
      return functions_over(keys, sets);
    }
    case ExprKind::kFunctionSet: {
      step("[S -> T]");
      const Val from = set_of(*e.children[0], env, at);
      const Val to = set_of(*e.children[1], env, at);
      if (from.is(Kind::kEndlessSet)) throw TooMuch{};
      const std::vector<Val> keys(from.set->begin(), from.set->end());
      return functions_over(keys, std::vector<Val>(keys.size(), to));
    }
    case ExprKind::kFunction:
      step("[x \\in S |-> …]");
      return function_value(e.children[0].get(), e.bounds, env, at, env);
    case ExprKind::kFunctionApply:
      step("f[…]");
      return apply_function(e, env, at);
    case ExprKind::kExcept: {
      step("EXCEPT");
      Val value = eval(*e.children[0], env, at);
      for (const tla::ExceptUpdate& update : e.updates) {
        if (update.path.size() > 1) step("EXCEPT by a path");
        value = except(value, update, 0, env, at);
      }
      return value;
    }
    case ExprKind::kField: {
      step("r.a");
      const Val record = eval(*e.children[0], env, at);
      if (!record.is(Kind::kFunction)) throw NoValue{"no record"};
      const auto found = record.function->find(Val::string(e.text));
      if (found == record.function->end()) throw NoValue{"no such field"};
      return found->second;
    }
    case ExprKind::kFilter: {
      step(e.bounds[0].is_tuple ? "{<<x, y>> \\in S : …}" : "{x \\in S : …}");
      const Val base = set_of(*e.bounds[0].set, env, at);
      if (base.is(Kind::kEndlessSet)) {
        return Val::endless([this, &e, env, at, base](const Val& element) {
          return base.has(element) && test(*e.children[0], bind(e.bounds[0], 0, element, env), at);
        });
      }
      Set out;
      for (const Val& element : *base.set) {
        if (test(*e.children[0], bind(e.bounds[0], 0, element, env), at)) out.insert(element);
      }
      return Val::of(std::move(out));
    }
    case ExprKind::kMap: {
      step("{… : x \\in S}");
      std::vector<Val> items;
      each(e.bounds, env, at, [&](const Env* here) {
        items.push_back(eval(*e.children[0], here, at));
        return true;
      });
      return Val::of(Set(items.begin(), items.end()));
    }
    case ExprKind::kChoose:
      step("CHOOSE");
      return choose(e, env, at);
    case ExprKind::kForAll:
    case ExprKind::kExists: {
      const bool is_all = e.kind == ExprKind::kForAll;
      step(e.bounds[0].is_tuple ? is_all ? "\\A <<x, y>>" : "\\E <<x, y>>"
           : is_all             ? "\\A"
                                : "\\E");
      return Val::boolean(each(e.bounds, env, at, [&](const Env* here) {
                            return test(*e.children[0], here, at) == is_all;
                          }) == is_all);
    }
    case ExprKind::kIf:
      step("IF");
      return eval(*e.children[test(*e.children[0], env, at) ? 1 : 2], env, at);
    case ExprKind::kCase:
      step("CASE");
      return eval(*arm(e, env, at), env, at);
    case ExprKind::kLet:
      step("LET");
      return eval(*e.children[0], let(e, env), at);
    case ExprKind::kBoxAction:
    case ExprKind::kAngleAction: {
      const bool is_box = e.kind == ExprKind::kBoxAction;
      step(is_box ? "[A]_v" : "<<A>>_v");
      if (at.next == nullptr) throw NoValue{"no next state"};
      const Val before = eval(*e.children[1], env, at);
      const bool same = equal(before, eval(*e.children[1], env, {at.next, nullptr}));
      if (same) return Val::boolean(is_box);
      return Val::boolean(test(*e.children[0], env, at));
    }
    default:
      throw TooMuch{};
  }
}

}  // namespace ordeal::oracle::naive
