#include <nlohmann/json.hpp>

#include "ordeal/report.h"
#include "report/words.h"

namespace ordeal {
namespace {

using Json = nlohmann::ordered_json;

Json violation_to_json(const Violation& violation) {
  Json json = {{"property", violation.property},
               {"kind", violation.kind},
               {"why", violation.why},
               {"nodes", violation.nodes},
               {"step", violation.step},
               {"count", violation.count},
               {"minimised_from", 0},
               {"short", nullptr},
               {"trace", nullptr}};
  if (violation.trace) {
    json["minimised_from"] = violation.trace->minimised_from;
    json["short"] = short_form(*violation.trace);
    json["trace"] = Json::parse(to_json(*violation.trace));
  }
  return json;
}

}  // namespace

std::string to_json(const Report& report) {
  Json json;
  json["format"] = "ordeal-report";
  json["version"] = 1;
  json["verdict"] = to_string(report.verdict);
  json["system"] = report.system;
  json["parameters"] = report.parameters;
  json["strategy"] = report.strategy;
  json["reduce"] = report.reduce;
  json["seed"] = report.seed;
  json["threads"] = report.threads;
  json["symmetry"] = !report.symmetry.empty();
  json["renamed"] = report.symmetry;
  json["complete"] = report.complete;
  json["constrained"] = report.constrained;
  json["bounds"] = report.bounds;
  json["distinct_states"] = report.distinct_states;
  json["transitions"] = report.transitions;
  json["transitions_without_self_loops"] = report.transitions_no_loops;
  json["terminal_states"] = report.terminal_states;
  json["depth"] = report.depth;
  json["runs"] = report.runs;
  json["seconds"] = report.seconds;
  json["collision_probability"] = report.collision_probability;
  json["handler_calls"] = report.handler_calls;
  json["table_bytes"] = report.table_bytes;
  json["bytes"] = report.bytes;
  json["disk_bytes"] = report.disk_bytes;
  json["properties"] = Json::array();
  for (const PropertyResult& result : report.properties) {
    json["properties"].push_back({{"name", result.property.name},
                                  {"kind", to_string(result.property.kind)},
                                  {"verdict", to_string(result.verdict)},
                                  {"note", result.note}});
  }
  json["violations"] = Json::array();
  for (const Violation& violation : report.violations) {
    json["violations"].push_back(violation_to_json(violation));
  }
  json["notes"] = report.notes;
  // ASCII only; bytes that are no UTF-8 become U+FFFD instead of an exception.
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace ordeal
