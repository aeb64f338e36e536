// The part of the service that is about runs, and about the suite.
#include <fmt/format.h>

#include "base/text.h"
#include "explore/strategy/strategy.h"
#include "serve/here.h"
#include "serve/service.h"
#include "trace/import.h"
#include "trace/step_json.h"

namespace ordeal::serve {
namespace {

const char* to_string(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::kNumber:
      return "number";
    case ParameterKind::kWord:
      return "word";
    case ParameterKind::kNodes:
      return "nodes";
    case ParameterKind::kFlag:
      return "flag";
    case ParameterKind::kLines:
      return "lines";
  }
  return "word";
}

Json to_json(const Parameter& parameter) {
  Json json = {{"name", parameter.name},
               {"what", parameter.what},
               {"default", parameter.fallback},
               {"kind", to_string(parameter.kind)}};
  if (parameter.kind == ParameterKind::kNumber) {
    json["least"] = parameter.least;
    json["most"] = parameter.most;
  }
  if (!parameter.words.empty()) json["words"] = parameter.words;
  return json;
}

Json to_json(const Subject& subject) {
  Json json = {{"name", subject.name},
               {"what", subject.what},
               {"parameters", Json::array()},
               {"bugs", Json::array()}};
  for (const Parameter& parameter : subject.parameters) {
    json["parameters"].push_back(to_json(parameter));
  }
  for (const Bug& bug : subject.bugs) {
    json["bugs"].push_back({{"name", bug.name}, {"what", show(bug)}, {"property", bug.property}});
  }
  return json;
}

const char* to_string(explore::StrategyOption::Kind kind) {
  switch (kind) {
    case explore::StrategyOption::Kind::kNumber:
      return "number";
    case explore::StrategyOption::Kind::kReal:
      return "real";
    case explore::StrategyOption::Kind::kWord:
      return "word";
    case explore::StrategyOption::Kind::kFlag:
      return "flag";
    case explore::StrategyOption::Kind::kText:
    case explore::StrategyOption::Kind::kFile:
      return "word";  // any
  }
  return "word";
}

Json to_json(const explore::StrategyOption& option) {
  Json json = {{"name", option.field},
               {"what", option.what},
               {"default", option.fallback},
               {"kind", to_string(option.kind)}};
  if (option.kind == explore::StrategyOption::Kind::kNumber) {
    json["least"] = option.least;
    if (option.most < UINT64_MAX) json["most"] = option.most;
  }
  if (option.kind == explore::StrategyOption::Kind::kReal) {
    json["least"] = option.from;
    json["most"] = option.to;
  }
  if (!option.words.empty()) json["words"] = option.words;
  return json;
}

Json to_json(const explore::Strategy& strategy) {
  Json json = {{"name", strategy.name},
               {"what", strategy.what},
               {"stateful", strategy.needs_space},
               {"samples", strategy.samples()},
               {"scenarios", explore::fits_scenarios(strategy)},
               {"options", Json::array()}};
  for (const explore::StrategyOption& option : strategy.options) {
    if (option.kind == explore::StrategyOption::Kind::kFile) continue;
    json["options"].push_back(to_json(option));
  }
  return json;
}

Json to_json(const Suite& suite, const SuiteScenario& scenario) {
  // What it is about is said where it is made.
  const Result<Ready> ready = make_ready(suite, scenario, {});
  return {{"name", scenario.name},
          {"subject", scenario.subject},
          {"what", ready ? ready->scenario.declaration().what : ready.error().message},
          {"parameters", scenario.parameters},
          {"catches", scenario.catches}};
}

}  // namespace

Answer Service::suite() {
  std::call_once(suite_once_, [&] {
    Json json = {{"version", setup_.version},
                 {"subjects", Json::array()},
                 {"scenarios", Json::array()},
                 {"strategies", Json::array()}};
    for (const Subject& subject : suite_.subjects()) json["subjects"].push_back(to_json(subject));
    for (const SuiteScenario& scenario : suite_.scenarios()) {
      json["scenarios"].push_back(to_json(suite_, scenario));
    }
    for (const explore::Strategy& strategy : explore::all_strategies()) {
      json["strategies"].push_back(to_json(strategy));
    }
    suite_text_ = line(json);
  });
  return answer_text(suite_text_);
}

