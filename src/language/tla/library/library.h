// The standard modules and the Community modules: what is known without a file.
//
// A module has operators written in C++ (builtins), or a text in TLA+ that is read like any other
// module, or both: then builtins of the same name and number of parameters take the place of what
// the text defines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/tla/value/value.h"

namespace ordeal::tla {

// What the operators of TLC, TLCExt, IOUtils, Json, … need besides their arguments.
class Host {
 public:
  virtual ~Host() = default;
  virtual void print(const std::string& line) = 0;
  // TLCGet and TLCSet; get() is undefined where nothing was set, and knows "distinct", "config", …
  virtual Value get(Heap& heap, Value key) = 0;
  virtual void set(Value key, Value value) = 0;
  // Below `bound`, from the seed of the run.
  virtual uint64_t random(uint64_t bound) = 0;
  // An exploration came to this: what get() knows of it from now on.
  virtual void finished(uint64_t generated, uint64_t distinct, uint32_t depth) {
    (void)generated, (void)distinct, (void)depth;
  }
  // The directory that relative paths of files begin at, and whether files may be written there and
  // elsewhere; they may be read in any case.
  virtual std::string directory() const = 0;
  virtual bool may_write() const { return false; }
};

class BuiltinCall {
 public:
  virtual ~BuiltinCall() = default;
  Heap& heap() { return *heap_; }
  Host& host() { return *host_; }
  const Host& host() const { return *host_; }
  size_t size() const { return arguments_.size(); }
  Value operator[](size_t at) const { return arguments_[at]; }
  std::span<const Value> arguments() const { return arguments_; }
  // Of the state at hand: 1 for initial states. 0: there is no state.
  virtual uint32_t level() const = 0;
  // Calls argument number `which`, which is an operator.
  virtual Value call(size_t which, std::span<const Value> arguments) = 0;

 protected:
  Heap* heap_ = nullptr;
  Host* host_ = nullptr;
  std::span<const Value> arguments_;
};

struct Builtin {
  std::string_view name;  // as Expr::text of a kApply: "+", "Append", "-."
  // A digit for each parameter: '0' a value, '1' and more an operator of so many parameters.
  // "": no parameters.
  std::string_view params;
  // Depends on more than its arguments or does something (TLCGet, RandomElement, Print): never
  // computed ahead, never remembered.
  bool pure = true;
  Value (*run)(BuiltinCall& call) = nullptr;
};

struct LibraryModule {
  std::string_view name;
  std::vector<std::string_view> extends;
  std::span<const Builtin> builtins;
  std::string_view text = {};  // "": none
  // The builtins hold even where the specification has a file of that name: what such files define
  // only stands for what cannot be said in TLA+ (Json, IOUtils, …). Of other modules the file of
  // the specification holds as it is.
  bool always = false;
};

// Null: no such module. "Naturals", "Sequences", "TLC", "FunctionsExt", …
const LibraryModule* library_module(std::string_view name);
std::vector<std::string_view> library_modules();

// Operators of the language itself that only compute: "=", "/=", "\\in", "\\notin", "\\cup",
// "\\cap", "\\", "\\subseteq", "SUBSET", "UNION", "DOMAIN", "BOOLEAN", "STRING", "TRUE", "FALSE".
// What decides whether its arguments are evaluated at all (/\, =>, IF) is not here.
std::span<const Builtin> language_operators();

}  // namespace ordeal::tla
