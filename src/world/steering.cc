#include "ordeal/steering.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace ordeal {
namespace {

// Numbers of predicates are counts, terms, distances.
constexpr int64_t kMostArgument = 1'000'000'000;

constexpr const char* kBlank = " \t\r\n";

bool is_word(const std::string& text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  const auto starts = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && starts(text[0]) && std::all_of(text.begin(), text.end(), fits);
}

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
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

// --- Reward machines -----------------------------------------------------------------------------

constexpr double kMostPaid = 1'000'000;
constexpr const char* kOtherwise = "otherwise";
constexpr const char* kSuccess = "success";
constexpr const char* kFailure = "failure";

Error no_transition(const std::string& text, const std::string& why) {
  return Error{"the transition " + quoted_for_message(text) + ": " + why +
               "; transitions read FROM: CONDITION -> TO, with \"pays N\" or \"once\" behind them"};
}

// What is behind the name of the state that a transition leads to: "pays 3 once".
Result<void> read_pay(const std::string& text, std::string words, RewardStep& out) {
  while (!words.empty()) {
    const size_t end = words.find_first_of(kBlank);
    const std::string word = words.substr(0, end);
    words = end == std::string::npos ? "" : trimmed(std::string_view(words).substr(end));
    if (word == "once" && !out.once) {
      out.once = true;
      continue;
    }
    if (word != "pays" || out.pays) {
      return no_transition(text, quoted_for_message(word) + " is not understood" +
                                     did_you_mean(word, {"pays", "once"}));
    }
    const size_t after = words.find_first_of(kBlank);
    const std::string number = words.substr(0, after);
    words = after == std::string::npos ? "" : trimmed(std::string_view(words).substr(after));
    double value = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (number.empty() || error != std::errc() || stop != number.data() + number.size() ||
        !(value >= 0 && value <= kMostPaid)) {
      return no_transition(
          text, "what it pays is a number from 0 to 1000000, not " + quoted_for_message(number));
    }
    out.pays = value;
  }
  return {};
}

Result<RewardStep> read_step(const std::string& text) {
  RewardStep out;
  const size_t colon = text.find(':');
  const size_t arrow = text.find("->");
  if (colon == std::string::npos || arrow == std::string::npos || arrow < colon) {
    return no_transition(text, colon == std::string::npos ? "it does not say where from"
                                                          : "it does not say where to");
  }
  out.from = trimmed(std::string_view(text).substr(0, colon));
  const std::string behind = trimmed(std::string_view(text).substr(arrow + 2));
  const size_t space = behind.find_first_of(kBlank);
  out.to = behind.substr(0, space);
  for (const std::string& state : {out.from, out.to}) {
    if (!is_word(state)) return no_transition(text, quoted_for_message(state) + " names no state");
  }
  if (space != std::string::npos) {
    const auto paid = read_pay(text, trimmed(std::string_view(behind).substr(space)), out);
    if (!paid) return paid.error();
  }
  const std::string condition =
      trimmed(std::string_view(text).substr(colon + 1, arrow - colon - 1));
  if (condition == kOtherwise) return out;
  for (const std::string& any : split_predicates(condition, '|')) {
    std::vector<RewardStep::Literal> all;
    for (const std::string& one : split_predicates(any, '&')) {
      const bool is_so = one.empty() || one[0] != '!';
      all.push_back({is_so ? one : trimmed(std::string_view(one).substr(1)), is_so});
      if (auto call = parse_predicate(all.back().predicate); !call) {
        return no_transition(text, call.error().message);
      }
    }
    out.when.push_back(std::move(all));
  }
  return out;
}

// The states that can be come to from `from`, along the transitions or against them.
std::vector<std::string> reachable(const std::vector<RewardStep>& steps, const std::string& from,
                                   bool along) {
  std::vector<std::string> out = {from};
  for (size_t i = 0; i < out.size(); ++i) {
    for (const RewardStep& step : steps) {
      const std::string& near = along ? step.from : step.to;
      const std::string& far = along ? step.to : step.from;
      if (near == out[i] && std::find(out.begin(), out.end(), far) == out.end()) {
        out.push_back(far);
      }
    }
  }
  return out;
}

Result<void> check_machine(const Steering& steering, const RewardMachine& machine) {
  const auto valid = validate_reward_machine(machine.text, steering.predicates);
  if (valid) return {};
  return Error{"reward machine " + quoted_for_message(machine.name) + ": " + valid.error().message};
}

}  // namespace

Result<std::vector<RewardStep>> parse_reward_machine(const std::string& text) {
  std::vector<RewardStep> out;
  std::vector<std::string> lines = split_predicates(text, ';');
  if (lines.size() > 1 && lines.back().empty()) lines.pop_back();
  for (const std::string& line : lines) {
    Result<RewardStep> step = read_step(line);
    if (!step) return step.error();
    out.push_back(std::move(*step));
  }
  return out;
}

Result<void> validate_reward_machine(const std::string& text,
                                     const std::vector<PredicateFamily>& families) {
  const Result<std::vector<RewardStep>> steps = parse_reward_machine(text);
  if (!steps) return steps.error();
  const std::string start = steps->front().from;
  const std::vector<std::string> from_start = reachable(*steps, start, true);
  std::vector<std::string> ended;  // states of which a transition is always taken
  for (const RewardStep& step : *steps) {
    const std::string who = "the transition from " + step.from + " to " + step.to + ": ";
    if (step.from == kSuccess || step.from == kFailure) {
      return Error{who + "nothing leads out of " + step.from + ": the way ends there"};
    }
    if (std::find(from_start.begin(), from_start.end(), step.from) == from_start.end()) {
      return Error{who + "no way leads to " + quoted_for_message(step.from) + " from " + start +
                   ", where it begins" + did_you_mean(step.from, from_start)};
    }
    if (std::find(ended.begin(), ended.end(), step.from) != ended.end()) {
      return Error{who + "it is never taken, because one before it always is (" + kOtherwise + ")"};
    }
    if ((step.from == step.to || step.to == kFailure) && (step.pays.value_or(0) > 0 || step.once)) {
      return Error{who + "it pays nothing: it leads " +
                   (step.to == kFailure ? "to a failure" : "back to where it begins")};
    }
    if (step.when.empty()) ended.push_back(step.from);
    for (const auto& all : step.when) {
      for (const RewardStep::Literal& one : all) {
        const Result<uint32_t> family = find_predicate(families, *parse_predicate(one.predicate));
        if (!family) return Error{who + family.error().message};
      }
    }
  }
  const std::vector<std::string> to_success = reachable(*steps, kSuccess, false);
  if (std::find(to_success.begin(), to_success.end(), start) == to_success.end()) {
    return Error{std::string("no way leads to ") + kSuccess + " from " + start +
                 ", where it begins" + did_you_mean(kSuccess, from_start)};
  }
  return {};
}

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
  for (const RewardMachine& machine : steering.machines) {
    if (auto valid = check_name("the name of a reward machine", machine.name, names); !valid) {
      return valid;
    }
    if (auto valid = check_machine(steering, machine); !valid) return valid;
  }
  return {};
}

}  // namespace ordeal
