#include "serve/here.h"

namespace ordeal::serve {
namespace {

Json to_json(const Action& action, uint32_t choice, bool progress) {
  Json json = {{"choice", choice}, {"text", show(action)}, {"kind", kind_name(action)}};
  if (action.node >= 0) json["node"] = action.node;
  if (action.from >= 0) json["from"] = action.from;
  if (!action.type.empty()) json["type"] = action.type;
  json["progress"] = progress;
  return json;
}

Json to_json(const explore::Walk::Verdict& verdict) {
  return {{"property", verdict.property.name}, {"kind", to_string(verdict.property.kind)},
          {"violated", verdict.violated},      {"reached", verdict.reached},
          {"why", verdict.outcome.why()},      {"nodes", verdict.outcome.nodes()}};
}

}  // namespace

Json here_of(explore::Walk& walk) {
  Json json = {{"actions", Json::array()}};
  for (uint32_t i = 0; i < walk.enabled().size(); ++i) {
    json["actions"].push_back(to_json(walk.enabled()[i], i, walk.progress(i)));
  }
  json["terminal"] = walk.terminal();
  json["within"] = walk.within();
  json["failure"] = walk.failure();
  json["error"] = walk.trouble();
  json["verdicts"] = Json::array();
  for (const explore::Walk::Verdict& verdict : walk.verdicts()) {
    json["verdicts"].push_back(to_json(verdict));
  }
  return json;
}

}  // namespace ordeal::serve
