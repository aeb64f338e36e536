#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/text.h"

namespace ordeal::cli {
namespace {

const OptionSpec* find(const std::vector<OptionSpec>& options, const std::string& name) {
  const auto at = std::find_if(options.begin(), options.end(),
                               [&](const OptionSpec& option) { return option.name == name; });
  return at == options.end() ? nullptr : &*at;
}

std::vector<std::string> names_of(const std::vector<OptionSpec>& options,
                                  const std::vector<OptionSpec>& extra) {
  std::vector<std::string> names = {"help"};
  for (const auto* list : {&options, &extra}) {
    for (const OptionSpec& option : *list) names.push_back(option.name);
  }
  return names;
}

// Whether the word may be the value of the option before it: not if it looks like an option. A lone
// "-" is standard output, and "-3" a number (that will be out of range, and said to be so).
bool may_be_value(const std::string& word) {
  return word.size() < 2 || word[0] != '-' || (word[1] >= '0' && word[1] <= '9');
}

Error bad_word(const OptionSpec& option, const std::string& value) {
  return Error{fmt::format("--{} {}: there is no such choice{}; it is one of {}", option.name,
                           one_line(value), did_you_mean(value, option.words),
                           join(option.words, ", "))};
}

Result<void> take(Parsed& parsed, const OptionSpec& option, std::string value) {
  if (!option.words.empty() &&
      std::find(option.words.begin(), option.words.end(), value) == option.words.end()) {
    return bad_word(option, value);
  }
  if (option.repeats && parsed.has(option.name)) {
    parsed.values[option.name] += "\n" + value;
    return {};
  }
  if (!parsed.values.emplace(option.name, std::move(value)).second) {
    return Error{fmt::format("--{} is given twice; give it once", option.name)};
  }
  return {};
}

Result<void> check_words(const CommandSpec& command, const Parsed& parsed) {
  if (parsed.words.size() > command.most_words) {
    return Error{fmt::format("'{}' is one word too many; the form is: {} {}",
                             one_line(parsed.words[command.most_words]), command.name,
                             command.arguments)};
  }
  if (parsed.words.size() < command.least_words) {
    return Error{fmt::format("'{}' needs more than that; the form is: {} {}", command.name,
                             command.name, command.arguments)};
  }
  return {};
}

}  // namespace

std::string Parsed::get(const std::string& name, const std::string& fallback) const {
  const auto at = values.find(name);
  return at == values.end() ? fallback : at->second;
}

Result<Parsed> parse_options(const CommandSpec& command, const std::vector<OptionSpec>& extra,
                             const std::vector<std::string>& arguments) {
  Parsed parsed;
  bool only_words = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (only_words || argument.size() < 2 || argument[0] != '-') {
      parsed.words.push_back(argument);
      continue;
    }
    if (argument == "--") {
      only_words = true;
      continue;
    }
    if (argument == "-h" || argument == "--help") {
      parsed.help = true;
      continue;
    }
    if (argument[1] != '-') {
      return Error{
          fmt::format("unknown option '{}'; options begin with two dashes{}", one_line(argument),
                      did_you_mean(argument.substr(1), names_of(command.options, extra), "--"))};
    }
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals == argument.npos ? equals : equals - 2);
    const OptionSpec* option = find(command.options, name);
    if (option == nullptr) option = find(extra, name);
    if (option == nullptr) {
      return Error{
          fmt::format("unknown option '--{}'{}; '{} --help' lists all of them", one_line(name),
                      did_you_mean(name, names_of(command.options, extra), "--"), command.name)};
    }
    std::string value;
    if (equals != argument.npos) {
      if (option->value.empty()) return Error{fmt::format("--{} takes no value", name)};
      value = argument.substr(equals + 1);
    } else if (!option->value.empty() && option->value[0] != '[') {
      if (i + 1 == arguments.size() || !may_be_value(arguments[i + 1])) {
        return Error{fmt::format("--{} needs a value: --{} {}", name, name, option->value)};
      }
      value = arguments[++i];
    }
    if (const Result<void> taken = take(parsed, *option, std::move(value)); !taken) {
      return taken.error();
    }
  }
  if (!parsed.help) {
    if (const Result<void> words = check_words(command, parsed); !words) return words.error();
  }
  return parsed;
}

