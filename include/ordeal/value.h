// The value layer: what a state, message or operation is made of is described once, and equality,
// order, content hash, readable text, diff, JSON, serialising and renaming of nodes follow from it.
// A plain aggregate needs no description; any other class names its fields with ORDEAL_FIELDS: all
// that a handler or anybody else ever changes. What is never changed goes into ORDEAL_CONSTANTS. A
// field in neither is refused, as far as the compiler can tell; what is written into one that is
// not in ORDEAL_FIELDS is lost (detail/fields.h).
//
//   struct Vote { ordeal::NodeId from; int term; };            // nothing to write
//   class Log {
//     std::vector<int> terms_;
//     std::optional<int> committed_;
//     ORDEAL_FIELDS(terms_, committed_);
//   };
//
// What is described can be hashed, shown and more:
//
//   uint64_t hash = value::hash(Vote{2, 7});      // the same on every machine
//   std::string shown = value::show(Vote{2, 7});  // "Vote{from: 2, term: 7}"
//
// A value's content is what its fields hold. Identity (addresses, the iteration order of unordered
// containers) is no content; types that only have identity are refused with the reason. A user's
// own operator== or operator< is not used, except by std::set and std::map to keep their order.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ordeal/detail/memory.h"
#include "ordeal/detail/reflect.h"
#include "ordeal/name.h"
#include "ordeal/node_id.h"
#include "ordeal/result.h"

namespace ordeal {

// A type that the layer can describe. Looks at the type itself; a field that cannot be described
// is reported, with the reason, where the type is first used.
template <class T>
concept Value = std::is_object_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T> &&
                detail::kShape<T> != detail::Shape::kNone;

namespace value {

template <class T>
bool equal(const T& a, const T& b) {
  return detail::same_content(a, b);
}

// Total and deterministic: fields in order, containers element by element, none before some.
template <class T>
std::strong_ordering compare(const T& a, const T& b) {
  return detail::order_content(a, b);
}

// Of the content only, and the same on every machine, in every process and with every compiler.
// Neither names nor padding matter.
template <class T>
uint64_t hash(const T& v) {
  detail::Hasher hasher;
  detail::hash_content(v, hasher);
  return hasher.finish();
}

// A second hash of the same content, independent of the first.
template <class T>
uint64_t second_hash(const T& v) {
  detail::Hasher hasher(detail::kSecondSeed);
  detail::hash_content(v, hasher);
  return hasher.finish();
}

// A hash of the content in which nodes and names count as what `naming` says: two values that a
// renaming turns into each other have the same, if the naming does not tell the renamed apart.
template <class T>
uint64_t hash_as(const T& v, Naming& naming) {
  detail::Hasher hasher;
  detail::hash_as(v, naming, hasher);
  return hasher.finish();
}

// The memory that the value owns besides its own bytes: what its containers, strings and pointers
// have allocated.
template <class T>
uint64_t owned_bytes(const T& v) {
  return detail::owned_by(v);
}

// Appends the serialised form.
template <class T>
void write(const T& v, std::string& bytes) {
  detail::write_content(v, bytes);
}

// Consumes what write() appended. False for malformed bytes; `out` is then some valid value.
template <class T>
bool read(std::string_view& bytes, T& out) {
  int depth = 0;
  return detail::read_content(bytes, out, depth);
}

// Replaces every NodeId and Name inside, wherever it is; sets and maps keep their order.
template <class T>
void rename(T& v, const Renaming& renaming) {
  detail::rename_content(v, renaming);
}

// A copy, also of a type that owns through std::unique_ptr.
template <class T>
T copy(const T& v) {
  return detail::clone(v);
}

template <class T>
Tree tree(const T& v) {
  return detail::to_tree(v);
}

// The error says where the tree does not fit T, and what was expected there.
template <Value T>
Result<T> from_tree(const Tree& tree) {
  T out = detail::make<T>();
  detail::Misfit misfit;
  if (!detail::load(tree, out, misfit)) return misfit.error(detail::short_type_name<T>());
  return Result<T>(std::move(out));
}

// "Prepare": without namespaces, enclosing classes and template arguments.
template <class T>
constexpr std::string_view type_name() {
  return detail::kShortTypeName<T>;
}

template <class T>
requires(!std::same_as<T, Tree>) std::string show(const T& v) { return show(detail::to_tree(v)); }

template <class T>
requires(!std::same_as<T, Tree>) std::vector<Change> diff(const T& before, const T& after) {
  return diff(detail::to_tree(before), detail::to_tree(after));
}

template <class T>
requires(!std::same_as<T, Tree>) std::string to_json(const T& v) {
  return to_json(detail::to_tree(v));
}

// The comparator for keys without an operator<: std::set<Ballot, value::Less>.
struct Less {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return detail::order_content(a, b) < 0;
  }
};

}  // namespace value
}  // namespace ordeal

#include "ordeal/detail/any.h"  // IWYU pragma: export
