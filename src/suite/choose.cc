#include "suite/choose.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/guard.h"
#include "base/text.h"
#include "ordeal/scenario_run.h"
#include "suite/specifications.h"
#include "trace/short_form.h"

namespace ordeal {
namespace {

std::string typed(const Subject& subject, const Arguments& arguments) {
  const auto word = [](const std::string& text) { return shell_word(one_line(text)); };
  std::string out = word(subject.name);
  for (const Parameter& parameter : subject.parameters) {
    if (!arguments.given(parameter.name)) continue;
    const std::string& value = arguments.values.at(parameter.name);
    if (value.empty()) continue;
    if (parameter.kind == ParameterKind::kFlag) {
      out += fmt::format(" {}{}", word("--" + parameter.name), value == "yes" ? "" : "=no");
    } else if (parameter.kind == ParameterKind::kLines) {
      for (const std::string& line : lines_of(value)) {
        out += fmt::format(" {} {}", word("--" + parameter.name), word(line));
      }
    } else {
      out += fmt::format(" {} {}", word("--" + parameter.name), word(value));
    }
  }
  if (!arguments.bug_name.empty()) out += " --bug " + word(arguments.bug_name);
  return out;
}

Result<Scenario> make_scenario(const SuiteScenario& declared, const Arguments& arguments) {
  Result<Scenario> made = Error{};
  const std::string failure = guarded_call([&] { made = declared.make(arguments); });
  if (failure.empty()) return made;
  return Error{
      fmt::format("the function that makes the scenario {} fails: {}", declared.name, failure)};
}

// An Error: there are no nodes that could fail.
Result<void> free_the_faults(Chosen& chosen) {
  Result<std::unique_ptr<Checkable>> free = chosen.checkable->with_free_faults();
  if (!free) return free.error();
  chosen.checkable = *std::move(free);
  chosen.free_faults = true;
  return {};
}

Result<Chosen> choose_subject(const Suite& suite, const Subject& subject,
                              std::map<std::string, std::string> given) {
  std::string bug;
  if (const auto node = given.extract("bug")) bug = node.mapped();
  Chosen chosen;
  chosen.subject = &subject;
  Result<Arguments> arguments = suite.arguments(subject, given, bug);
  if (!arguments) return arguments.error();
  chosen.arguments = *std::move(arguments);
  Result<std::unique_ptr<Checkable>> built = Error{};
  const std::string failure = guarded_call([&] { built = subject.build(chosen.arguments); });
  if (!failure.empty()) {
    return Error{fmt::format("the builder of '{}' fails: {}", subject.name, failure)};
  }
  if (!built) return built.error();
  chosen.checkable = *std::move(built);
  if (const Result<void> valid = chosen.checkable->validate(); !valid) return valid.error();
  chosen.parameters = chosen.arguments.values;
  if (!chosen.arguments.bug_name.empty()) chosen.parameters["bug"] = chosen.arguments.bug_name;
  chosen.command_words = typed(subject, chosen.arguments);
  return chosen;
}

// Those of the scenario, where no others are given.
Result<void> add_parameters(const SuiteScenario& declared,
                            std::map<std::string, std::string>& given) {
  if (declared.parameters.contains("bug")) {
    return Error{fmt::format(
        "the scenario {} has a parameter 'bug'; `catches` is for the bug that it is about",
        declared.name)};
  }
  given.insert(declared.parameters.begin(), declared.parameters.end());
  return {};
}

// An Error: it makes no sense for this subject.
Result<void> put_under(const SuiteScenario& declared, Chosen& chosen) {
  const Result<Scenario> made = make_scenario(declared, chosen.arguments);
  if (!made) return made.error();
  Result<std::unique_ptr<Checkable>> product = under(*made, *chosen.checkable);
  if (!product) return product.error();
  chosen.scenario = declared.name;
  chosen.product = *std::move(product);
  return {};
}

}  // namespace

Result<const Subject*> find_subject(const Suite& suite, const std::string& name) {
  if (const Subject* subject = suite.find(name)) return subject;
  if (names_specification(name)) return specification_subject(name);
  std::vector<std::string> names;
  for (const Subject& subject : suite.subjects()) names.push_back(subject.name);
  return Error{fmt::format("there is no subject '{}'{}; there are {}", one_line(name),
                           did_you_mean(name, names), join(names, ", "))};
}

Result<const SuiteScenario*> find_scenario(const Suite& suite, const std::string& name) {
  if (const SuiteScenario* scenario = suite.find_scenario(name)) return scenario;
  std::vector<std::string> names;
  for (const SuiteScenario& scenario : suite.scenarios()) names.push_back(scenario.name);
  constexpr size_t kFew = 6;
  const std::string known =
      names.empty() ? "there are none"
      : names.size() <= kFew
          ? "there are " + join(names, ", ")
          : fmt::format("near to it are {}; 'scenario list' lists all {}",
                        join(nearest_few(name, names, kFew), ", "), names.size());
  return Error{fmt::format("there is no scenario '{}'{}; {}", one_line(name),
                           did_you_mean(name, names), known)};
}

Address address_of(const Trace& trace) {
  return {trace.system, trace.parameters, trace.scenario, trace.free_faults, trace::way_of(trace)};
}

Result<Chosen> choose(const Suite& suite, const Address& address,
                      const std::optional<std::string>& place) {
  const auto wrong = [&](const char* field, const Error& error) {
    return place ? Error{fmt::format("{}{}: {}", *place, field, error.message)} : error;
  };
  const Result<const Subject*> subject = find_subject(suite, address.system);
  if (!subject) return wrong("system", subject.error());
  Result<const SuiteScenario*> scenario = nullptr;
  std::map<std::string, std::string> given = address.parameters;
  if (!address.scenario.empty()) {
    scenario = find_scenario(suite, address.scenario);
    if (scenario && (*scenario)->subject != address.system) {
      scenario = Error{fmt::format("the scenario {} is for '{}', not for '{}'", address.scenario,
                                   (*scenario)->subject, address.system)};
    }
    if (!scenario) return wrong("scenario", scenario.error());
    if (const auto added = add_parameters(**scenario, given); !added) {
      return wrong("scenario", added.error());
    }
  }
  Result<Chosen> chosen = choose_subject(suite, **subject, given);
  if (!chosen) return wrong("parameters", chosen.error());
  if (address.free_faults) {
    if (const Result<void> freed = free_the_faults(*chosen); !freed) {
      return wrong("free_faults", freed.error());
    }
  }
  if (*scenario != nullptr) {
    if (const Result<void> under = put_under(**scenario, *chosen); !under) {
      return wrong("scenario", under.error());
    }
  }
  return chosen;
}

Result<Ready> make_ready(const Suite& suite, const SuiteScenario& declared,
                         const std::map<std::string, std::string>& given) {
  const Subject* subject = suite.find(declared.subject);
  std::map<std::string, std::string> all;
  for (const auto& [name, value] : given) {
    const bool has =
        std::any_of(subject->parameters.begin(), subject->parameters.end(),
                    [&name = name](const Parameter& known) { return known.name == name; });
    if (has || name == "bug") all[name] = value;
  }
  if (const auto added = add_parameters(declared, all); !added) return added.error();
  Result<Chosen> chosen = choose_subject(suite, *subject, std::move(all));
  if (!chosen) return Error{fmt::format("{}: {}", declared.name, chosen.error().message)};
  Result<Scenario> scenario = make_scenario(declared, chosen->arguments);
  if (!scenario) return scenario.error();
  if (const auto valid = validate(*scenario, *chosen->checkable); !valid) {
    return Error{fmt::format("{}: {}", declared.name, valid.error().message)};
  }
  return Ready{&declared, *std::move(chosen), *std::move(scenario)};
}

Result<std::vector<size_t>> steps_to_miss(const Suite& suite, const Trace& trace) {
  Address address = address_of(trace);
  address.scenario.clear();
  if (address.parameters.erase("bug") == 0) return std::vector<size_t>();
  if (suite.find(address.system) == nullptr) return std::vector<size_t>();
  const Result<Chosen> chosen = choose(suite, address);
  if (!chosen) return chosen.error();
  const Result<Scenario> scenario = scenario_of(trace);
  if (!scenario) return scenario.error();
  return lines_not_possible(*scenario, *chosen->checkable);
}

void rename(const std::string& name, ScenarioReport& report) {
  report.scenario = name;
  for (Violation& violation : report.violations) {
    if (violation.trace) violation.trace->scenario = name;
  }
}

}  // namespace ordeal
