// Every example in the comment of a public header is C++ that the compiler takes, without a warning
// about conversions. Errors may go unheard in an example.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tools/cli/folder.h"

namespace ordeal {
namespace {

namespace fs = std::filesystem;

const fs::path kInclude = fs::path(ORDEAL_SOURCE_DIR) / "include";

struct Example {
  size_t line = 0;  // of the first of its lines
  std::vector<std::string> lines;
};

std::vector<std::string> lines_in(std::istream& in) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// An example begins after an empty line of a comment, three spaces in, and goes on until a line of
// the comment begins further to the left.
std::vector<Example> examples_of(const std::vector<std::string>& lines) {
  const auto is_code = [&](size_t i) { return i < lines.size() && lines[i].starts_with("//   "); };
  std::vector<Example> examples;
  for (size_t i = 1; i < lines.size(); ++i) {
    if (lines[i - 1] != "//" || !is_code(i) || lines[i][5] == ' ') continue;
    Example example{i + 1, {}};
    // An empty line may stand between its parts.
    while (is_code(i) || (i + 1 < lines.size() && lines[i] == "//" && is_code(i + 1))) {
      example.lines.push_back(lines[i].substr(2));
      ++i;
    }
    examples.push_back(std::move(example));
  }
  return examples;
}

// By header: "ordeal/check.h".
std::map<std::string, std::vector<Example>> all_examples() {
  std::map<std::string, std::vector<Example>> all;
  for (const auto& entry : fs::recursive_directory_iterator(kInclude)) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream in(entry.path());
    std::vector<Example> examples = examples_of(lines_in(in));
    if (examples.empty()) continue;
    all[fs::relative(entry.path(), kInclude).generic_string()] = std::move(examples);
  }
  return all;
}

// Puts each example into its frame; what is left over is taken out of neither.
std::string framed(std::map<std::string, std::vector<Example>>& examples) {
  const std::string mark = "//> ";
  const std::string path = ORDEAL_SOURCE_DIR "/tests/tools/headers/frames.cc";
  std::ifstream in(path);
  std::string out;
  size_t number = 0;
  for (const std::string& line : lines_in(in)) {
    ++number;
    const size_t at = line.find(mark);
    if (at == line.npos) {
      out += line + "\n";
      continue;
    }
    const std::string header = line.substr(at + mark.size());
    std::vector<Example>& known = examples[header];
    if (known.empty()) {
      ADD_FAILURE() << "frames.cc:" << number << ": " << header << " has no such example";
      continue;
    }
    out += "#line " + std::to_string(known.front().line) + " \"include/" + header + "\"\n";
    for (const std::string& code : known.front().lines) out += code + "\n";
    out += "#line " + std::to_string(number + 1) + " \"tests/tools/headers/frames.cc\"\n";
    known.erase(known.begin());
  }
  return out;
}

// What the compiler says; "": nothing.
std::string compile(const std::string& text) {
  const e2e::Folder folder;
  const std::string file = folder.path() + "/examples.cc";
  std::ofstream(file) << text;
  const std::string command = "LC_ALL=C '" ORDEAL_COMPILER
                              "' -std=c++20 -fsyntax-only -Wconversion -Wsign-conversion "
                              "-Wno-unused-result -I'" +
                              kInclude.string() + "' '" + file + "' 2>&1";
  std::string said;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "there is no compiler";
  char part[4096];
  while (const size_t size = fread(part, 1, sizeof part, pipe)) said.append(part, size);
  if (pclose(pipe) != 0 && said.empty()) said = "it failed";
  return said;
}

TEST(HeaderExamples, AreAllCompiledWithoutAWarning) {
  std::map<std::string, std::vector<Example>> examples = all_examples();
  EXPECT_GE(examples.size(), 25U);
  const std::string text = framed(examples);
  for (const auto& [header, left] : examples) {
    for (const Example& example : left) {
      ADD_FAILURE() << "include/" << header << ":" << example.line
                    << ": this example has no frame in tests/tools/headers/frames.cc";
    }
  }
  EXPECT_EQ(compile(text), "");
}

TEST(HeaderExamples, AreFoundByTheirIndent) {
  std::istringstream header(
      "// What it is.\n//\n//   int a = 1;\n//     more;\n//\n//   int b = 2;\n//\n// Then:\n"
      "//   no example, but a list\n//\n//    nor this\n//\n//   int c = 3;\n#pragma once\n");
  const std::vector<Example> examples = examples_of(lines_in(header));
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0].line, 3U);
  EXPECT_EQ(examples[0].lines,
            (std::vector<std::string>{"   int a = 1;", "     more;", "", "   int b = 2;"}));
  EXPECT_EQ(examples[1].line, 13U);
}

TEST(HeaderExamples, ThatAreWrongAreToldWithTheirPlace) {
  const std::string said =
      compile("#line 7 \"include/ordeal/made.h\"\nint f(long n) { return n; }\n");
  EXPECT_NE(said.find("include/ordeal/made.h:7:"), std::string::npos) << said;
  EXPECT_NE(compile("int f() { return nothing; }\n"), "");
  EXPECT_EQ(compile("int f() { return 1; }\n"), "");
}

}  // namespace
}  // namespace ordeal
