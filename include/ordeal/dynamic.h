// Types and values of run time: what the compiler does not know, because it comes from a schema, a
// program that is interpreted, or another process. A type that is made here is a value::Type like
// any other: its values are hashed, compared, shown, renamed, written and read by it. A record lies
// in memory as the struct of the same fields would.
//
//   const auto vote = dynamic::record("raft::Vote", {{"from", dynamic::type<NodeId>()},
//                                                    {"terms", dynamic::list_of<int>()}});
//   if (!vote) std::cerr << vote.error().message;  // a field twice, a name that is none, …
//   dynamic::Value made(*vote);
//   made["from"].set(NodeId(2));
//   made["terms"].append().set(7);
//   std::string shown = value::show(made.ref().tree());  // "Vote{from: 2, terms: [7]}"
//
// The parts of a type may be of any type: of run time, or of the compiler. Made twice of the same
// parts under the same name, it is one type. It is never one that the compiler made, whatever its
// name: as<T>() is for parts that are a T.
//
// A slip with a value (a field that there is not, a part taken for what it is not) throws Slip. In
// a handler or a property that is a violation, with its run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ordeal/result.h"
#include "ordeal/value.h"

namespace ordeal::dynamic {

using value::Any;
using value::Type;

// Says what was taken for what.
class Slip : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// --- Types ---------------------------------------------------------------------------------------
// They live as long as the process. A null among the parts is an Error that names the part; where
// only a pointer is returned it is null, and so it is where types nest more than 100 deep. Any
// thread may make them.

struct Field {
  std::string name;
  const Type* type = nullptr;
};

// What the compiler made: the NodeId, the int, the string, the std::map of something.
template <Value T>
const Type* type() {
  return &value::type_of<T>();
}

// A name is an identifier, with scopes and template arguments if it has any: "raft::Vote", of which
// people see "Vote".
Result<const Type*> record(const std::string& name, std::vector<Field> fields);
// One of a few names; the first is what a new one is.
Result<const Type*> enumeration(const std::string& name, std::vector<std::string> enumerators);
// A value of one of several types, as std::variant; the first is what a new one holds.
Result<const Type*> variant(const std::string& name, const std::vector<const Type*>& alternatives);

const Type* list_of(const Type* element);
const Type* set_of(const Type* element);
const Type* map_of(const Type* key, const Type* mapped);
const Type* optional_of(const Type* content);
template <Value T>
const Type* list_of() {
  return list_of(type<T>());
}

// Where a field lies: for those who look at it often.
class Place {
 public:
  Place() = default;

 private:
  friend class ConstRef;
  friend class Ref;
  friend Result<Place> place(const Type* record, std::string_view field);
  const Type* record_ = nullptr;
  const Type* type_ = nullptr;
  size_t offset_ = 0;
};
// An Error where the record has no such field; "cell.state" is a field of a field.
Result<Place> place(const Type* record, std::string_view field);

// --- Values --------------------------------------------------------------------------------------

// A value of some type that somebody else owns, to be read.
class ConstRef {
 public:
  ConstRef(const Type& type, const void* data) : type_(&type), data_(const_cast<void*>(data)) {}
  explicit ConstRef(const Any& any);  // of one that is empty: a Slip. REQUIRES: it lives as long

  const Type& type() const { return *type_; }
  const void* data() const { return data_; }

  // What the compiler made.
  template <class T>
  bool is() const {
    return type_->same_as(value::type_of<T>());
  }
  template <class T>
  const T& as() const {
    if (!is<T>()) refuse(value::type_of<T>());
    return *static_cast<const T*>(data_);
  }
  // Of any integer or enumeration, if it fits.
  int64_t integer() const;

