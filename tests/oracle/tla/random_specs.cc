#include "tests/oracle/tla/random_specs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ordeal::oracle::naive {
namespace {

using Name = ExpressionGenerator::Name;

struct Variable {
  std::string name;
  Type type;
  std::string domain;
};

class SpecGenerator {
 public:
  explicit SpecGenerator(uint64_t seed) : rng_(seed), gen_(rng_) {}

  RandomSpec make() {
    out_.symmetry = gen_.one_in(4);
    gen_.may_fail = gen_.one_in(6);
    out_.total = !gen_.may_fail;
    declare();
    std::string actions;
    const uint64_t count = rng_.below(3) + 2;
    for (uint64_t i = 1; i <= count; ++i) actions += action(i);
    out_.module =
        "---- MODULE Spec ----\nEXTENDS Integers, Sequences, FiniteSets, TLC\n"
        "CONSTANTS m1, m2, m3\n" +
        helpers() + instances() + "Init ==" + init() + "\n" + actions + "Next ==" + next() + "\n";
    configure();
    out_.module += "====\n";
    return out_;
  }

 private:
  bool one_in(uint64_t n) { return rng_.below(n) == 0; }
  bool mark(const char* what, bool is = true) {
    if (is) out_.features.insert(what);
    return is;
  }
  template <class... T>
  std::string pick(const T&... texts) {
    const std::string all[] = {texts...};
    return all[rng_.below(sizeof...(texts))];
  }

  void declare() {
    const uint64_t count = rng_.below(2) + 2;
    for (uint64_t i = 0; i < count; ++i) {
      const std::string name(1, static_cast<char>('u' + i));
      // The first two are numbers more often than not: instances ask for them.
      const uint64_t which = i < 2 && !one_in(4) ? 0 : rng_.below(6);
      switch (which) {
        case 0:
          variables_.push_back({name, kInt, "0..2"});
          break;
        case 1:
          variables_.push_back({name, kBool, "BOOLEAN"});
          break;
        case 2:
          variables_.push_back(out_.symmetry || one_in(3)
                                   ? Variable{name, {K::kSet, {kMod}}, "SUBSET {m1, m2, m3}"}
                                   : Variable{name, {K::kSet, {kStr}}, "SUBSET {\"a\", \"b\"}"});
          break;
        case 3:
          variables_.push_back(
              out_.symmetry || one_in(3)
                  ? Variable{name, {K::kFunction, {kMod, kInt}}, "[{m1, m2, m3} -> 0..1]"}
                  : Variable{name, {K::kRecord, {kInt, kBool}}, "[a : 0..1, b : BOOLEAN]"});
          break;
        case 4:
          variables_.push_back(
              {name, {K::kSequence, {kInt}}, "UNION {[1..n -> 0..1] : n \\in 0..2}"});
          break;
        default:
          variables_.push_back({name, kMod, "{m1, m2, m3}"});
      }
    }
    for (const Variable& variable : variables_) {
      gen_.names.push_back({variable.name, variable.type});
      out_.domains.push_back("Domain_" + variable.name);
    }
  }

  std::string helpers() {
    std::string out = "VARIABLES ";
    for (size_t i = 0; i < variables_.size(); ++i) out += (i > 0 ? ", " : "") + variables_[i].name;
    out += "\nvars == <<";
    for (size_t i = 0; i < variables_.size(); ++i) out += (i > 0 ? ", " : "") + variables_[i].name;
    out += ">>\n";
    for (const Variable& variable : variables_) {
      out += fmt::format("Domain_{} == {}\n", variable.name, variable.domain);
    }
    return out + expression_helpers() + R"(Assign(var, value) == var' = value
Same(var) == UNCHANGED var
Equal(left, right) == left = right
Differs(value) == value' # value
OneOf(A, B) == A \/ B
)";
  }

  bool numbers_first() const { return variables_[0].type == kInt && variables_[1].type == kInt; }

