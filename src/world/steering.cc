#include "ordeal/steering.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace ordeal {
namespace {

// Numbers of predicates are counts, terms, distances.
constexpr int64_t kMostArgument = 1'000'000'000;

bool is_word(const std::string& text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  const auto starts = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && starts(text[0]) && std::all_of(text.begin(), text.end(), fits);
}

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

Error no_predicate(const std::string& text, const std::string& why) {
  return Error{quoted_for_message(text) + " is no predicate: " + why +
               "; predicates read Name or Name(1, 2)"};
}

// "LogDiff(x)"
std::string shown(const PredicateFamily& family) {
  if (family.arguments == 0) return family.name;
  static constexpr const char* kNames[] = {"(x)", "(x, y)", "(x, y, z)"};
  return family.name + kNames[family.arguments - 1];
}

Result<void> check_name(const std::string& what, const std::string& name,
                        std::vector<std::string>& taken) {
  if (!is_word(name)) {
    return Error{what + " " + quoted_for_message(name) +
                 ": a name begins with a letter and has letters, digits, - and _"};
  }
  if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
    return Error{what + " " + quoted_for_message(name) + " is declared twice"};
  }
  taken.push_back(name);
  return {};
}

Result<void> check_waypoints(const Steering& steering, const Waypoints& waypoints) {
  const std::string who = "waypoints " + quoted_for_message(waypoints.name) + ": ";
  if (waypoints.predicates.empty()) return Error{who + "there are none"};
  for (const std::string& step : waypoints.predicates) {
    for (const std::string& one : split_predicates(step, '&')) {
      const Result<PredicateCall> call = parse_predicate(one);
      if (!call) return Error{who + call.error().message};
      const Result<uint32_t> family = find_predicate(steering.predicates, *call);
      if (!family) return Error{who + family.error().message};
    }
  }
  return {};
}

}  // namespace

Result<PredicateCall> parse_predicate(const std::string& given) {
  const std::string text = trimmed(given);
  if (text.empty()) return no_predicate(given, "it is empty");
  PredicateCall out;
  const size_t open = text.find('(');
  out.name = trimmed(std::string_view(text).substr(0, open));
  if (!is_word(out.name)) return no_predicate(text, "it does not begin with a name");
  if (open == std::string::npos) return out;
  if (text.back() != ')') return no_predicate(text, "the bracket is not closed at its end");
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  for (const std::string& word : split_predicates(inside, ',')) {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (word.empty() || error != std::errc() || end != word.data() + word.size()) {
      return no_predicate(text, quoted_for_message(word) + " is no whole number");
    }
    if (number < -kMostArgument || number > kMostArgument) {
      return no_predicate(text, word + " is out of range");
    }
    out.arguments.push_back(number);
  }
  return out;
}

std::vector<std::string> split_predicates(const std::string& text, char by) {
  std::vector<std::string> out;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : by;
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (i < text.size() && (c != by || depth > 0)) continue;
    out.push_back(trimmed(std::string_view(text).substr(begin, i - begin)));
    begin = i + 1;
  }
  return out;
}

Result<uint32_t> find_predicate(const std::vector<PredicateFamily>& families,
                                const PredicateCall& call) {
  if (families.empty()) {
    return Error{"there is no predicate " + quoted_for_message(call.name) +
                 ": the subject declares none"};
  }
  std::vector<std::string> names;
  std::vector<std::string> forms;
  for (uint32_t i = 0; i < families.size(); ++i) {
    names.push_back(families[i].name);
    forms.push_back(shown(families[i]));
    if (families[i].name != call.name) continue;
    if (families[i].arguments == call.arguments.size()) return i;
    return Error{"the predicate " + call.name + " takes " + std::to_string(families[i].arguments) +
                 (families[i].arguments == 1 ? " number" : " numbers") + ", as in " +
                 shown(families[i]) + ", not " + std::to_string(call.arguments.size())};
  }
  return Error{"there is no predicate " + quoted_for_message(call.name) +
               did_you_mean(call.name, names) + "; there are " + enumeration(forms)};
}

Result<void> validate_steering(const Steering& steering) {
  std::vector<std::string> colourings;
  for (const Colouring& colouring : steering.colourings) {
    if (auto valid = check_name("the colouring", colouring.name, colourings); !valid) return valid;
  }
  std::vector<std::string> predicates;
  for (const PredicateFamily& family : steering.predicates) {
    if (auto valid = check_name("the predicate", family.name, predicates); !valid) return valid;
  }
  // One word on the command line names either: they must not be taken for each other.
  std::vector<std::string> names = predicates;
  for (const Waypoints& waypoints : steering.waypoints) {
    if (auto valid = check_name("the name of waypoints", waypoints.name, names); !valid) {
      return valid;
    }
    if (auto valid = check_waypoints(steering, waypoints); !valid) return valid;
  }
  return {};
}

}  // namespace ordeal
