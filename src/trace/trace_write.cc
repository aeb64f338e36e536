#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "base/mutant.h"
#include "ordeal/trace.h"
#include "trace/step_json.h"
#include "trace/tree_json.h"

namespace ordeal {
namespace {

using Json = nlohmann::ordered_json;

// One line, ASCII only; bytes that are no UTF-8 become U+FFFD instead of an exception.
std::string line(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Json sent_to_json(const Sent& sent) {
  Json json = {{"kind", to_string(sent.kind)}, {"to", sent.to}};
  if (sent.from >= 0) json["from"] = sent.from;
  json["type"] = sent.type;
  json["text"] = sent.text;
  json["payload_digest"] = hex(sent.payload_digest);
  return json;
}

template <class T, class F>
void put_list(Json& json, const char* name, const std::vector<T>& items, F f) {
  if (items.empty()) return;
  Json list = Json::array();
  for (const T& item : items) list.push_back(f(item));
  json[name] = std::move(list);
}

Json event_to_json(const HistoryEvent& event) {
  return {{"client", event.client},
          {"event", event.is_return ? "return" : "invoke"},
          {"text", event.text}};
}

Json change_to_json(const value::Change& change) {
  return {{"path", change.path}, {"before", change.before}, {"after", change.after}};
}

Json kind_to_json(const KindRef& kind) {
  Json json = {{"name", kind->name}};
  if (!kind->words.empty()) json["words"] = kind->words;
  if (!kind->mark.empty()) json["mark"] = kind->mark;
  if (kind->colour != DescribedKind::Colour::kPlain) json["colour"] = to_string(kind->colour);
  if (kind->fault) json["fault"] = true;
  return json;
}

template <class T>
Json as_is(const T& item) {
  return item;
}

// What the action is: enough to find it again in a program that lists its actions differently.
void put_identity(Json& json, const Action& action) {
  json["kind"] = kind_name(action);
  if (action.node >= 0) json["node"] = action.node;
  if (action.from >= 0) json["from"] = action.from;
  if (!action.type.empty()) json["type"] = action.type;
  if (action.payload.kind != value::Tree::Kind::kNull) {
    json["payload"] = trace::tree_to_json(action.payload);
  }
  if (action.payload_digest != 0) json["payload_digest"] = hex(action.payload_digest);
  put_list(json, "choices", action.choices, as_is<uint32_t>);
  if (action.crash_at_persist != 0) json["crash_at_persist"] = action.crash_at_persist;
}

Json step_to_json(const TraceStep& step, size_t number) {
  Json json;
  json["step"] = number;
  put_identity(json, step.detail.action);
  json["choice"] = step.choice;
  json["enabled"] = step.enabled;
  if (step.occurrence != 0) json["occurrence"] = step.occurrence;
  put_list(json, "causes", step.causes, as_is<uint32_t>);
  json["digest"] = hex(step.digest);
  if (step.node_digest != 0) json["node_digest"] = hex(step.node_digest);
  put_list(json, "changes", step.changes, change_to_json);
  put_list(json, "sent", step.detail.sent, sent_to_json);
  put_list(json, "decided", step.detail.decided, as_is<std::string>);
  put_list(json, "timers", step.detail.timers, as_is<std::string>);
  put_list(json, "history", step.detail.history, event_to_json);
  put_list(json, "log", step.detail.log, as_is<std::string>);
  put_list(json, "scenario", step.detail.scenario, as_is<std::string>);
  put_list(json, "lost", step.detail.lost, sent_to_json);
  if (!step.detail.failure.empty()) json["failure"] = step.detail.failure;
  return json;
}

Json by_node(const std::map<int, std::string>& texts) {
  Json json = Json::object();
  for (const auto& [node, text] : texts) json[std::to_string(node)] = text;
  return json;
}

Json point_to_json(const LinearPoint& point) {
  return {{"client", point.client}, {"operation", point.operation}, {"step", point.step}};
}

Json operation_to_json(const TraceOperation& operation) {
  return {{"client", operation.client}, {"operation", operation.number}};
}

// Adds a field whose value is JSON already. REQUIRES: `object` is an object with fields.
std::string with_parts(std::string object, const std::string& parts) {
  if (parts.empty()) return object;
  object.pop_back();
  return object + (object.size() > 1 ? ",\"parts\":" : "\"parts\":") + parts + "}";
}

Json verdict_to_json(const TraceVerdict& verdict) {
  if (verdict.property.empty()) return nullptr;
  Json json = {{"property", verdict.property},
               {"kind", verdict.kind},
               {"why", verdict.why},
               {"nodes", verdict.nodes},
               {"step", verdict.step}};
  if (!verdict.word.empty()) json["word"] = verdict.word;
  put_list(json, "operations", verdict.operations, operation_to_json);
  put_list(json, "unplaced", verdict.unplaced, operation_to_json);
  return json;
}

}  // namespace

std::string trace::step_json(const TraceStep& step, size_t number) {
  return with_parts(line(step_to_json(step, number)), step.parts);
}

std::string trace::verdict_json(const TraceVerdict& verdict) {
  return line(verdict_to_json(verdict));
}

std::string to_json(const Trace& trace) {
  std::string out = "{\n";
  const auto put_text = [&](const char* name, const std::string& text) {
    out += fmt::format("  \"{}\": {},\n", name, text);
  };
  const auto put = [&](const char* name, const Json& json) { put_text(name, line(json)); };
  put("format", "ordeal-trace");
  put("version", kTraceVersion);
  put("system", trace.system);
  put("parameters", trace.parameters);
  if (!trace.scenario.empty()) put("scenario", trace.scenario);
  if (!trace.source.empty()) put("source", trace.source);
  if (trace.free_faults) put("free_faults", true);
  put("strategy", trace.strategy);
  put("seed", trace.seed);
  put("short", short_form(trace));
  put("verdict", verdict_to_json(trace.verdict));
  put("minimised_from", trace.minimised_from);
  put("nodes", trace.nodes);
  put("node_types", by_node(trace.node_types));
  if (!trace.node_names.empty()) put("node_names", by_node(trace.node_names));
  if (!trace.kinds.empty()) {
    Json kinds;
    put_list(kinds, "kinds", trace.kinds, kind_to_json);
    put("kinds", kinds["kinds"]);
  }
  put("initial", trace.initial);
  put("initial_digest", hex(trace.initial_digest));
  Json initially = Json::object();
  put_list(initially, "sent", trace.initially_sent, sent_to_json);
  put_list(initially, "history", trace.initial_history, event_to_json);
  put_text("initially", with_parts(line(initially), trace.initial_parts));
  Json points;
  put_list(points, "points", trace.points, point_to_json);
  if (!points.is_null()) put("points", points["points"]);
  if (trace.loop_start && !mutant(Mutant::kLoopStartForgotten)) {
    put("loop_start", *trace.loop_start);
  }
  out += "  \"steps\": [";
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    out += i == 0 ? "\n    " : ",\n    ";
    out += trace::step_json(trace.steps[i], i + 1);
  }
  out += trace.steps.empty() ? "]\n}\n" : "\n  ]\n}\n";
  return out;
}

Trace without_states(Trace trace) {
  trace.initial_parts.clear();
  for (TraceStep& step : trace.steps) step.parts.clear();
  return trace;
}

Result<void> write_trace(const Trace& trace, const std::string& path) {
  return write_file_atomically(path, to_json(trace));
}

}  // namespace ordeal
