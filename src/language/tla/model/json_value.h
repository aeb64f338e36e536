// Values of TLA+ and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "language/tla/value/value.h"
#include "ordeal/detail/tree.h"

namespace ordeal::tla {

// JSON knows neither sets nor model values, and some write numbers as texts: the values that it may
// mean, the likeliest first. A list is a tuple or a set; a text a string, a model value, or the
// number that it shows, in base 64, too (as Go writes bytes); an object a record. None: null.
// Made in the heap.
std::vector<Value> values_of_json(Heap& heap, const nlohmann::ordered_json& json);

// Large numbers and model values are texts; sets and tuples are lists; a record, and a function of
// model values, is an object; any other function is a list of pairs.
nlohmann::ordered_json json_of(Value value);
nlohmann::ordered_json json_of(const value::Tree& tree);

}  // namespace ordeal::tla
