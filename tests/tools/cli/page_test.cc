// The runs that an HTML page holds for the viewer, as the command writes them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ordeal/trace.h"
#include "tests/tools/cli/process.h"

namespace ordeal::e2e::pages {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const Words kBuggy = {"check", "hierarchical-consensus", "--nodes", "3", "--crash", "1",
                      "--bug", "advance-once",           "--quiet"};

class PageCli : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  // What the page of this command holds.
  Json view_of(Words words, int exit) const {
    words.insert(words.end(), {"--html", path("page.html")});
    const Finished run = ordeal(words);
    EXPECT_EQ(run.exit, exit) << run.err;
    const std::string page = read_whole(path("page.html"));
    const std::string begin = "<script type=\"application/json\" id=\"ordeal-view\">";
    const size_t at = page.find(begin);
    if (at == page.npos) return {};
    const size_t from = at + begin.size();
    return Json::parse(page.substr(from, page.find("</script>", from) - from));
  }
  Folder folder_;
};

TEST_F(PageCli, ACheckShowsItsViolationWithTheStateAfterEveryStep) {
  Words words = kBuggy;
  words.insert(words.end(), {"--trace", path("t.json")});
  const Json view = view_of(words, 1);
  ASSERT_EQ(view["runs"].size(), 1U);
  EXPECT_EQ(view["runs"][0]["role"], "violation");
  EXPECT_EQ(view["runs"][0]["name"], "termination");
  EXPECT_EQ(view["runs"][0]["subject"],
            "hierarchical-consensus --nodes 3 --crash 1 --bug advance-once");
  EXPECT_EQ(view["report"]["verdict"], "violated");
  const Json trace = view["runs"][0]["trace"];
  // The state of every node at the end follows from the patches: node 3 is in round 2, undecided.
  std::map<std::string, Json> trees;
  for (const Json& part : trace["initially"]["parts"]) trees[part["name"]] = part["tree"];
  ASSERT_TRUE(trees.contains("node 3"));
  EXPECT_EQ(trees["node 3"]["round"], 1);
  for (const Json& step : trace["steps"]) {
    if (!step.contains("parts")) continue;
    for (const Json& part : step["parts"]) {
      if (part.contains("patch")) trees[part["name"]] = trees[part["name"]].patch(part["patch"]);
    }
  }
  EXPECT_EQ(trees["node 3"]["round"], 2);
  EXPECT_EQ(trees["node 3"]["proposal"], 2);
  // The trace file stays lean: states follow from replaying it.
  EXPECT_FALSE(has(read_whole(path("t.json")), "\"parts\""));
}

TEST_F(PageCli, AMinimisedRunStandsBesideTheOneThatWasFound) {
  const Json view = view_of({"check", "hierarchical-consensus", "--nodes", "4", "--crash", "2",
                             "--bug", "advance-once", "--strategy", "random", "--quiet"},
                            1);
  ASSERT_EQ(view["runs"].size(), 2U);
  EXPECT_EQ(view["runs"][1]["role"], "original");
  EXPECT_EQ(view["runs"][1]["trace"]["steps"].size(), view["runs"][0]["trace"]["minimised_from"]);
  EXPECT_LT(view["runs"][0]["trace"]["steps"].size(), view["runs"][1]["trace"]["steps"].size());
}

TEST_F(PageCli, AReplayThatDivergesShowsBothWays) {
  Words words = kBuggy;
  words.insert(words.end(), {"--trace", path("t.json")});
  ASSERT_EQ(ordeal(words).exit, 1);
  const Json view = view_of({"replay", path("t.json"), "--bug", "none", "--quiet"}, 3);
  ASSERT_EQ(view["runs"].size(), 2U);
  EXPECT_EQ(view["runs"][0]["role"], "run");  // it was not gone to its end: it has not passed
  EXPECT_EQ(view["runs"][0]["divergence"].get<std::string>().find("at step 6 of 6: "), 0U);
  EXPECT_TRUE(view["runs"][0]["trace"]["verdict"].is_null());
  EXPECT_FALSE(view["runs"][1].contains("divergence"));
  EXPECT_EQ(view["runs"][1]["role"], "violation");
  EXPECT_EQ(view["runs"][1]["trace"]["steps"].size(), 6U);
}

TEST_F(PageCli, AScenarioThatFailsShowsItsRun) {
  const Json view =
      view_of({"scenario", "run", "late-decision", "--bug", "any-proposer", "--quiet"}, 1);
  ASSERT_GE(view["runs"].size(), 1U);
  EXPECT_EQ(view["runs"][0]["role"], "violation");
  EXPECT_FALSE(view["runs"][0]["trace"]["initially"]["parts"].empty());
}

}  // namespace
}  // namespace ordeal::e2e::pages
