// The style rules of CONTRIBUTING.md, made executable. Each rule is a function from a file to its
// offences; it is tested once over the whole tree and once against small samples that break it, so
// that a rule which cannot fail is noticed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

struct File {
  std::string path;  // from the root of the repository, with '/'
  std::string text;
};

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Every C++ file of the repository, in the order of their paths.
const std::vector<File>& tree() {
  static const std::vector<File> files = [] {
    std::vector<File> found;
    const fs::path root = ORDEAL_SOURCE_DIR;
    for (const char* folder : {"include", "src", "protocols", "tests", "bench"}) {
      if (!fs::exists(root / folder)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        const fs::path extension = entry.path().extension();
        if (!entry.is_regular_file() || (extension != ".h" && extension != ".cc")) continue;
        found.push_back({fs::relative(entry.path(), root).generic_string(), read(entry.path())});
      }
    }
    std::sort(found.begin(), found.end(),
              [](const File& a, const File& b) { return a.path < b.path; });
    return found;
  }();
  return files;
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string offence(const File& file, size_t line, const std::string& what) {
  return file.path + ":" + std::to_string(line) + ": " + what;
}

// The line up to its // comment, if it has one outside of a string.
std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"' && !(i > 0 && line[i - 1] == '\'')) {
      quoted = !quoted;
    } else if (!quoted && line.substr(i, 2) == "//") {
      return line.substr(0, i);
    }
  }
  return line;
}

// Whether `needle` stands in `line` as a word: no part of a longer name on a side where it itself
// begins or ends with a letter.
bool has_word(std::string_view line, std::string_view needle) {
  for (size_t at = line.find(needle); at != line.npos; at = line.find(needle, at + 1)) {
    const size_t end = at + needle.size();
    const bool joined_before = at > 0 && in_word(needle.front()) && in_word(line[at - 1]);
    const bool joined_after = end < line.size() && in_word(needle.back()) && in_word(line[end]);
    if (!joined_before && !joined_after) return true;
  }
  return false;
}

// "explore/run" of "explore/run/driver.h"; the whole name if there is no '/'.
std::string folder_of(std::string_view path) {
  return std::string(path.substr(0, path.rfind('/')));
}

// "base" in `#include "base/hash.h"`; empty if the line is no quoted include.
std::string quoted_include_folder(std::string_view line) {
  const size_t hash = line.find_first_not_of(" ");
  if (hash == line.npos || line[hash] != '#') return "";
  const size_t word = line.find_first_not_of(" ", hash + 1);
  if (word == line.npos || !starts_with(line.substr(word), "include")) return "";
  const size_t open = line.find('"', word);
  if (open == line.npos) return "";
  const size_t close = line.find('"', open + 1);
  const std::string_view name = line.substr(open + 1, close - open - 1);
  return folder_of(name);
}

bool is_or_lies_in(const std::string& folder, const std::string& other) {
  return folder == other || starts_with(folder, other + "/");
}

// The stages in their order, from headings like "## `base/`".
Strings stages_of(const std::string& readme) {
  Strings stages;
  for (const std::string_view line : lines_of(readme)) {
    if (!starts_with(line, "## `") || !ends_with(line, "/`")) continue;
    stages.emplace_back(line.substr(4, line.size() - 6));
  }
  return stages;
}

// The stage of each public header, from paragraphs like "Public: `value.h`, `detail/any.h`." below
// the headings. One that is named twice has the first.
std::map<std::string, std::string> public_stages_of(const std::string& readme) {
  std::map<std::string, std::string> stages;
  std::string stage;
  bool listing = false;
  for (const std::string_view line : lines_of(readme)) {
    if (starts_with(line, "## `") && ends_with(line, "/`")) stage = line.substr(4, line.size() - 6);
    listing = starts_with(line, "Public: ") || (listing && !line.empty());
    if (!listing) continue;
    for (size_t at = line.find('`'); at != line.npos; at = line.find('`', at + 1)) {
      const size_t end = std::min(line.find('`', at + 1), line.size());
      stages.emplace(line.substr(at + 1, end - at - 1), stage);
      at = end;
    }
  }
  return stages;
}

