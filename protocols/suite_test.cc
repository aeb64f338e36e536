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

std::string documentation() {
  std::ifstream in(std::string(ORDEAL_SOURCE_DIR) + "/docs/reference/subjects.md");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string range_of(const Parameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::kNumber:
      return std::to_string(parameter.least) + " to " + std::to_string(parameter.most);
    case ParameterKind::kNodes:
      return "nodes";
    case ParameterKind::kFlag:
      return "yes or no";
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
  out += "\n| bug | what is wrong | caught by |\n| --- | --- | --- |\n";
  for (const Bug& bug : subject.bugs) {
    out += "| `" + bug.name + "` | " + bug.what + " | " + bug.property + " |\n";
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

// The lines "    ordeal check …" of the documentation.
std::vector<Command> documented_commands() {
  std::vector<Command> commands;
  std::istringstream text(documentation());
  for (std::string line; std::getline(text, line);) {
    const std::string start = "    ordeal check ";
    if (line.compare(0, start.size(), start) != 0) continue;
    Command command;
    command.line = line;
    std::istringstream words(line.substr(start.size(), line.find(" #") - start.size()));
    words >> command.subject;
    for (std::string name, value; words >> name >> value;) {
      name = name.substr(2);
      if (name == "bug") {
        command.bug = value;
      } else if (name == "strategy") {
        command.options.strategy = value;
      } else if (name == "max-runs") {
        command.options.max_runs = std::stoull(value);
      } else {
        command.given[name] = value;
      }
    }
    commands.push_back(command);
  }
  return commands;
}

TEST(Suite, HasTheSubjectsByName) {
  std::vector<std::string> names;
  const Suite all = suite();
  for (const Subject& subject : all.subjects()) names.push_back(subject.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"hierarchical-consensus", "eager-reliable-broadcast",
                                      "regular-register", "paxos", "multi-paxos", "abd-register",
                                      "single-copy-register", "two-phase-commit"}));
}

TEST(Suite, EverySubjectIsReadyWithItsDefaults) {
  const Suite all = suite();
  for (const Subject& subject : all.subjects()) {
    const auto built = testing::build(subject.name, {});
    ASSERT_TRUE(built.ok()) << subject.name << ": " << built.error().message;
    const Result<void> valid = (*built)->validate();
    EXPECT_TRUE(valid.ok()) << subject.name << ": " << valid.error().message;
    EXPECT_GE((*built)->properties().size(), 2U) << subject.name;
    EXPECT_FALSE(subject.bugs.empty()) << subject.name;
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
  const Suite all = suite();
  for (const Subject& subject : all.subjects()) {
    for (const Bug& bug : subject.bugs) {
      bool found = false;
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

TEST(SubjectsDocumentation, OnlyNamesBugsThatExist) {
  const Suite all = suite();
  for (const Command& command : documented_commands()) {
    EXPECT_EQ(testing::error_of(command.subject, command.given, command.bug), "") << command.line;
  }
}

}  // namespace
}  // namespace ordeal::protocols
