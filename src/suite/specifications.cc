#include "suite/specifications.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

#include "base/text.h"
#include "language/tla/model/space.h"

namespace ordeal {
namespace {

constexpr const char* kSuffix = ".tla";

std::string trimmed(std::string text) {
  const auto space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && space(text.back())) text.pop_back();
  while (!text.empty() && space(text.front())) text.erase(text.begin());
  return text;
}

// "N=3" and "RM = {r1, r2}"; an operator may not be meant: "N = 3 = 4" is the expression "3 = 4".
Result<std::map<std::string, std::string>> constants_of(const std::string& text) {
  std::map<std::string, std::string> out;
  for (const std::string& line : lines_of(text)) {
    const size_t equals = line.find('=');
    const std::string name = equals == line.npos ? "" : trimmed(line.substr(0, equals));
    const std::string value = equals == line.npos ? "" : trimmed(line.substr(equals + 1));
    if (name.empty() || value.empty()) {
      return Error{
          fmt::format("--constant {}: give a name and an expression, such as N=3", one_line(line))};
    }
    if (!out.emplace(name, value).second) {
      return Error{fmt::format("--constant {}: {} is given twice", one_line(line), one_line(name))};
    }
  }
  return out;
}

Builder::Built build(const std::string& path, const Arguments& arguments) {
  Result<std::shared_ptr<tla::Specification>> loaded = load_specification(path, arguments);
  if (!loaded) return loaded.error();
  return std::unique_ptr<Checkable>(std::make_unique<tla::TlaSystem>(*std::move(loaded)));
}

}  // namespace

Result<std::shared_ptr<tla::Specification>> load_specification(const std::string& path,
                                                               const Arguments& arguments) {
  tla::LoadOptions options;
  options.path = path;
  options.config = arguments.word("config");
  options.libraries = lines_of(arguments.word("library"));
  auto constants = constants_of(arguments.word("constant"));
  if (!constants) return constants.error();
  options.constants = *std::move(constants);
  options.init = arguments.word("init");
  options.next = arguments.word("next");
  options.invariants = lines_of(arguments.word("invariant"));
  options.write_files = arguments.flag("write-files");
  options.ignore_deadlock = arguments.flag("no-deadlock");
  return tla::Specification::load(options);
}

bool names_specification(const std::string& name) {
  return name.size() > std::string_view(kSuffix).size() && name.ends_with(kSuffix);
}

const std::vector<Parameter>& specification_parameters() {
  static const std::vector<Parameter> all = {
      {"config", "", "the configuration file; without it the one beside the specification", 0, 0,
       ParameterKind::kWord},
      {"constant", "", "NAME=EXPR: the value of a constant, instead of what the configuration says",
       0, 0, ParameterKind::kLines},
      {"library", "", "a directory with modules that are extended or instantiated", 0, 0,
       ParameterKind::kLines},
      {"init", "", "the definition of initial states, instead of the configuration's", 0, 0,
       ParameterKind::kWord},
      {"next", "", "the definition of steps, instead of the configuration's", 0, 0,
       ParameterKind::kWord},
      {"invariant", "", "a definition that must be true in every state, beside the configuration's",
       0, 0, ParameterKind::kLines},
      {"write-files", "", "the specification may write files, as Json, CSV and IOUtils say", 0, 0,
       ParameterKind::kFlag},
      {"no-deadlock", "", "a state without successors is no violation", 0, 0, ParameterKind::kFlag},
  };
  return all;
}

Result<const Subject*> specification_subject(const std::string& name) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(name, ignored)) {
    return Error{fmt::format("{}: there is no such file", one_line(name))};
  }
  static std::mutex mutex;
  static std::map<std::string, Subject> known;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = known.try_emplace(name);
  if (is_new) {
    at->second.name = name;
    at->second.what = "a specification in TLA+";
    at->second.parameters = specification_parameters();
    at->second.build = [name](const Arguments& arguments) { return build(name, arguments); };
  }
  return &at->second;
}

Result<std::vector<std::string>> specifications_in(const std::string& directory) {
  std::vector<std::string> out;
  std::error_code error;
  for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    std::filesystem::path config = at->path();
    if (config.extension() != kSuffix) continue;
    config.replace_extension(".cfg");
    std::error_code ignored;
    if (std::filesystem::is_regular_file(config, ignored)) out.push_back(at->path().string());
  }
  if (error) return Error{fmt::format("{}: {}", one_line(directory), error.message())};
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace ordeal
