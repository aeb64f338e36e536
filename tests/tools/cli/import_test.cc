// `ordeal trace import` as a user meets it.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/tools/cli/folder.h"
#include "tests/tools/cli/process.h"

namespace ordeal::e2e::imports {
namespace {

class ImportCli : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  // Alice asks Bob.
  std::string log() const {
    return file("talk.log",
                "alice {\"alice\":1}\nasks\nbob {\"bob\":1, \"alice\":1}\nhears alice\n");
  }
  Folder folder_;
};

TEST_F(ImportCli, SaysWhatIsInALogAndWritesItAsATrace) {
  const Finished run = ordeal({"trace", "import", log(), "--trace", path("t.json")});
  EXPECT_EQ(run.exit, 0) << run.err;
  for (const char* part : {"format      shiviz", "nodes       2: alice, bob", "length      2 steps",
                           "messages    1 sent, 1 received"}) {
    EXPECT_TRUE(has(run.out, part)) << run.out;
  }
  const Finished info = ordeal({"trace", "info", path("t.json"), "--steps"});
  EXPECT_TRUE(has(info.out, "imported    from a log (shiviz)")) << info.out;
  EXPECT_TRUE(has(info.out, "system      talk")) << info.out;
  EXPECT_TRUE(has(info.out, "deliver hears alice alice→bob")) << info.out;
}

TEST_F(ImportCli, NamesOfNodesAreInEveryPicture) {
  ASSERT_EQ(ordeal({"trace", "import", log(), "--trace", path("t.json")}).exit, 0);
  for (const char* format : {"text", "svg", "mermaid", "shiviz"}) {
    const Finished run = ordeal({"trace", "export", path("t.json"), "--format", format});
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_TRUE(has(run.out, "alice") && has(run.out, "bob")) << format << "\n" << run.out;
  }
  const Finished page = ordeal({"trace", "import", log(), "--html", path("page.html")});
  EXPECT_EQ(page.exit, 0) << page.err;
}

TEST_F(ImportCli, AnImportedRunIsNotReplayed) {
  ASSERT_EQ(ordeal({"trace", "import", log(), "--trace", path("t.json")}).exit, 0);
  const Finished run = ordeal({"replay", path("t.json")});
  EXPECT_EQ(run.exit, 3);
  EXPECT_TRUE(has(run.err, "was imported (shiviz): it can be looked at")) << run.err;
}

TEST_F(ImportCli, MistakesEndIn3AndNameTheFileAndTheLine) {
  const Finished bad =
      ordeal({"trace", "import", file("bad.log", "a {\"a\":1}\nx\na {\"a\":3}\ny\n")});
  EXPECT_EQ(bad.exit, 3);
  EXPECT_TRUE(has(bad.err, "bad.log: line 3: the clock of host \"a\" is 3 here")) << bad.err;
  EXPECT_TRUE(has(ordeal({"trace", "import", path("none")}).err, "none")) << "no such file";
  EXPECT_EQ(ordeal({"trace", "import", log(), "--from", "shivis"}).exit, 3);
  EXPECT_TRUE(has(ordeal({"trace", "import", log(), "--execution", "2"}).err,
                  "there is no execution 2; the log has 1 execution"));
  EXPECT_TRUE(has(ordeal({"trace", "import", log(), "--parser", "("}).err, "a '(' has no ')'"));
}

TEST_F(ImportCli, SeveralRunsShareAPage) {
  const std::string trace = path("t.json");
  ASSERT_EQ(ordeal({"check", "hierarchical-consensus", "--nodes", "3", "--crash", "1", "--bug",
                    "advance-once", "--trace", trace, "--quiet"})
                .exit,
            1);
  const Finished run = ordeal({"trace", "view", trace, log(), "--html", path("both.html")});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(run.out + run.err, "");
  std::ifstream in(path("both.html"));
  const std::string page(std::istreambuf_iterator<char>(in), {});
  EXPECT_TRUE(has(page, "advance-once"));  // readable without scripts: the first run
  if (has(page, "id=\"ordeal-view\"")) {   // built with the viewer
    EXPECT_TRUE(has(page, "\"name\":\"t.json\",\"role\":\"violation\"")) << "the first run";
    EXPECT_TRUE(has(page, "\"name\":\"talk.log\",\"role\":\"run\"")) << "the second run";
    EXPECT_TRUE(has(page, "\"source\": \"shiviz\"")) << "the second run";
  }
  EXPECT_TRUE(has(ordeal({"trace", "view", trace}).err, "--html FILE is missing"));
  const Finished none = ordeal({"trace", "view", path("none"), "--html", path("x.html")});
  EXPECT_EQ(none.exit, 3);
  EXPECT_TRUE(has(none.err, "none")) << none.err;
}

}  // namespace
}  // namespace ordeal::e2e::imports
