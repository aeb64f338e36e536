#include "cli/subject.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/text.h"
#include "suite/specifications.h"

namespace ordeal::cli {

std::vector<OptionSpec> parameter_options(const Subject& subject) {
  std::vector<OptionSpec> options;
  for (const Parameter& parameter : subject.parameters) {
    OptionSpec option{parameter.name, "", parameter.what};
    switch (parameter.kind) {
      case ParameterKind::kNumber:
        option.value = "N";
        option.what += fmt::format(" ({} to {})", parameter.least, parameter.most);
        break;
      case ParameterKind::kNodes:
        option.value = "NODES";
        option.what += " (ids such as 1,2, or none)";
        break;
      case ParameterKind::kFlag:
        option.value = "[=yes|no]";
        break;
      case ParameterKind::kWord:
        option.value = "WORD";
        if (!parameter.words.empty()) {
          option.what += fmt::format(" ({})", join(parameter.words, ", "));
        }
        break;
      case ParameterKind::kLines:
        option.value = "WORD";
        option.what += " (may be given several times)";
        option.repeats = true;
        break;
    }
    if (!parameter.fallback.empty()) option.what += "; default " + parameter.fallback;
    options.push_back(std::move(option));
  }
  return options;
}

std::string first_word(const Program& program, const CommandSpec& command, const Words& words,
                       size_t skip) {
  std::set<std::string> with_value;
  for (const OptionSpec& option : command.options) {
    if (!option.value.empty()) with_value.insert(option.name);
  }
  for (const Subject& subject : program.suite.subjects()) {
    for (const OptionSpec& option : parameter_options(subject)) {
      if (option.value[0] != '[') with_value.insert(option.name);
    }
  }
  for (const Parameter& parameter : specification_parameters()) {
    if (parameter.kind != ParameterKind::kFlag) with_value.insert(parameter.name);
  }
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.size() < 2 || word[0] != '-') {
      if (skip == 0) return word;
      --skip;
      continue;
    }
    if (word.starts_with("--") && word.find('=') == word.npos &&
        with_value.contains(word.substr(2))) {
      ++i;
    }
  }
  return "";
}

const Subject* only_subject(const Program& program) {
  const std::vector<Subject>& all = program.suite.subjects();
  return all.size() == 1 ? &all[0] : nullptr;
}

Result<const Subject*> subject_in(const Program& program, const std::string& command,
                                  const Words& words) {
  const std::string name = first_word(program, cli::command(command), words);
  return name.empty() ? only_subject(program) : find_subject(program.suite, name);
}

std::string which_subject(const Program& program) {
  std::vector<std::string> names;
  for (const Subject& subject : program.suite.subjects()) names.push_back(subject.name);
  return names.empty() ? "there is no subject"
                       : fmt::format("which subject? there are {}", join(names, ", "));
}

std::map<std::string, std::string> given_parameters(const Subject& subject, const Parsed& parsed) {
  std::map<std::string, std::string> given;
  for (const Parameter& parameter : subject.parameters) {
    if (parsed.has(parameter.name)) given[parameter.name] = parsed.get(parameter.name);
  }
  if (parsed.has("bug")) given["bug"] = parsed.get("bug");
  return given;
}

Address address_in(const Subject& subject, const Parsed& parsed) {
  return {.system = subject.name,
          .parameters = given_parameters(subject, parsed),
          .scenario = parsed.get("scenario")};
}

bool looks_like_short_form(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.:") == text.npos;
}

Result<ShortForm> find_run(const std::string& option, const std::string& text,
                           const Checkable& subject) {
  const auto wrong = [&](const std::string& why) {
    return Error{fmt::format("{}: {}", option, why)};
  };
  std::error_code ignored;
  if (looks_like_short_form(text) && !std::filesystem::exists(text, ignored)) {
    const Result<ShortForm> form = parse_short_form(text);
    return form ? form : wrong(form.error().message);
  }
  const Result<Trace> trace = read_trace(text);
  if (!trace) {
    return wrong(fmt::format("{} (a run is a trace file, or a short form such as 0.2.1)",
                             trace.error().message));
  }
  const Result<ShortForm> form = follow(subject, *trace);
  return form ? form : wrong(fmt::format("{}: {}", one_line(text), form.error().message));
}

}  // namespace ordeal::cli
