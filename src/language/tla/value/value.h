// Values of TLA+.
//
// A Value is one word: a small integer, a boolean, a string or a model value by its number, or a
// pointer to an Object. Objects never change what they mean and are never freed one by one: they
// lie in a Heap, which is emptied as a whole once a state has been dealt with, or in the Pool,
// where equal values are one object (pool.h).
//
// Equal values can have several forms (1..3 and {1, 2, 3}; a function that is not computed yet);
// normal() gives the one form that is hashed, compared and kept:
//   - a tuple, a sequence and a function over 1..n are a Tuple; <<>> is the empty function;
//   - a record is a function over strings;
//   - a set has its elements once, in the order of compare().
// That order is by content alone, so that runs do not depend on who met what first: integers by
// size, strings and model values by their letters, sets by their number of elements and then
// element by element, functions by the size of their domain and then argument by argument.
//
// As in TLC, values of different types cannot be compared: that is an EvalError, not FALSE. Only
// model values differ from everything else.
#pragma once

// In sources that are compiled alone, g++ 12 takes limbs for uninitialised that nobody reads.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <boost/multiprecision/cpp_int.hpp>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/tla/syntax/ast.h"
#include "language/tla/value/heap.h"

namespace ordeal::tla {

using BigInt = boost::multiprecision::cpp_int;

// What an expression cannot mean: thrown within the evaluator, never across its interface.
struct EvalError {
  std::string message;
  bool placed = false;  // whether `place` is known
  Place place{};
  // Operators that were being evaluated, the innermost first: "Op(x = 3)" and where it is called.
  // Of many the first and the last few; `depth` counts all of them.
  std::vector<std::pair<std::string, Place>> calls = {};
  size_t depth = 0;
};

[[noreturn]] void fail(std::string message);

enum class ObjectKind : uint8_t {
  // Normal forms.
  kBig,       // an integer that does not fit into a word
  kSet,       // items, sorted, each once
  kTuple,     // items: a function over 1..size
  kFunction,  // keys (a kSet, not 1..n), items
  // Sets that are not written out.
  kInterval,     // low..high
  kSubset,       // SUBSET base
  kFunctionSet,  // [base -> range]
  kRecordSet,    // keys, items: sets
  kProduct,      // items: sets
  kSequences,    // Seq(base)
  kInfinite,     // Nat, Int, Real, STRING, or everything
  kCup,          // of two sets of which one is infinite
  kCap,
  kMinus,
  kFilter,  // {x \in base : …} over a base that cannot be written out
  kBigCup,  // UNION of a set that cannot be written out, membership only
  // Functions that are computed when they are applied.
  kLambda,
};

enum class Infinite : uint8_t { kNaturals, kIntegers, kReals, kStrings, kAnything };

class Value;

// A function or a predicate whose values are computed when they are asked for.
class Callable {
 public:
  virtual ~Callable() = default;
  virtual Value call(Value argument) const = 0;
};

struct Object;

class Value {
 public:
  constexpr Value() = default;  // undefined: no value of TLA+

  static constexpr int64_t kLargest = (int64_t{1} << 59) - 1;
  static constexpr bool fits(int64_t number) { return number >= -kLargest && number <= kLargest; }

  static Value small(int64_t number) {
    return Value((static_cast<uint64_t>(number) << kTagBits) | kInt);
  }
  static constexpr Value boolean(bool is) { return Value((uint64_t{is} << kTagBits) | kBool); }
  static constexpr Value string(uint32_t atom) {
    return Value((uint64_t{atom} << kTagBits) | kString);
  }
  static constexpr Value model(uint32_t atom) {
    return Value((uint64_t{atom} << kTagBits) | kModel);
  }
  static Value of(const Object* object) { return Value(reinterpret_cast<uint64_t>(object)); }
  // Anything that is no value: what frames of the evaluator keep in place of one.
  static Value pending(const void* what) {
    return Value(reinterpret_cast<uint64_t>(what) | kPending);
  }
  static constexpr Value from_word(uint64_t word) { return Value(word); }

