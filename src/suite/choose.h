// From names and parameters, as text, to a subject of a suite that is ready to be explored, or to a
// scenario that is ready to run.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/suite.h"

namespace ordeal {

// The subject of that name, or an Error that suggests one.
Result<const Subject*> find_subject(const Suite& suite, const std::string& name);

// The scenario of that name, or an Error that suggests one.
Result<const SuiteScenario*> find_scenario(const Suite& suite, const std::string& name);

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
};

// `given` are parameters by name.
Result<Chosen> choose_subject(const Suite& suite, const Subject& subject,
                              const std::map<std::string, std::string>& given,
                              const std::string& bug);

// Lets every fault happen at any time, as runs that were recorded live need it. An Error: there are
// no nodes that could fail. REQUIRES: it is not under a scenario yet.
Result<void> free_the_faults(Chosen& chosen);

// Puts the subject under a scenario of the suite. An Error: there is none of that name, it is for
// another subject, or it makes no sense for this one.
Result<void> put_under(const Suite& suite, const std::string& scenario, Chosen& chosen);

// A scenario of the suite with its subject, ready to run.
struct Ready {
  const SuiteScenario* declared = nullptr;
  Chosen chosen;
  Scenario scenario;
};

// `given`: parameters that replace those of the scenario; those that its subject does not have are
// left out. An Error: they make no sense, or the scenario does not for them.
Result<Ready> make_ready(const Suite& suite, const SuiteScenario& declared,
                         const std::map<std::string, std::string>& given, const std::string& bug);

// The report under the name that the suite has for the scenario: `replay` looks it up there.
void rename(const std::string& name, ScenarioReport& report);

}  // namespace ordeal
