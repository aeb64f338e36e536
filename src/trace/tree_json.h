// A value::Tree as JSON inside a trace, without loss of what show() needs: sets, tuples, maps and
// enumerators keep their kind ({"$set": […]}, {"$tuple": […]}, {"$map": [[key, value]…]},
// {"$enum": "name"}), records carry their type as "$type". Node ids become plain numbers.
#pragma once

#include <nlohmann/json.hpp>

#include "ordeal/result.h"
#include "ordeal/value.h"

namespace ordeal::trace {

// How deep JSON may nest: deeper values are written as text, deeper files refused.
inline constexpr size_t kMaxDepth = 400;

nlohmann::ordered_json tree_to_json(const value::Tree& tree);
// The Error says what is wrong, not where.
// REQUIRES: the JSON is nested no deeper than kMaxDepth.
Result<value::Tree> tree_from_json(const nlohmann::ordered_json& json);

}  // namespace ordeal::trace
