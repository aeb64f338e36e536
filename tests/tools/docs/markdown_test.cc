#include "tests/tools/docs/markdown.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace ordeal::docs {

namespace fs = std::filesystem;

namespace {

// "from x" in "<!-- from x -->"; empty if the line is no such comment.
std::string comment_in(const std::string& line) {
  std::smatch found;
  static const std::regex comment("<!-- *(.*[^ ]) *-->");
  return std::regex_match(line, found, comment) ? found[1].str() : "";
}

std::string normal(std::string line) {
  static const std::regex effort("on [0-9]+ threads?, .*");
  static const std::regex chance("(chance that two states shared a fingerprint: ).*");
  static const std::regex time(" time=\"[0-9.]+\"");
  static const std::regex cut_short("(  explored    )(?!all ).*");
  line = std::regex_replace(line, effort, "on # threads");
  line = std::regex_replace(line, chance, "$1#");
  line = std::regex_replace(line, time, " time=#");
  line = std::regex_replace(line, cut_short, "$1#");
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Document parse(const std::string& path, const std::string& text) {
  Document document{path, text, {}, {}};
  std::string before;
  bool inside = false;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    const bool fence = line.starts_with("```");
    document.prose.push_back(inside || fence ? "" : line);
    if (fence && !inside) {
      document.blocks.push_back({number, line.substr(3), comment_in(before), {}});
    } else if (inside && !fence) {
      document.blocks.back().lines.push_back(line);
    }
    if (fence) inside = !inside;
    before = line;
  }
  return document;
}

std::vector<Document> documents() {
  std::vector<Document> found;
  const fs::path root = ORDEAL_SOURCE_DIR;
  for (auto at = fs::recursive_directory_iterator(root); at != fs::end(at); ++at) {
    const std::string name = at->path().filename().string();
    if (at->is_directory() && (name.starts_with('.') || name == "build" || name == "out" ||
                               name == "node_modules" || name == "data")) {
      at.disable_recursion_pending();
    } else if (at->is_regular_file() && at->path().extension() == ".md") {
      const std::string path = fs::relative(at->path(), root).generic_string();
      found.push_back(parse(path, read_file(at->path().string())));
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Document& a, const Document& b) { return a.path < b.path; });
  return found;
}

std::string place(const Document& document, int line) {
  return document.path + ":" + std::to_string(line);
}

Lines region(const std::string& text, const std::string& tag) {
  if (tag.empty()) return lines_of(text);
  static const std::string none;
  Lines found;
  bool inside = false;
  for (const std::string& line : lines_of(text)) {
    const size_t start = line.find_first_not_of(' ');
    const std::string word = start == line.npos ? none : line.substr(start);
    // As comments of C++, of CMake and of TLA+ begin.
    const auto is = [&](const std::string& mark) {
      return word == "// " + mark || word == "# " + mark || word == "\\* " + mark;
    };
    if (is("[" + tag + "]")) {
      inside = true;
    } else if (is("[/" + tag + "]")) {
      inside = false;
    } else if (inside) {
      found.push_back(line);
    }
  }
  size_t indent = std::string::npos;
  for (const std::string& line : found) indent = std::min(indent, line.find_first_not_of(' '));
  if (indent == std::string::npos) return found;
  for (std::string& line : found) line.erase(0, indent);
  return found;
}

std::vector<std::string> anchors(const Document& document) {
  std::vector<std::string> found;
  for (const std::string& line : document.prose) {
    if (!line.starts_with('#')) continue;
    std::string anchor;
    for (const char c : line.substr(std::min(line.find(' ') + 1, line.size()))) {
      if (c == ' ') anchor += '-';
      const bool part = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
      if (part) anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    found.push_back(anchor);
  }
  return found;
}

std::string difference(const Lines& shown, const Lines& actual) {
  size_t at = 0;
  for (size_t i = 0; i < shown.size();) {
    const bool elided = shown[i] == "…";
    if (elided) ++i;
    size_t end = i;
    while (end < shown.size() && shown[end] != "…") ++end;
    if (elided && i == end) return "";  // the rest
    const auto fits = [&](size_t start) {
      size_t same = 0;
      while (i + same < end && start + same < actual.size() &&
             normal(shown[i + same]) == normal(actual[start + same])) {
        ++same;
      }
      return same;
    };
    if (elided && end == shown.size()) {  // the last lines
      const size_t start = actual.size() - std::min(actual.size(), end - i);
      at = std::max(at, start);
    } else if (elided) {
      while (at < actual.size() && fits(at) < end - i) ++at;
    }
    const size_t same = fits(at);
    if (same < end - i) {
      return "shown:  " + shown[i + same] +
             "\nactual: " + (at + same < actual.size() ? actual[at + same] : "(nothing)");
    }
    at += same;
    i = end;
  }
  return at == actual.size() ? "" : "not shown: " + actual[at];
}

namespace {

TEST(Markdown, BlocksHaveTheirLanguageAndMark) {
  const Document document =
      parse("a.md", "# A\n<!-- run: exit 1 -->\n```console\n$ x\n```\ntext\n```\ny\n```\n");
  ASSERT_EQ(document.blocks.size(), 2U);
  EXPECT_EQ(document.blocks[0].language, "console");
  EXPECT_EQ(document.blocks[0].mark, "run: exit 1");
  EXPECT_EQ(document.blocks[0].lines, Lines{"$ x"});
  EXPECT_EQ(document.blocks[0].line, 3);
  EXPECT_EQ(document.blocks[1].mark, "");
  EXPECT_EQ(document.prose[3], "");
  EXPECT_EQ(document.prose[5], "text");
}

TEST(Markdown, RegionsLoseTheirIndentation) {
  const std::string text = "a\n  // [t]\n  b\n\n    c\n  // [/t]\nd\n";
  EXPECT_EQ(region(text, "t"), (Lines{"b", "", "  c"}));
  EXPECT_EQ(region(text, "u"), Lines{});
  EXPECT_EQ(region(text, "").size(), 7U);
}

TEST(Markdown, AnchorsAreThoseOfGitHub) {
  EXPECT_EQ(anchors(parse("a.md", "# What it is\n```\n# no\n```\n## `x/`, y!\n")),
            (std::vector<std::string>{"what-it-is", "x-y"}));
}

TEST(Markdown, OutputsAreComparedButForWhatVaries) {
  const Lines actual = {"holds: x", "  explored    all 5 states, 4 transitions",
                        "              bfs on 2 threads, 0.010 s (946 states/s), 114 KiB", "end"};
  EXPECT_EQ(difference(actual, actual), "");
  EXPECT_EQ(difference({"holds: x", "…"}, actual), "");
  EXPECT_EQ(difference({"…", "end"}, actual), "");
  EXPECT_EQ(
      difference({"holds: x", "…", "              bfs on 8 threads, 1 s, 9 MiB", "…"}, actual), "");
  EXPECT_NE(difference({"holds: x"}, actual), "");
  EXPECT_NE(difference({"holds: y", "…"}, actual), "");
  EXPECT_NE(difference({"…", "End"}, actual), "");
  EXPECT_NE(difference({"…", "  explored    all 6 states, 4 transitions", "…"}, actual), "");
  EXPECT_EQ(difference({"  explored    9 states"}, {"  explored    8 states"}), "");
  EXPECT_NE(difference({"a", "b"}, {"a"}), "");
}

}  // namespace
}  // namespace ordeal::docs
