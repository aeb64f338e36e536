#include "cli/contests.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace ordeal::cli {
namespace {

// Names and the planted bug are those of the address.
Result<Contest> contest_of(const Suite& suite, const Address& address) {
  Contest contest;
  contest.subject = address.system;
  contest.bug = address.parameters.at("bug");
  contest.name = contest.subject + " " + contest.bug;
  contest.scenario = address.scenario;
  const Result<Chosen> chosen = choose(suite, address);
  if (!chosen) return chosen.error();
  contest.command = "check " + chosen->command_words;
  if (!address.scenario.empty()) {
    contest.name += ", in " + address.scenario;
    contest.command = fmt::format("scenario run {} --bug {}", shell_word(address.scenario),
                                  shell_word(contest.bug));
    contest.max_depth =
        suite.find_scenario(address.scenario)->make(chosen->arguments).declaration().max_steps;
  }
  contest.build = [&suite, address]() -> Result<std::shared_ptr<const Checkable>> {
    Result<Chosen> built = choose(suite, address);
    if (!built) return built.error();
    const auto kept = std::make_shared<Chosen>(*std::move(built));
    return std::shared_ptr<const Checkable>(kept, &kept->explored());
  };
  return contest;
}

// Whether a property of the subject itself catches the bug: some are only seen by their scenario.
bool is_property(const Suite& suite, const Address& address, const Bug& bug) {
  const Result<Chosen> chosen = choose(suite, address);
  if (!chosen) return false;
  const std::vector<Property>& properties = chosen->checkable->properties();
  return std::any_of(properties.begin(), properties.end(),
                     [&](const Property& property) { return property.name == bug.property; });
}

Result<void> add(const Suite& suite, const Subject& subject, const Bug& bug, bool bare,
                 std::vector<Contest>& out) {
  const Shows& how = bug.shows;
  Address address{.system = subject.name, .scenario = how.scenario};
  if (how.scenario.empty()) {
    address.parameters.insert(how.parameters.begin(), how.parameters.end());
  }
  address.parameters["bug"] = bug.name;
  Result<Contest> contest = contest_of(suite, address);
  if (!contest) return contest.error();
  out.push_back(*std::move(contest));
  if (!bare || how.scenario.empty()) return {};
  // The same instance without its scenario.
  const auto& declared = suite.find_scenario(how.scenario)->parameters;
  address.parameters.insert(declared.begin(), declared.end());
  address.scenario.clear();
  if (!is_property(suite, address, bug)) return {};
  Result<Contest> alone = contest_of(suite, address);
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