Answer Service::run(const trace::Place& asked) {
  const Address address = read_address(asked["address"]);
  if (asked.failed()) return {};
  std::string out;
  const Result<void> done = walks_.visit(address, [&](explore::Walk& walk) -> Result<void> {
    out = fmt::format("{{\"trace\":{},\"here\":{}}}", ordeal::to_json(walk.trace()),
                      line(here_of(walk)));
    return {};
  });
  return done ? answer_text(std::move(out)) : problem(400, done.error().message);
}

Answer Service::here(const trace::Place& asked) {
  const Address address = read_address(asked["address"]);
  if (asked.failed()) return {};
  Json json;
  const Result<void> done = walks_.visit(address, [&](explore::Walk& walk) -> Result<void> {
    json = here_of(walk);
    return {};
  });
  return done ? answer(json) : problem(400, done.error().message);
}

Answer Service::step(const trace::Place& asked) {
  const Address address = read_address(asked["address"]);
  const auto choice = asked["choice"].number<uint32_t>(0, UINT32_MAX);
  if (asked.failed()) return {};
  std::string out;
  const Result<void> done = walks_.visit(address, [&](explore::Walk& walk) -> Result<void> {
    if (const Result<void> taken = walk.take(choice); !taken) {
      return Error{"choice: " + taken.error().message};
    }
    const Trace& trace = walk.trace();
    out = fmt::format("{{\"step\":{},\"short\":\"{}\",\"verdict\":{},\"here\":{}}}",
                      trace::step_json(trace.steps.back(), trace.steps.size()), short_form(trace),
                      trace::verdict_json(trace.verdict), line(here_of(walk)));
    return {};
  });
  return done ? answer_text(std::move(out)) : problem(400, done.error().message);
}

Answer Service::replay(const trace::Place& asked) {
  if (asked["trace"].absent()) asked["trace"].fail("a trace");
  std::map<std::string, std::string> other = read_parameters(asked["parameters"]);
  if (asked.failed()) return {};
  Result<Trace> trace = trace::trace_of(asked["trace"].json());
  if (!trace) return problem(400, "trace: " + trace.error().message);
  if (!trace->source.empty()) {
    return problem(400, fmt::format("trace.source: a run from {} can be looked at, not replayed",
                                    one_line(trace->source)));
  }
  Address address = address_of(*trace);
  for (auto& [name, value] : other) address.parameters[name] = std::move(value);
  const Result<Chosen> chosen = choose(suite_, address, "address.");
  if (!chosen) return problem(400, chosen.error().message);
  const Result<ReplayResult> result = ordeal::replay(chosen->explored(), *trace);
  if (!result) return problem(400, result.error().message);
  // Once more for the states, as far as it went.
  const TraceVerdict& verdict = result->trace.verdict;
  address.way = address_of(result->trace).way;
  std::string again;
  const Result<void> done = walks_.visit(address, [&](explore::Walk& walk) -> Result<void> {
    Trace shown = walk.trace();
    shown.strategy = trace->strategy;
    shown.seed = trace->seed;
    shown.minimised_from = trace->minimised_from;
    if (!verdict.property.empty()) shown.verdict = verdict;
    again = ordeal::to_json(shown);
    return {};
  });
  if (!done) return problem(400, done.error().message);
  return answer_text(fmt::format("{{\"reproduced\":{},\"diverged_at\":{},\"why\":{},\"trace\":{}}}",
                                 result->reproduced, result->diverged_at, line(Json(result->why)),
                                 again));
}

Answer Service::import(const trace::Place& asked) {
  ImportOptions options;
  options.name = asked["name"].text_or_empty();
  if (!asked["format"].absent()) options.format = asked["format"].text();
  options.parser = asked["parser"].text_or_empty();
  const std::string text = asked["text"].text();
  if (asked.failed()) return {};
  const Result<Trace> trace = import_run(text, options);
  if (!trace) return problem(400, trace.error().message);
  return answer_text(fmt::format("{{\"trace\":{}}}", ordeal::to_json(*trace)));
}

}  // namespace ordeal::serve
