// Random expressions of TLA+, typed, so that most of them have a value.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"

namespace ordeal::oracle::naive {

struct Type {
  enum class Kind : uint8_t {
    kInteger,
    kBoolean,
    kString,
    kModel,
    kSet,
    kFunction,
    kSequence,
    kTuple,
    kRecord
  };
  Kind kind = Kind::kInteger;
  std::vector<Type> of;  // elements; argument and value; items; values of the fields a, b, …

  bool operator==(const Type&) const = default;
};

using K = Type::Kind;
inline const Type kInt{K::kInteger, {}};
inline const Type kBool{K::kBoolean, {}};
inline const Type kStr{K::kString, {}};
inline const Type kMod{K::kModel, {}};
inline Type set_of(Type element) { return {K::kSet, {std::move(element)}}; }
inline Type sequence_of(Type element) { return {K::kSequence, {std::move(element)}}; }
inline Type function_of(Type from, Type to) {
  return {K::kFunction, {std::move(from), std::move(to)}};
}

class ExpressionGenerator {
 public:
  struct Name {
    std::string name;
    Type type;
    std::vector<Type> params = {};
  };

  explicit ExpressionGenerator(Rng& rng) : rng_(rng) {}

  Type random_type(int depth);
  // Any expression of the type, on one line.
  std::string make(const Type& type, int depth);
  // A definition's body: formulas are lists of bullets now and then, below the given column.
  std::string body(const Type& type, int depth);

  std::vector<Name> names;  // what may be mentioned
  bool may_fail = true;     // also what has no value, now and then
  bool with_models = true;  // m1, m2, m3
  std::string fresh(const std::string& stem) { return stem + std::to_string(++counter_); }
  bool one_in(uint64_t n) { return rng_.below(n) == 0; }

 private:
  class Scope;
  std::string leaf(const Type& type);
  std::string named(const Type& type, int depth);
  std::string general(const Type& type, int depth);
  std::string let(const Type& type, int depth);
  std::string integer(int depth);
  std::string boolean(int depth);
  std::string text(int depth);
  std::string set(const Type& element, int depth);
  std::string set_of_made(const Type& element, int depth);
  std::string function(const Type& type, int depth);
  std::string sequence(const Type& type, int depth);
  std::string tuple(const Type& type, int depth);
  std::string record(const Type& type, int depth);
  std::string except(const Type& type, int depth);
  std::string quantifier(int depth);
  std::string endless_membership(int depth);
  std::string bound_over(const Type& element, int depth, std::vector<Name>& bound);
  std::string member_of(const Type& element, const std::string& set);
  template <class... T>
  std::string pick(const T&... texts) {
    const std::string all[] = {texts...};
    return all[rng_.below(sizeof...(texts))];
  }

  Rng& rng_;
  int counter_ = 0;
};

// Names that are known as long as it lives.
class ExpressionGenerator::Scope {
 public:
  Scope(ExpressionGenerator& generator, std::vector<Name> names)
      : generator_(generator), before_(generator.names) {
    for (Name& name : names) {
      if (name.name == "@") {
        std::erase_if(generator.names, [](const Name& other) { return other.name == "@"; });
      }
      generator.names.push_back(std::move(name));
    }
  }
  ~Scope() { generator_.names = std::move(before_); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  ExpressionGenerator& generator_;
  std::vector<Name> before_;
};

// The definitions that expressions refer to.
std::string expression_helpers();

// A module with definitions D1, D2, … of expressions over variables, and State1, State2, …, tuples
// of what the variables are in some states.
struct ExpressionModule {
  std::string text;
  size_t definitions = 40;
  size_t states = 3;
};
ExpressionModule random_expressions(uint64_t seed);

}  // namespace ordeal::oracle::naive
