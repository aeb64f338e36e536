// EDN, the notation that Clojure programs write their data in: {:f :write, :value [1 nil "x"]}.
//
//   edn::Values values;
//   edn::Reader reader("[1 2] (1 2)", values);
//   std::optional<edn::Id> a = reader.value(), b = reader.value();  // *a == *b
//
// Equal values have equal ids, as Clojure's `=` has it: a list is equal to a vector with the same
// elements, the order in a set or map does not matter, 1 is not 1.0. So a value can be kept and
// compared as a number. Numbers of any size, characters, #inst and other tagged values are read;
// ratios, ##NaN and what only Clojure itself reads (#"x", ^{…}, #(…), ::x) are errors.
//
// Reading takes time and memory in proportion to the text, and bounded stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::edn {

// Lines and columns are counted from 1, columns in bytes.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
};

enum class Kind : uint8_t {
  kNil,
  kBoolean,
  kInteger,    // what fits 64 bits
  kNumber,     // any other: its text
  kCharacter,  // its text is the character itself; of the next three without marks
  kString,
  kKeyword,
  kSymbol,
  kList,    // a vector too
  kSet,     // items in order of id
  kMap,     // key and value in turn, in order of the keys' ids
  kTagged,  // the tag, a symbol, and the value
};

using Id = uint32_t;

class Values {
 public:
  static constexpr Id kNil = 0, kFalse = 1, kTrue = 2;

  Values();

  Id integer(int64_t value);
  Id text(Kind kind, std::string_view text);
  Id items(Kind kind, std::span<const Id> items);  // REQUIRES: in the order of the kind

  Kind kind(Id id) const { return nodes_[id].kind; }
  // REQUIRES: of a kind that has such: kInteger; a text; items.
  int64_t integer_of(Id id) const { return static_cast<int64_t>(nodes_[id].content); }
  std::string_view text_of(Id id) const {
    return std::string_view(chars_).substr(nodes_[id].content, nodes_[id].size);
  }
  std::span<const Id> items_of(Id id) const {
    return std::span(items_).subspan(nodes_[id].content, nodes_[id].size);
  }
  size_t size() const { return nodes_.size(); }
  bool is_keyword(Id id, std::string_view name) const {
    return kind(id) == Kind::kKeyword && text_of(id) == name;
  }

  // As EDN on one line, sets and maps sorted; beyond about `most` bytes the rest is left out: "…".
  std::string show(Id id, size_t most = 60) const;

 private:
  struct Node {
    uint64_t content;  // an integer, or where the text or the items begin
    uint32_t size;
    Kind kind;
  };

  template <class Same, class Make>
  Id intern(uint64_t hash, const Same& same, const Make& make);
  void grow();
  bool before(Id a, Id b) const;
  void show(Id id, size_t most, std::string& out) const;

  std::vector<Node> nodes_;
  std::vector<uint64_t> hashes_;
  std::vector<uint32_t> slots_;  // ids + 1; 0: none
  std::string chars_;
  std::vector<Id> items_;
};

class Reader {
 public:
  Reader(std::string_view text, Values& values);

  // Whether nothing is left but blanks, comments and what "#_" takes out; or an error was found.
  bool at_end();
  // Where the next value, or the closing bracket, begins.
  Position position();

  // Each returns whether it is there, and goes behind it if so.
  bool take(char bracket);  // an opening one
  // A tag's name (of "#inst", "inst"), a keyword's name (of ":f", "f").
  std::optional<std::string_view> take_tag();
  std::optional<std::string_view> take_keyword();

  // Inside of what began with a bracket at `open`: whether another item comes before it is closed
  // by `bracket`, which is taken if not.
  bool another(char bracket, const Position& open);
  // The next value; none, or false, after an error.
  std::optional<Id> value();
  // Passes over the next value. What it consists of is not looked at more than that needs: a word
  // that is no EDN (a hash code, 0x1f) is fine in here.
  bool skip();

  // The next few characters, to tell what was found instead of something: "found \"x\"".
  std::string found();

  struct Failure {
    Position at;
    std::string what;
  };
  const std::optional<Failure>& failure() const { return failure_; }

 private:
  std::optional<Id> fail(const Position& at, std::string what);
  std::optional<Id> fail_here();
  Position here() const;
  bool blanks();
  void take_newline();
  std::string_view word();
  bool skip_value();
  bool skip_string();
  std::optional<Id> read_value();
  std::optional<Id> collection(Kind kind, const Position& open);
  bool sort_items(size_t begin, bool is_map, const Position& open);
  std::optional<Id> hash_sign();
  std::optional<Id> string();
  bool take_backslash();
  std::optional<Id> character();
  std::optional<Id> number(std::string_view word, const Position& at);
  std::optional<Id> plain();
  static std::optional<uint32_t> code_unit(std::string_view text);

  std::string_view text_;
  Values& values_;
  size_t next_ = 0;
  uint32_t line_ = 1;
  size_t line_begin_ = 0;
  size_t depth_ = 0;
  std::vector<Id> stack_;  // items of the collections that are being read
  std::string buffer_;
  std::optional<Failure> failure_;
};

}  // namespace ordeal::edn