  // A field of a record.
  ConstRef operator[](std::string_view field) const { return inside(field); }
  ConstRef operator[](const Place& place) const { return inside(place); }
  // A list's elements, a set's in their order, a map's values in the order of their keys.
  size_t size() const;
  ConstRef at(size_t index) const;
  ConstRef key(size_t index) const;  // of a map
  // The element of a set, or what a map has under that key.
  std::optional<ConstRef> find(ConstRef key) const;
  // What an optional holds.
  std::optional<ConstRef> content() const;
  // Which alternative of a variant it is, and the value.
  size_t alternative() const;
  ConstRef held() const;
  std::string enumerator() const;  // of an enumeration: its name

  Any any() const { return type_->copy_any(data_); }
  value::Tree tree() const { return type_->tree(data_); }
  bool equal(ConstRef other) const {
    return type_->same_as(*other.type_) && type_->equal(data_, other.data_);
  }

 protected:
  [[noreturn]] void refuse(const Type& asked) const;
  ConstRef inside(std::string_view field) const;
  ConstRef inside(const Place& place) const {
    if (place.record_ != type_) refuse(place);
    return {*place.type_, static_cast<const char*>(data_) + place.offset_};
  }
  [[noreturn]] void refuse(const Place& place) const;

  const Type* type_;
  void* data_;  // not changed through this class
};

// … to be changed.
class Ref : public ConstRef {
 public:
  Ref(const Type& type, void* data) : ConstRef(type, data) {}

  template <class T>
  T& as() const {
    return const_cast<T&>(ConstRef::as<T>());
  }
  template <class T>
  void set(T value) const {
    as<T>() = std::move(value);
  }
  void set(const char* text) const { set(std::string(text)); }
  void set_integer(int64_t number) const;  // it must fit
  void set_enumerator(std::string_view name) const;
  void assign(ConstRef from) const;  // of the same type

  Ref operator[](std::string_view field) const { return writable(inside(field)); }
  Ref operator[](const Place& place) const { return writable(inside(place)); }
  // A list's element, or a map's value. Elements of sets, and keys, stay as they are.
  Ref at(size_t index) const;
  // A list: a new element at its end.
  Ref append() const;
  void append(ConstRef element) const;
  void erase_at(size_t index) const;
  // A set: false if it was there before.
  bool insert(ConstRef element) const;
  // A map: what it has under that key, a new value if it had none.
  Ref entry(ConstRef key) const;
  // A set or map: false if it was not there.
  bool erase(ConstRef key) const;
  void clear() const;  // a list, set or map
  // An optional: what it holds, a new value if it held none; and nothing from now on.
  Ref engage() const;
  void reset() const;
  // A variant: now a new value of that alternative.
  Ref become(size_t alternative) const;

 private:
  static Ref writable(ConstRef ref) { return {ref.type(), const_cast<void*>(ref.data())}; }
};

// A value of its own. Whoever takes a value::Any takes it: ctx.send(to, vote). What was moved from
// has no value any more.
class Value {
 public:
  explicit Value(const Type* type);  // a new one; of null: a Slip
  explicit Value(ConstRef from) : own_(from.any()) {}
  Value(const Value& other) : Value(other.ref()) {}
  Value(Value&& other) noexcept = default;
  Value& operator=(Value other) noexcept {
    own_ = std::move(other.own_);
    return *this;
  }
  ~Value() = default;

  Ref ref() {
    const ConstRef ref(own_);
    return {ref.type(), const_cast<void*>(ref.data())};
  }
  ConstRef ref() const { return ConstRef(own_); }
  operator Ref() { return ref(); }             // NOLINT: implicit on purpose
  operator ConstRef() const { return ref(); }  // NOLINT: implicit on purpose
  template <class Key>
  Ref operator[](const Key& field) {
    return ref()[field];
  }
  template <class Key>
  ConstRef operator[](const Key& field) const {
    return ref()[field];
  }
  // As messages, states and decisions are given to the engine.
  Any any() const& { return ref().any(); }
  Any any() && { return std::move(own_); }
  operator Any() const& { return any(); }               // NOLINT: implicit on purpose
  operator Any() && { return std::move(*this).any(); }  // NOLINT: implicit on purpose

 private:
  Any own_;  // shared with nobody, so that it may be changed
};

}  // namespace ordeal::dynamic
