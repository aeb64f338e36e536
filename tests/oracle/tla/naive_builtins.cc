// Operators of the language and of the standard modules.
#include <algorithm>

#include "tests/oracle/tla/naive_eval.h"

namespace ordeal::oracle::naive {

using Kind = Val::Kind;
using tla::Expr;

namespace {

const Integer& number(const Val& value) {
  if (!value.is(Kind::kInteger)) throw NoValue{"no integer: " + text_of(value)};
  return value.number;
}

const Set& finite(const Val& value) {
  if (!value.is(Kind::kSet)) throw NoValue{"no finite set"};
  return *value.set;
}

void require_set(const Val& value) {
  if (!value.is_set()) throw NoValue{"no set"};
}

bool has(const Val& set, const Val& element) {
  if (set.is(Kind::kEndlessSet)) return set.has(element);
  return finite(set).contains(element);
}

std::vector<Val> sequence(const Val& value) {
  std::vector<Val> out;
  if (!is_sequence(value, &out)) throw NoValue{"no sequence"};
  return out;
}

// Rounds down.
Integer divided(const Integer& a, const Integer& b) {
  Integer quotient = a / b;
  if (quotient * b != a && (a < 0) != (b < 0)) --quotient;
  return quotient;
}

Val subsets(const Set& base) {
  constexpr size_t kMost = 10;
  if (base.size() > kMost) throw TooMuch{};
  Set out{Val::of(Set{})};
  for (const Val& element : base) {
    const Set before = out;
    for (const Val& one : before) {
      Set larger = *one.set;
      larger.insert(element);
      out.insert(Val::of(std::move(larger)));
    }
  }
  return Val::of(std::move(out));
}

Val interval(const Integer& low, const Integer& high) {
  constexpr int kMost = 2000;
  if (high - low > kMost) throw TooMuch{};
  Set out;
  for (Integer i = low; i <= high; ++i) out.insert(Val::integer(i));
  return Val::of(std::move(out));
}

Val merged(const Val& first, const Val& second) {
  if (!first.is(Kind::kFunction) || !second.is(Kind::kFunction)) throw NoValue{"no functions"};
  Function out = *first.function;
  for (const auto& [key, value] : *second.function) out.emplace(key, value);
  return Val::of(std::move(out));
}

Val permutations(const Set& set) {
  std::vector<Val> images(set.begin(), set.end());
  Set out;
  if (images.size() > 4) throw TooMuch{};
  do {
    Function one;
    size_t next = 0;
    for (const Val& key : set) one.emplace(key, images[next++]);
    out.insert(Val::of(std::move(one)));
  } while (std::next_permutation(images.begin(), images.end(), Less()));
  return Val::of(std::move(out));
}

Val cup(const Val& a, const Val& b) {
  require_set(a);
  require_set(b);
  if (a.is(Kind::kSet) && b.is(Kind::kSet)) {
    Set out = *a.set;
    out.insert(b.set->begin(), b.set->end());
    return Val::of(std::move(out));
  }
  return Val::endless([a, b](const Val& element) { return has(a, element) || has(b, element); });
}

// The elements of a that are in b, or that are not.
Val part(const Val& a, const Val& b, bool in) {
  require_set(a);
  require_set(b);
  if (a.is(Kind::kEndlessSet) && b.is(Kind::kSet) && in) return part(b, a, true);
  if (a.is(Kind::kEndlessSet)) {
    return Val::endless(
        [=](const Val& element) { return has(a, element) && has(b, element) == in; });
  }
  Set out;
  for (const Val& element : *a.set) {
    if (has(b, element) == in) out.insert(element);
  }
  return Val::of(std::move(out));
}

Val sub_sequence(const Val& value, const Integer& from, const Integer& to) {
  const std::vector<Val> items = sequence(value);
  if (from > to) return Val::sequence({});
  if (from < 1 || to > items.size()) throw NoValue{"outside of the sequence"};
  const auto begin = static_cast<ptrdiff_t>(static_cast<int64_t>(from) - 1);
  return Val::sequence(
      {items.begin() + begin, items.begin() + static_cast<ptrdiff_t>(static_cast<int64_t>(to))});
}

using Builtin = Val (*)(const std::vector<Val>&);
using Values = std::vector<Val>;

const std::map<std::string, Builtin>& builtins() {
  static const std::map<std::string, Builtin> all = {
      {"+", [](const Values& v) { return Val::integer(number(v[0]) + number(v[1])); }},
      {"-", [](const Values& v) { return Val::integer(number(v[0]) - number(v[1])); }},
      {"*", [](const Values& v) { return Val::integer(number(v[0]) * number(v[1])); }},
      {"-.", [](const Values& v) { return Val::integer(-number(v[0])); }},
      {"\\div",
       [](const Values& v) {
         if (number(v[0]), number(v[1]) == 0) throw NoValue{"divided by 0"};
         return Val::integer(divided(v[0].number, v[1].number));
       }},
      {"%",
       [](const Values& v) {
         if (number(v[0]), number(v[1]) <= 0) throw NoValue{"modulo what is not above 0"};
         return Val::integer(v[0].number - divided(v[0].number, v[1].number) * v[1].number);
       }},
      {"^",
       [](const Values& v) {
         if (number(v[0]), number(v[1]) < 0) throw NoValue{"a negative power"};
         if (v[0].number == 0 && v[1].number == 0) throw NoValue{"0^0"};
         if (v[1].number > 400) throw TooMuch{};
         Integer out = 1;
         for (Integer i = 0; i < v[1].number; ++i) out *= v[0].number;
         return Val::integer(out);
       }},
      {"<", [](const Values& v) { return Val::boolean(number(v[0]) < number(v[1])); }},
      {">", [](const Values& v) { return Val::boolean(number(v[0]) > number(v[1])); }},
      {"<=", [](const Values& v) { return Val::boolean(number(v[0]) <= number(v[1])); }},
      {">=", [](const Values& v) { return Val::boolean(number(v[0]) >= number(v[1])); }},
      {"..", [](const Values& v) { return interval(number(v[0]), number(v[1])); }},
      {"=", [](const Values& v) { return Val::boolean(equal(v[0], v[1])); }},
      {"/=", [](const Values& v) { return Val::boolean(!equal(v[0], v[1])); }},
      {"\\cup", [](const Values& v) { return cup(v[0], v[1]); }},
      {"\\cap", [](const Values& v) { return part(v[0], v[1], true); }},
      {"\\", [](const Values& v) { return part(v[0], v[1], false); }},
      {"\\subseteq",
       [](const Values& v) {
         require_set(v[1]);
         bool all = true;
         for (const Val& element : finite(v[0])) all = all && has(v[1], element);
         return Val::boolean(all);
       }},
      {"SUBSET",
       [](const Values& v) {
         require_set(v[0]);
         if (v[0].is(Kind::kSet)) return subsets(*v[0].set);
         return Val::endless([base = v[0]](const Val& element) {
           if (!element.is_set()) throw NoValue{"no set"};
           for (const Val& one : finite(element)) {
             if (!base.has(one)) return false;
           }
           return true;
         });
       }},
      {"UNION",
       [](const Values& v) {
         Val out = Val::of(Set{});
         for (const Val& one : finite(v[0])) out = cup(out, one);
         return out;
       }},
      {"DOMAIN",
       [](const Values& v) {
         if (v[0].is(Kind::kEndlessFunction)) return Val::endless(v[0].has);
         if (!v[0].is(Kind::kFunction)) throw NoValue{"no function"};
         Set out;
         for (const auto& [key, value] : *v[0].function) out.insert(key);
         return Val::of(std::move(out));
       }},
      {"TRUE", [](const Values&) { return Val::boolean(true); }},
      {"FALSE", [](const Values&) { return Val::boolean(false); }},
      {"BOOLEAN",
       [](const Values&) {
         return Val::of(Set{Val::boolean(false), Val::boolean(true)});
       }},
      {"STRING",
       [](const Values&) {
         return Val::endless([](const Val& element) {
           if (element.is(Kind::kModel)) return false;
           if (!element.is(Kind::kString)) throw NoValue{"no string"};
           return true;
         });
       }},
      {"Nat",
       [](const Values&) {
         return Val::endless(
             [](const Val& element) { return !element.is(Kind::kModel) && number(element) >= 0; });
       }},
      {"Int",
       [](const Values&) {
         return Val::endless([](const Val& element) {
           return !element.is(Kind::kModel) && (number(element), true);
         });
       }},
      {"Seq",
       [](const Values& v) {
         require_set(v[0]);
         return Val::endless([base = v[0]](const Val& element) {
           if (element.is(Kind::kModel)) return false;
           if (!element.is(Kind::kFunction)) throw NoValue{"no function"};
           std::vector<Val> items;
           if (!is_sequence(element, &items)) return false;
           for (const Val& item : items) {
             if (!has(base, item)) return false;
           }
           return true;
         });
       }},
      {"Cardinality", [](const Values& v) { return Val::integer(finite(v[0]).size()); }},
      {"IsFiniteSet",
       [](const Values& v) {
         require_set(v[0]);
         return Val::boolean(v[0].is(Kind::kSet));
       }},
      {"Len",
       [](const Values& v) {
         if (v[0].is(Kind::kString)) return Val::integer(v[0].text.size());
         return Val::integer(sequence(v[0]).size());
       }},
      {"Head",
       [](const Values& v) {
         const std::vector<Val> items = sequence(v[0]);
         if (items.empty()) throw NoValue{"Head of nothing"};
         return items[0];
       }},
      {"Tail",
       [](const Values& v) {
         const std::vector<Val> items = sequence(v[0]);
         if (items.empty()) throw NoValue{"Tail of nothing"};
         return Val::sequence({items.begin() + 1, items.end()});
       }},
      {"Append",
       [](const Values& v) {
         std::vector<Val> items = sequence(v[0]);
         items.push_back(v[1]);
         return Val::sequence(items);
       }},
      {"\\o",
       [](const Values& v) {
         if (v[0].is(Kind::kString) && v[1].is(Kind::kString)) {
           return Val::string(v[0].text + v[1].text);
         }
         std::vector<Val> items = sequence(v[0]);
         for (const Val& item : sequence(v[1])) items.push_back(item);
         return Val::sequence(items);
       }},
      {"SubSeq", [](const Values& v) { return sub_sequence(v[0], number(v[1]), number(v[2])); }},
      {":>",
       [](const Values& v) {
         return Val::of(Function{{v[0], v[1]}});
       }},
      {"@@", [](const Values& v) { return merged(v[0], v[1]); }},
      {"Permutations", [](const Values& v) { return permutations(finite(v[0])); }},
      {"TLCEval", [](const Values& v) { return v[0]; }},
      {"\\X",
       [](const Values& v) {
         bool endless = false;
         for (const Val& set : v) {
           require_set(set);
           endless = endless || set.is(Kind::kEndlessSet);
         }
         if (endless) {
           return Val::endless([v](const Val& element) {
             if (!element.is(Kind::kFunction)) throw NoValue{"no tuple"};
             std::vector<Val> items;
             if (!is_sequence(element, &items) || items.size() != v.size()) return false;
             for (size_t i = 0; i < items.size(); ++i) {
               if (!has(v[i], items[i])) return false;
             }
             return true;
           });
         }
         std::vector<std::vector<Val>> all{{}};
         for (const Val& set : v) {
           std::vector<std::vector<Val>> longer;
           for (const std::vector<Val>& before : all) {
             for (const Val& element : *set.set) {
               longer.push_back(before);
               longer.back().push_back(element);
             }
           }
           if (longer.size() > 2000) throw TooMuch{};
           all = std::move(longer);
         }
         Set out;
         for (const std::vector<Val>& items : all) out.insert(Val::sequence(items));
         return Val::of(std::move(out));
       }},
  };
  return all;
}

}  // namespace

Val Evaluator::builtin(const std::string& name, const std::vector<Val>& values) {
  const auto at = builtins().find(name);
  if (at == builtins().end()) throw TooMuch{};
  step(name.c_str());
  return at->second(values);
}

// Those that decide whether and where their arguments are evaluated, and then all others.
Val Evaluator::builtin_call(const std::string& name, const Expr& e, const Env* env, Moment at) {
  const auto test_child = [&](size_t i) { return test(*e.children[i], env, at); };
  if (name == "~") {
    step("~");
    return Val::boolean(!test_child(0));
  }
  if (name == "=>") {
    step("=>");
    return Val::boolean(!test_child(0) || test_child(1));
  }
  if (name == "<=>") {
    step("<=>");
    const bool left = test_child(0);
    return Val::boolean(left == test_child(1));
  }
  if (name == "\\in" || name == "\\notin") {
    step(name.c_str());
    const Val element = eval(*e.children[0], env, at);
    return Val::boolean(member(element, *e.children[1], env, at) == (name == "\\in"));
  }
  if (name == "'") {
    step("'");
    if (at.next == nullptr) throw NoValue{"no next state"};
    return eval(*e.children[0], env, {at.next, nullptr});
  }
  if (name == "UNCHANGED") {
    step("UNCHANGED");
    if (at.next == nullptr) throw NoValue{"no next state"};
    const Val before = eval(*e.children[0], env, at);
    return Val::boolean(equal(before, eval(*e.children[0], env, {at.next, nullptr})));
  }
  if (name == "ENABLED") {
    step("ENABLED");
    bool found = false;
    Build build;
    build.now = at.now;
    build.made.resize(variables_.size());
    act(*e.children[0], env, build, [&](const Build&) {
      found = true;
      return false;
    });
    return Val::boolean(found);
  }
  if (name == "SelectSeq") {
    step("SelectSeq");
    const Meaning predicate = argument(*e.children[1], 1, env);
    std::vector<Val> out;
    for (const Val& item : sequence(eval(*e.children[0], env, at))) {
      const Val is = call(predicate, {item}, at);
      if (!is.is(Kind::kBoolean)) throw NoValue{"no boolean"};
      if (is.truth) out.push_back(item);
    }
    return Val::sequence(out);
  }
  std::vector<Val> values;
  for (const tla::ExprRef& child : e.children) values.push_back(eval(*child, env, at));
  return builtin(name, values);
}

}  // namespace ordeal::oracle::naive
