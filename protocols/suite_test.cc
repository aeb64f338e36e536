// The suite as a whole: its names, its parameters, and its documentation, whose tables and commands
// are held to what the subjects say and do.
#include "protocols/suite.h"

#include <cctype>
#include <fstream>
#include <sstream>

#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::Given;

std::string read_document(const std::string& path) {
  std::ifstream in(std::string(ORDEAL_SOURCE_DIR) + "/docs/" + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string documentation() { return read_document("reference/subjects.md"); }

std::string range_of(const Parameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::kNumber:
      return std::to_string(parameter.least) + " to " + std::to_string(parameter.most);
    case ParameterKind::kNodes:
      return "nodes";
    case ParameterKind::kFlag:
      return "yes or no";
    case ParameterKind::kLines:
      return "any, several times";
    case ParameterKind::kWord:
      break;
  }
  std::string words;
  for (const std::string& word : parameter.words) words += (words.empty() ? "" : ", ") + word;
  return words;
}

// The tables of a subject as the documentation must have them.
std::string tables_of(const Subject& subject) {
  std::string what = subject.what;
  what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
  std::string out = "## " + subject.name + "\n\n" + what + ".\n\n";
  out += "| parameter | default | range | what |\n| --- | --- | --- | --- |\n";
  for (const Parameter& p : subject.parameters) {
    out += "| `--" + p.name + "` | " + p.fallback + " | " + range_of(p) + " | " + p.what + " |\n";
  }
  if (subject.bugs.empty()) return out;
  out += "\n| bug | what is wrong | caught by |\n| --- | --- | --- |\n";
  for (const Bug& bug : subject.bugs) {
    out += "| `" + bug.name + "` | " + show(bug) + " | " + bug.property + " |\n";
  }
  return out;
}

struct Command {
  std::string line;
  std::string subject;
  Given given;
  std::string bug;
  Options options = testing::breadth_first();
};

// "--nodes 3 --bug …" as `ordeal check` takes them.
Command command_of(const std::string& subject, const std::string& options) {
  Command command;
  command.subject = subject;
  std::istringstream words(options);
  for (std::string name; words >> name && name.starts_with("--");) {
    std::string value = "yes";  // of a flag, which comes without one
    if ((words >> std::ws).peek() != '-') words >> value;
    if (name == "--strategy") {
      command.options.strategy = value;
    } else if (name == "--max-runs") {
      command.options.max_runs = std::stoull(value);
    } else if (name == "--bug") {
      command.bug = value;
    } else {
      command.given[name.substr(2)] = value;
    }
  }
  return command;
}

// The lines "    ordeal check …" of the documentation.
std::vector<Command> documented_commands() {
  std::vector<Command> commands;
  std::istringstream text(documentation());
  for (std::string line; std::getline(text, line);) {
    const std::string start = "    ordeal check ";
    if (line.compare(0, start.size(), start) != 0) continue;
    std::istringstream words(line.substr(start.size(), line.find(" #") - start.size()));
    std::string subject;
    std::string options;
    words >> subject;
    std::getline(words, options);
    commands.push_back(command_of(subject, options));
    commands.back().line = line;
  }
  return commands;
}

TEST(Suite, HasTheSubjectsByName) {
  std::vector<std::string> names;
  const Suite all = suite();
  for (const Subject& subject : all.subjects()) names.push_back(subject.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "hierarchical-consensus", "eager-reliable-broadcast", "regular-register",
                       "paxos", "multi-paxos", "abd-register", "single-copy-register",
                       "two-phase-commit", "raft", "rsl", "tendermint", "pbft", "cube-world"}));
}

TEST(Suite, EverySubjectIsReadyWithItsDefaults) {
  const Suite all = suite();
  for (const Subject& subject : all.subjects()) {
    const auto built = testing::build(subject.name, {});
    ASSERT_TRUE(built.ok()) << subject.name << ": " << built.error().message;
    const Result<void> valid = (*built)->validate();
    EXPECT_TRUE(valid.ok()) << subject.name << ": " << valid.error().message;
    EXPECT_GE((*built)->properties().size(), 2U) << subject.name;
    // Which is no protocol.
    EXPECT_EQ(subject.bugs.empty(), subject.name == "cube-world") << subject.name;
    std::set<std::string> names;
    for (const Parameter& p : subject.parameters)
      EXPECT_TRUE(names.insert(p.name).second) << p.name;
  }
}

TEST(Suite, BuildsFromItsOwnDefaultsAgain) {
  // A trace keeps every parameter; a subject must take them back as if they had been given.
  const Suite all = suite();
  for (const Subject& subject : all.subjects()) {
    const Result<Arguments> args = all.arguments(subject, {}, "");
    ASSERT_TRUE(args.ok()) << subject.name;
    EXPECT_EQ(testing::error_of(subject.name, args->values), "") << subject.name;
  }
}

