// What builtins ask of their arguments, and how they refuse them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/tla/library/library.h"

namespace ordeal::tla {

// "the second argument of Append must be a sequence, but is the integer 3"; of symbols "the left
// side of + must be …".
[[noreturn]] void fail_argument(const BuiltinCall& call, std::string_view name, size_t at,
                                std::string_view wanted);
// "the second argument of Append", "the left side of +"
std::string argument_name(std::string_view name, size_t at, size_t count);

Value need_integer(const BuiltinCall& call, std::string_view name, size_t at);
int64_t need_number(const BuiltinCall& call, std::string_view name, size_t at);
// At least `least`.
int64_t need_count(const BuiltinCall& call, std::string_view name, size_t at, int64_t least = 0);
bool need_boolean(const BuiltinCall& call, std::string_view name, size_t at);
const std::string& need_string(const BuiltinCall& call, std::string_view name, size_t at);
Value need_set(const BuiltinCall& call, std::string_view name, size_t at);
// Written out.
const Object* need_finite_set(BuiltinCall& call, std::string_view name, size_t at);
// A kTuple.
const Object* need_sequence(BuiltinCall& call, std::string_view name, size_t at);
// A kTuple or kFunction.
const Object* need_function(BuiltinCall& call, std::string_view name, size_t at);

// What an operator that was given as an argument says; `name` for the message.
bool call_predicate(BuiltinCall& call, std::string_view name, size_t which,
                    std::span<const Value> arguments);

// The domain of a kTuple or kFunction, in normal form, and its key number `at`.
const Object* keys_of(Heap& heap, const Object* function);
Value key_at(const Object* function, uint32_t at);

// Each with the same probability; `name` for messages.
Value random_element(BuiltinCall& call, Value set, std::string_view name);

// Integers of any size. REQUIRES: both are integers.
Value sum(Heap& heap, Value a, Value b);
Value difference(Heap& heap, Value a, Value b);
Value product(Heap& heap, Value a, Value b);

// Calls argument `which`, an operator with one or two parameters.
inline Value call_with(BuiltinCall& call, size_t which, Value a) {
  return call.call(which, std::span(&a, 1));
}
inline Value call_with(BuiltinCall& call, size_t which, Value a, Value b) {
  const Value both[] = {a, b};
  return call.call(which, both);
}

// Does `what(element)` for each element of a set, in the order of values, without writing it out
// where that can be avoided.
template <class F>
void for_elements(BuiltinCall& call, std::string_view name, size_t at, F&& what) {
  const Value set = need_set(call, name, at);
  if (!is_enumerable(set)) fail_argument(call, name, at, "a finite set");
  Elements elements(call.heap(), set);
  Value element;
  while (elements.next(element)) what(element);
}

// The text of a value for a line of a file or a page: strings without quotes.
std::string plain_text(Value value);

// One after the other, so that an operator that is no order cannot do harm. Stable.
void sort_by(BuiltinCall& call, std::string_view name, size_t which, std::span<Value> items);

}  // namespace ordeal::tla