  constexpr bool defined() const { return word_ != 0; }
  constexpr bool is_small() const { return tag() == kInt; }
  constexpr bool is_bool() const { return tag() == kBool; }
  constexpr bool is_string() const { return tag() == kString; }
  constexpr bool is_model() const { return tag() == kModel; }
  constexpr bool is_object() const { return tag() == kObject && word_ != 0; }
  constexpr bool is_pending() const { return tag() == kPending; }
  inline bool is(ObjectKind kind) const;
  inline bool is_integer() const;  // small or big

  int64_t number() const { return static_cast<int64_t>(word_) >> kTagBits; }  // is_small()
  bool truth() const { return (word_ >> kTagBits) != 0; }                     // is_bool()
  uint32_t atom() const { return static_cast<uint32_t>(word_ >> kTagBits); }
  const Object* object() const { return reinterpret_cast<const Object*>(word_); }
  const void* what() const { return reinterpret_cast<const void*>(word_ & ~kTagMask); }
  constexpr uint64_t word() const { return word_; }

  // The same word: equal. Different words may still be equal, if one is an object.
  friend constexpr bool same(Value a, Value b) { return a.word_ == b.word_; }

 private:
  static constexpr unsigned kTagBits = 3;
  static constexpr uint64_t kTagMask = 7;
  static constexpr uint64_t kObject = 0, kInt = 1, kBool = 2, kString = 3, kModel = 4, kPending = 5;

  constexpr explicit Value(uint64_t word) : word_(word) {}
  constexpr uint64_t tag() const { return word_ & kTagMask; }

  uint64_t word_ = 0;
};

inline constexpr Value kTrue = Value::boolean(true);
inline constexpr Value kFalse = Value::boolean(false);

struct Object {
  ObjectKind kind = ObjectKind::kSet;
  bool pooled = false;        // in the Pool: equal pooled objects are one
  bool negative = false;      // kBig
  uint32_t size = 0;          // number of items, or of limbs
  mutable uint64_t hash = 0;  // 0: not known yet
  union {
    const Object* keys = nullptr;  // kFunction, kRecordSet
    int64_t low;                   // kInterval
    Infinite infinite;             // kInfinite
    const Callable* callable;      // kFilter, kLambda
  };
  union {
    mutable const Object* normal = nullptr;  // of what is not normal, once it is known
    uint64_t second;                         // pooled: another hash of the content
  };

