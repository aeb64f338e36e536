// JSON of a log, which may say a part, against what the engine writes of a value.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conform/conformance.h"

namespace ordeal::conform {

// What the log says otherwise: fields that it does not mention do not differ. A list stands for a
// set or a tuple, too, a text for an enumerator, an object for a map with texts as keys. `where`:
// the path so far.
void find_differences(const nlohmann::ordered_json& log, const nlohmann::ordered_json& model,
                      const std::string& where, std::vector<Difference>& out);
bool agrees(const nlohmann::ordered_json& log, const nlohmann::ordered_json& model);

}  // namespace ordeal::conform
