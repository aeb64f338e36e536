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
  const Result<Chosen> chosen = choose(suite, {"counting", {{"count", text}}});
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

// Two subjects, one with a scenario that sets a parameter, and a bug.
Suite addressed() {
  const auto build = [](const Arguments&) {
    System system;
    system.add<Silent>(2);
    return system;
  };
  Suite suite;
  suite.add({.name = "quiet",
             .what = "says nothing",
             .parameters = {{"count", "3", "any", 0, 9}, {"other", "1", "any", 0, 9}},
             .bugs = {{"loud", "says something", "calm"}},
             .build = build});
  suite.add({.name = "mute", .what = "says less", .build = build});
  suite.add(SuiteScenario{.name = "night",
                          .subject = "quiet",
                          .parameters = {{"count", "7"}, {"other", "2"}},
                          .make = [](const Arguments&) { return Scenario("night"); }});
  return suite;
}

TEST(Addresses, ParametersThatAreNotGivenAreThoseOfTheScenario) {
  const Suite suite = addressed();
  const Result<Chosen> alone = choose(suite, {.system = "quiet"});
  ASSERT_TRUE(alone.ok()) << alone.error().message;
  EXPECT_EQ(alone->parameters,
            (std::map<std::string, std::string>{{"count", "3"}, {"other", "1"}}));
  EXPECT_EQ(&alone->explored(), alone->checkable.get());
  const Result<Chosen> under =
      choose(suite, {.system = "quiet", .parameters = {{"other", "5"}}, .scenario = "night"});
  ASSERT_TRUE(under.ok()) << under.error().message;
  EXPECT_EQ(under->parameters,
            (std::map<std::string, std::string>{{"count", "7"}, {"other", "5"}}));
  EXPECT_EQ(under->scenario, "night");
  EXPECT_EQ(&under->explored(), under->product.get());
  const Result<Ready> ready = make_ready(suite, *suite.find_scenario("night"),
                                         {{"other", "5"}, {"bug", "loud"}, {"nowhere", "1"}});
  ASSERT_TRUE(ready.ok()) << ready.error().message;
  EXPECT_EQ(ready->chosen.parameters,
            (std::map<std::string, std::string>{{"bug", "loud"}, {"count", "7"}, {"other", "5"}}));
}

TEST(Addresses, ABugIsAParameterAndNoneIsNone) {
  const Suite suite = addressed();
  const Result<Chosen> loud = choose(suite, {.system = "quiet", .parameters = {{"bug", "loud"}}});
  ASSERT_TRUE(loud.ok()) << loud.error().message;
  EXPECT_TRUE(loud->arguments.bug("loud"));
  EXPECT_EQ(loud->command_words, "quiet --bug loud");
  Options options;
  loud->label(options);
  EXPECT_EQ(options.system, "quiet");
  EXPECT_EQ(options.parameters.at("bug"), "loud");
  const Result<Chosen> none = choose(suite, {.system = "quiet", .parameters = {{"bug", "none"}}});
  ASSERT_TRUE(none.ok()) << none.error().message;
  EXPECT_FALSE(none->parameters.contains("bug"));
}

TEST(Addresses, AScenarioMayNotPlantABug) {
  Suite suite = addressed();
  suite.add(SuiteScenario{.name = "sly",
                          .subject = "quiet",
                          .parameters = {{"bug", "loud"}},
                          .make = [](const Arguments&) { return Scenario("sly"); }});
  const std::string words =
      "the scenario sly has a parameter 'bug'; `catches` is for the bug that it is about";
  const Result<Chosen> chosen = choose(suite, {.system = "quiet", .scenario = "sly"});
  ASSERT_FALSE(chosen.ok());
  EXPECT_EQ(chosen.error().message, words);
  const Result<Ready> ready = make_ready(suite, *suite.find_scenario("sly"), {});
  ASSERT_FALSE(ready.ok());
  EXPECT_EQ(ready.error().message, words);
}

TEST(Addresses, WhatIsWrongIsToldWithItsFieldWhereThereIsOne) {
  const Suite suite = addressed();
  const auto refusal = [&](const Address& address) {
    const Result<Chosen> bare = choose(suite, address);
    const Result<Chosen> placed = choose(suite, address, "here.");
    EXPECT_FALSE(bare.ok() || placed.ok());
    const std::string message = placed.error().message;
    const size_t colon = message.find(": ");
    EXPECT_EQ(message.substr(colon + 2), bare.error().message);
    return message.substr(0, colon);
  };
  EXPECT_EQ(refusal({.system = "quite"}), "here.system");
  EXPECT_EQ(refusal({.system = "quiet", .parameters = {{"cuont", "1"}}}), "here.parameters");
  EXPECT_EQ(refusal({.system = "quiet", .parameters = {{"bug", "lud"}}}), "here.parameters");
  EXPECT_EQ(refusal({.system = "quiet", .scenario = "nihgt"}), "here.scenario");
  // Parameters of a scenario that is for another subject are not even looked at.
  EXPECT_EQ(refusal({.system = "mute", .scenario = "night"}), "here.scenario");
}

TEST(Addresses, OfATraceAreAllThatItSays) {
  Trace trace;
  trace.system = "quiet";
  trace.parameters = {{"count", "7"}};
  trace.scenario = "night";
  trace.free_faults = true;
  trace.initial = 1;
  for (const uint32_t choice : {4U, 0U}) trace.steps.emplace_back().choice = choice;
  const Address address = address_of(trace);
  EXPECT_EQ(address.system, "quiet");
  EXPECT_EQ(address.parameters, trace.parameters);
  EXPECT_EQ(address.scenario, "night");
  EXPECT_TRUE(address.free_faults);
  EXPECT_EQ(address.way.initial, 1U);
  EXPECT_EQ(address.way.choices, (std::vector<uint32_t>{4, 0}));
}

}  // namespace
}  // namespace ordeal
