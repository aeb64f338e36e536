// Formulas as actions: which successors they say, and how often. As TLC counts: each true disjunct
// and each witness makes one, also where nothing is primed; but once every variable has its value,
// what follows in a conjunction is a test, true or false once.
#include "tests/oracle/tla/naive_eval.h"

namespace ordeal::oracle::naive {

using tla::Expr;
using tla::ExprKind;

bool Evaluator::Build::complete() const {
  for (const std::optional<Val>& value : made) {
    if (!value) return false;
  }
  return true;
}

void Evaluator::steps_of(const std::string& name, const State* now, const Tell& tell) {
  envs_.clear();
  steps_ = 0;
  const Meaning& meaning = root_.names.at(name);
  Build build;
  build.now = now;
  build.made.resize(variables_.size());
  act(*meaning.expr, meaning.env, build, [&](const Build& b) {
    if (!b.complete()) throw NoValue{"a variable was left without a value"};
    return tell(b.made);
  });
}

bool Evaluator::act_test(const Expr& e, const Env* env, const Build& b, const Next& k) {
  return test(e, env, b.moment()) ? k(b) : true;
}

bool Evaluator::act_list(const Expr& e, size_t item, const Env* env, const Build& b,
                         const Next& k) {
  if (item == e.children.size()) return k(b);
  const Next rest = [&, item](const Build& after) { return act_list(e, item + 1, env, after, k); };
  if (item > 0 && b.complete()) return act_test(*e.children[item], env, b, rest);
  return act(*e.children[item], env, b, rest);
}

bool Evaluator::act_for_all(const Expr& e, const std::vector<const Env*>& ways, size_t way,
                            const Build& b, const Next& k) {
  if (way == ways.size()) return k(b);
  const Next rest = [&, way](const Build& after) {
    return act_for_all(e, ways, way + 1, after, k);
  };
  if (way > 0 && b.complete()) return act_test(*e.children[0], ways[way], b, rest);
  return act(*e.children[0], ways[way], b, rest);
}

// x' = e, x' \in S; in an initial state x = e, x \in S.
bool Evaluator::assign(const Expr& e, const Env* env, const Build& b, const Next& k) {
  const int target =
      b.now == nullptr ? variable(*e.children[0], env) : primed_variable(*e.children[0], env);
  if (target < 0 || b.made[static_cast<size_t>(target)]) return act_test(e, env, b, k);
  const Val value = eval(*e.children[1], env, b.moment());
  Build after = b;
  std::optional<Val>& made = after.made[static_cast<size_t>(target)];
  if (e.text == "=") {
    step("x' = e");
    made = value;
    return k(after);
  }
  step("x' \\in S");
  if (!value.is(Val::Kind::kSet)) throw NoValue{"no finite set"};
  for (const Val& element : *value.set) {
    made = element;
    if (!k(after)) return false;
  }
  return true;
}

bool Evaluator::unchanged(const Expr& e, const Env* env, const Build& b, const Next& k) {
  if (e.kind == ExprKind::kTuple) {
    const std::function<bool(size_t, const Build&)> from = [&](size_t i, const Build& here) {
      if (i == e.children.size()) return k(here);
      return unchanged(*e.children[i], env, here,
                       [&, i](const Build& after) { return from(i + 1, after); });
    };
    return from(0, b);
  }
  if (const int which = variable(e, env); which >= 0) {
    const auto at = static_cast<size_t>(which);
    if (b.made[at]) return equal(*(*b.now)[at], *b.made[at]) ? k(b) : true;
    step("UNCHANGED x");
    Build after = b;
    after.made[at] = (*b.now)[at];
    return k(after);
  }
  if (e.kind == ExprKind::kApply) {
    if (const Meaning* const meaning = operator_of(e, env)) {
      if (meaning->kind == Meaning::Kind::kByName) {
        return unchanged(*meaning->expr, meaning->env, b, k);
      }
      if (meaning->kind == Meaning::Kind::kOperator) {
        return unchanged(*meaning->expr, enter(*meaning, e.children, env), b, k);
      }
      if (meaning->kind == Meaning::Kind::kValue) return k(b);
    }
  }
  const Val before = eval(e, env, b.moment());
  return equal(before, eval(e, env, {&b.made, nullptr})) ? k(b) : true;
}

bool Evaluator::act_name(const Expr& e, const Env* env, const Build& b, const Next& k) {
  if (e.text == "=" || e.text == "\\in") return assign(e, env, b, k);
  if (e.text == "UNCHANGED") {
    if (b.now == nullptr) throw NoValue{"no next state"};
    return unchanged(*e.children[0], env, b, k);
  }
  if (e.text == "=>") {
    return test(*e.children[0], env, b.moment()) ? act(*e.children[1], env, b, k) : k(b);
  }
  const Meaning* const meaning = operator_of(e, env);
  if (meaning == nullptr) return act_test(e, env, b, k);
  if (meaning->kind == Meaning::Kind::kByName) return act(*meaning->expr, meaning->env, b, k);
  if (meaning->kind == Meaning::Kind::kOperator) {
    step(e.qualifiers.empty() ? "action" : "action of an instance");
    return act(*meaning->expr, enter(*meaning, e.children, env), b, k);
  }
  return act_test(e, env, b, k);
}

bool Evaluator::act(const Expr& e, const Env* env, const Build& b, const Next& k) {
  switch (e.kind) {
    case ExprKind::kConjunction:
      step("/\\ action");
      return act_list(e, 0, env, b, k);
    case ExprKind::kDisjunction:
      step("\\/ action");
      for (const tla::ExprRef& item : e.children) {
        if (!act(*item, env, b, k)) return false;
      }
      return true;
    case ExprKind::kExists:
      step("\\E action");
      return each(e.bounds, env, b.moment(),
                  [&](const Env* here) { return act(*e.children[0], here, b, k); });
    case ExprKind::kForAll: {
      step("\\A action");
      std::vector<const Env*> ways;
      each(e.bounds, env, b.moment(), [&](const Env* here) {
        ways.push_back(here);
        return true;
      });
      return act_for_all(e, ways, 0, b, k);
    }
    case ExprKind::kIf:
      step("IF action");
      return act(*e.children[test(*e.children[0], env, b.moment()) ? 1 : 2], env, b, k);
    case ExprKind::kCase:
      step("CASE action");
      return act(*arm(e, env, b.moment()), env, b, k);
    case ExprKind::kLet:
      step("LET action");
      return act(*e.children[0], let(e, env), b, k);
    case ExprKind::kBoxAction:
      step("[A]_v action");
      if (!act(*e.children[0], env, b, k)) return false;
      return unchanged(*e.children[1], env, b, k);
    case ExprKind::kAngleAction: {
      step("<<A>>_v action");
      return act(*e.children[0], env, b, [&](const Build& after) {
        const Val before = eval(*e.children[1], env, after.moment());
        return equal(before, eval(*e.children[1], env, {&after.made, nullptr})) ? true : k(after);
      });
    }
    case ExprKind::kApply:
      return act_name(e, env, b, k);
    default:
      return act_test(e, env, b, k);
  }
}

}  // namespace ordeal::oracle::naive