  std::string instances() {
    if (!numbers_first()) return "";
    return R"(
---- MODULE Counter ----
EXTENDS Integers
CONSTANT c
VARIABLES a, b
Ready == a < 2 \/ b > 0
Step(k) == a' = (a + k * c) % 3 /\ UNCHANGED b
Swap == /\ a' = b
        /\ b' = a
Either == \E k \in {0, c} : Step(k)
====
C == INSTANCE Counter WITH a <- u, b <- v, c <- 1
D(n) == INSTANCE Counter WITH a <- v, b <- u, c <- n
)";
  }

  // A value of the variable's domain.
  std::string value(const Variable& variable, int depth) {
    const std::string made = gen_.make(variable.type, depth);
    switch (variable.type.kind) {
      case K::kInteger:
        return one_in(2) ? fmt::format("(({} + {}) % 3)", variable.name, pick("1", "2", made))
                         : fmt::format("({} % 3)", made);
      case K::kBoolean:
        return made;
      case K::kSet:
        return fmt::format("({} \\cap {})", made,
                           variable.type.of[0] == kMod ? "{m1, m2, m3}" : "{\"a\", \"b\"}");
      case K::kFunction:
        if (one_in(2)) {
          return fmt::format("[{} EXCEPT ![{}] = {}]", variable.name, gen_.make(kMod, 1),
                             pick("1 - @", "1", "0"));
        }
        return fmt::format("[k \\in {{m1, m2, m3}} |-> IF k = {} THEN {} ELSE {}[k]]",
                           gen_.make(kMod, 1), gen_.make(kInt, 1) + " % 2", variable.name);
      case K::kRecord:
        if (one_in(2)) {
          return fmt::format("[{} EXCEPT !.a = 1 - @, !.b = {}]", variable.name,
                             gen_.make(kBool, 2));
        }
        return fmt::format("[a |-> {} % 2, b |-> {}]", gen_.make(kInt, 1), gen_.make(kBool, 1));
      case K::kSequence:
        return fmt::format("(IF Len({0}) < 2 THEN Append({0}, {1} % 2) ELSE {2})", variable.name,
                           gen_.make(kInt, 1), pick("Tail(" + variable.name + ")", "<<>>"));
      default:
        return gen_.make(kMod, 1);
    }
  }

  std::string some_values(const Variable& variable) {
    return one_in(2) ? "Domain_" + variable.name
                     : fmt::format("{{{}, {}}}", value(variable, 1), value(variable, 1));
  }

  // A formula that says what the variable is next.
  std::string assignment(const Variable& variable, int depth) {
    const std::string& x = variable.name;
    const auto plain = [&] { return fmt::format("{}' = {}", x, value(variable, 2)); };
    if (depth <= 0) return plain();
    const auto sub = [&] { return assignment(variable, depth - 1); };
    switch (rng_.below(15)) {
      case 0:
        mark("x' \\in S");
        return fmt::format("{}' \\in {}", x, some_values(variable));
      case 1: {
        mark("\\E with a prime");
        const std::string y = gen_.fresh("y");
        return fmt::format("(\\E {} \\in {} : {}' = {})", y, some_values(variable), x, y);
      }
      case 2:
        mark("a prime in IF");
        return fmt::format("(IF {} THEN {} ELSE {})", gen_.make(kBool, 2), sub(), sub());
      case 3:
        mark("a prime in CASE");
        return fmt::format("(CASE {} -> {} [] OTHER -> {})", gen_.make(kBool, 2), sub(), sub());
      case 4: {
        mark("a prime in LET");
        const std::string y = gen_.fresh("l");
        return fmt::format("(LET {} == {} IN {}' = {})", y, value(variable, 2), x, y);
      }
      case 5:
      case 6:
        mark("\\/ with primes");
        return fmt::format("({} \\/ {})", sub(), sub());
      case 7:
        mark("a primed parameter");
        return fmt::format("Assign({}, {})", x, value(variable, 2));
      case 8:
        mark("a prime as an argument");
        return fmt::format("Equal({}', {})", x, value(variable, 2));
      case 9:
        mark("UNCHANGED of a parameter");
        return fmt::format("Same({})", x);
      case 10: {
        mark("\\A with a prime");
        // The first says what the variable is; for the others it is a test.
        const std::string y = gen_.fresh("y");
        return fmt::format("(\\A {} \\in {} : {})", y, pick("{1, 2}", "{0}"), plain());
      }
      case 11:
        mark("formulas as arguments");
        return fmt::format("OneOf({}, {})", plain(), sub());
      case 12:
        mark("=> with primes");
        return fmt::format("((({0}) => {1}) /\\ ((~({0})) => {2}))", gen_.make(kBool, 1), sub(),
                           plain());
      default:
        return plain();
    }
  }

  // Of the state alone: it stands under a prime.
  std::string state_value() {
    const std::vector<Name> before = gen_.names;
    std::erase_if(gen_.names, [](const Name& name) { return name.name.ends_with("'"); });
    const Variable& one = variables_[rng_.below(variables_.size())];
    const std::string out = fmt::format("<<{}, {}>>", one.name, gen_.make(kInt, 2));
    gen_.names = before;
    return out;
  }

  std::string guard() {
    switch (rng_.below(5)) {
      case 0: {
        mark("\\E without a prime");
        const std::string y = gen_.fresh("y");
        gen_.names.push_back({y, kInt});
        const std::string body = gen_.make(kBool, 2);
        gen_.names.pop_back();
        return fmt::format("\\E {} \\in 0..1 : {} \\/ {} = 1", y, body, y);
      }
      case 1:
        mark("\\/ without a prime");
        return fmt::format("({} \\/ {})", gen_.make(kBool, 2), gen_.make(kBool, 2));
      case 2:
        if (names_.empty()) return gen_.make(kBool, 2);
        mark("ENABLED");
        return pick("~", "") + enabled();
      case 3:
        return "TRUE";
      default:
        return gen_.make(kBool, 3);
    }
  }

  struct ActionName {
    std::string name;
    std::vector<Type> params;
  };

  std::string call(const ActionName& action) {
    std::string arguments;
    for (const Type& param : action.params) {
      arguments += (arguments.empty() ? "" : ", ") +
                   (param == kInt ? gen_.make(kInt, 1) : gen_.make(param, 1));
    }
    return arguments.empty() ? action.name : fmt::format("{}({})", action.name, arguments);
  }

  // Its arguments mention no primes: there, they would mean another state.
  std::string enabled() {
    const std::vector<Name> before = gen_.names;
    std::erase_if(gen_.names, [](const Name& name) { return name.name.ends_with("'"); });
    const std::string out = "ENABLED " + call(names_[rng_.below(names_.size())]);
    gen_.names = before;
    return out;
  }

  // Says once more what the variable is, before everything has its value.
  std::string again(const Variable& variable) {
    if (one_in(2)) {
      mark("UNCHANGED of what has a value");
      return "\n  /\\ UNCHANGED " + variable.name;
    }
    mark("x' = e of what has a value");
    return fmt::format("\n  /\\ {}' = {}", variable.name, value(variable, 1));
  }

  std::string action(uint64_t number) {
    ActionName made{fmt::format("Act{}", number), {}};
    const size_t before = gen_.names.size();
    std::string head = made.name;
    if (one_in(2)) {
      mark("a parameter");
      const Type type = one_in(3) ? kMod : kInt;
      made.params.push_back(type);
      const std::string p = gen_.fresh("p");
      gen_.names.push_back({p, type});
      head += "(" + p + ")";
    }
    std::string body;
    if (one_in(2)) body += "\n  /\\ " + guard();
    std::vector<size_t> order(variables_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng_.below(i)]);
    const uint64_t changed = rng_.below(order.size()) + 1;
    for (size_t i = 0; i < changed; ++i) {
      const Variable& variable = variables_[order[i]];
      body += "\n  /\\ " + assignment(variable, 2);
      if (one_in(6)) body += again(variable);
      // What has its value may be mentioned from here on.
      if (one_in(3)) {
        mark("a prime on the right");
        gen_.names.push_back({variable.name + "'", variable.type});
      }
      if (one_in(8)) body += "\n  /\\ " + guard();
    }
    std::vector<std::string> rest;
    for (size_t i = changed; i < order.size(); ++i) rest.push_back(variables_[order[i]].name);
    if (gen_.may_fail && !rest.empty() && one_in(6)) {
      mark("a variable without a value");
      rest.pop_back();
    }
    if (rest.size() == 1) {
      mark("UNCHANGED x");
      body += "\n  /\\ UNCHANGED " + rest[0];
    } else if (!rest.empty()) {
      mark("UNCHANGED <<x, y>>");
      body += fmt::format("\n  /\\ UNCHANGED <<{}>>", fmt::join(rest, ", "));
    }
    if (one_in(4)) {
      mark("a test of what is complete");
      const Variable& variable = variables_[rng_.below(variables_.size())];
      switch (rng_.below(3)) {
        case 0:
          body += fmt::format("\n  /\\ \\/ {0}' = {0}\n     \\/ {0}' # {1}", variable.name,
                              value(variable, 1));
          break;
        case 1:
          mark("a prime over an expression");
          body += fmt::format("\n  /\\ ({0})' # ({0}) \\/ {1}", state_value(),
                              pick("TRUE", "FALSE", gen_.make(kBool, 1)));
          break;
        default:
          mark("an expression as a primed parameter");
          body += fmt::format("\n  /\\ Differs({}) \\/ {}", state_value(),
                              pick("FALSE", gen_.make(kBool, 1)));
      }
    }
    gen_.names.erase(gen_.names.begin() + static_cast<ptrdiff_t>(before), gen_.names.end());
    names_.push_back(made);
    return head + " ==" + body + "\n";
  }

  std::string init() {
    std::string out;
    for (const Variable& variable : variables_) {
      const std::string& x = variable.name;
      const std::vector<Name> before = std::move(gen_.names);
      gen_.names.clear();
      switch (rng_.below(7)) {
        case 0:
          out += fmt::format("\n  /\\ {} \\in {}", x, some_start(variable));
          mark("x \\in S initially");
          break;
        case 1:
          out += fmt::format("\n  /\\ \\/ {} = {}\n     \\/ {} = {}", x, start(variable), x,
                             start(variable));
          mark("\\/ initially");
          break;
        case 2:
          out += fmt::format("\n  /\\ \\E y \\in {{0, 1}} : {} = IF y = 0 THEN {} ELSE {}", x,
                             start(variable), start(variable));
          mark("\\E initially");
          break;
        default:
          out += fmt::format("\n  /\\ {} = {}", x, start(variable));
      }
      gen_.names = before;
    }
    return out;
  }

  std::string start(const Variable& variable) {
    return fmt::format("(CHOOSE x \\in Domain_{0} : TRUE)", variable.name);
  }
  std::string some_start(const Variable& variable) { return "Domain_" + variable.name; }

  std::string quantified(const ActionName& action) {
    if (action.params.empty()) return action.name;
    if (one_in(4)) return call(action);
    mark("\\E in Next");
    const std::string p = gen_.fresh("q");
    return fmt::format("\\E {} \\in {} : {}({})", p,
                       action.params[0] == kInt ? pick("0..1", "{1, 2}", "{u} \\cap Int")
                                                : pick("{m1, m2, m3}", "{m1, m2}"),
                       action.name, p);
  }

  std::string next() {
    std::string out;
    for (const ActionName& action : names_) {
      std::string one = quantified(action);
      if (one_in(6)) {
        mark("a guard in Next");
        one = fmt::format("(({}) /\\ ({}))", gen_.make(kBool, 2), one);
      }
      if (one_in(12)) {
        mark("[A]_v in Next");
        one = fmt::format("[{}]_vars", one);
      } else if (one_in(12)) {
        mark("<<A>>_v in Next");
        one = fmt::format("<<{}>>_{}", one, pick("vars", variables_[0].name));
      }
      out += "\n  \\/ " + one;
    }
    if (numbers_first() && variables_.size() == 2 && one_in(2)) {
      mark("actions of an instance");
      out += "\n  \\/ " + pick("C!Swap", "C!Step(1)", "C!Either", "D(2)!Step(u)", "D(0)!Either",
                               "(C!Ready /\\ D(1)!Swap)");
    }
    return out;
  }

  // A predicate that is false in few states.
  std::string unlikely() {
    const Variable& one = variables_[rng_.below(variables_.size())];
    const Variable& other = variables_[rng_.below(variables_.size())];
    const auto literal = [&](const Variable& variable) {
      return fmt::format("CHOOSE x \\in Domain_{} : {}", variable.name,
                         variable.type == kInt ? pick("x = 2", "x = 1", "x > 0") : "TRUE");
    };
    return fmt::format("~({} = ({}) /\\ {} = ({}){})", one.name, literal(one), other.name,
                       literal(other), one_in(3) ? " /\\ " + gen_.make(kBool, 2) : "");
  }

  std::string stepwise() {
    const Variable& one = variables_[rng_.below(variables_.size())];
    if (one_in(4)) {
      mark("an expression as a primed parameter");
      return fmt::format("Differs({}) \\/ {}", state_value(), gen_.make(kBool, 1));
    }
    return one.type == kInt ? fmt::format("{0}' >= {0} \\/ {1}", one.name, gen_.make(kBool, 2))
                            : fmt::format("{0}' # {0} => ({1})", one.name, gen_.make(kBool, 2));
  }

  void define(const std::string& name, const std::string& body) {
    out_.module += name + " == " + body + "\n";
  }

  void configure() {
    std::string& config = out_.config;
    config = "INIT Init\nNEXT Next\nCONSTANTS m1 = m1 m2 = m2 m3 = m3\n";
    for (uint64_t i = rng_.below(3); i-- > 0;) {
      out_.invariants.push_back(fmt::format("Inv{}", i));
      define(out_.invariants.back(), mark("ENABLED in an invariant", one_in(6))
                                         ? fmt::format("{} \\/ {}", unlikely(), enabled())
                                         : unlikely());
      config += "INVARIANT " + out_.invariants.back() + "\n";
      mark("INVARIANT");
    }
    if (mark("PROPERTY [][A]_v", one_in(3))) {
      out_.on_steps.push_back("Steps");
      define("Steps", fmt::format("[][{}]_{}", stepwise(), pick("vars", variables_[0].name)));
      config += "PROPERTY Steps\n";
    }
    if (mark("PROPERTY of initial states", one_in(6))) {
      out_.initially.push_back("Begin");
      define("Begin", unlikely());
      config += "PROPERTY Begin\n";
    }
    if (mark("PROPERTY []P", one_in(8))) {
      out_.invariants.push_back("Always");
      define("Always", fmt::format("[]({})", unlikely()));
      config += "PROPERTY Always\n";
    }
    if (mark("CONSTRAINT", one_in(4))) {
      out_.constraints.push_back("Within");
      define("Within", one_in(2) ? unlikely() : gen_.make(kBool, 2));
      config += "CONSTRAINT Within\n";
    }
    if (mark("ACTION_CONSTRAINT", one_in(5))) {
      out_.action_constraints.push_back("Allowed");
      define("Allowed", stepwise());
      config += "ACTION_CONSTRAINT Allowed\n";
    }
    if (mark("SYMMETRY", out_.symmetry)) {
      define("Symmetry", pick("Permutations({m1, m2, m3})",
                              "Permutations({m1, m2}) \\cup Permutations({m2, m3})"));
      config += "SYMMETRY Symmetry\n";
    } else if (mark("VIEW", one_in(5))) {
      out_.view = "View";
      define("View", variables_[0].type == kInt && one_in(2)
                         ? fmt::format("<<u > 0, {}>>", variables_[1].name)
                         : variables_[0].name);
      config += "VIEW View\n";
    }
    out_.deadlock = !mark("CHECK_DEADLOCK FALSE", one_in(2));
    if (!out_.deadlock) config += "CHECK_DEADLOCK FALSE\n";
  }

  Rng rng_;
  ExpressionGenerator gen_;
  RandomSpec out_;
  std::vector<Variable> variables_;
  std::vector<ActionName> names_;
};

}  // namespace

