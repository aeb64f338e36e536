#include "ordeal/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>

#include "base/guard.h"
#include "base/text.h"

namespace ordeal {
namespace {

const std::string kYes = "yes";
const std::string kNo = "no";

Result<int64_t> number_in(const std::string& name, const std::string& text, int64_t least,
                          int64_t most) {
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || stop != text.data() + text.size() || error == std::errc::invalid_argument) {
    return Error{fmt::format("--{} {}: that is no whole number; give one from {} to {}", name,
                             one_line(text), least, most)};
  }
  if (error != std::errc() || number < least || number > most) {
    return Error{fmt::format("--{} {}: out of range; give a whole number from {} to {}", name,
                             one_line(text), least, most)};
  }
  return number;
}

// "1,2": the ids in it. "" and "none" are the empty list.
Result<std::vector<NodeId>> node_list(const std::string& name, const std::string& text) {
  std::vector<NodeId> nodes;
  if (text.empty() || text == "none") return nodes;
  size_t at = 0;
  while (at <= text.size()) {
    const size_t comma = std::min(text.find(',', at), text.size());
    int id = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + comma, id);
    if (comma == at || stop != text.data() + comma || error != std::errc() || id < 0) {
      return Error{fmt::format(
          "--{} {}: that is no list of nodes; give ids with commas between them, such as 1,2", name,
          one_line(text))};
    }
    if (std::find(nodes.begin(), nodes.end(), NodeId(id)) != nodes.end()) {
      return Error{fmt::format("--{} {}: node {} is named twice", name, one_line(text), id)};
    }
    nodes.emplace_back(id);
    at = comma + 1;
  }
  return nodes;
}

Result<std::string> checked_value(const Parameter& parameter, const std::string& text) {
  switch (parameter.kind) {
    case ParameterKind::kNumber: {
      const Result<int64_t> number =
          number_in(parameter.name, text, parameter.least, parameter.most);
      if (!number) return number.error();
      return std::to_string(*number);
    }
    case ParameterKind::kNodes: {
      const Result<std::vector<NodeId>> nodes = node_list(parameter.name, text);
      if (!nodes) return nodes.error();
      return text;
    }
    case ParameterKind::kFlag:
      for (const char* yes : {"", "yes", "true", "on", "1"}) {
        if (text == yes) return kYes;
      }
      for (const char* no : {"no", "false", "off", "0"}) {
        if (text == no) return kNo;
      }
      return Error{
          fmt::format("--{}={}: that is neither yes nor no", parameter.name, one_line(text))};
    case ParameterKind::kWord:
    case ParameterKind::kLines:
      break;
  }
  const auto& words = parameter.words;
  if (!words.empty() && std::find(words.begin(), words.end(), text) == words.end()) {
    return Error{fmt::format("--{} {}: there is no such choice{}; it is one of {}", parameter.name,
                             one_line(text), did_you_mean(text, words), join(words, ", "))};
  }
  return text;
}

Result<void> check_bug(const Subject& subject, const std::string& bug) {
  std::vector<std::string> names;
  for (const Bug& known : subject.bugs) {
    if (known.name == bug) return {};
    names.push_back(known.name);
  }
  if (names.empty()) {
    return Error{fmt::format("--bug {}: {} has no planted bugs", one_line(bug), subject.name)};
  }
  return Error{fmt::format("--bug {}: {} has no such bug{}; it has {}", one_line(bug), subject.name,
                           did_you_mean(bug, names), join(names, ", "))};
}

}  // namespace

// Thrown through the builder that asks, to whoever has called it: a misspelt name must not become a
// system with other parameters.
int64_t Arguments::number_within(const std::string& name, int64_t least, int64_t most) const {
  const std::string& text = word(name);
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!text.empty() && (error != std::errc() || stop != text.data() + text.size())) {
    throw Failure(fmt::format("the parameter '{}' is asked for as a number; it is \"{}\"", name,
                              one_line(text)));
  }
  if (number < least || number > most) {
    throw Failure(fmt::format("the parameter '{}' is asked for as a number from {} to {}; it is {}",
                              name, least, most, number));
  }
  return number;
}

