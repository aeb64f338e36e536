// Sets, functions, sequences, tuples and records at random.
#include <fmt/format.h>

#include "tests/oracle/tla/random_expressions.h"

namespace ordeal::oracle::naive {

namespace {

const char* const kFields[] = {"a", "b", "c"};

}  // namespace

// Sets of what is made in ways of its own.
std::string ExpressionGenerator::set_of_made(const Type& element, int depth) {
  switch (element.kind) {
    case K::kInteger:
      return fmt::format("({}..{})", pick("0", "1", "(-1)"),
                         one_in(2) ? "3" : make(kInt, 1) + " % 4");
    case K::kBoolean:
      return "BOOLEAN";
    case K::kSet:
      return fmt::format("(SUBSET {})", make(element, 1));
    case K::kFunction:
      if (element.of[0] == kMod && element.of[1] == kMod) return "Permutations({m1, m2, m3})";
      return fmt::format("[{} -> {}]", make(set_of(element.of[0]), depth - 2),
                         make(set_of(element.of[1]), depth - 2));
    case K::kTuple:
      return fmt::format("({} \\X {})", make(set_of(element.of[0]), depth - 1),
                         make(set_of(element.of[1]), depth - 1));
    case K::kRecord:
      return fmt::format("[a : {}, b : {}]", make(set_of(element.of[0]), depth - 1),
                         make(set_of(element.of[1]), depth - 1));
    default:
      return fmt::format("Range({})", make(sequence_of(element), depth - 1));
  }
}

std::string ExpressionGenerator::set(const Type& element, int depth) {
  const Type type = set_of(element);
  const auto sub = [&] { return make(type, depth - 1); };
  const auto one = [&] { return make(element, depth - 1); };
  switch (rng_.below(11)) {
    case 0:
      return fmt::format("{{{}, {}, {}}}", one(), one(), one());
    case 1:
      return fmt::format("({} \\cup {})", sub(), sub());
    case 2:
      return fmt::format("({} \\cap {})", sub(), sub());
    case 3:
      return fmt::format("({} \\ {})", sub(), sub());
    case 4: {
      const std::string base = sub(), x = fresh("x");
      if (element.kind == K::kTuple && one_in(2)) {
        const std::string y = fresh("y");
        const Scope scope(*this, {{x, element.of[0]}, {y, element.of[1]}});
        return fmt::format("{{<<{}, {}>> \\in {} : {}}}", x, y, base, make(kBool, depth - 1));
      }
      const Scope scope(*this, {{x, element}});
      return fmt::format("{{{} \\in {} : {}}}", x, base, make(kBool, depth - 1));
    }
    case 5: {
      std::vector<Name> bound;
      std::string bounds = bound_over(random_type(1), depth - 1, bound);
      if (one_in(4)) bounds += ", " + bound_over(random_type(0), depth - 2, bound);
      const Scope scope(*this, bound);
      return fmt::format("{{{} : {}}}", one(), bounds);
    }
    case 6:
    case 7:
      return set_of_made(element, depth);
    case 8:
      return fmt::format("(UNION {})", make(set_of(type), depth - 1));
    case 9:
      return fmt::format("(DOMAIN {})", make(function_of(element, random_type(0)), depth - 1));
    default:
      return fmt::format("Range({})", make(sequence_of(element), depth - 1));
  }
}

std::string ExpressionGenerator::member_of(const Type& element, const std::string& set) {
  // An element where there is one.
  return one_in(2) ? make(element, 1)
                   : fmt::format("(CHOOSE k \\in {} \\cup {{{}}} : TRUE)", set, leaf(element));
}

std::string ExpressionGenerator::except(const Type& type, int depth) {
  const std::string name = fresh("f"), base = make(type, depth - 1);
  const auto update = [&]() -> std::string {
    std::string path;
    Type value = kInt;
    switch (type.kind) {
      case K::kRecord: {
        const size_t at = rng_.below(2);
        path = one_in(5) ? fmt::format("[\"{}\"]", kFields[at]) : fmt::format(".{}", kFields[at]);
        value = type.of[at];
        break;
      }
      case K::kTuple: {
        const size_t at = rng_.below(2);
        path = fmt::format("[{}]", at + 1);
        value = type.of[at];
        break;
      }
      case K::kSequence:
        path = fmt::format("[{}]", one_in(3) ? make(kInt, depth - 1) : pick("1", "2"));
        value = type.of[0];
        break;
      default:
        if (type.of[0].kind == K::kTuple && one_in(2)) {
          path = fmt::format("[{}, {}]", make(type.of[0].of[0], depth - 1),
                             make(type.of[0].of[1], depth - 1));
        } else {
          path = fmt::format("[{}]", member_of(type.of[0], "DOMAIN " + name));
        }
        value = type.of[1];
    }
    // Further down.
    if (value.kind == K::kRecord && one_in(2)) {
      path += ".b";
      value = Type(value.of[1]);
    } else if (value.kind == K::kSequence && one_in(2)) {
      path += "[1]";
      value = Type(value.of[0]);
    }
    const Scope scope(*this, {{"@", value}});
    return fmt::format("!{} = {}", path, make(value, depth - 1));
  };
  std::string updates = update();
  if (one_in(3)) updates += ", " + update();
  return fmt::format("(LET {} == {} IN [{} EXCEPT {}])", name, base, name, updates);
}

std::string ExpressionGenerator::function(const Type& type, int depth) {
  const Type &from = type.of[0], &to = type.of[1];
  switch (rng_.below(7)) {
    case 0:
    case 1: {
      if (from.kind == K::kTuple && one_in(2)) {
        const std::string x = fresh("x"), y = fresh("y");
        const std::string s = make(set_of(from.of[0]), depth - 1),
                          t = make(set_of(from.of[1]), depth - 1);
        const Scope scope(*this, {{x, from.of[0]}, {y, from.of[1]}});
        return fmt::format("[{} \\in {}, {} \\in {} |-> {}]", x, s, y, t, make(to, depth - 1));
      }
      const std::string x = fresh("x"), set = make(set_of(from), depth - 1);
      const Scope scope(*this, {{x, from}});
      return fmt::format("[{} \\in {} |-> {}]", x, set, make(to, depth - 1));
    }
    case 2:
      return fmt::format("({} :> {})", make(from, depth - 1), make(to, depth - 1));
    case 3:
      return fmt::format("({} @@ {})", make(type, depth - 1), make(type, depth - 1));
    case 4:
    case 5:
      return except(type, depth);
    default:
      return fmt::format("(CHOOSE g \\in {{{}, {}}} : TRUE)", make(type, depth - 1),
                         make(type, depth - 1));
  }
}

std::string ExpressionGenerator::sequence(const Type& type, int depth) {
  const Type& item = type.of[0];
  const auto sub = [&] { return make(type, depth - 1); };
  switch (rng_.below(9)) {
    case 0:
      return fmt::format("<<{}, {}>>", make(item, depth - 1), make(item, depth - 1));
    case 1:
      return fmt::format("Append({}, {})", sub(), make(item, depth - 1));
    case 2:
      return fmt::format("({} \\o {})", sub(), sub());
    case 3:
      return may_fail && one_in(5) ? fmt::format("Tail({})", sub())
                                   : fmt::format("Tail(Append({}, {}))", sub(), leaf(item));
    case 4:
      return may_fail && one_in(5)
                 ? fmt::format("SubSeq({}, {}, {})", sub(), make(kInt, 1), make(kInt, 1))
                 : fmt::format("SubSeq({} \\o {}, {}, 2)", sub(),
                               fmt::format("<<{}, {}>>", leaf(item), leaf(item)),
                               pick("1", "2", "3"));
    case 5: {
      const std::string x = fresh("x"), q = sub();
      const Scope scope(*this, {{x, item}});
      return fmt::format("SelectSeq({}, LAMBDA {} : {})", q, x, make(kBool, depth - 1));
    }
    case 6: {
      const std::string i = fresh("i");
      const Scope scope(*this, {{i, kInt}});
      return fmt::format("[{} \\in 1..{} |-> {}]", i, rng_.below(4), make(item, depth - 1));
    }
    case 7: {
      const std::string x = fresh("x"), q = make(sequence_of(kInt), depth - 1);
      const Scope scope(*this, {{x, kInt}});
      return fmt::format("MapSeq({}, LAMBDA {} : {})", q, x, make(item, depth - 1));
    }
    default:
      return except(type, depth);
  }
}

std::string ExpressionGenerator::tuple(const Type& type, int depth) {
  if (one_in(3)) return except(type, depth);
  return fmt::format("<<{}, {}>>", make(type.of[0], depth - 1), make(type.of[1], depth - 1));
}

std::string ExpressionGenerator::record(const Type& type, int depth) {
  if (one_in(2)) return except(type, depth);
  return fmt::format("[a |-> {}, b |-> {}]", make(type.of[0], depth - 1),
                     make(type.of[1], depth - 1));
}

}  // namespace ordeal::oracle::naive
