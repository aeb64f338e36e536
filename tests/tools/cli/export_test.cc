// `ordeal trace export` as a user meets it.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tools/cli/process.h"

namespace ordeal::e2e {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class ExportCli : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  // The trace of a planted bug.
  std::string trace() const {
    const Finished run = ordeal({"check", "hierarchical-consensus", "--nodes", "3", "--crash", "1",
                                 "--bug", "advance-once", "--trace", path("t.json"), "--quiet"});
    EXPECT_EQ(run.exit, 1) << run.err;
    return path("t.json");
  }
  size_t files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  Folder folder_;
};

TEST_F(ExportCli, DrawsForTheTerminalUnlessToldOtherwise) {
  const std::string file = trace();
  const Finished drawn = ordeal({"trace", "export", file});
  EXPECT_EQ(drawn.exit, 0) << drawn.err;
  EXPECT_EQ(drawn.out.find("hierarchical-consensus, 6 steps\n"), 0U) << drawn.out;
  EXPECT_EQ(ordeal({"trace", "export", file, "--format", "text", "--out", "-"}).out, drawn.out);
  const Finished ascii = ordeal({"trace", "export", file, "--ascii"});
  EXPECT_EQ(ascii.exit, 0) << ascii.err;
  EXPECT_TRUE(has(ascii.out, "|------->o")) << ascii.out;
}

TEST_F(ExportCli, WritesEveryFormatToAFile) {
  const std::string file = trace();
  const std::vector<std::pair<std::string, std::string>> beginnings = {
      {"text", "hierarchical-consensus, 6 steps\n"},
      {"svg", "<svg"},
      {"mermaid", "sequenceDiagram\n"},
      {"shiviz", "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)\n"}};
  for (const auto& [format, beginning] : beginnings) {
    const Finished run =
        ordeal({"trace", "export", file, "--format", format, "--out", path(format)});
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_EQ(run.out + run.err, "");
    EXPECT_EQ(read_whole(path(format)).find(beginning), 0U) << read_whole(path(format));
    EXPECT_EQ(ordeal({"trace", "export", file, "--format", format}).out, read_whole(path(format)));
  }
  EXPECT_EQ(files(), 1 + beginnings.size());  // nothing was left aside
}

TEST_F(ExportCli, TheSvgIsThatOfTraceInfo) {
  const std::string file = trace();
  EXPECT_EQ(ordeal({"trace", "info", file, "--svg", "-"}).out,
            ordeal({"trace", "export", file, "--format", "svg"}).out);
}

TEST_F(ExportCli, MistakesEndIn3AndWriteNothing) {
  const std::string file = trace();
  std::ofstream(path("bad.json")) << "{\"format\": \"other\"}";
  const std::vector<std::pair<Words, std::string>> mistakes = {
      {{}, "the form is: trace export FILE"},
      {{"no-such.json"}, "cannot read no-such.json"},
      {{path("bad.json")}, "this is no trace of Ordeal"},
      {{file, file}, "is one word too many"},
      {{file, "--format", "mermade"}, "(did you mean 'mermaid'?)"},
      {{file, "--format", "svg", "--ascii"}, "--ascii is for --format text; this is svg"},
      {{file, "--out", ""}, "--out needs a path"},
      {{file, "--out", path("none/x")}, "there is no folder " + path("none")},
  };
  for (const auto& [words, message] : mistakes) {
    Words all = {"trace", "export"};
    all.insert(all.end(), words.begin(), words.end());
    const Finished run = ordeal(all);
    EXPECT_EQ(run.exit, 3) << message;
    EXPECT_EQ(run.out, "") << message;
    EXPECT_EQ(run.err.find("ordeal trace export: "), 0U) << run.err;
    EXPECT_TRUE(has(run.err, message)) << run.err << "lacks " << message;
  }
  EXPECT_EQ(files(), 2U);
}

TEST_F(ExportCli, ABrokenTraceLeavesTheOldFileAlone) {
  std::ofstream(path("bad.json")) << "{";
  std::ofstream(path("old")) << "old";
  EXPECT_EQ(ordeal({"trace", "export", path("bad.json"), "--out", path("old")}).exit, 3);
  EXPECT_EQ(read_whole(path("old")), "old");
}

TEST_F(ExportCli, AFullDiskIsTold) {
  const Finished run = ordeal({"trace", "export", trace(), "--out", "/dev/full"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_TRUE(has(run.err, "cannot write /dev/full: No space left on device")) << run.err;
}

TEST_F(ExportCli, TheCommandsOfTraceAreExplainedTogether) {
  for (const Words& words : {Words{"trace", "--help"}, Words{"help", "trace"}}) {
    const Finished help = ordeal(words);
    EXPECT_EQ(help.exit, 0) << help.err;
    EXPECT_TRUE(has(help.out, "usage: ordeal trace info FILE")) << help.out;
    EXPECT_TRUE(has(help.out, "usage: ordeal trace export FILE")) << help.out;
  }
  const Finished wrong = ordeal({"trace", "exprot"});
  EXPECT_EQ(wrong.exit, 3);
  EXPECT_TRUE(
      has(wrong.err, "there is no 'exprot' (did you mean 'export'?); there are info, export"))
      << wrong.err;
}

}  // namespace
}  // namespace ordeal::e2e
