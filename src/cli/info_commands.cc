#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/stack.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/subject.h"
#include "cli/version.h"
#include "ordeal/check.h"
#include "ordeal/report.h"
#include "report/words.h"

namespace ordeal::cli {
namespace {

// Names, and what each is, in two columns.
struct NamedLine {
  std::string name;
  std::string what;
};
std::string named_lines(const std::vector<NamedLine>& items) {
  std::string out;
  size_t width = 0;
  for (const NamedLine& item : items) width = std::max(width, columns_of(one_line(item.name)));
  for (const NamedLine& item : items) {
    bool first = true;
    for (const std::string& line : wrapped(one_line(item.what), 96 - width)) {
      const std::string left = first ? one_line(item.name) : "";
      out += fmt::format("  {}{}  {}\n", left, std::string(width - columns_of(left), ' '), line);
      first = false;
    }
  }
  return out;
}

std::string bug_lines(const Subject& subject) {
  std::vector<NamedLine> items;
  for (const Bug& bug : subject.bugs) {
    items.push_back({bug.name, bug.property.empty()
                                   ? show(bug)
                                   : fmt::format("{} (caught by: {})", show(bug), bug.property)});
  }
  return named_lines(items);
}

// What exploration of it can be led by, as it is with its default parameters.
std::string steering_text(const Suite& suite, const Subject& subject) {
  const Result<Chosen> chosen = choose(suite, {.system = subject.name});
  if (!chosen) return "";
  const Steering steering = chosen->checkable->steering();
  std::string out;
  std::vector<NamedLine> items;
  for (const Colouring& one : steering.colourings) items.push_back({one.name, one.what});
  if (!items.empty()) out += "\nColourings (--colouring NAME):\n" + named_lines(items);
  items.clear();
  for (const PredicateFamily& one : steering.predicates) {
    static constexpr const char* kArguments[] = {"", "(a)", "(a, b)", "(a, b, c)"};
    items.push_back(
        {one.name + kArguments[one.arguments], one.what + (one.graded ? "; graded" : "")});
  }
  if (!items.empty()) out += "\nPredicates (--waypoints, --target):\n" + named_lines(items);
  items.clear();
  for (const Waypoints& one : steering.waypoints) {
    items.push_back(
        {one.name, join(one.predicates, ", ") + (one.what.empty() ? "" : ": " + one.what)});
  }
  if (!items.empty()) out += "\nWaypoints (--waypoints NAME):\n" + named_lines(items);
  items.clear();
  for (const RewardMachine& one : steering.machines) {
    items.push_back({one.name, one.text + (one.what.empty() ? "" : " (" + one.what + ")")});
  }
  if (!items.empty()) out += "\nReward machines (--reward-machine NAME):\n" + named_lines(items);
  return out;
}

std::string subject_text(const Suite& suite, const Subject& subject) {
  std::string out = fmt::format("{}: {}\n", one_line(subject.name), one_line(subject.what));
  if (!subject.parameters.empty()) {
    out += "\nParameters:\n" + option_lines(parameter_options(subject));
  }
  if (!subject.bugs.empty()) out += "\nPlanted bugs (--bug NAME):\n" + bug_lines(subject);
  out += steering_text(suite, subject);
  return out;
}

int finish(const Program& program, const std::string& name, const Result<void>& printed) {
  return printed ? kExitHolds : trouble(program, name, printed.error().message);
}

std::string summary_of(const Trace& trace, const std::string& path) {
  std::string out = one_line(path) + "\n";
  const auto fact = [&](const char* name, const std::string& text) {
    out += fmt::format("  {:<12}{}\n", name, text);
  };
  fact("system", one_line(trace.system));
  for (const auto& [name, value] : trace.parameters) {
    if (!value.empty()) fact("", fmt::format("--{} {}", one_line(name), one_line(value)));
  }
  if (!trace.scenario.empty()) fact("scenario", one_line(trace.scenario));
  const bool imported = !trace.source.empty();
  if (imported) {
    fact("imported", fmt::format("from a log ({}); it cannot be replayed", one_line(trace.source)));
  } else {
    fact("found by", fmt::format("{}, seed {}", one_line(trace.strategy), trace.seed));
  }
  if (trace.free_faults) fact("", "with any fault at any time, as a person made them");
  const std::string minimised =
      trace.minimised_from > trace.steps.size()
          ? fmt::format(" (minimised from {})", grouped(trace.minimised_from))
          : "";
  fact("length", counted(trace.steps.size(), "step") + minimised);
  if (trace.loop_start) fact("", report::loop_words(trace));
  if (!imported) fact("short form", cut_to(short_form(trace), 400));
  if (trace.verdict.property.empty()) {
    fact("verdict", "nothing is violated");
    return out;
  }
  fact("violates",
       fmt::format("{} ({}), {}", one_line(trace.verdict.property),
                   one_line(report::kind_words(trace.verdict)),
                   trace.verdict.step == 0 ? "in the initial state"
                                           : fmt::format("after step {}", trace.verdict.step)));
  if (!trace.verdict.why.empty()) fact("", one_line(trace.verdict.why));
  if (!trace.verdict.nodes.empty()) fact("nodes", enumeration(trace.verdict.nodes));
  return out;
}

std::string markdown(const Program& program) {
  std::string out =
      "# The command line\n\nWhat `ordeal help` and `ordeal COMMAND --help` say; this document is "
      "the output of\n`ordeal help --markdown`. [Exit codes](exit-codes.md), [the JSON "
      "report](json-report.md) and\n[traces](trace.md) have their own pages.\n\n```text\n" +
      overview(program) + "```\n";
  for (const CommandSpec& spec : commands()) {
    out += fmt::format("\n## {}\n\n```text\n{}```\n", spec.name, help_text(spec, program.name));
  }
  return out;
}

}  // namespace

std::string overview(const Program& program) {
  std::string out = fmt::format(
      "usage: {0} COMMAND …\n\nOrdeal explores a distributed protocol and shows where it breaks."
      "\n\nCommands:\n",
      program.name);
  for (const CommandSpec& spec : commands()) {
    out += fmt::format("  {:<21}{}\n", spec.name, spec.what);
  }
  out += fmt::format(
      "\n'{0} help COMMAND' explains one.\n\nExit codes: 0 holds (or done), 1 violated (replay: "
      "reproduced), 2 undecided, 3 usage or tool error.\n",
      program.name);
  return out;
}

std::string help_of(const Program& program, const CommandSpec& command, const Subject* subject) {
  std::string out = help_text(command, program.name);
  if (subject != nullptr) out += "\n" + subject_text(program.suite, *subject);
  return out;
}

std::string group_help(const Program& program, const std::string& group) {
  std::string out;
  for (const CommandSpec& spec : commands()) {
    if (!spec.name.starts_with(group + " ")) continue;
    out += (out.empty() ? "" : "\n") + help_of(program, spec, nullptr);
  }
  return out;
}

int run_list(const Program& program, const Words& words) {
  const Parsing parsing = parse(program, "list", words);
  if (parsing.exit >= 0) return parsing.exit;
  if (parsing.parsed.has("strategies")) {
    return finish(program, "list", print(strategies_markdown()));
  }
  if (!parsing.parsed.words.empty()) {
    const Result<const Subject*> subject = find_subject(program.suite, parsing.parsed.words[0]);
    if (!subject) return trouble(program, "list", subject.error().message);
    return finish(program, "list", print(subject_text(program.suite, **subject)));
  }
  std::string out;
  for (const Subject& subject : program.suite.subjects()) {
    out += fmt::format("{}: {}\n", one_line(subject.name), one_line(subject.what));
    std::vector<std::string> parameters;
    for (const Parameter& parameter : subject.parameters) {
      parameters.push_back("--" + parameter.name +
                           (parameter.fallback.empty() ? "" : " " + parameter.fallback));
    }
    std::vector<std::string> bugs;
    for (const Bug& bug : subject.bugs) bugs.push_back(bug.name);
    const auto add = [&](const char* label, const std::vector<std::string>& items) {
      bool first = true;
      if (items.empty()) return;
      for (const std::string& line : wrapped(one_line(join(items, ", ")), 84)) {
        out += fmt::format("  {:<12}{}\n", first ? label : "", line);
        first = false;
      }
    };
    add("parameters", parameters);
    add("bugs", bugs);
  }
  out += fmt::format("\n'{} list SUBJECT' tells more about one.\n", program.name);
  return finish(program, "list", print(out));
}

int run_trace_info(const Program& program, const Words& words) {
  const std::string name = "trace info";
  const Parsing parsing = parse(program, name, words);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  const std::string& path = parsed.words[0];
  const Result<Trace> trace = read_trace(path);
  if (!trace) return trouble(program, name, trace.error().message);
  const std::string svg = parsed.get("svg");
  if (svg == "-") return finish(program, name, print(to_svg(*trace), Ink::kDocument));
  if (parsed.has("svg")) {
    if (const Result<void> written = write_file_atomically(svg, to_svg(*trace)); !written) {
      return trouble(program, name, written.error().message);
    }
  }
  std::string out = summary_of(*trace, path);
  TextOptions text;
  text.colour = use_colour(parsed.get("colour", "auto"), false);
  if (parsed.has("steps")) out += "\n" + to_text(*trace, text);
  return finish(program, name, print(out, text.colour ? Ink::kColours : Ink::kPlain));
}

int run_help(const Program& program, const Words& words) {
  const Parsing parsing = parse(program, "help", words);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  if (parsed.has("markdown")) return finish(program, "help", print(markdown(program)));
  if (parsed.words.empty()) return finish(program, "help", print(overview(program)));
  const std::string topic = join(parsed.words, " ");
  for (const char* group : kGroups) {
    if (topic == group) return finish(program, "help", print(group_help(program, topic)));
  }
  std::vector<std::string> topics;
  for (const CommandSpec& spec : commands()) {
    if (spec.name == topic) {
      return finish(program, "help", print(help_of(program, spec, nullptr)));
    }
    topics.push_back(spec.name);
  }
  if (const Subject* subject = program.suite.find(topic)) {
    return finish(program, "help", print(subject_text(program.suite, *subject)));
  }
  for (const Subject& subject : program.suite.subjects()) topics.push_back(subject.name);
  return trouble(program, "help",
                 fmt::format("there is no command or subject '{}'{}", one_line(topic),
                             did_you_mean(topic, topics)));
}

int run_version(const Program& program, const Words& words) {
  const Parsing parsing = parse(program, "version", words);
  if (parsing.exit >= 0) return parsing.exit;
  const std::string missing = why_no_places();
  return finish(
      program, "version",
      print(fmt::format("ordeal {} (traces of version {})\n{}", kVersion, kTraceVersion,
                        missing.empty() ? "" : "no lines of crashes: " + missing + "\n")));
}

}  // namespace ordeal::cli