std::string option_lines(const std::vector<OptionSpec>& options) {
  constexpr size_t kMaxLeft = 34;
  constexpr size_t kWidth = 100;
  const auto left_of = [](const OptionSpec& option) {
    const bool optional = !option.value.empty() && option.value[0] == '[';
    return one_line(fmt::format("  --{}{}{}", option.name,
                                option.value.empty() || optional ? "" : " ", option.value));
  };
  size_t column = 0;
  for (const OptionSpec& option : options) {
    if (const size_t width = columns_of(left_of(option)); width <= kMaxLeft) {
      column = std::max(column, width);
    }
  }
  column += 2;
  std::string out;
  for (const OptionSpec& option : options) {
    std::string line = left_of(option);
    if (columns_of(line) + 2 > column) {
      out += line + "\n";
      line.clear();
    }
    for (const std::string& part : wrapped(one_line(option.what), kWidth - column)) {
      line.append(column - columns_of(line), ' ');
      out += line + part + "\n";
      line.clear();
    }
  }
  return out;
}

std::string help_text(const CommandSpec& command, const std::string& program) {
  std::string out = fmt::format("usage: {} {}{}{}\n\n{}\n", program, command.name,
                                command.arguments.empty() ? "" : " ", command.arguments,
                                command.text.empty() ? command.what + "." : command.text);
  if (!command.options.empty()) out += "\nOptions:\n" + option_lines(command.options);
  if (!command.examples.empty()) {
    out += "\nExamples:\n";
    for (const Example& example : command.examples) {
      out += fmt::format("  {} {}\n      {}\n", program, example.command, example.what);
    }
  }
  return out;
}

namespace {

// The number at the start of `text`; what follows it goes to `unit`. None: no sensible number.
std::optional<double> amount_of(const std::string& text, std::string& unit) {
  const size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  double amount = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + end, amount);
  if (end == 0 || stop != text.data() + end || error != std::errc()) return std::nullopt;
  unit = text.substr(end);
  return amount;
}

}  // namespace

Result<double> parse_seconds(const std::string& name, const std::string& text) {
  constexpr double kMost = 1e9;
  std::string unit;
  std::optional<double> amount = amount_of(text, unit);
  if (amount && unit == "m") amount = *amount * 60;
  if (amount && unit == "h") amount = *amount * 3600;
  const bool known_unit = unit.empty() || unit == "s" || unit == "m" || unit == "h";
  if (!amount || !known_unit || !(*amount > 0) || *amount > kMost) {
    return Error{fmt::format(
        "{} {}: that is no time; give seconds above 0, such as 90 or 0.5, or 10m, or 2h", name,
        one_line(text))};
  }
  return *amount;
}

Result<uint64_t> parse_bytes(const std::string& name, const std::string& text) {
  std::string unit;
  const std::optional<double> amount = amount_of(text, unit);
  constexpr std::string_view kUnits = "KMGT";
  double factor = 1;
  bool known = true;
  if (!unit.empty()) {
    const size_t power = kUnits.find(static_cast<char>(unit[0] & ~0x20));
    const std::string rest = unit.substr(1);
    known = power != kUnits.npos && (rest.empty() || rest == "B" || rest == "iB");
    if (known) factor = std::pow(1024.0, static_cast<double>(power + 1));
    if (unit == "B") known = true, factor = 1;
  }
  constexpr double kMost = 1024.0 * 1024 * 1024 * 1024 * 1024;
  if (!amount || !known || *amount * factor < 1 || *amount * factor > kMost) {
    return Error{
        fmt::format("{} {}: that is no size; give bytes, or a number with K, M, G or T, "
                    "such as 512M or 2G",
                    name, one_line(text))};
  }
  return static_cast<uint64_t>(*amount * factor);
}

}  // namespace ordeal::cli
