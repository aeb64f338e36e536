// From names and parameters, as text, to a subject of a suite that is ready to be explored, or to a
// scenario that is ready to run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/suite.h"
#include "ordeal/trace.h"

namespace ordeal {

// The subject of that name, or an Error that suggests one.
Result<const Subject*> find_subject(const Suite& suite, const std::string& name);

// The scenario of that name, or an Error that suggests one.
Result<const SuiteScenario*> find_scenario(const Suite& suite, const std::string& name);

// A run, or only what is to run, by what leads there. Commands, files and requests have it in forms
// of their own; what it means is known here alone.
struct Address {
  std::string system = {};
  std::map<std::string, std::string> parameters = {};  // "bug" names the planted bug; "none": none
  std::string scenario = {};
  bool free_faults = false;  // every fault may happen at any time, as in runs recorded live
  ShortForm way = {};
};

Address address_of(const Trace& trace);

struct Chosen {
  const Subject* subject = nullptr;
  Arguments arguments;
  std::unique_ptr<Checkable> checkable;
  std::map<std::string, std::string> parameters;  // as text, with "bug" if one is on
  std::string command_words;                      // "paxos --nodes 3": what the user would type
  // Where it is to run under a scenario: its name, and the subject with it.
  std::string scenario;
  std::unique_ptr<Checkable> product;
  bool free_faults = false;
  const Checkable& explored() const { return product != nullptr ? *product : *checkable; }
  // Traces and reports say what ran.
  template <class AnyOptions>
  void label(AnyOptions& options) const {
    options.system = subject->name;
    options.parameters = parameters;
  }
};

// What the address names, all but the way. Parameters that it does not give are those of its
// scenario, if it has one. `place`: where the address stands, for errors that name the field that
// is wrong ("address."); none: they do not.
Result<Chosen> choose(const Suite& suite, const Address& address,
                      const std::optional<std::string>& place = std::nullopt);

// A scenario of the suite with its subject, ready to run.
struct Ready {
  const SuiteScenario* declared = nullptr;
  Chosen chosen;
  Scenario scenario;
};

// `given`: parameters that replace those of the scenario, and "bug"; those that its subject does
// not have are left out. An Error: they make no sense, or the scenario does not for them.
Result<Ready> make_ready(const Suite& suite, const SuiteScenario& declared,
                         const std::map<std::string, std::string>& given);

// The report under the name that the suite has for the scenario: `replay` looks it up there.
void rename(const std::string& name, ScenarioReport& report);

}  // namespace ordeal