// --- The rules -----------------------------------------------------------------------------------

// A stage includes from itself and the stages above it; the command also the protocols; a public
// header only public headers, for nothing else is installed.
Strings layer_offences(const File& file, const Strings& stages) {
  Strings offences;
  const bool is_public = starts_with(file.path, "include/");
  if (!is_public && !starts_with(file.path, "src/")) return offences;
  const bool is_test = ends_with(file.path, "_test.cc");
  const std::string stage = is_public ? "" : folder_of(file.path.substr(4));
  const auto own = std::find(stages.begin(), stages.end(), stage);
  if (!is_public && own == stages.end()) {
    offences.push_back(offence(file, 1, "'" + stage + "' is no stage of src/README.md"));
    return offences;
  }
  size_t number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    const std::string from = quoted_include_folder(line);
    if (from.empty() || is_or_lies_in(from, "ordeal")) continue;
    if (is_public) {
      offences.push_back(offence(file, number, "a public header includes from " + from));
      continue;
    }
    if (is_or_lies_in(from, "protocols") && stage == "cli") continue;
    if (is_or_lies_in(from, "tests") && is_test) continue;
    const auto other = std::find(stages.begin(), stages.end(), from);
    if (other == stages.end()) {
      offences.push_back(offence(file, number, "includes from '" + from + "', which is no stage"));
    } else if (other > own) {
      offences.push_back(offence(file, number, stage + " includes from " + from + ", below it"));
    }
  }
  return offences;
}

// Public headers are of stages, too: a header, or a source of a stage, includes only those of its
// own stage and of stages above it. Tests speak to the engine as users do.
Strings public_layer_offences(const File& file, const Strings& stages,
                              const std::map<std::string, std::string>& headers) {
  Strings offences;
  const std::string prefix = "include/ordeal/";
  const bool is_public = starts_with(file.path, prefix);
  if (!is_public && !starts_with(file.path, "src/")) return offences;
  if (ends_with(file.path, "_test.cc")) return offences;
  const auto place = [&](const std::string& stage) {
    return std::find(stages.begin(), stages.end(), stage);
  };
  std::string stage;
  if (is_public) {
    const auto known = headers.find(file.path.substr(prefix.size()));
    if (known == headers.end()) return {offence(file, 1, "src/README.md has no stage for it")};
    stage = known->second;
  } else {
    stage = folder_of(file.path.substr(4));
  }
  size_t number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    if (!is_or_lies_in(quoted_include_folder(line), "ordeal")) continue;
    const size_t begin = line.find("ordeal/") + 7;
    const std::string name(line.substr(begin, line.find('"', begin) - begin));
    const auto known = headers.find(name);
    if (known == headers.end()) {
      offences.push_back(offence(file, number, "there is no public header " + name));
    } else if (place(known->second) > place(stage)) {
      offences.push_back(offence(
          file, number, stage + " includes " + name + " of " + known->second + ", below it"));
    }
  }
  return offences;
}

constexpr size_t kMaxLines = 600;
constexpr size_t kMaxColumns = 100;

Strings shape_offences(const File& file) {
  Strings offences;
  const std::vector<std::string_view> lines = lines_of(file.text);
  if (lines.size() > kMaxLines) {
    offences.push_back(offence(file, kMaxLines + 1, "the file is longer than 600 lines"));
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto columns = std::count_if(lines[i].begin(), lines[i].end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // UTF-8: not a continuation byte
    });
    if (static_cast<size_t>(columns) > kMaxColumns) {
      offences.push_back(offence(file, i + 1, "the line is longer than 100 columns"));
    }
    if (lines[i].find('\t') != std::string_view::npos) {
      offences.push_back(offence(file, i + 1, "a tab"));
    }
  }
  if (!file.text.empty() && file.text.back() != '\n') {
    offences.push_back(offence(file, lines.size(), "no newline at the end of the file"));
  }
  return offences;
}

