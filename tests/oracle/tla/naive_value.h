// Values of TLA+ as plain containers: what the naive evaluator computes with. Nothing is interned,
// hashed or delayed; tuples, sequences and records are functions; a set is a std::set.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "language/tla/value/value.h"

namespace ordeal::oracle::naive {

using Integer = boost::multiprecision::cpp_int;

// What has no value.
struct NoValue {
  std::string why;
  // It came up in what the engine may leave unread: the set of a membership, of which it asks the
  // parts that it needs.
  bool unread = false;
};
// More work than is reasonable: the case says nothing.
struct TooMuch {};

struct Val;
struct Less {
  bool operator()(const Val& a, const Val& b) const;
};
using Set = std::set<Val, Less>;
using Function = std::map<Val, Val, Less>;

struct Val {
  enum class Kind : uint8_t {
    kInteger,
    kBoolean,
    kString,
    kModel,
    kSet,
    kFunction,
    kEndlessSet,
    kEndlessFunction
  };
  Kind kind = Kind::kBoolean;
  bool truth = false;
  Integer number;
  std::string text;  // of strings and model values
  std::shared_ptr<const Set> set;
  std::shared_ptr<const Function> function;
  std::function<bool(const Val&)> has;  // kEndlessSet, and the domain of kEndlessFunction
  std::function<Val(const Val&)> at;    // kEndlessFunction

  static Val integer(Integer number);
  static Val boolean(bool truth);
  static Val string(std::string text);
  static Val model(std::string text);
  static Val of(Set set);
  static Val of(Function function);
  static Val sequence(const std::vector<Val>& items);
  static Val endless(std::function<bool(const Val&)> has);

  bool is(Kind other) const { return kind == other; }
  bool is_set() const { return kind == Kind::kSet || kind == Kind::kEndlessSet; }
};

// < 0, 0, > 0, in the one order of all values: integers by size, strings and model values by their
// letters, sets by their number of elements and then element by element, functions by the size of
// their domain, then argument by argument, then value by value; FALSE before TRUE, model values
// before all others. NoValue where the types differ.
int compare(const Val& a, const Val& b);
// As `=` has it: what differs by its size alone is not compared any further.
bool equal(const Val& a, const Val& b);

// 1..n → the items; false: it is no sequence.
bool is_sequence(const Val& value, std::vector<Val>* items = nullptr);

// As TLA+ text, all of it.
std::string text_of(const Val& value);

// What the engine's value means. REQUIRES: deep_normal().
Val from_engine(ordeal::tla::Value value);
// The same value among the engine's.
ordeal::tla::Value to_engine(ordeal::tla::Heap& heap, const Val& value);

}  // namespace ordeal::oracle::naive
