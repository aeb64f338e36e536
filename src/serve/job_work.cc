#include "serve/job_work.h"

#include <fmt/format.h>

#include "ordeal/report.h"
#include "report/scenario_words.h"
#include "serve/address.h"

namespace ordeal::serve {
namespace {

void label(const Chosen& chosen, Trace& trace) {
  trace.scenario = chosen.scenario;
  trace.free_faults = chosen.free_faults;
}

std::string kind_of(const Chosen& chosen, const std::string& name) {
  const std::vector<Property>& properties = chosen.explored().properties();
  for (uint32_t i = 0; i < properties.size(); ++i) {
    if (properties[i].name != name) continue;
    return i == kNoFailure ? "failure" : to_string(properties[i].kind);
  }
  return "";
}

Json finding_of(const Violation& violation) {
  Json json = {{"kind", violation.kind}, {"why", violation.why}, {"nodes", violation.nodes}};
  if (violation.trace) json["address"] = address_json(address_of(*violation.trace));
  return json;
}

void add_runs(const std::string& name, const Violation& violation, Job& job) {
  if (violation.trace) job.add_run(name, "violation", *violation.trace);
  if (violation.original) job.add_run(name, "original", *violation.original);
}

Json point_of(const Progress& progress) {
  return {{"seconds", progress.seconds},   {"states", progress.states},
          {"distinct", progress.distinct}, {"runs", progress.runs},
          {"depth", progress.depth},       {"queue", progress.queue},
          {"bytes", progress.bytes},       {"violations", progress.violations}};
}

// Where the search has come to in the end. It does not count states that it reached twice.
Json last_point_of(const Report& report) {
  return {{"seconds", report.seconds},
          {"states", report.transitions},
          {"distinct", report.distinct_states},
          {"runs", report.runs},
          {"depth", report.depth},
          {"queue", 0},
          {"bytes", report.bytes},
          {"violations", report.violations.size()}};
}

Json summary_of(const std::string& name, const ScenarioReport& report) {
  Json json = {{"name", name},
               {"verdict", to_string(report.verdict)},
               {"outcome", report::outcome_of(report)},
               {"effort", report::effort_of(report)},
               {"expectation", report.expectation},
               {"system", report.system},
               {"parameters", report.parameters},
               {"strategy", report.strategy},
               {"runs", report.runs},
               {"successes", report.successes},
               {"failures", report.failures},
               {"seconds", report.seconds},
               {"notes", report.notes},
               {"violations", Json::array()}};
  for (const Violation& violation : report.violations) {
    Json one = finding_of(violation);
    one["property"] = violation.property;
    json["violations"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

Result<void> run_check(const Chosen& chosen, Options options, Job& job) {
  options.stop = &job.stop_flag();
  options.progress = [&](const Progress& progress) {
    job.add_point(point_of(progress));
    for (const std::string& name : progress.violated) {
      job.add_finding(progress.seconds, name, kind_of(chosen, name));
    }
    for (const std::string& name : progress.reached) job.add_reached(progress.seconds, name);
  };
  Result<Report> report = check(chosen.explored(), options);
  if (!report) return report.error();
  job.add_point(last_point_of(*report));
  for (const PropertyResult& result : report->properties) {
    if (result.reached) job.add_reached(report->seconds, result.property.name);
  }
  for (Violation& violation : report->violations) {
    if (violation.trace) label(chosen, *violation.trace);
    if (violation.original) label(chosen, *violation.original);
    job.complete_finding(report->seconds, violation.property, finding_of(violation));
    add_runs(violation.property, violation, job);
    // The runs have them already.
    if (violation.trace) violation.trace = without_states(*std::move(violation.trace));
  }
  if (report->trouble && report->trouble->trace) {
    label(chosen, *report->trouble->trace);
    job.add_run(kTroubleName, kTroubleKind, *report->trouble->trace);
    report->trouble->trace = without_states(*std::move(report->trouble->trace));
  }
  job.set_report(to_json(*report));
  return {};
}

Result<void> run_scenarios(const std::vector<Ready>& ready, Options options, Job& job) {
  options.stop = &job.stop_flag();
  const auto tell = [&](size_t done, const std::string& name) {
    job.add_point(
        {{"seconds", job.seconds()}, {"done", done}, {"total", ready.size()}, {"name", name}});
  };
  std::vector<ScenarioReport> reports;
  for (size_t i = 0; i < ready.size() && !job.stop_flag(); ++i) {
    const Ready& one = ready[i];
    const std::string& name = one.declared->name;
    tell(i, name);
    options.system = one.chosen.subject->name;
    options.parameters = one.chosen.parameters;
    Result<ScenarioReport> report = run(one.scenario, *one.chosen.checkable, options);
    if (!report) {
      job.add_scenario(
          {{"name", name}, {"verdict", "undecided"}, {"outcome", report.error().message}});
      continue;
    }
    rename(name, *report);
    for (Violation& violation : report->violations) {
      if (violation.original) violation.original->scenario = name;
      Json finding = finding_of(violation);
      finding["scenario"] = name;
      job.complete_finding(job.seconds(), violation.property, std::move(finding));
      add_runs(name + ": " + violation.property, violation, job);
    }
    job.add_scenario(summary_of(name, *report));
    for (Violation& violation : report->violations) {
      if (violation.trace) violation.trace = without_states(*std::move(violation.trace));
      violation.original.reset();
    }
    reports.push_back(*std::move(report));
  }
  tell(reports.size(), "");
  job.set_report(to_json(reports));
  return {};
}

}  // namespace ordeal::serve
