// A program whose suite has one subject: commands need no name for it.
#include <gtest/gtest.h>

#include <string>

#include "ordeal/suite.h"
#include "ordeal/system.h"
#include "tests/tools/cli/own_program.h"

namespace ordeal::e2e {
namespace {

struct Knock {
  int number = 0;
};

struct Door {
  using Messages = Types<Knock>;
  int knocks = 0;
  void start(Context& ctx) {
    if (ctx.self() == 1) ctx.send(2, Knock{1});
  }
  void on(Context&, NodeId, const Knock& knock) { knocks += knock.number; }
};

Subject door(std::string name) {
  return {.name = std::move(name),
          .what = "a door and a guest",
          .parameters = {{"doors", "2", "how many", 2, 9}},
          .build = [](const Arguments& args) {
            System system;
            system.add<Door>(args.number<int>("doors"));
            system.always("few", each<Door>([](const Door& d) { return d.knocks < 1; }));
            return system;
          }};
}

Suite one() {
  Suite suite;
  suite.add(door("front"));
  return suite;
}

Suite two() {
  Suite suite;
  suite.add(door("front"));
  suite.add(door("back"));
  return suite;
}

TEST(OneSubject, NeedsNoNameInAnyCommandThatTakesOne) {
  const Finished checked = own_program(one, {"check", "--doors", "3"});
  EXPECT_EQ(checked.exit, 1) << checked.err;
  EXPECT_NE(checked.out.find("checked     front --doors 3\n"), std::string::npos) << checked.out;
  const Finished named = own_program(one, {"check", "front", "--doors", "3"});
  const auto without_times = [](const std::string& out) {
    return out.substr(0, out.find(" explored"));
  };
  EXPECT_EQ(without_times(checked.out), without_times(named.out));
  const Finished help = own_program(one, {"check", "--help"});
  EXPECT_NE(help.out.find("--doors N"), std::string::npos) << help.out;
  const Finished explored = own_program(one, {"explore"}, "0\nq\n");
  EXPECT_EQ(explored.exit, 0) << explored.err;
  EXPECT_EQ(explored.out, own_program(one, {"explore", "front"}, "0\nq\n").out);
  EXPECT_EQ(own_program(one, {"replay", "0"}).exit, 1);
  EXPECT_EQ(own_program(one, {"live", "--unit", "1", "--latency", "0..1", "--quiet"}).exit, 1);
}

TEST(OneSubject, OfSeveralNoneIsGuessedAndAllAreNamed) {
  for (const char* command : {"check", "explore", "live"}) {
    const Finished run = own_program(two, {command});
    EXPECT_EQ(run.exit, 3);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "own " + std::string(command) + ": which subject? there are front, back\n");
  }
  EXPECT_EQ(own_program(two, {"replay", "0"}).err,
            "own replay: a short form needs its subject: replay 0 SUBJECT\n");
}

TEST(OneSubject, AnotherNameIsStillRefused) {
  const Finished run = own_program(one, {"check", "frnt"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_EQ(run.err,
            "own check: there is no subject 'frnt' (did you mean 'front'?); there are front\n");
}

}  // namespace
}  // namespace ordeal::e2e
