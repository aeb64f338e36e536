#include "trace/state_log.h"

#include <utility>

#include "trace/tree_json.h"

namespace ordeal::trace {
namespace {

using Json = nlohmann::ordered_json;

// Viewers know these from what was sent, delivered, called and returned: they would be written
// again at every step.
bool is_derived(const Snapshot::Part& part) {
  return part.node < 0 && (part.name == "network" || part.name == "history");
}

// Whether a node is up is told beside its tree.
Json tree_of(const Snapshot::Part& part) {
  Json tree = tree_to_json(part.tree);
  if (tree.is_object()) tree.erase("(up)");
  return tree;
}

std::string line(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace

std::string StateLog::start(const Snapshot& snapshot) {
  known_.clear();
  Json parts = Json::array();
  for (const Snapshot::Part& part : snapshot.parts) {
    if (is_derived(part)) continue;
    Json json = {{"name", part.name}};
    if (part.node >= 0) json["node"] = part.node;
    if (!part.type.empty()) json["type"] = part.type;
    if (part.component) json["component"] = true;
    if (!part.up) json["up"] = false;
    Known& known = known_[part.name];
    known = {part.digest, part.up, tree_of(part)};
    json["tree"] = known.tree;
    parts.push_back(std::move(json));
  }
  return line(parts);
}

std::string StateLog::step(const Snapshot& snapshot) {
  Json parts = Json::array();
  for (const Snapshot::Part& part : snapshot.parts) {
    if (is_derived(part)) continue;
    Known& known = known_[part.name];
    if (known.digest == part.digest && known.digest != 0 && known.up == part.up) continue;
    Json tree = tree_of(part);
    const Json patch = Json::diff(known.tree, tree);
    if (patch.empty() && known.up == part.up) continue;
    Json json = {{"name", part.name}};
    if (known.up != part.up) json["up"] = part.up;
    if (!patch.empty()) json["patch"] = patch;
    known = {part.digest, part.up, std::move(tree)};
    parts.push_back(std::move(json));
  }
  return parts.empty() ? "" : line(parts);
}

}  // namespace ordeal::trace