// Broken in two, here and in the samples, so that this file keeps the rules it states.
const Strings kBannedEverywhere = {
    "std::random_"
    "device",
    "time(null"
    "ptr)",
    "time(NU"
    "LL)",
    "std::ra"
    "nd",
    "sra"
    "nd",
    "using namespace "
    "std",
};
const Strings kBannedHashes = {
    "std::ha"
    "sh",
    "absl::Ha"
    "sh",
    "absl::HashO"
    "f",
};
const Strings kUnfinished = {
    "TO"
    "DO",
    "FIX"
    "ME",
    "X"
    "XX",
};

// What would make two runs differ, or hide where a name is from. Comments may speak of it.
Strings banned_offences(const File& file) {
  Strings banned = kBannedEverywhere;
  const bool engine = starts_with(file.path, "src/") || starts_with(file.path, "include/");
  if (engine && !starts_with(file.path, "src/base/")) {
    banned.insert(banned.end(), kBannedHashes.begin(), kBannedHashes.end());
  }
  Strings offences;
  size_t number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    const std::string_view code = without_comment(line);
    for (const std::string& word : banned) {
      if (has_word(code, word)) offences.push_back(offence(file, number, word + " is banned"));
    }
  }
  return offences;
}

Strings unfinished_offences(const File& file) {
  Strings offences;
  size_t number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    for (const std::string& word : kUnfinished) {
      if (has_word(line, word)) offences.push_back(offence(file, number, "a " + word));
    }
  }
  return offences;
}

Strings public_header_offences(const File& file) {
  Strings offences;
  if (!starts_with(file.path, "include/ordeal/") || !ends_with(file.path, ".h")) return offences;
  const std::vector<std::string_view> lines = lines_of(file.text);
  if (lines.empty() || !starts_with(lines[0], "//")) {
    offences.push_back(offence(file, 1, "the header does not open with a comment"));
  }
  if (std::find(lines.begin(), lines.end(), "#pragma once") == lines.end()) {
    offences.push_back(offence(file, 1, "no #pragma once"));
  }
  return offences;
}

// --- The tree keeps the rules --------------------------------------------------------------------

template <class Rule>
void expect_kept(Rule rule) {
  ASSERT_FALSE(tree().empty()) << "no C++ files under " << ORDEAL_SOURCE_DIR;
  std::string all;
  for (const File& file : tree()) {
    for (const std::string& offence : rule(file)) all += "  " + offence + "\n";
  }
  EXPECT_TRUE(all.empty()) << "offenders:\n" << all;
}

Strings stages_of_tree() { return stages_of(read(fs::path(ORDEAL_SOURCE_DIR) / "src/README.md")); }

TEST(Style, StagesAreThoseOfTheReadme) {
  // In the order of the data's way; every folder of src/ is there.
  const Strings stages = stages_of_tree();
  for (const char* one : {"base", "system/actor", "explore/search", "explore", "cli"}) {
    EXPECT_NE(std::find(stages.begin(), stages.end(), one), stages.end()) << one;
  }
  const fs::path src = fs::path(ORDEAL_SOURCE_DIR) / "src";
  for (const std::string& stage : stages) {
    EXPECT_TRUE(fs::is_directory(src / stage)) << stage << " is no folder";
  }
}

TEST(Style, StagesIncludeOnlyFromAbove) {
  const Strings stages = stages_of_tree();
  expect_kept([&](const File& file) { return layer_offences(file, stages); });
}

TEST(Style, PublicHeadersIncludeOnlyFromAbove) {
  const std::string readme = read(fs::path(ORDEAL_SOURCE_DIR) / "src/README.md");
  const std::map<std::string, std::string> headers = public_stages_of(readme);
  for (const auto& [header, stage] : headers) {
    EXPECT_TRUE(fs::exists(fs::path(ORDEAL_SOURCE_DIR) / "include/ordeal" / header)) << header;
  }
  expect_kept([&, stages = stages_of(readme)](const File& file) {
    return public_layer_offences(file, stages, headers);
  });
}

