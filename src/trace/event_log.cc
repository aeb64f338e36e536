#include "trace/event_log.h"

#include <fmt/format.h>

#include <map>

#include "trace/tree_json.h"

namespace ordeal::trace {
namespace {

using Json = nlohmann::ordered_json;

struct LoggedPart {
  Json tree;
  bool up = true;
};

class LoggedStates {
 public:
  Result<void> start(const std::string& parts) { return follow(parts); }

  Result<void> follow(const std::string& parts) {
    if (parts.empty()) return {};
    try {
      for (const Json& part : Json::parse(parts)) {
        const std::string name = part.at("name");
        if (part.contains("node")) nodes_[part["node"].get<int>()] = name;
        LoggedPart& known = parts_[name];
        if (part.contains("up")) known.up = part["up"];
        if (part.contains("tree")) known.tree = part["tree"];
        if (part.contains("patch")) known.tree = known.tree.patch(part["patch"]);
      }
      return {};
    } catch (const Json::exception& error) {
      return Error{fmt::format("the states of the trace make no sense: {}", error.what())};
    }
  }

  const LoggedPart* of(int node) const {
    const auto name = nodes_.find(node);
    return name == nodes_.end() ? nullptr : &parts_.at(name->second);
  }

 private:
  std::map<int, std::string> nodes_;
  std::map<std::string, LoggedPart> parts_;
};

}  // namespace

Result<std::string> to_event_log(const Trace& trace) {
  LoggedStates states;
  if (Result<void> begun = states.start(trace.initial_parts); !begun) return begun.error();
  std::string out;
  for (const TraceStep& step : trace.steps) {
    const Action& action = step.detail.action;
    Json line = {{"kind", kind_name(action)}};
    if (action.node >= 0) line["node"] = action.node;
    if (action.from >= 0) line["from"] = action.from;
    if (!action.type.empty()) line["type"] = action.type;
    if (action.payload.kind != value::Tree::Kind::kNull) {
      line["payload"] = tree_to_json(action.payload);
    }
    if (!action.choices.empty()) line["choices"] = action.choices;
    if (action.crash_at_persist > 0) line["crash_at_persist"] = action.crash_at_persist;
    if (Result<void> done = states.follow(step.parts); !done) return done.error();
    if (!step.detail.failure.empty()) line["failure"] = step.detail.failure;
    if (const LoggedPart* part = states.of(action.node)) {
      line["up"] = part->up;
      if (part->up) line["state"] = part->tree;
    }
    out += line.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
  }
  return out;
}

}  // namespace ordeal::trace
