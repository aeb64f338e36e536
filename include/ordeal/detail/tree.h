// Tree: the readable reflection of a value. Views, diffs, JSON and messages are made from it, so
// that none of them needs to know the value's type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ordeal/node_id.h"
#include "ordeal/result.h"

namespace ordeal::value {

struct Tree {
  enum class Kind : uint8_t {
    kNull,        // an optional or pointer without a value; std::monostate
    kBoolean,     // integer: 0 or 1
    kInteger,     // integer
    kUnsigned,    // only above the range of int64: as_unsigned()
    kReal,        // real
    kText,        // text
    kEnumerator,  // text: its name
    kNode,        // integer: the node's number
    kList,        // items
    kTuple,       // items
    kSet,         // items, in the set's order
    kMap,         // items: key, value, key, value, ...
    kRecord,      // text: type name; names and items: the fields
  };

  Kind kind = Kind::kNull;
  int64_t integer = 0;
  double real = 0;
  std::string text;
  std::vector<Tree> items;
  std::vector<std::string> names;  // of a record: as many as items

  static Tree boolean(bool b);
  static Tree number(int64_t n);
  static Tree number_unsigned(uint64_t n);  // kInteger where it fits
  static Tree number_real(double d);
  static Tree string(std::string_view s);
  static Tree enumerator(std::string_view name);
  static Tree node(NodeId id);
  static Tree of(Kind kind);  // an empty one of that kind
  static Tree record(std::string_view type_name);

  void add(std::string_view field, Tree value);  // to a record
  uint64_t as_unsigned() const { return static_cast<uint64_t>(integer); }

  // The field of a record, or the value of a map with that text as its key; nullptr if there is
  // none.
  const Tree* find(std::string_view name) const;

  bool operator==(const Tree& other) const;
};

// One line: Prepare{ballot: (1, 2), value: "A"}. A record without fields is its name, none is "-".
std::string show(const Tree& tree);

struct Change {
  std::string path;    // log[2].term; empty for the whole value
  std::string before;  // as show() writes it; "absent" where there was nothing
  std::string after;

  bool operator==(const Change&) const = default;
};

// What differs: records by field, lists by index, maps by key, sets by element. Empty if and only
// if the trees are equal.
std::vector<Change> diff(const Tree& before, const Tree& after);

// JSON text on one line. Records carry their type as "$type"; text that is not UTF-8 becomes
// {"$bytes": "hex"}; NaN and infinities become {"$real": "nan"}.
std::string to_json(const Tree& tree);

// The tree of any JSON text. JSON knows fewer kinds than Tree (a set comes back as a list, a node
// as a number); from_tree<T> accepts what to_json wrote. Errors name line and column.
Result<Tree> from_json(std::string_view json);

}  // namespace ordeal::value
