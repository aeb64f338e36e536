// Runs of other tools, over the interface.
#include <gtest/gtest.h>

#include <string>

#include "tests/tools/serve/served.h"

namespace ordeal::serve {
namespace {

using Import = Served;

constexpr const char* kLog =
    "n1 {\"n1\":1}\nsends <script>alert(1)</script>\nn2 {\"n1\":1, \"n2\":1}\nreceives\n";

TEST_F(Import, ALogOfAnotherToolBecomesATrace) {
  const Json json = good(post("/api/import", Json{{"name", "some.log"}, {"text", kLog}}));
  EXPECT_EQ(json["trace"]["source"], "shiviz");
  EXPECT_EQ(json["trace"]["steps"].size(), 2U);
  // It can be looked at, not run.
  bad(400, post("/api/replay", Json{{"trace", json["trace"]}}));
}

TEST_F(Import, ATraceIsReadAsItIs) {
  const Json run = good(post("/api/run", Json{{"address", address("0.0")}}));
  const Json json = good(post(
      "/api/import", Json{{"name", "t.json"}, {"text", run["trace"].dump()}, {"format", "auto"}}));
  EXPECT_EQ(json["trace"], run["trace"]);
}

TEST_F(Import, WhatMakesNoSenseIsRefused) {
  const auto refused = [&](const Json& body) { return bad(400, post("/api/import", body)); };
  EXPECT_EQ(refused({{"name", "x"}}).find("text: is missing"), 0U);
  EXPECT_EQ(refused({{"text", 7}}).find("text: found 7"), 0U);
  EXPECT_NE(refused({{"text", ""}}), "");
  EXPECT_NE(refused({{"text", "nothing that is known"}}), "");
  EXPECT_NE(refused({{"text", kLog}, {"format", "nope"}}).find("nope"), std::string::npos);
  EXPECT_NE(refused({{"text", kLog}, {"format", "maelstrom"}}), "");
  EXPECT_NE(refused({{"text", kLog}, {"format", "shiviz"}, {"parser", "(?<x"}}), "");
}

}  // namespace
}  // namespace ordeal::serve
