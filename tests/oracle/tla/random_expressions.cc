#include "tests/oracle/tla/random_expressions.h"

#include <fmt/format.h>

namespace ordeal::oracle::naive {

Type ExpressionGenerator::random_type(int depth) {
  if (depth > 0 && !one_in(3)) {
    switch (rng_.below(6)) {
      case 0:
      case 1:
        return set_of(random_type(depth - 1));
      case 2:
        return function_of(one_in(4) ? Type{K::kTuple, {kInt, kStr}} : random_type(0),
                           random_type(depth - 1));
      case 3:
        return sequence_of(random_type(depth - 1));
      case 4:
        return {K::kTuple, {random_type(depth - 1), random_type(depth - 1)}};
      default:
        return {K::kRecord, {random_type(depth - 1), random_type(depth - 1)}};
    }
  }
  switch (rng_.below(with_models ? 5 : 4)) {
    case 0:
    case 1:
      return kInt;
    case 2:
      return kBool;
    case 3:
      return kStr;
    default:
      return kMod;
  }
}

std::string ExpressionGenerator::leaf(const Type& type) {
  switch (type.kind) {
    case K::kInteger:
      return one_in(30) ? pick("123456789012345678901234567890", "(-98765432109876543210)",
                               "(2^70)", "576460752303423487", "9223372036854775807")
                        : std::to_string(rng_.below(6));
    case K::kBoolean:
      return pick("TRUE", "FALSE");
    case K::kString:
      return pick("\"a\"", "\"b\"", "\"ab\"", "\"\"");
    case K::kModel:
      return pick("m1", "m2", "m3");
    case K::kSet:
      return one_in(3) ? "{}" : fmt::format("{{{}, {}}}", leaf(type.of[0]), leaf(type.of[0]));
    case K::kFunction:
      return fmt::format("({} :> {})", leaf(type.of[0]), leaf(type.of[1]));
    case K::kSequence:
      return one_in(3) ? "<<>>" : fmt::format("<<{}, {}>>", leaf(type.of[0]), leaf(type.of[0]));
    case K::kTuple:
      return fmt::format("<<{}, {}>>", leaf(type.of[0]), leaf(type.of[1]));
    case K::kRecord:
      return fmt::format("[a |-> {}, b |-> {}]", leaf(type.of[0]), leaf(type.of[1]));
  }
  return "";
}

// A name of the type, or a call; "": there is none.
std::string ExpressionGenerator::named(const Type& type, int depth) {
  std::vector<const Name*> fitting;
  for (const Name& name : names) {
    if (name.type == type && (name.params.empty() || depth > 0)) fitting.push_back(&name);
  }
  if (fitting.empty()) return "";
  // Late ones are the inner ones, which nothing else would mention.
  const size_t at = one_in(2)
                        ? rng_.below(fitting.size())
                        : fitting.size() - 1 - rng_.below(std::min<size_t>(3, fitting.size()));
  const Name name = *fitting[at];
  if (name.params.empty()) return name.name;
  std::string arguments;
  for (const Type& param : name.params) {
    arguments += (arguments.empty() ? "" : ", ") + make(param, depth - 1);
  }
  return fmt::format("{}({})", name.name, arguments);
}

std::string ExpressionGenerator::let(const Type& type, int depth) {
  const Type other = random_type(1);
  const std::string name = fresh("l");
  switch (rng_.below(4)) {
    case 0: {
      const std::string param = fresh("p");
      const Type of = random_type(1);
      std::string body;
      {
        const Scope scope(*this, {{param, of}});
        body = make(other, depth - 1);
      }
      const Scope scope(*this, {{name, other, {of}}});
      return fmt::format("(LET {}({}) == {} IN {})", name, param, body, make(type, depth - 1));
    }
    case 1: {
      // A recursive function, down to 0.
      const std::string n = fresh("n");
      std::string first = make(kInt, depth - 1), then;
      {
        const Scope scope(*this, {{n, kInt}, {fmt::format("{}[{} - 1]", name, n), kInt}});
        then = make(kInt, depth - 1);
      }
      const Scope scope(*this, {{fmt::format("{}[{}]", name, rng_.below(5)), kInt}});
      return fmt::format("(LET {}[{} \\in {}] == IF {} = 0 THEN {} ELSE {} IN {})", name, n,
                         pick("0..4", "Nat", "{0, 1, 2, 3, 4}"), n, first, then,
                         make(type, depth - 1));
    }
    case 2: {
      // A recursive operator over a sequence.
      const std::string q = fresh("q");
      std::string first = make(other, depth - 1), then;
      {
        const Scope scope(*this, {{fmt::format("Head({})", q), kInt},
                                  {fmt::format("{}(Tail({}))", name, q), other}});
        then = make(other, depth - 1);
      }
      const Scope scope(*this, {{name, other, {sequence_of(kInt)}}});
      return fmt::format("(LET RECURSIVE {}(_) {}({}) == IF {} = <<>> THEN {} ELSE {} IN {})", name,
                         name, q, q, first, then, make(type, depth - 1));
    }
    default: {
      const std::string value = make(other, depth - 1);
      const Scope scope(*this, {{name, other}});
      return fmt::format("(LET {} == {} IN {})", name, value, make(type, depth - 1));
    }
  }
}

// What may stand for a value of any type.
std::string ExpressionGenerator::general(const Type& type, int depth) {
  switch (rng_.below(12)) {
    case 0:
      return fmt::format("(IF {} THEN {} ELSE {})", make(kBool, depth - 1), make(type, depth - 1),
                         make(type, depth - 1));
    case 1:
      return fmt::format("(CASE {} -> {} [] {} -> {}{})", make(kBool, depth - 1),
                         make(type, depth - 1), make(kBool, depth - 1), make(type, depth - 1),
                         may_fail && one_in(4) ? "" : " [] OTHER -> " + make(type, depth - 1));
    case 2:
    case 3:
      return let(type, depth);
    case 4: {
      const std::string x = fresh("x");
      std::string set = make(set_of(type), depth - 1);
      if (!may_fail || !one_in(4)) set = fmt::format("({} \\cup {{{}}})", set, make(type, 0));
      const Scope scope(*this, {{x, type}});
      const std::string test = may_fail ? make(kBool, depth - 1) : "TRUE";
      return fmt::format("(CHOOSE {} \\in {} : {})", x, set,
                         one_in(2) ? "TRUE" : fmt::format("({} \\/ {} \\in {})", test, x, set));
    }
    case 5: {
      const Type key = one_in(4) ? Type{K::kTuple, {kInt, kStr}} : random_type(0);
      const std::string f = make(function_of(key, type), depth - 1), k = make(key, depth - 1);
      if (may_fail && one_in(8)) return fmt::format("{}[{}]", f, k);
      const std::string l = fresh("f");
      return fmt::format("(LET {} == {} IN IF {} \\in DOMAIN {} THEN {}[{}] ELSE {})", l, f, k, l,
                         l, k, make(type, depth - 1));
    }
    case 6: {
      Type record{K::kRecord, {type, random_type(0)}};
      if (one_in(2)) std::swap(record.of[0], record.of[1]);
      return fmt::format("{}.{}", make(record, depth - 1), record.of[0] == type ? "a" : "b");
    }
    case 7: {
      Type tuple{K::kTuple, {type, random_type(0)}};
      if (one_in(2)) std::swap(tuple.of[0], tuple.of[1]);
      return fmt::format("{}[{}]", make(tuple, depth - 1), tuple.of[0] == type ? 1 : 2);
    }
    case 8:
      if (may_fail && one_in(6)) return fmt::format("Head({})", make(sequence_of(type), depth - 1));
      return fmt::format("Head(Append({}, {}))", make(sequence_of(type), depth - 1),
                         make(type, depth - 1));
    case 9: {
      const Type other = random_type(1);
      const std::string x = fresh("x"), argument = make(other, depth - 1);
      const Scope scope(*this, {{x, other}});
      return fmt::format("Apply(LAMBDA {} : {}, {})", x, make(type, depth - 1), argument);
    }
    case 10: {
      const std::string argument = make(type, depth - 1), x = fresh("x");
      const Scope scope(*this, {{x, type}});
      return fmt::format("Twice(LAMBDA {} : {}, {})", x, make(type, depth - 2), argument);
    }
    default: {
      // Functions whose domain nobody writes out.
      const std::string x = fresh("x"), argument = make(kInt, depth - 1);
      const Scope scope(*this, {{x, kInt}});
      return fmt::format("[{} \\in Int |-> {}][{}]", x, make(type, depth - 1), argument);
    }
  }
}

std::string ExpressionGenerator::integer(int depth) {
  const auto sub = [&] { return make(kInt, depth - 1); };
  switch (rng_.below(14)) {
    case 0:
      return fmt::format("({} + {})", sub(), sub());
    case 1:
      return fmt::format("({} - {})", sub(), sub());
    case 2:
      return fmt::format("({} * {})", sub(), sub());
    case 3:
      return fmt::format("(-{})", sub());
    case 4:
      return fmt::format("({} \\div {})", sub(),
                         may_fail && one_in(6) ? sub() : std::to_string(rng_.below(4) + 1));
    case 5:
      return fmt::format("({} % {})", sub(),
                         may_fail && one_in(6) ? sub() : std::to_string(rng_.below(4) + 1));
    case 6:
      return fmt::format("({}^{})", sub(), rng_.below(5) + 1);
    case 7:
      if (one_in(6)) return "Cardinality({f[m1] : f \\in Permutations({m1, m2, m3})})";
      return fmt::format("Cardinality({})", make(set_of(random_type(1)), depth - 1));
    case 8:
      return one_in(8) ? fmt::format("Len({})", make(kStr, depth - 1))
                       : fmt::format("Len({})", make(sequence_of(random_type(1)), depth - 1));
    case 9:
      return fmt::format("SumSet({})", make(set_of(kInt), depth - 1));
    case 10:
      return pick("Fact[5]", "Fact[30]", fmt::format("Fact[({}) % 4]", sub()));
    case 11: {
      if (!one_in(3)) return fmt::format("({} \\oplus {})", sub(), sub());
      // Functions that are computed later than the names around them are bound.
      const std::string f = fresh("f"), x = fresh("x"), y = fresh("y");
      const Scope scope(*this, {{x, kInt}, {y, kInt}});
      return fmt::format(
          "(LET {0} == [{1} \\in 1..3 |-> [{2} \\in Int |-> {1} * {2} + {3}]] IN {0}[1][2] - "
          "{0}[2][{4}])",
          f, x, y, sub(), rng_.below(5));
    }
    case 12:
      return fmt::format("Fold2({}, {}, {})", pick("+", "-", "LAMBDA p, q : p * q - q", "\\oplus"),
                         sub(), sub());
    default:
      return fmt::format("(({})^+)", sub());
  }
}

std::string ExpressionGenerator::bound_over(const Type& element, int depth,
                                            std::vector<Name>& bound) {
  const std::string set = make(set_of(element), depth);
  if (element.kind == K::kTuple && one_in(2)) {
    const std::string x = fresh("x"), y = fresh("y");
    bound.push_back({x, element.of[0]});
    bound.push_back({y, element.of[1]});
    return fmt::format("<<{}, {}>> \\in {}", x, y, set);
  }
  const std::string x = fresh("x");
  bound.push_back({x, element});
  if (one_in(6)) {
    const std::string y = fresh("y");
    bound.push_back({y, element});
    return fmt::format("{}, {} \\in {}", x, y, set);
  }
  return fmt::format("{} \\in {}", x, set);
}

std::string ExpressionGenerator::quantifier(int depth) {
  std::vector<Name> bound;
  const Type element = one_in(3) ? Type{K::kTuple, {kInt, random_type(0)}} : random_type(1);
  std::string bounds = bound_over(element, depth - 1, bound);
  if (one_in(5)) bounds += ", " + bound_over(random_type(0), depth - 2, bound);
  const Scope scope(*this, bound);
  // Something that is not the same for all.
  const Name& name = bound[rng_.below(bound.size())];
  const std::string body =
      one_in(2) ? make(kBool, depth - 1)
                : fmt::format("({} {} {})", name.name, pick("=", "#"), make(name.type, depth - 1));
  return fmt::format("(\\{} {} : {})", pick("A", "E"), bounds, body);
}

std::string ExpressionGenerator::endless_membership(int depth) {
  const auto in = [&](const Type& type, const std::string& set) {
    return fmt::format("({} {} {})", make(type, depth - 1), pick("\\in", "\\notin"), set);
  };
  switch (rng_.below(8)) {
    case 0:
      return in(kInt, pick("Nat", "Int", "(Nat \\ {0, 3})", "(Nat \\cup {-1})"));
    case 1:
      return in(sequence_of(kInt), pick("Seq(Nat)", "Seq(Int)", "Seq({1, 2, 3})"));
    case 2:
      return in(function_of(kStr, kInt), fmt::format("[{} -> Nat]", make(set_of(kStr), depth - 1)));
    case 3:
      return in(set_of(kInt), pick("SUBSET Nat", "SUBSET (Int \\ {1})", "SUBSET (0..1000)"));
    case 4:
      return in({K::kRecord, {kInt, kStr}},
                pick("[a : Nat, b : STRING]", "[a : Int, b : {\"a\"}]"));
    case 5:
      return in({K::kTuple, {kInt, kStr}}, pick("(Nat \\X STRING)", "(0..3 \\X {\"a\", \"b\"})"));
    case 6:
      return in(kInt, "{x \\in Nat : x % 2 = 0}");
    default:
      return in(kStr, "STRING");
  }
}

std::string ExpressionGenerator::boolean(int depth) {
  const auto sub = [&] { return make(kBool, depth - 1); };
  switch (rng_.below(18)) {
    case 0:
    case 1: {
      const Type type = random_type(2);
      return fmt::format("({} {} {})", make(type, depth - 1), pick("=", "#", "="),
                         make(type, depth - 1));
    }
    case 2:
    case 3:
      return fmt::format("({} {} {})", make(kInt, depth - 1), pick("<", "<=", ">", ">="),
                         make(kInt, depth - 1));
    case 4:
    case 5: {
      const Type type = random_type(1);
      return fmt::format("({} {} {})", make(type, depth - 1), pick("\\in", "\\notin"),
                         make(set_of(type), depth - 1));
    }
    case 6: {
      const Type type = set_of(random_type(1));
      return fmt::format("({} \\subseteq {})", make(type, depth - 1), make(type, depth - 1));
    }
    case 7:
      return fmt::format("({} /\\ {})", sub(), sub());
    case 8:
      return fmt::format("({} \\/ {})", sub(), sub());
    case 9:
      return fmt::format("(~{})", sub());
    case 10:
      return fmt::format("({} => {})", sub(), sub());
    case 11:
      return fmt::format("({} <=> {})", sub(), sub());
    case 12:
    case 13:
    case 14:
      return quantifier(depth);
    case 15:
      return endless_membership(depth);
    case 16:
      return fmt::format("Even({})", rng_.below(7));
    default:
      if (may_fail && one_in(6)) {
        return fmt::format("({} = {})", make(random_type(1), depth - 1),
                           make(random_type(1), depth - 1));
      }
      return fmt::format("IsFiniteSet({})",
                         one_in(2) ? make(set_of(random_type(1)), depth - 1) : "Nat");
  }
}

std::string ExpressionGenerator::text(int depth) {
  return one_in(3) ? fmt::format("({} \\o {})", make(kStr, depth - 1), make(kStr, depth - 1))
                   : leaf(kStr);
}

std::string ExpressionGenerator::make(const Type& type, int depth) {
  if (depth <= 0 || one_in(5)) {
    const std::string name = one_in(4) ? "" : named(type, depth);
    return name.empty() ? leaf(type) : name;
  }
  if (one_in(4)) return general(type, depth);
  switch (type.kind) {
    case K::kInteger:
      return integer(depth);
    case K::kBoolean:
      return boolean(depth);
    case K::kString:
      return text(depth);
    case K::kModel:
      return one_in(2) ? leaf(type) : general(type, depth);
    case K::kSet:
      return set(type.of[0], depth);
    case K::kFunction:
      return function(type, depth);
    case K::kSequence:
      return sequence(type, depth);
    case K::kTuple:
      return tuple(type, depth);
    case K::kRecord:
      return record(type, depth);
  }
  return "";
}

std::string ExpressionGenerator::body(const Type& type, int depth) {
  if (type.kind != K::kBoolean || one_in(2)) return make(type, depth);
  std::string out;
  const std::string outer = pick("/\\", "\\/"), inner = outer == "/\\" ? "\\/" : "/\\";
  for (uint64_t i = rng_.below(3) + 2; i-- > 0;) {
    if (one_in(3)) {
      out += fmt::format("\n  {} {} {}\n     {} {}", outer, inner, make(type, depth - 1), inner,
                         make(type, depth - 1));
    } else {
      out += fmt::format("\n  {} {}", outer, make(type, depth - 1));
    }
  }
  return out;
}

}  // namespace ordeal::oracle::naive
