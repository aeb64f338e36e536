#include "suite/experiment_subjects.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "suite/choose.h"

namespace ordeal {
namespace {

using experiment::ExperimentFile;
using experiment::FileSubject;
using experiment::PlanSubject;
using experiment::Setting;

// Each by itself, so that the Error can say where.
Result<void> check_parameters(const Suite& suite, const Subject& subject,
                              const ExperimentFile& file, const FileSubject& about) {
  std::vector<std::string> names;
  for (const Parameter& one : subject.parameters) names.push_back(one.name);
  for (const auto& [name, setting] : about.parameters) {
    if (std::count(names.begin(), names.end(), name) == 0) {
      return file.error(setting.place,
                        fmt::format("{} has no parameter '{}'{}; it has {}", subject.name,
                                    one_line(name), did_you_mean(name, names), join(names, ", ")));
    }
    const auto valid = suite.arguments(subject, {{name, setting.value}}, "");
    if (!valid) return file.error(setting.place, valid.error().message);
  }
  if (!about.bug) return {};
  std::vector<std::string> bugs = {"none"};
  for (const Bug& one : subject.bugs) bugs.push_back(one.name);
  if (std::count(bugs.begin(), bugs.end(), about.bug->value) > 0) return {};
  return file.error(
      about.bug->place,
      fmt::format("{} has no bug '{}'{}; it has {}", subject.name, one_line(about.bug->value),
                  did_you_mean(about.bug->value, bugs), join(bugs, ", ")));
}

}  // namespace

Result<std::vector<PlanSubject>> subjects_of(const Suite& suite, const ExperimentFile& file) {
  std::vector<PlanSubject> out;
  for (const FileSubject& about : file.subjects) {
    const Result<const Subject*> subject = find_subject(suite, about.name);
    if (!subject) return file.error(about.place, subject.error().message);
    if (const auto valid = check_parameters(suite, **subject, file, about); !valid) {
      return valid.error();
    }
    Address address;
    address.system = about.name;
    for (const auto& [name, setting] : about.parameters) address.parameters[name] = setting.value;
    if (about.bug) address.parameters["bug"] = about.bug->value;
    const Result<Chosen> chosen = choose(suite, address);
    if (!chosen) return file.error(about.place, chosen.error().message);
    PlanSubject one;
    one.words = chosen->command_words;
    one.has_bug = about.bug && about.bug->value != "none";
    one.build = [&suite, address]() -> Result<std::shared_ptr<const Checkable>> {
      Result<Chosen> built = choose(suite, address);
      if (!built) return built.error();
      return std::shared_ptr<const Checkable>(std::move(built->checkable));
    };
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace ordeal
