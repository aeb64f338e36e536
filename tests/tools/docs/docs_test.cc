// The documents say what is so: their code is that of compiled files, their links lead somewhere,
// their commands run and print what is shown.
//
//   <!-- from examples/x.cc#tag -->      the block is the region between [tag] and [/tag]
//   <!-- run: exit 1 -->                 the commands after "$ " give this exit code and output;
//   <!-- run: exit 1 0 -->               … these, one each
//   <!-- run as scripts/demo.sh: exit 0 -->   the first line stands for this command
//   <!-- not run: why -->
//
// The commands of a document run one after another in one folder, which has the repository's
// folders, and with `ordeal` and the examples on the path.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>

#include "ordeal/check.h"
#include "tests/tools/docs/markdown.h"

namespace ordeal::docs {
namespace {

namespace fs = std::filesystem;

const std::string kRoot = ORDEAL_SOURCE_DIR;

// What a reader works through: held to the strictest rules.
bool is_guide(const Document& document) {
  return document.path == "README.md" || document.path.starts_with("docs/guide/");
}

std::vector<Document> guide() {
  std::vector<Document> found = documents();
  std::erase_if(found, [](const Document& document) { return !is_guide(document); });
  return found;
}

TEST(Docs, EveryRelativeLinkLeadsSomewhere) {
  const std::vector<Document> all = documents();
  ASSERT_GT(all.size(), 10U);
  const std::regex link("\\]\\(([^)\\s]+)\\)|(?:src|href|srcset)=\"([^\"]+)\"");
  size_t count = 0;
  for (const Document& document : all) {
    for (size_t i = 0; i < document.prose.size(); ++i) {
      const std::string& line = document.prose[i];
      for (std::sregex_iterator at(line.begin(), line.end(), link), end; at != end; ++at) {
        const std::string target = (*at)[1].matched ? (*at)[1].str() : (*at)[2].str();
        if (target.find("://") != target.npos || target.starts_with("mailto:")) continue;
        ++count;
        const std::string file = target.substr(0, target.find('#'));
        const fs::path path = file.empty() ? fs::path(kRoot) / document.path
                                           : (fs::path(kRoot) / document.path).parent_path() / file;
        const std::string where = place(document, static_cast<int>(i + 1));
        EXPECT_TRUE(fs::exists(path)) << where << ": " << target;
        if (target.find('#') == target.npos || path.extension() != ".md") continue;
        const std::vector<std::string> known = anchors(parse("", read_file(path.string())));
        EXPECT_TRUE(std::count(known.begin(), known.end(), target.substr(target.find('#') + 1)))
            << where << ": no heading for " << target;
      }
    }
  }
  EXPECT_GT(count, 20U);
}

TEST(Docs, CodeIsThatOfCompiledFiles) {
  size_t count = 0;
  for (const Document& document : guide()) {
    for (const Block& block : document.blocks) {
      const bool code = block.language == "cpp" || block.language == "cmake";
      const bool from = block.mark.starts_with("from ");
      const std::string where = place(document, block.line);
      EXPECT_TRUE(!code || from) << where << ": no <!-- from FILE#tag --> before this code";
      if (!from) continue;
      ++count;
      const std::string source = block.mark.substr(5);
      const size_t hash = std::min(source.find('#'), source.size());
      const std::string text = read_file(kRoot + "/" + source.substr(0, hash));
      EXPECT_FALSE(text.empty()) << where << ": there is no " << source;
      const Lines expected = region(text, hash < source.size() ? source.substr(hash + 1) : "");
      EXPECT_FALSE(expected.empty()) << where << ": there is no region " << source;
      EXPECT_EQ(block.lines, expected) << where << ": differs from " << source;
    }
  }
  EXPECT_GT(count, 10U);
}

// A folder that looks like the repository, with its programs built.
class Workshop {
 public:
  Workshop() {
    folder_ = (fs::temp_directory_path() / "ordeal_docs_XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) std::abort();
    for (const char* name : {"docs", "examples", "scripts", "specs", "tests"}) {
      fs::create_symlink(kRoot + "/" + name, folder_ + "/" + name);
    }
    fs::create_directories(folder_ + "/build/release");
    fs::create_symlink(ORDEAL_BINARY, folder_ + "/build/release/ordeal");
    fs::create_symlink(ORDEAL_EXAMPLES_DIR, folder_ + "/build/release/examples");
  }
  ~Workshop() { fs::remove_all(folder_); }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  int run(const std::string& command, Lines& output) const {
    const std::string shell = "cd " + folder_ + " && export PATH=" + folder_ +
                              "/build/release:" + folder_ + "/build/release/examples:$PATH && { " +
                              command + "\n} 2>&1";
    FILE* pipe = popen(shell.c_str(), "r");
    if (pipe == nullptr) return -1;
    std::string text;
    char buffer[4096];
    for (size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
    const int status = pclose(pipe);
    const std::regex place(folder_);
    output = lines_of(std::regex_replace(text, place, "/path/to/ordeal"));
    // Of a machine that is busy: what takes longer than ten seconds says how far it is.
    static const std::regex progress(
        "([0-9.,]+ [a-z]+ ?)+: ([0-9,]+ runs?, )?[0-9,]+ states? .*, depth .*");
    std::erase_if(output, [](const std::string& line) { return regex_match(line, progress); });
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  std::string folder_;
};

struct Command {
  std::string line;
  Lines shown;
};

// The commands of a block: "$ …", with lines that end in '\' continued, and what is shown of each.
std::vector<Command> commands_of(const Block& block, const std::string& stands_for) {
  std::vector<Command> commands;
  bool continued = false;
  for (const std::string& line : block.lines) {
    if (continued) {
      commands.back().line += "\n" + line;
    } else if (line.starts_with("$ ") && (stands_for.empty() || commands.empty())) {
      commands.push_back({line.substr(2), {}});
    } else if (!commands.empty()) {
      commands.back().shown.push_back(line);
      continue;
    } else {
      continue;
    }
    continued = !commands.empty() && commands.back().line.ends_with('\\');
  }
  if (!stands_for.empty() && !commands.empty()) commands[0].line = stands_for;
  return commands;
}

TEST(Docs, CommandsGiveTheExitCodeAndOutputShown) {
  const std::regex mark("run(?: as ([^:]+))?: exit ([0-9 ]+)");
  size_t count = 0;
  for (const Document& document : guide()) {
    const Workshop workshop;
    for (const Block& block : document.blocks) {
      if (block.language != "console" || block.mark.starts_with("not run: ")) continue;
      const std::string where = place(document, block.line);
      std::smatch found;
      if (!std::regex_match(block.mark, found, mark)) {
        ADD_FAILURE() << where << ": no <!-- run: exit N --> before this block";
        continue;
      }
      std::istringstream codes(found[2].str());
      int expected = 0;
      for (const Command& command : commands_of(block, found[1].str())) {
        ++count;
        codes >> expected;  // the last one goes for the rest
        Lines output;
        const int code = workshop.run(command.line, output);
        std::string all;
        for (const std::string& line : output) all += "  " + line + "\n";
        EXPECT_EQ(code, expected) << where << ": " << command.line << "\n" << all;
        EXPECT_EQ(difference(command.shown, output), "") << where << ": " << command.line << "\n"
                                                         << all;
      }
    }
  }
  EXPECT_GT(count, 20U);
}

TEST(Docs, TheTableOfStrategiesIsThatOfTheCode) {
  std::string table =
      "| strategy | what it does | needs saved states | a clean, complete result claims |\n";
  table += "| --- | --- | --- | --- |\n";
  for (const StrategyInfo& strategy : strategies()) {
    table += "| `" + strategy.name + "` | " + strategy.what + " | " +
             (strategy.stateful ? "yes" : "no") + " | " + strategy.preserves + " |\n";
  }
  const std::string text = read_file(kRoot + "/docs/guide/05-strategies-and-bounds.md");
  EXPECT_NE(text.find(table), std::string::npos) << "the chapter must have:\n" << table;
}

TEST(Docs, TheTableOfClaimsIsThatOfTheCode) {
  EXPECT_EQ(read_file(kRoot + "/docs/reference/strategies.md"), strategies_markdown())
      << "it is the output of: ordeal list --strategies";
}

TEST(Docs, TheGuideIsListedInOrder) {
  const std::string index = read_file(kRoot + "/docs/README.md");
  size_t at = 0;
  for (const Document& document : guide()) {
    if (document.path == "README.md") continue;
    const size_t found = index.find("(" + document.path.substr(5) + ")", at);
    EXPECT_NE(found, std::string::npos) << document.path << " is not in docs/README.md, or not "
                                        << "in order";
    if (found != std::string::npos) at = found;
  }
}

}  // namespace
}  // namespace ordeal::docs
