// From a trace to a test: C++ source of scenarios that make happen what happened there.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "ordeal/report.h"
#include "ordeal/scenario.h"
#include "report/words.h"

namespace ordeal {
namespace {

constexpr size_t kColumns = 100;

// How long the byte sequence at the beginning of `text` is that is one valid character; 0: none.
size_t character_at(std::string_view text) {
  for (size_t length = 1; length <= std::min<size_t>(4, text.size()); ++length) {
    const std::string_view part = text.substr(0, length);
    if (valid_utf8(part) == part) return length;
  }
  return 0;
}

std::string octal(char c) { return fmt::format("\\{:03o}", static_cast<unsigned char>(c)); }

// As a string literal. Octal escapes have three digits, so that nothing after them can belong to
// them; a second question mark is escaped, so that there are no trigraphs; and whatever would show
// the source other than it is (control characters, turns of the direction of writing).
std::string literal(std::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size();) {
    const size_t length = character_at(text.substr(i));
    const char c = text[i];
    if (length > 1) {
      const std::string_view character = text.substr(i, length);
      i += length;
      if (one_line(character) == character) {
        out += character;
        continue;
      }
      for (const char byte : character) out += octal(byte);
      continue;
    }
    ++i;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '?' && out.back() == '?') {
      out += "\\?";
    } else if (length == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += octal(c);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// "// ", wrapped. A backslash at the end of a line would swallow the next one.
std::string comment(const std::string& text, const std::string& indent = "") {
  std::string out;
  for (std::string line : wrapped(one_line(text), kColumns - indent.size() - 3)) {
    if (line.ends_with('\\')) line += '.';
    out += indent + "// " + line + "\n";
  }
  return out;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain) {
      out.back() += c;
    } else if (!out.back().empty()) {
      out.emplace_back();
    }
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

// What a trace is called: in snake_case for functions, in CamelCase for tests.
struct Named {
  std::string snake;
  std::string camel;
};

Named named(const Trace& trace, std::set<std::string>& taken) {
  Named out;
  // What begins with a digit, or a property called "class", would be no name.
  std::vector<std::string> words = {"run", "of"};
  for (const std::string& word : words_of(trace.system)) words.push_back(word);
  words.emplace_back("keeps");
  for (const std::string& word : words_of(trace.verdict.property)) words.push_back(word);
  for (std::string word : words) {
    std::transform(word.begin(), word.end(), word.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    out.snake += (out.snake.empty() ? "" : "_") + word;
    if (word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 'a' + 'A');
    out.camel += word;
  }
  const Named first = out;
  for (int copy = 2; !taken.insert(out.snake).second; ++copy) {
    out.snake = fmt::format("{}_{}", first.snake, copy);
    out.camel = fmt::format("{}{}", first.camel, copy);
  }
  return out;
}

std::string bug_of(const Trace& trace) {
  const auto bug = trace.parameters.find("bug");
  return bug == trace.parameters.end() ? "" : bug->second;
}

// What a reader should know of a step besides its action.
std::string remark(const StepDetail& step) {
  if (!step.failure.empty()) return "the handler fails: " + step.failure;
  std::string out;
  for (const std::string& value : step.decided) {
    out += fmt::format("{}node {} decides {}", out.empty() ? "" : ", ", step.action.node, value);
  }
  return out;
}

constexpr uint64_t kRuns = 20;  // what comes behind the script differs from run to run

// The script of a trace: a line a step.
std::vector<std::string> script_of(const Trace& trace, const std::vector<size_t>& may_miss) {
  std::vector<std::string> out;
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const bool miss = std::find(may_miss.begin(), may_miss.end(), i) != may_miss.end();
    out.push_back((miss ? "? " : "") + show_by_digest(trace.steps[i].detail.action));
  }
  return out;
}

std::string source_of(const Trace& trace, const Named& name, const std::vector<size_t>& may_miss) {
  const TraceVerdict& verdict = trace.verdict;
  const std::string what = verdict.kind == "failure" ? "a handler fails"
                                                     : fmt::format("\"{}\" ({}) is violated",
                                                                   verdict.property, verdict.kind);
  std::string out = comment(fmt::format(
      "{}: after step {} of {}, {}{}.", report::subject_words(trace.system, trace.parameters),
      verdict.step, trace.steps.size(), what, verdict.why.empty() ? "" : ": " + verdict.why));
  out += fmt::format("ordeal::Scenario {}() {{\n", name.snake);
  out += fmt::format("  ordeal::Scenario scenario({});\n",
                     literal(trace.system + ": " + verdict.property));
  const std::vector<std::string> lines = script_of(trace, may_miss);
  std::string script;
  for (size_t i = 0; i < lines.size(); ++i) {
    const StepDetail& step = trace.steps[i].detail;
    const std::string shown = show(step.action);
    if (shown != lines[i]) script += comment(shown, "      ");
    script += "      " + literal(lines[i]) + ",\n";
    const std::string said = remark(step);
    if (!said.empty()) script += comment(said, "      ");
  }
  // One step a line, however long it is.
  out += "  // clang-format off\n  scenario.script({\n" + script + "  });\n  // clang-format on\n";
  if (verdict.kind == "eventually") {
    out += fmt::format("  scenario.require({});\n", literal(verdict.property));
  }
  out += "  scenario.faults(ordeal::Scenario::Faults::kOnlyByFilters);\n";
  out += fmt::format("  scenario.starts_in({}).strategy(\"random\").iterations({});\n",
                     trace.initial, kRuns);
  return out + "  return scenario;\n}\n";
}

std::string test_of(const Trace& trace, const Named& name) {
  std::string out = fmt::format("TEST(FromTrace, {}) {{\n", name.camel);
  out += "  Parameters parameters;\n";
  for (const auto& [key, value] : trace.parameters) {
    if (key == "bug" || value.empty()) continue;
    out += fmt::format("  parameters[{}] = {};\n", literal(key), literal(value));
  }
  out += fmt::format("  const std::string subject = {};\n", literal(trace.system));
  out +=
      fmt::format("  const auto built = build(subject, parameters, {});\n", literal(bug_of(trace)));
  out += "  ASSERT_TRUE(built.ok()) << built.error().message;\n";
  if (trace.free_faults) {
    out += "  // It was recorded live: any node may crash, any message be lost, at any time.\n";
    out += "  const auto free = (*built)->with_free_faults();\n";
    out += "  ASSERT_TRUE(free.ok()) << free.error().message;\n";
  }
  out += fmt::format("  EXPECT_SCENARIO({}(), **{});\n", name.snake,
                     trace.free_faults ? "free" : "built");
  return out + "}\n";
}

// A trace that can become a test, or why not.
Result<void> accept(const Trace& trace, size_t number) {
  const auto error = [&](const std::string& text) {
    return Error{fmt::format("trace {} ({}): {}", number, one_line(trace.system), text)};
  };
  const TraceVerdict& verdict = trace.verdict;
  if (verdict.property.empty()) return error("it violates nothing, so there is nothing to test");
  if (trace.loop_start) {
    return error(
        "it is a run that goes on for ever, and the runs of a test end: check the property of runs "
        "itself, by `bfs` or `dfs`");
  }
  if (!trace.scenario.empty()) {
    return error(
        fmt::format("it was made under the scenario '{}', which is a test already: run "
                    "that",
                    one_line(trace.scenario)));
  }
  if (verdict.kind != "always" && verdict.kind != "eventually" && verdict.kind != "failure") {
    return error(
        fmt::format("it shows a property of kind '{}'; tests are made of violations of "
                    "`always` and `eventually`, and of handlers that fail",
                    one_line(verdict.kind)));
  }
  return {};
}

constexpr const char* kHead = R"(// Tests made of traces by `ordeal scenario from-trace`.
//
// In each test, what happened in its trace happens first, step by step; then the run goes on by
// itself, without further faults. What the trace violated must hold. A step is known by its nodes,
// its type and the digest of what it carries; the comment above it shows the content.
//
// A test in which a step is not possible when its turn comes fails and names it: it would test
// something else. Only lines that begin with "? " may be left out. If the program was mended and no
// longer takes a step, mark that line so.
//
// Subjects are built in their correct form. With ORDEAL_WITH_BUG=1 in the environment they are
// built with the planted bug that the trace shows: the tests must fail then.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>

)";

constexpr const char* kBuild = R"(
namespace {

using Parameters = std::map<std::string, std::string>;

ordeal::Result<std::unique_ptr<ordeal::Checkable>> build(const std::string& name,
                                                         const Parameters& parameters,
                                                         const std::string& bug) {
  static const ordeal::Suite suite = @;
  const ordeal::Subject* subject = suite.find(name);
  if (subject == nullptr) return ordeal::Error{"the suite has no subject '" + name + "'"};
  const bool with_bug = std::getenv("ORDEAL_WITH_BUG") != nullptr;
  const auto arguments = suite.arguments(*subject, parameters, with_bug ? bug : "");
  if (!arguments) return arguments.error();
  return subject->build(*arguments);
}
)";

}  // namespace

Result<Scenario> scenario_of(const Trace& trace, const std::vector<size_t>& may_miss) {
  if (const auto fine = accept(trace, 1); !fine) return fine.error();
  Scenario out(trace.system + ": " + trace.verdict.property);
  out.script(script_of(trace, may_miss)).faults(Scenario::Faults::kOnlyByFilters);
  if (trace.verdict.kind == "eventually") out.require(trace.verdict.property);
  return out.starts_in(trace.initial).strategy("random").iterations(kRuns);
}

Result<std::string> scenario_source(const std::vector<Trace>& traces,
                                    const SourceOptions& options) {
  if (traces.empty()) return Error{"there is no trace to make a test of"};
  std::string out = kHead;
  std::vector<std::string> includes = {"ordeal/ordeal.h", "ordeal/testing.h"};
  if (!options.include.empty()) includes.push_back(options.include);
  std::sort(includes.begin(), includes.end());
  for (const std::string& include : includes) out += fmt::format("#include \"{}\"\n", include);
  std::string build = kBuild;
  out += build.replace(build.find('@'), 1, options.suite);
  std::set<std::string> taken;
  for (size_t i = 0; i < traces.size(); ++i) {
    if (const auto fine = accept(traces[i], i + 1); !fine) return fine.error();
    const Named name = named(traces[i], taken);
    const std::vector<size_t> may_miss =
        i < options.may_miss.size() ? options.may_miss[i] : std::vector<size_t>();
    out += "\n" + source_of(traces[i], name, may_miss) + "\n" + test_of(traces[i], name);
  }
  return out + "\n}  // namespace\n";
}

}  // namespace ordeal
