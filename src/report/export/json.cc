#include <nlohmann/json.hpp>

#include "ordeal/report.h"
#include "report/scenario_words.h"
#include "report/words.h"
#include "trace/short_form.h"

namespace ordeal {
namespace {

using Json = nlohmann::ordered_json;

Json to_object(const Violation& violation) {
  Json json = {{"property", violation.property},
               {"kind", violation.kind},
               {"why", violation.why},
               {"nodes", violation.nodes},
               {"step", violation.step},
               {"count", violation.count},
               {"minimised_from", 0},
               {"short", nullptr},
               {"trace", nullptr}};
  if (!violation.word.empty()) json["word"] = violation.word;
  if (!violation.by.empty()) json["by"] = violation.by;
  if (violation.trace) {
    json["minimised_from"] = violation.trace->minimised_from;
    json["short"] = short_form(*violation.trace);
    json["trace"] = Json::parse(to_json(*violation.trace));
  }
  return json;
}

// Null where there is none.
Json to_object(const std::optional<Trouble>& trouble) {
  if (!trouble) return nullptr;
  Json json = {{"message", trouble->message},
               {"on", trouble->on_step ? "step" : "state"},
               {"step", 0},
               {"run", trouble->run},
               {"short", nullptr},
               {"trace", nullptr}};
  if (!trouble->by.empty()) json["by"] = trouble->by;
  if (trouble->trace) {
    json["step"] = trouble->trace->verdict.step;
    json["short"] = short_form(*trouble->trace);
    json["trace"] = Json::parse(to_json(*trouble->trace));
  }
  return json;
}

Json to_object(const FilterResult& filter) {
  return {{"text", filter.text},
          {"file", filter.file},
          {"line", filter.line},
          {"fired", filter.fired},
          {"in_vain", filter.in_vain}};
}

const char* to_string(Machine::Kind kind) {
  switch (kind) {
    case Machine::Kind::kPlain:
      return "plain";
    case Machine::Kind::kSuccess:
      return "success";
    case Machine::Kind::kFailure:
      return "failure";
  }
  return "plain";
}

Json to_object(const MachineResult& machine) {
  if (machine.states.empty()) return nullptr;
  Json states = Json::array();
  for (const MachineResult::State& state : machine.states) {
    states.push_back(
        {{"name", state.name}, {"kind", to_string(state.kind)}, {"ended_in", state.ended_in}});
  }
  Json transitions = Json::array();
  for (const MachineResult::Transition& transition : machine.transitions) {
    transitions.push_back({{"from", machine.states[transition.from].name},
                           {"to", machine.states[transition.to].name},
                           {"label", transition.label},
                           {"taken", transition.taken}});
  }
  return {{"states", states}, {"transitions", transitions}};
}

Json to_list(const std::vector<StepCount>& steps) {
  Json list = Json::array();
  for (const StepCount& step : steps) {
    list.push_back(
        {{"what", step.what}, {"count", step.count}, {"without_effect", step.without_effect}});
  }
  return list;
}

Json to_object(const ScenarioReport& report) {
  Json json;
  json["scenario"] = report.scenario;
  json["what"] = report.what;
  json["verdict"] = to_string(report.verdict);
  json["expectation"] = report.expectation;
  json["system"] = report.system;
  json["parameters"] = report.parameters;
  json["strategy"] = report.strategy;
  json["seed"] = report.seed;
  json["iterations"] = report.iterations;
  json["runs"] = report.runs;
  json["successes"] = report.successes;
  json["failures"] = report.failures;
  json["cut"] = report.cut;
  json["steps"] = report.steps;
  json["steps_by_sort"] = to_list(report.steps_by_sort);
  json["seconds"] = report.seconds;
  json["exhaustive"] = report.exhaustive;
  json["complete"] = report.complete;
  json["distinct_states"] = report.distinct_states;
  json["filters"] = Json::array();
  for (const FilterResult& filter : report.filters) json["filters"].push_back(to_object(filter));
  json["machine"] = to_object(report.machine);
  json["violations"] = Json::array();
  for (const Violation& violation : report.violations) {
    json["violations"].push_back(to_object(violation));
  }
  json["notes"] = report.notes;
  return json;
}

Json to_object(const Learning::Waypoint& waypoint) {
  Json out = {{"predicate", waypoint.predicate},
              {"episodes", waypoint.episodes},
              {"ways", waypoint.ways},
              {"first", waypoint.first ? Json(*waypoint.first) : Json()},
              {"best", nullptr}};
  if (waypoint.least) out["least_distance"] = *waypoint.least;
  if (!waypoint.best) return out;
  out["best"] = {{"episode", waypoint.best->episode},
                 {"steps", waypoint.best->steps},
                 {"run", trace::short_form(waypoint.best->path)}};
  return out;
}

Json to_object(const Learning& learning) {
  Json out = {{"environment", learning.environment},
              {"episodes", learning.episodes},
              {"steps", learning.steps},
              {"pairs", learning.pairs},
              {"table_bytes", learning.table_bytes},
              {"target", learning.target},
              {"waypoints", Json::array()}};
  for (const Learning::Waypoint& waypoint : learning.waypoints) {
    out["waypoints"].push_back(to_object(waypoint));
  }
  if (!learning.machine_states.empty()) {
    Json states = Json::array();
    for (const Learning::MachineState& state : learning.machine_states) {
      states.push_back(to_object(state.reached));
      states.back()["state"] = state.reached.predicate;
      states.back().erase("predicate");
      states.back()["times"] = state.times;
    }
    Json transitions = Json::array();
    for (const Learning::MachineStep& step : learning.machine_steps) {
      transitions.push_back({{"from", step.from},
                             {"to", step.to},
                             {"when", step.when},
                             {"times", step.times},
                             {"episodes", step.episodes}});
    }
    out["machine"] = {{"states", std::move(states)}, {"transitions", std::move(transitions)}};
  }
  if (learning.target_coverage) out["target_episodes"] = learning.target_episodes;
  if (learning.closest) out["closest"] = trace::short_form(*learning.closest);
  return out;
}

// What a strategy that learns has to tell, beside what all have.
void add_learning(const Learning& learning, Json& json) {
  json["coverage"] = learning.coverage;
  if (learning.target_coverage) json["target_coverage"] = *learning.target_coverage;
  json["learning"] = to_object(learning);
}

// … and a portfolio.
void add_members(const Report& report, Json& json) {
  if (report.members.empty()) return;
  json["members"] = Json::array();
  for (const PortfolioMember& member : report.members) {
    Json found = Json::array();
    for (const Violation& violation : report.violations) {
      if (violation.by == member.strategy) found.push_back(violation.property);
    }
    json["members"].push_back({{"strategy", member.strategy},
                               {"runs", member.runs},
                               {"steps", member.steps},
                               {"new_states", member.new_states},
                               {"found", found}});
    if (member.learning) json["members"].back()["learning"] = to_object(*member.learning);
  }
}

// … and one whose runs are independent.
void add_hitting(const std::vector<Hitting>& all, Json& json) {
  if (all.empty()) return;
  json["hitting"] = Json::array();
  for (const Hitting& one : all) {
    json["hitting"].push_back({{"what", one.what},
                               {"hits", one.hits},
                               {"runs", one.runs},
                               {"confidence", one.confidence},
                               {"low", one.low},
                               {"high", one.high},
                               {"planned", one.planned}});
  }
}

// ASCII only; bytes that are no UTF-8 become U+FFFD instead of an exception.
std::string text_of(const Json& json) {
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_json(const Report& report) {
  Json json;
  json["format"] = "ordeal-report";
  json["version"] = 1;
  json["verdict"] = to_string(report.verdict);
  json["divergence"] = report.divergence;
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
  json["bounds"] = report::bounds_of(report);
  json["distinct_states"] = report.distinct_states;
  json["outside_states"] = report.outside_states;
  json["initial_states"] = report.initial_states;
  json["generated_states"] = report.generated_states;
  json["transitions"] = report.transitions;
  json["transitions_without_self_loops"] = report.transitions_no_loops;
  json["terminal_states"] = report.terminal_states;
  json["depth"] = report.depth;
  json["runs"] = report.runs;
  json["steps"] = to_list(report.steps);
  json["seconds"] = report.seconds;
  json["collision_probability"] = report.collision_probability;
  json["handler_calls"] = report.handler_calls;
  json["table_bytes"] = report.table_bytes;
  json["bytes"] = report.bytes;
  json["disk_bytes"] = report.disk_bytes;
  json["assumption"] = report.assumption;
  json["run_graph"] = {{"states", report.run_graph.states},
                       {"edges", report.run_graph.edges},
                       {"bytes", report.run_graph.bytes},
                       {"seconds", report.run_graph.seconds}};
  if (report.learning) add_learning(*report.learning, json);
  add_members(report, json);
  add_hitting(report.hitting, json);
  json["properties"] = Json::array();
  for (const PropertyResult& result : report.properties) {
    json["properties"].push_back({{"name", result.property.name},
                                  {"kind", to_string(result.property.kind)},
                                  {"verdict", to_string(result.verdict)},
                                  {"note", result.note}});
    if (!result.property.word.empty()) json["properties"].back()["word"] = result.property.word;
  }
  json["violations"] = Json::array();
  for (const Violation& violation : report.violations) {
    json["violations"].push_back(to_object(violation));
  }
  json["error"] = to_object(report.trouble);
  json["notes"] = report.notes;
  return text_of(json);
}

std::string to_json(const std::vector<ScenarioReport>& reports) {
  Json json;
  json["format"] = "ordeal-scenarios";
  json["version"] = 1;
  json["verdict"] = to_string(report::overall(reports));
  json["scenarios"] = Json::array();
  for (const ScenarioReport& report : reports) json["scenarios"].push_back(to_object(report));
  return text_of(json);
}

}  // namespace ordeal