const std::string& Arguments::word(const std::string& name) const {
  const auto at = values.find(name);
  if (at != values.end()) return at->second;
  std::vector<std::string> names;
  for (const auto& [known, value] : values) names.push_back(known);
  throw Failure(fmt::format("it asks for a parameter '{}' that is not declared{}; there {}", name,
                            did_you_mean(name, names),
                            names.empty() ? "are none" : "is " + join(names, ", ")));
}

std::vector<NodeId> Arguments::nodes(const std::string& name) const {
  Result<std::vector<NodeId>> nodes = node_list(name, word(name));
  return nodes ? *std::move(nodes) : std::vector<NodeId>();
}

bool Arguments::flag(const std::string& name) const { return word(name) == kYes; }

bool Arguments::given(const std::string& name) const {
  return std::find(given_names.begin(), given_names.end(), name) != given_names.end();
}

bool Arguments::bug(const std::string& name) const {
  if (std::find(bugs.begin(), bugs.end(), name) == bugs.end()) {
    throw Failure(fmt::format("it asks for a planted bug '{}' that is not declared{}; there {}",
                              name, did_you_mean(name, bugs),
                              bugs.empty() ? "are none" : "is " + join(bugs, ", ")));
  }
  return bug_name == name;
}

Suite& Suite::add(Subject subject) {
  assert(find(subject.name) == nullptr);
  subjects_.push_back(std::move(subject));
  return *this;
}

std::string show(const Bug& bug) {
  const Shows& how = bug.shows;
  if (!how.scenario.empty()) return bug.what + "; shows in scenario " + how.scenario;
  std::string options;
  for (const auto& [name, value] : how.parameters) {
    options += " --" + name + (value == kYes ? "" : " " + value);
  }
  if (!how.strategy.empty()) options += " --strategy " + how.strategy;
  if (how.max_runs > 0) options += " --max-runs " + std::to_string(how.max_runs);
  return options.empty() ? bug.what : bug.what + "; shows with" + options;
}

const Subject* Suite::find(const std::string& name) const {
  const auto at = std::find_if(subjects_.begin(), subjects_.end(),
                               [&](const Subject& subject) { return subject.name == name; });
  return at == subjects_.end() ? nullptr : &*at;
}

Suite& Suite::add(SuiteScenario scenario) {
  assert(find_scenario(scenario.name) == nullptr);
  assert(find(scenario.subject) != nullptr);
  scenarios_.push_back(std::move(scenario));
  return *this;
}

const SuiteScenario* Suite::find_scenario(const std::string& name) const {
  const auto at =
      std::find_if(scenarios_.begin(), scenarios_.end(),
                   [&](const SuiteScenario& scenario) { return scenario.name == name; });
  return at == scenarios_.end() ? nullptr : &*at;
}

Result<Arguments> Suite::arguments(const Subject& subject,
                                   const std::map<std::string, std::string>& given,
                                   const std::string& bug) const {
  Arguments arguments;
  for (const Bug& known : subject.bugs) arguments.bugs.push_back(known.name);
  std::vector<std::string> names;
  for (const Parameter& parameter : subject.parameters) {
    names.push_back(parameter.name);
    const bool is_given = given.contains(parameter.name);
    if (is_given) arguments.given_names.push_back(parameter.name);
    // A default need not lie within the range ("" for "as many as there are nodes"); only what the
    // user gives is held to it.
    std::string& value = arguments.values[parameter.name];
    value = parameter.fallback;
    const bool is_flag = parameter.kind == ParameterKind::kFlag;
    if (is_flag && value != kYes) value = kNo;
    if (is_given && (is_flag || given.at(parameter.name) != parameter.fallback)) {
      Result<std::string> checked = checked_value(parameter, given.at(parameter.name));
      if (!checked) return checked.error();
      value = *std::move(checked);
    }
  }
  for (const auto& [name, value] : given) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return Error{fmt::format("{} has no parameter '--{}'{}; it has {}", subject.name,
                               one_line(name), did_you_mean(name, names, "--"),
                               names.empty() ? "none" : "--" + join(names, ", --"))};
    }
  }
  if (!bug.empty() && bug != "none") {
    if (const Result<void> known = check_bug(subject, bug); !known) return known.error();
    arguments.bug_name = bug;
  }
  return arguments;
}

}  // namespace ordeal
