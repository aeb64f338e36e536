#include "conform/json_match.h"

#include <algorithm>

#include "base/text.h"
#include "conform/mutant.h"

namespace ordeal::conform {
namespace {

using Node = nlohmann::ordered_json;

constexpr size_t kShownJson = 120;
constexpr size_t kMostDifferences = 50;

std::string shown(const Node& json) {
  return cut_to(one_line(json.dump(-1, ' ', false, Node::error_handler_t::replace)), kShownJson);
}

// What {"$set": …} and the like hold; null: it is not so marked.
const Node* held(const Node& json, const char* mark) {
  if (!json.is_object() || json.size() != 1) return nullptr;
  const auto at = json.begin();
  return at.key() == mark ? &at.value() : nullptr;
}

bool same_elements(const Node& log, const Node& model) {
  return log.is_array() && log.size() == model.size() &&
         std::all_of(log.begin(), log.end(), [&](const Node& one) {
           return std::any_of(model.begin(), model.end(),
                              [&](const Node& other) { return agrees(one, other); });
         });
}

// Where it is a map: the value of the key that is this text.
const Node* value_of_key(const Node& pairs, const std::string& key) {
  for (const Node& pair : pairs) {
    if (!pair.is_array() || pair.size() != 2) continue;
    const Node* const name = held(pair[0], "$enum");
    const Node& text = name == nullptr ? pair[0] : *name;
    if (text.is_string() ? text == key : text.dump() == key) return &pair[1];
  }
  return nullptr;
}

}  // namespace

void find_differences(const Node& log, const Node& model, const std::string& where,
                      std::vector<Difference>& out) {
  if (out.size() >= kMostDifferences || log == model) return;
  const auto differ = [&] { out.push_back({where, shown(log), shown(model)}); };
  if (const Node* name = held(model, "$enum"); name != nullptr && log.is_string()) {
    if (log != *name) differ();
    return;
  }
  if (const Node* items = held(model, "$tuple"); items != nullptr && log.is_array()) {
    return find_differences(log, *items, where, out);
  }
  if (const Node* items = held(model, "$set")) {
    const Node* const said = held(log, "$set");
    if (!same_elements(said == nullptr ? log : *said, *items)) differ();
    return;
  }
  if (const Node* pairs = held(model, "$map");
      pairs != nullptr && log.is_object() && held(log, "$map") == nullptr) {
    for (const auto& [key, value] : log.items()) {
      const Node* const there = value_of_key(*pairs, key);
      if (there == nullptr) {
        out.push_back({where + "." + one_line(key), shown(value), "absent"});
      } else {
        find_differences(value, *there, where + "." + one_line(key), out);
      }
    }
    return;
  }
  if (log.is_object() && model.is_object()) {
    for (const auto& [key, value] : log.items()) {
      const std::string path = where + "." + one_line(key);
      const auto there = model.find(key);
      if (there == model.end()) {
        if (mutant(LogMutant::kExtraIsFine)) continue;
        out.push_back({path, shown(value), "absent"});
      } else {
        find_differences(value, *there, path, out);
      }
    }
    return;
  }
  if (log.is_array() && model.is_array() && log.size() == model.size()) {
    for (size_t i = 0; i < log.size(); ++i) {
      find_differences(log[i], model[i], where + "[" + std::to_string(i) + "]", out);
    }
    return;
  }
  differ();
}

bool agrees(const Node& log, const Node& model) {
  std::vector<Difference> out;
  find_differences(log, model, "", out);
  return out.empty();
}

}  // namespace ordeal::conform