TEST(Style, FilesAreShortAndPlain) { expect_kept(shape_offences); }

TEST(Style, NothingBannedIsUsed) { expect_kept(banned_offences); }

TEST(Style, NothingIsLeftUnfinished) { expect_kept(unfinished_offences); }

TEST(Style, PublicHeadersOpenWithACommentAndAPragma) { expect_kept(public_header_offences); }

// --- The rules can fail --------------------------------------------------------------------------

std::string repeat(const std::string& text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(StyleRules, StagesAreReadInTheOrderOfTheirHeadings) {
  EXPECT_EQ(stages_of("# Stages\n\n## `one/`\n\nText `x/`.\n\n## `two/`\n## three\n"),
            (Strings{"one", "two"}));
}

TEST(StyleRules, LayersNoticeAnIncludeFromBelow) {
  const Strings stages = {"base", "world", "cli"};
  const auto offences = [&](const std::string& path, const std::string& text) {
    return layer_offences({path, text}, stages);
  };
  EXPECT_EQ(offences("src/base/a.h", "\n#include \"world/b.h\"\n"),
            (Strings{"src/base/a.h:2: base includes from world, below it"}));
  EXPECT_EQ(offences("src/base/a.h", "#  include \"cli/b.h\"\n").size(), 1U);
  EXPECT_EQ(offences("src/base/a_test.cc", "#include \"world/b.h\"\n").size(), 1U);
  EXPECT_EQ(offences("src/base/a.h", "#include \"b.h\"\n").size(), 1U);
  EXPECT_EQ(offences("src/world/inner/a.cc", "").size(), 1U);
  EXPECT_EQ(offences("src/world/a.cc", "#include \"world/inner/b.h\"\n").size(), 1U);
  EXPECT_EQ(offences("src/world/a.cc", "#include \"protocols/b.h\"\n").size(), 1U);
  EXPECT_EQ(offences("src/attic/a.cc", "").size(), 1U);
  EXPECT_EQ(offences("include/ordeal/a.h", "#include \"base/hash.h\"\n").size(), 1U);

  EXPECT_EQ(offences("src/world/a.cc", "#include \"world/a.h\"\n#include \"base/b.h\"\n"),
            Strings{});
  EXPECT_EQ(offences("src/world/a.cc", "#include \"ordeal/a.h\"\n#include <vector>\n"), Strings{});
  EXPECT_EQ(offences("src/cli/a.cc", "#include \"protocols/b.h\"\n"), Strings{});
  EXPECT_EQ(offences("tests/x/a.cc", "#include \"cli/b.h\"\n"), Strings{});
}

TEST(StyleRules, LayersNoticeAPublicHeaderFromBelow) {
  const std::string readme =
      "## `base/`\n\nText `x.h`.\n\nPublic: `one.h`,\n`detail/two.h`.\n\nMore `y.h`.\n\n"
      "## `cli/`\n\nPublic: `last.h`.\n";
  const std::map<std::string, std::string> headers = public_stages_of(readme);
  EXPECT_EQ(headers, (std::map<std::string, std::string>{
                         {"one.h", "base"}, {"detail/two.h", "base"}, {"last.h", "cli"}}));
  const auto offences = [&](const std::string& path, const std::string& text) {
    return public_layer_offences({path, text}, stages_of(readme), headers);
  };
  EXPECT_EQ(offences("include/ordeal/one.h", "\n#include \"ordeal/last.h\"\n"),
            (Strings{"include/ordeal/one.h:2: base includes last.h of cli, below it"}));
  EXPECT_EQ(offences("src/base/a.cc", "#include \"ordeal/last.h\"\n").size(), 1U);
  EXPECT_EQ(offences("src/cli/a.cc", "#include \"ordeal/gone.h\"\n").size(), 1U);
  EXPECT_EQ(offences("include/ordeal/new.h", ""),
            (Strings{"include/ordeal/new.h:1: src/README.md has no stage for it"}));

  EXPECT_EQ(offences("include/ordeal/last.h", "#include \"ordeal/detail/two.h\"\n"), Strings{});
  EXPECT_EQ(offences("include/ordeal/one.h", "#include \"ordeal/detail/two.h\"\n"), Strings{});
  EXPECT_EQ(offences("src/base/a_test.cc", "#include \"ordeal/last.h\"\n"), Strings{});
  EXPECT_EQ(offences("tests/x/a.cc", "#include \"ordeal/last.h\"\n"), Strings{});
}

TEST(StyleRules, ShapeNoticesLongFilesLongLinesTabsAndAMissingNewline) {
  EXPECT_EQ(shape_offences({"src/a.cc", repeat("\n", 601)}),
            (Strings{"src/a.cc:601: the file is longer than 600 lines"}));
  EXPECT_EQ(shape_offences({"src/a.cc", "\n" + repeat("a", 101) + "\n"}),
            (Strings{"src/a.cc:2: the line is longer than 100 columns"}));
  EXPECT_EQ(shape_offences({"src/a.cc", "int\ta;\n"}), (Strings{"src/a.cc:1: a tab"}));
  EXPECT_EQ(shape_offences({"src/a.cc", "int a;\nint b;"}),
            (Strings{"src/a.cc:2: no newline at the end of the file"}));

  EXPECT_EQ(shape_offences({"src/a.cc", repeat("\n", 600)}), Strings{});
  EXPECT_EQ(shape_offences({"src/a.cc", repeat("\xc3\xa9", 100) + "\n"}), Strings{});
}

TEST(StyleRules, EveryBannedWordIsNoticed) {
  for (const std::string& word : kBannedEverywhere) {
    for (const char* path : {"src/base/a.h", "protocols/a.cc", "tests/a.cc", "bench/a.cc"}) {
      EXPECT_EQ(banned_offences({path, "\nauto x = " + word + ";\n"}).size(), 1U) << word << path;
    }
    EXPECT_EQ(banned_offences({"src/world/a.h", "int x;  // never " + word + "\n"}), Strings{});
    EXPECT_EQ(banned_offences({"src/world/a.h", "int my_" + word + "s;\n"}), Strings{}) << word;
  }
  for (const std::string& word : kBannedHashes) {
    EXPECT_EQ(banned_offences({"src/world/a.h", word + "<int> h;\n"}),
              (Strings{"src/world/a.h:1: " + word + " is banned"}));
    EXPECT_EQ(banned_offences({"include/ordeal/a.h", word + "<int> h;\n"}).size(), 1U);
    EXPECT_EQ(banned_offences({"src/base/a.h", word + "<int> h;\n"}), Strings{});
  }
  const std::string after_a_string = "log(\"http://x\"); " + kBannedEverywhere[0] + " d;\n";
  EXPECT_EQ(banned_offences({"src/world/a.cc", after_a_string}).size(), 1U);
}

TEST(StyleRules, EveryMarkOfTheUnfinishedIsNoticed) {
  for (const std::string& word : kUnfinished) {
    EXPECT_EQ(unfinished_offences({"src/a.cc", "int a;\n// " + word + ": later\n"}),
              (Strings{"src/a.cc:2: a " + word}));
    EXPECT_EQ(unfinished_offences({"src/a.cc", "// " + word + "S\n"}), Strings{});
  }
}

TEST(StyleRules, PublicHeadersWithoutCommentOrPragmaAreNoticed) {
  EXPECT_EQ(public_header_offences({"include/ordeal/a.h", "#pragma once\n// A.\n"}),
            (Strings{"include/ordeal/a.h:1: the header does not open with a comment"}));
  EXPECT_EQ(public_header_offences({"include/ordeal/a.h", "// A.\n"}),
            (Strings{"include/ordeal/a.h:1: no #pragma once"}));
  EXPECT_EQ(public_header_offences({"include/ordeal/a.h", ""}).size(), 2U);
  EXPECT_EQ(public_header_offences({"include/ordeal/a.h", "// A.\n#pragma once\n"}), Strings{});
  EXPECT_EQ(public_header_offences({"src/base/a.h", ""}), Strings{});
}

}  // namespace
