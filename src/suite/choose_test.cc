// From names and text to a subject: what is taken, and what is refused with what would be right.
#include "suite/choose.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "ordeal/system.h"

namespace ordeal {
namespace {

struct Silent {
  int unused = 0;
};

template <class T>
Subject counting(T& seen) {
  return {.name = "counting",
          .what = "asks for a number",
          .parameters = {{"count", "3", "any", INT64_MIN, INT64_MAX}},
          .build = [&seen](const Arguments& args) {
            seen = args.number<T>("count");
            System system;
            system.add<Silent>(1);
            return system;
          }};
}

// What a builder gets as a T; its words where it is refused.
template <class T>
std::string asked_as(const std::string& text) {
  T seen = 0;
  Suite suite;
  suite.add(counting<T>(seen));
  const Result<Chosen> chosen = choose_subject(suite, suite.subjects()[0], {{"count", text}}, "");
  return chosen ? std::to_string(seen) : chosen.error().message;
}

TEST(Arguments, ANumberIsOfTheTypeThatIsAskedFor) {
  EXPECT_EQ(asked_as<int>("-7"), "-7");
  EXPECT_EQ(asked_as<uint8_t>("255"), "255");
  EXPECT_EQ(asked_as<int64_t>("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(asked_as<uint64_t>("9223372036854775807"), "9223372036854775807");
}

TEST(Arguments, ANumberThatTheTypeDoesNotHoldIsRefused) {
  EXPECT_EQ(
      asked_as<uint8_t>("256"),
      "the builder of 'counting' fails: the parameter 'count' is asked for as a number from 0 "
      "to 255; it is 256");
  EXPECT_NE(asked_as<uint32_t>("-1").find("from 0 to 4294967295; it is -1"), std::string::npos);
  EXPECT_NE(asked_as<uint64_t>("-1").find("from 0 to 9223372036854775807"), std::string::npos);
  EXPECT_NE(asked_as<int>("2147483648").find("it is 2147483648"), std::string::npos);
}

Suite with_scenarios(int count) {
  Suite suite;
  static int64_t ignored = 0;
  suite.add(counting<int64_t>(ignored));
  for (int i = 0; i < count; ++i) {
    suite.add(SuiteScenario{.name = "late-" + std::to_string(i),
                            .subject = "counting",
                            .make = [](const Arguments&) { return Scenario("late"); }});
  }
  return suite;
}

TEST(Scenarios, OfFewAllAreListedAndOfManyTheNearest) {
  const auto refusal = [](const Suite& suite, const std::string& name) {
    const Result<const SuiteScenario*> found = find_scenario(suite, name);
    return found ? "" : found.error().message;
  };
  EXPECT_EQ(refusal(with_scenarios(2), "zzz"),
            "there is no scenario 'zzz'; there are late-0, late-1");
  EXPECT_EQ(refusal(with_scenarios(79), "late-78x"),
            "there is no scenario 'late-78x' (did you mean 'late-78'?); near to it are late-78, "
            "late-7, late-8, late-18, late-28, late-38; 'scenario list' lists all 79");
  EXPECT_EQ(refusal(with_scenarios(0), "x"), "there is no scenario 'x'; there are none");
  EXPECT_EQ(refusal(with_scenarios(79), "late-7"), "");
}

}  // namespace
}  // namespace ordeal
