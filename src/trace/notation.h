// Reads the values that logs are made of, in the two notations that they are written in: JSON
// ({"src": "n1"}) and EDN ({:src "n1"}), one value after another.
//
// Of EDN, keywords and symbols become text, sets and lists become lists, tags are left out. What
// begins with '$' in the name of a field gets one '$' more: a trace has a use for such names.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "ordeal/result.h"
#include "ordeal/value.h"

namespace ordeal::trace {

// Lines and columns are counted from 1, columns in bytes.
struct Position {
  size_t line = 1;
  size_t column = 1;
};
std::string show(const Position& position);  // "line 3, column 5"

struct Form {
  value::Tree tree;
  Position at;
};

// Calls `take` for every value of the text; the elements of a list are taken one by one. An Error
// of the text names line and column, what was found and what would be right; `take` may return one
// too.
Result<void> read_forms(std::string_view text, Position begin,
                        const std::function<Result<void>(Form)>& take);

}  // namespace ordeal::trace