// As `ordeal list` says that each is found.
std::vector<Command> every_bug_of_a_check() {
  std::vector<Command> commands;
  const Suite all = suite();
  for (const Subject& subject : all.subjects()) {
    for (const Bug& bug : subject.bugs) {
      if (!bug.shows.scenario.empty()) continue;
      Command& command = commands.emplace_back();
      command.subject = subject.name;
      command.given = Given(bug.shows.parameters.begin(), bug.shows.parameters.end());
      command.bug = bug.name;
      if (!bug.shows.strategy.empty()) command.options.strategy = bug.shows.strategy;
      command.options.max_runs = bug.shows.max_runs;
    }
  }
  return commands;
}

// What is planted is no part of a node's state: a run of the wrong form starts as one of the
// correct form does, and departs from it at the step that the correct form would not make.
void expect_to_diverge_at_a_step(const Command& c, const Trace& trace) {
  const std::string what = testing::describe(c.subject, c.given, c.bug);
  const auto correct = testing::build(c.subject, c.given);
  ASSERT_TRUE(correct.ok()) << what;
  const Result<ReplayResult> again = replay(**correct, trace);
  ASSERT_TRUE(again.ok()) << what << ": " << again.error().message;
  EXPECT_FALSE(again->reproduced) << what;
  EXPECT_GE(again->diverged_at, 1U) << what;
  EXPECT_LE(again->diverged_at, trace.steps.size()) << what;
  EXPECT_EQ(again->why.find("initial state"), std::string::npos) << what << ": " << again->why;
}

TEST(Suite, EveryBugShowsWithTheOptionsThatItNamesAndNeedsThem) {
  for (const Command& c : every_bug_of_a_check()) {
    const std::string what = testing::describe(c.subject, c.given, c.bug);
    const Report report = testing::run(c.subject, c.given, c.bug, c.options);
    ASSERT_EQ(report.verdict, Verdict::kViolated) << what << "\n" << testing::brief(report);
    expect_to_diverge_at_a_step(c, *report.violations.front().trace);
    // Which only one form has, and not the default one.
    const bool has_its_form = c.bug == "stale-round" || c.bug == "same-ballot";
    if (c.given.empty() || has_its_form) continue;
    EXPECT_EQ(testing::run(c.subject, {}, c.bug).verdict, Verdict::kHolds) << what;
  }
}

TEST(Suite, EveryBugOfAScenarioIsTheOneThatItCatchesAndNeedsIt) {
  const Suite all = suite();
  for (const Subject& subject : all.subjects()) {
    for (const Bug& bug : subject.bugs) {
      const std::string name = bug.shows.scenario;
      if (name.empty()) continue;
      const SuiteScenario* scenario = all.find_scenario(name);
      ASSERT_NE(scenario, nullptr) << subject.name << " --bug " << bug.name << ": " << name;
      // That it does catch it is a claim of scenarios_test.cc.
      EXPECT_EQ(scenario->subject, subject.name) << name;
      EXPECT_EQ(scenario->catches, bug.name) << name;
      EXPECT_EQ(testing::run(subject.name, {}, bug.name).verdict, Verdict::kHolds)
          << subject.name << " --bug " << bug.name;
    }
  }
}

TEST(SubjectsDocumentation, HasTheTablesOfEverySubject) {
  const std::string text = documentation();
  const Suite all = suite();
  for (const Subject& subject : all.subjects()) {
    EXPECT_NE(text.find(tables_of(subject)), std::string::npos)
        << "docs/reference/subjects.md should have\n"
        << tables_of(subject);
  }
}

TEST(SubjectsDocumentation, EveryBugHasACommandThatFindsIt) {
  const std::vector<Command> commands = documented_commands();
  const std::string text = documentation();
  const Suite all = suite();
  for (const Subject& subject : all.subjects()) {
    for (const Bug& bug : subject.bugs) {
      const std::string scenario = bug.shows.scenario;
      bool found = !scenario.empty() && text.find("\n    ordeal scenario run " + scenario +
                                                  " --bug " + bug.name + "\n") != std::string::npos;
      for (const Command& command : commands) {
        if (command.subject != subject.name || command.bug != bug.name) continue;
        found = true;
        testing::expect_violated(command.subject, command.given, bug.name, bug.property,
                                 command.options);
      }
      EXPECT_TRUE(found) << "docs/reference/subjects.md: no command finds " << subject.name
                         << " --bug " << bug.name;
    }
  }
}

TEST(StrategiesDocumentation, HasARowForEveryBugAsItShowsNow) {
  const std::string text = read_document("experiments/strategies.md");
  const Suite all = suite();
  for (const Subject& subject : all.subjects()) {
    for (const Bug& bug : subject.bugs) {
      const std::string scenario = bug.shows.scenario;
      const std::string row = "| [" + subject.name + " " + bug.name +
                              (scenario.empty() ? "" : ", in " + scenario) + "](";
      EXPECT_NE(text.find(row), std::string::npos)
          << "docs/experiments/strategies.md has no row for " << subject.name << " --bug "
          << bug.name << ": make experiments";
    }
  }
}

TEST(SubjectsDocumentation, OnlyNamesBugsThatExist) {
  const Suite all = suite();
  for (const Command& command : documented_commands()) {
    EXPECT_EQ(testing::error_of(command.subject, command.given, command.bug), "") << command.line;
  }
}

}  // namespace
}  // namespace ordeal::protocols