RandomSpec random_spec(uint64_t seed) { return SpecGenerator(seed ^ 0x5eedULL).make(); }

const std::vector<std::string>& all_spec_features() {
  static const std::vector<std::string> all = {"x' \\in S",
                                               "\\E with a prime",
                                               "a prime in IF",
                                               "a prime in CASE",
                                               "a prime in LET",
                                               "\\/ with primes",
                                               "a primed parameter",
                                               "a prime as an argument",
                                               "UNCHANGED of a parameter",
                                               "\\A with a prime",
                                               "formulas as arguments",
                                               "=> with primes",
                                               "\\E without a prime",
                                               "\\/ without a prime",
                                               "ENABLED",
                                               "a parameter",
                                               "a prime on the right",
                                               "a variable without a value",
                                               "UNCHANGED x",
                                               "UNCHANGED of what has a value",
                                               "x' = e of what has a value",
                                               "UNCHANGED <<x, y>>",
                                               "a test of what is complete",
                                               "a prime over an expression",
                                               "an expression as a primed parameter",
                                               "x \\in S initially",
                                               "\\/ initially",
                                               "\\E initially",
                                               "\\E in Next",
                                               "a guard in Next",
                                               "[A]_v in Next",
                                               "<<A>>_v in Next",
                                               "actions of an instance",
                                               "ENABLED in an invariant",
                                               "INVARIANT",
                                               "PROPERTY [][A]_v",
                                               "PROPERTY of initial states",
                                               "PROPERTY []P",
                                               "CONSTRAINT",
                                               "ACTION_CONSTRAINT",
                                               "SYMMETRY",
                                               "VIEW",
                                               "CHECK_DEADLOCK FALSE"};
  return all;
}

}  // namespace ordeal::oracle::naive
