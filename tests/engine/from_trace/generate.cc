// Finds every planted bug of the suite and writes the tests that are made of their traces. Usage:
// generate FILE
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "ordeal/check.h"
#include "ordeal/report.h"
#include "ordeal/scenario.h"
#include "ordeal/suite.h"
#include "protocols/suite.h"

namespace {

using ordeal::Result;

Result<ordeal::Trace> trace_of(const ordeal::Suite& suite, const ordeal::Subject& subject,
                               const ordeal::Bug& bug) {
  const ordeal::Shows& shows = bug.shows;
  ordeal::Options options;
  options.strategy = shows.strategy;
  if (shows.max_runs > 0) options.max_runs = shows.max_runs;
  const auto arguments =
      suite.arguments(subject, {shows.parameters.begin(), shows.parameters.end()}, bug.name);
  if (!arguments) return arguments.error();
  const auto built = subject.build(*arguments);
  if (!built) return built.error();
  options.system = subject.name;
  options.parameters = arguments->values;
  options.parameters["bug"] = bug.name;
  const auto report = ordeal::check(**built, options);
  if (!report) return report.error();
  if (report->violations.empty() || !report->violations[0].trace) {
    return ordeal::Error{subject.name + " --bug " + bug.name + " shows nothing"};
  }
  return *report->violations[0].trace;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: generate FILE\n";
    return 3;
  }
  const ordeal::Suite suite = ordeal::protocols::suite();
  std::vector<ordeal::Trace> traces;
  ordeal::SourceOptions options;
  std::string endless;
  for (const ordeal::Subject& subject : suite.subjects()) {
    for (const ordeal::Bug& bug : subject.bugs) {
      if (!bug.shows.scenario.empty()) continue;  // that scenario is its test
      Result<ordeal::Trace> trace = trace_of(suite, subject, bug);
      if (!trace) {
        std::cerr << trace.error().message << "\n";
        return 1;
      }
      if (trace->loop_start) {  // no test can be made of it
        endless += "// Never ends: " + subject.name + " --bug " + bug.name + "\n";
        continue;
      }
      Result<std::vector<size_t>> may_miss = ordeal::steps_to_miss(suite, *trace);
      if (!may_miss) {
        std::cerr << may_miss.error().message << "\n";
        return 1;
      }
      traces.push_back(std::move(*trace));
      options.may_miss.push_back(std::move(*may_miss));
    }
  }
  const Result<std::string> source = ordeal::scenario_source(traces, options);
  if (!source) {
    std::cerr << source.error().message << "\n";
    return 1;
  }
  std::ofstream(argv[1], std::ios::binary) << *source << endless;
  return 0;
}
