#include "cli/contests.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ordeal::cli {
namespace {

using Built = Result<std::shared_ptr<const Checkable>>;

Built build(const Suite& suite, const Subject& subject,
            const std::map<std::string, std::string>& given, const Contest& contest) {
  Result<Chosen> chosen = choose_subject(suite, subject, given, contest.bug);
  if (!chosen) return chosen.error();
  const auto kept = std::make_shared<Chosen>(*std::move(chosen));
  if (!contest.scenario.empty()) {
    if (const auto put = put_under(suite, contest.scenario, *kept); !put) return put.error();
  }
  return std::shared_ptr<const Checkable>(kept, &kept->explored());
}

Result<Contest> contest_of(const Suite& suite, const Subject& subject, const Bug& bug,
                           const std::string& scenario,
                           const std::map<std::string, std::string>& given) {
  Contest contest;
  contest.name = subject.name + " " + bug.name;
  contest.subject = subject.name;
  contest.bug = bug.name;
  contest.scenario = scenario;
  const Result<Chosen> chosen = choose_subject(suite, subject, given, bug.name);
  if (!chosen) return chosen.error();
  contest.command = "check " + chosen->command_words;
  if (!scenario.empty()) {
    const Result<const SuiteScenario*> declared = find_scenario(suite, scenario);
    if (!declared) return declared.error();
    contest.name += ", in " + scenario;
    contest.command =
        fmt::format("scenario run {} --bug {}", shell_word(scenario), shell_word(bug.name));
    contest.max_depth = (*declared)->make(chosen->arguments).declaration().max_steps;
  }
  contest.build = [&suite, &subject, given, contest] {
    return build(suite, subject, given, contest);
  };
  return contest;
}

// Whether a property of the subject itself catches the bug: some are only seen by their scenario.
bool is_property(const Suite& suite, const Subject& subject,
                 const std::map<std::string, std::string>& given, const Bug& bug) {
  const Result<Chosen> chosen = choose_subject(suite, subject, given, bug.name);
  if (!chosen) return false;
  const std::vector<Property>& properties = chosen->checkable->properties();
  return std::any_of(properties.begin(), properties.end(),
                     [&](const Property& property) { return property.name == bug.property; });
}

Result<void> add(const Suite& suite, const Subject& subject, const Bug& bug, bool bare,
                 std::vector<Contest>& out) {
  const Shows& how = bug.shows;
  std::map<std::string, std::string> given(how.parameters.begin(), how.parameters.end());
  if (!how.scenario.empty()) {
    const Result<const SuiteScenario*> declared = find_scenario(suite, how.scenario);
    if (!declared) return declared.error();
    given = (*declared)->parameters;
  }
  Result<Contest> contest = contest_of(suite, subject, bug, how.scenario, given);
  if (!contest) return contest.error();
  out.push_back(*std::move(contest));
  if (!bare || how.scenario.empty() || !is_property(suite, subject, given, bug)) return {};
  Result<Contest> alone = contest_of(suite, subject, bug, "", given);
  if (!alone) return alone.error();
  alone->name += ", without its scenario";
  alone->max_depth = out.back().max_depth;
  out.push_back(*std::move(alone));
  return {};
}

}  // namespace

Result<std::vector<Contest>> contests_of(const Suite& suite, const ContestChoice& choice) {
  std::vector<const Subject*> subjects;
  for (const std::string& name : choice.subjects) {
    const Result<const Subject*> subject = find_subject(suite, name);
    if (!subject) return subject.error();
    if (std::find(subjects.begin(), subjects.end(), *subject) != subjects.end()) {
      return Error{fmt::format("{} is named twice", name)};
    }
    subjects.push_back(*subject);
  }
  if (subjects.empty()) {
    for (const Subject& subject : suite.subjects()) subjects.push_back(&subject);
  }
  std::vector<Contest> out;
  std::vector<std::string> names;
  for (const Subject* subject : subjects) {
    for (const Bug& bug : subject->bugs) {
      names.push_back(bug.name);
      if (!choice.bug.empty() && bug.name != choice.bug) continue;
      if (const auto added = add(suite, *subject, bug, choice.bare, out); !added) {
        return Error{
            fmt::format("{} --bug {}: {}", subject->name, bug.name, added.error().message)};
      }
    }
  }
  if (!out.empty()) return out;
  const std::string where = choice.subjects.empty() ? "" : " of " + join(choice.subjects, ", ");
  if (choice.bug.empty()) return Error{"there is no planted bug" + where};
  return Error{fmt::format("there is no planted bug '{}'{}{}{}", one_line(choice.bug), where,
                           did_you_mean(choice.bug, names),
                           names.empty() ? "" : "; there are " + join(names, ", "))};
}

}  // namespace ordeal::cli
