#include "serve/address.h"

namespace ordeal::serve {

std::map<std::string, std::string> read_parameters(const trace::Place& place) {
  std::map<std::string, std::string> parameters;
  place.each_field(
      [&](const std::string& name, const trace::Place& value) { parameters[name] = value.text(); });
  return parameters;
}

Address read_address(const trace::Place& place) {
  Address address;
  address.system = place["system"].text();
  address.parameters = read_parameters(place["parameters"]);
  address.scenario = place["scenario"].text_or_empty();
  if (const trace::Place free = place["free_faults"]; !free.absent()) {
    if (!free.json().is_boolean()) free.fail("true or false");
    address.free_faults = free.json() == true;
  }
  const Result<ShortForm> way = parse_short_form(place["short"].text_or_empty());
  if (!way) {
    place["short"].refuse(way.error().message);
    return address;
  }
  address.way = *way;
  return address;
}

Json to_json(const Address& address) {
  Trace trace;
  trace.initial = address.way.initial;
  for (const uint32_t choice : address.way.choices) trace.steps.emplace_back().choice = choice;
  return {{"system", address.system},
          {"parameters", address.parameters},
          {"scenario", address.scenario},
          {"short", short_form(trace)},
          {"free_faults", address.free_faults}};
}

std::string subject_key(const Address& address) {
  return line({address.system, address.parameters, address.scenario, address.free_faults});
}

Address address_of(const Trace& trace) {
  Address address{trace.system, trace.parameters, trace.scenario, trace.free_faults, {}};
  address.way.initial = trace.initial;
  for (const TraceStep& step : trace.steps) address.way.choices.push_back(step.choice);
  return address;
}

Result<Chosen> choose(const Suite& suite, const Address& address) {
  const Result<const Subject*> subject = find_subject(suite, address.system);
  if (!subject) return Error{"address.system: " + subject.error().message};
  std::map<std::string, std::string> given = address.parameters;
  std::string bug;
  if (const auto at = given.find("bug"); at != given.end()) {
    bug = at->second == "none" ? "" : at->second;
    given.erase(at);
  }
  if (!address.scenario.empty()) {
    const Result<const SuiteScenario*> scenario = find_scenario(suite, address.scenario);
    if (!scenario) return Error{"address.scenario: " + scenario.error().message};
    given.insert((*scenario)->parameters.begin(), (*scenario)->parameters.end());
  }
  Result<Chosen> chosen = choose_subject(suite, **subject, given, bug);
  if (!chosen) return Error{"address.parameters: " + chosen.error().message};
  if (address.free_faults) {
    if (const Result<void> freed = free_the_faults(*chosen); !freed) {
      return Error{"address.free_faults: " + freed.error().message};
    }
  }
  if (!address.scenario.empty()) {
    if (const Result<void> under = put_under(suite, address.scenario, *chosen); !under) {
      return Error{"address.scenario: " + under.error().message};
    }
  }
  return chosen;
}

}  // namespace ordeal::serve