  int64_t high() const { return reinterpret_cast<const int64_t*>(this + 1)[0]; }  // kInterval
  std::span<const Value> items() const { return {reinterpret_cast<const Value*>(this + 1), size}; }
  Value* data() { return reinterpret_cast<Value*>(this + 1); }
  Value item(uint32_t at) const { return reinterpret_cast<const Value*>(this + 1)[at]; }
};
static_assert(sizeof(Object) % 8 == 0);

inline bool Value::is(ObjectKind kind) const { return is_object() && object()->kind == kind; }
inline bool Value::is_integer() const { return is_small() || is(ObjectKind::kBig); }

// --- Strings and model values --------------------------------------------------------------------
// Numbers of texts, for the whole process. A model value whose text begins with a letter and '_'
// ("S_1") is typed: it can be compared with those of the same type, not with others.
uint32_t atom(std::string_view text);
const std::string& atom_text(uint32_t atom);
uint64_t atom_hash(uint32_t atom);
Value string_value(std::string_view text);
Value model_value(std::string_view name);

// --- Integers ------------------------------------------------------------------------------------
Value integer(Heap& heap, const BigInt& number);
Value integer(Heap& heap, int64_t number);
BigInt big(Value number);  // REQUIRES: is_integer()
// The number where it is one of 64 bits; fails with `what` in the message otherwise.
int64_t to_int64(Value number, std::string_view what);

// --- Making --------------------------------------------------------------------------------------
Object* make_object(Heap& heap, ObjectKind kind, uint32_t size);
// Sorts and makes them unique. The span is taken as scratch.
Value make_set(Heap& heap, std::span<Value> elements);
// REQUIRES: in order, each once.
Value make_sorted_set(Heap& heap, std::span<const Value> elements);
Value empty_set();
Value make_tuple(Heap& heap, std::span<const Value> items);
// `keys` is a set in normal form, with as many elements as there are items.
Value make_function(Heap& heap, const Object* keys, std::span<const Value> items);
// Fields need not be sorted; a name that comes twice fails.
Value make_record(Heap& heap, std::span<const Value> names, std::span<const Value> items);
Value make_interval(Heap& heap, Value low, Value high);
Value make_infinite(Infinite which);
Value make_lazy_set(Heap& heap, ObjectKind kind, Value first, Value second = {});  // kSubset, …
Value make_record_set(Heap& heap, std::span<const Value> names, std::span<const Value> sets);
Value make_product(Heap& heap, std::span<const Value> sets);
Value make_filter(Heap& heap, Value base, const Callable* test);
Value make_lambda(Heap& heap, Value domain, const Callable* function);

// --- Asking --------------------------------------------------------------------------------------
inline bool is_set(Value value);
inline bool is_function(Value value);
inline bool is_normal(const Object* object) { return object->kind <= ObjectKind::kFunction; }
// The normal form of a value, all the way down for sets; elements of functions are as they are.
// Fails where it is infinite, or larger than the limit (set_limit()). It is remembered in an object
// of the same heap, and only there: other objects may live longer, and be in use by other threads.
inline Value normal(Heap& heap, Value value);
const Object* normal_set(Heap& heap, Value set);  // fails where it is no set
// A kTuple or kFunction; fails where it is no function.
const Object* normal_function(Heap& heap, Value function);
// A normal form in which every item is in normal form, too.
Value deep_normal(Heap& heap, Value value);

// Both fail where the types differ, and where values are nested more than kMaxDepth deep.
inline constexpr uint32_t kMaxDepth = 5000;
inline bool equal(Heap& heap, Value a, Value b);
// < 0, 0, > 0
inline int compare(Heap& heap, Value a, Value b);
uint64_t hash(Heap& heap, Value value);
bool contains(Heap& heap, Value set, Value element);
bool is_subset(Heap& heap, Value a, Value b);
bool is_enumerable(Value set);  // whether it can be written out: finite
BigInt cardinality(Heap& heap, Value set);
// The same as a value, which is cheap for sets that are written out.
Value cardinality_value(Heap& heap, Value set);
// Fails where the argument lies outside of the domain.
Value apply(Heap& heap, Value function, Value argument);
// Undefined where the argument lies outside of the domain.
Value find_item(Heap& heap, const Object* function, Value argument);
Value domain(Heap& heap, Value function);
Value set_cup(Heap& heap, Value a, Value b);
Value set_cap(Heap& heap, Value a, Value b);
Value set_minus(Heap& heap, Value a, Value b);
Value big_union(Heap& heap, Value sets);
// The function with one value changed. An argument outside of the domain changes nothing.
Value except(Heap& heap, Value function, Value argument, Value value);

// Goes through a set in its order, without writing it out where that can be avoided. Elements are
// made in the heap.
class Elements {
 public:
  // Fails where the set cannot be enumerated.
  Elements(Heap& heap, Value set);
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;
  bool next(Value& out) {
    if (item_ == end_) return made_ && next_made(out);
    out = *item_++;
    return true;
  }

 private:
  void prepare_parts();
  void list(std::span<const Value> items);
  bool next_made(Value& out);
  bool next_subset(Value& out);
  bool next_choice(Value& out);
  bool next_filtered(Value& out);

  Heap& heap_;
  const Value* item_ = nullptr;  // those that are written out
  const Value* end_ = nullptr;
  const Object* set_ = nullptr;
  bool made_ = false;                 // elements are made one by one
  bool started_ = false;              // odometer_ stands at an element
  int64_t number_ = 0;                // of an interval
  std::vector<const Object*> parts_;  // of a function set, a record set, a product: the choices
  std::vector<uint32_t> odometer_;
  std::unique_ptr<Elements> base_;  // of a filter
};

// How many elements a set may have that is written out. Larger ones fail with a message.
void set_limit(uint64_t elements);
uint64_t limit();

// In TLC's notation.
std::string to_text(Value value);
void print(Value value, std::string& out);
// "the integer 3", "a set", for messages; long values are cut.
std::string describe(Value value);

}  // namespace ordeal::tla

#include "language/tla/value/inline.h"
