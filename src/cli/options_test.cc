#include "cli/options.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cli/progress.h"
#include "cli/version.h"
#include "ordeal/model.h"
#include "ordeal/suite.h"
#include "ordeal/system.h"
#include "suite/choose.h"

namespace ordeal::cli {
namespace {

const CommandSpec& spec() {
  static const CommandSpec command{
      "check",
      "SUBJECT",
      "explore",
      "Explores.",
      1,
      1,
      {{"strategy", "NAME", "how", {"bfs", "dfs"}}, {"seed", "N", "seed"}, {"quiet", "", "hush"}},
      {{"check x", "an example"}}};
  return command;
}

std::string error_of(const std::vector<std::string>& arguments) {
  const std::vector<OptionSpec> extra = {{"nodes", "N", "how many"}, {"fast", "[=yes|no]", "flag"}};
  const Result<Parsed> parsed = parse_options(spec(), extra, arguments);
  return parsed ? "" : parsed.error().message;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Options, ValuesComeBehindASpaceOrAnEqualsSign) {
  const std::vector<OptionSpec> extra = {{"nodes", "N", ""}, {"fast", "[=yes|no]", ""}};
  const Result<Parsed> parsed = parse_options(
      spec(), extra, {"--seed", "7", "x", "--nodes=3", "--fast", "--quiet", "--strategy=bfs"});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->words, std::vector<std::string>{"x"});
  EXPECT_EQ(parsed->get("seed"), "7");
  EXPECT_EQ(parsed->get("nodes"), "3");
  EXPECT_TRUE(parsed->has("fast"));
  EXPECT_TRUE(parsed->has("quiet"));
  EXPECT_FALSE(parsed->has("help"));
  EXPECT_EQ(parsed->get("none", "other"), "other");
}

TEST(Options, MistakesAreNamedAndTheRightWordIsSuggested) {
  EXPECT_TRUE(has(error_of({"x", "--sed", "1"}), "'--sed' (did you mean '--seed'?)"));
  EXPECT_TRUE(has(error_of({"x", "--nodse", "1"}), "(did you mean '--nodes'?)"));
  EXPECT_TRUE(has(error_of({"x", "--zzzzzz"}), "unknown option '--zzzzzz'; 'check --help'"));
  EXPECT_TRUE(has(error_of({"x", "-seed", "1"}), "two dashes (did you mean '--seed'?)"));
  EXPECT_TRUE(has(error_of({"x", "--strategy", "bsf"}), "(did you mean 'bfs'?); it is one of"));
  EXPECT_TRUE(has(error_of({"x", "--seed"}), "--seed needs a value: --seed N"));
  EXPECT_TRUE(has(error_of({"x", "--seed", "--quiet"}), "--seed needs a value"));
  EXPECT_TRUE(has(error_of({"x", "--quiet=1"}), "--quiet takes no value"));
  EXPECT_TRUE(has(error_of({"x", "--seed", "1", "--seed", "2"}), "given twice"));
  EXPECT_TRUE(has(error_of({"x", "y"}), "'y' is one word too many"));
  EXPECT_TRUE(has(error_of({}), "the form is: check SUBJECT"));
  EXPECT_EQ(error_of({"--help"}), "");
  EXPECT_TRUE(has(error_of({"x", "--\x1b[2J"}), "\\x1b"));
}

TEST(Options, NumbersAreHeldToTheirRange) {
  EXPECT_EQ(*parse_number("--n", "10", 1, 10), 10U);
  EXPECT_EQ(*parse_number("--n", "18446744073709551615", 0, UINT64_MAX), UINT64_MAX);
  for (const char* text : {"", "x", "1x", " 1", "1.5", "0x1", "+1"}) {
    const Result<uint64_t> number = parse_number("--n", text, 1, 10);
    ASSERT_FALSE(number) << text;
    EXPECT_TRUE(has(number.error().message, "is no whole number; give one from 1 to 10")) << text;
  }
  for (const char* text : {"0", "11", "-3", "99999999999999999999999"}) {
    const Result<uint64_t> number = parse_number("--n", text, 1, 10);
    ASSERT_FALSE(number) << text;
    EXPECT_TRUE(has(number.error().message, "out of range")) << text;
  }
}

TEST(Options, TimesAndSizesTakeUnits) {
  EXPECT_EQ(*parse_seconds("--t", "90"), 90);
  EXPECT_EQ(*parse_seconds("--t", "0.5s"), 0.5);
  EXPECT_EQ(*parse_seconds("--t", "10m"), 600);
  EXPECT_EQ(*parse_seconds("--t", "2h"), 7200);
  for (const char* text : {"", "0", "-1", "x", "1d", "nan", "inf", "1e3", "..", "99999999999"}) {
    EXPECT_FALSE(parse_seconds("--t", text)) << text;
  }
  EXPECT_EQ(*parse_bytes("--m", "1000"), 1000U);
  EXPECT_EQ(*parse_bytes("--m", "2G"), uint64_t{2} << 30);
  EXPECT_EQ(*parse_bytes("--m", "512M"), uint64_t{512} << 20);
  EXPECT_EQ(*parse_bytes("--m", "1.5KiB"), 1536U);
  EXPECT_EQ(*parse_bytes("--m", "3GB"), uint64_t{3} << 30);
  for (const char* text : {"", "0", "-1", "G", "1X", "1GG", "1e9", "99999999T", "\xc3\x9f"}) {
    EXPECT_FALSE(parse_bytes("--m", text)) << text;
  }
}

TEST(Options, HelpListsEveryOptionAndExample) {
  const std::string help = help_text(spec(), "ordeal");
  EXPECT_TRUE(has(help, "usage: ordeal check SUBJECT\n"));
  EXPECT_TRUE(has(help, "  --strategy NAME  how\n")) << help;
  EXPECT_TRUE(has(help, "  ordeal check x\n      an example\n"));
}

TEST(Progress, ALineTellsWhatThereIs) {
  Progress progress;
  progress.seconds = 2;
  progress.distinct = 5000;
  progress.depth = 7;
  progress.queue = 42;
  progress.bytes = 3 << 20;
  EXPECT_EQ(progress_line(progress),
            "2.00 s: 5,000 states (2,500/s), depth 7, 42 waiting, 3.0 MiB");
}

TEST(Version, IsThatOfTheBuild) {
  std::ifstream in(ORDEAL_SOURCE_DIR "/CMakeLists.txt");
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_TRUE(has(text.str(), std::string("project(ordeal VERSION ") + kVersion + " "));
}

// --- Suites --------------------------------------------------------------------------------------

Suite sample_suite() {
  Suite suite;
  suite.add(
      {.name = "election",
       .what = "elects",
       .parameters = {{"nodes", "3", "how many", 2, 9},
                      {"crash", "", "who may crash", 0, 0, ParameterKind::kNodes},
                      {"fast", "", "be fast", 0, 0, ParameterKind::kFlag},
                      {"network", "bag", "links", 0, 0, ParameterKind::kWord, {"bag", "ordered"}}},
       .bugs = {{"forgets", "forgets its vote", "one leader"}},
       .build = {}});
  return suite;
}

std::string argument_error(const std::map<std::string, std::string>& given,
                           const std::string& bug = "") {
  const Suite suite = sample_suite();
  const Result<Arguments> arguments = suite.arguments(suite.subjects()[0], given, bug);
  return arguments ? "" : arguments.error().message;
}

TEST(Suites, FillInDefaultsAndKnowWhatWasGiven) {
  const Suite suite = sample_suite();
  const Subject& subject = *suite.find("election");
  const Result<Arguments> defaults = suite.arguments(subject, {}, "");
  ASSERT_TRUE(defaults);
  EXPECT_EQ(defaults->number("nodes"), 3);
  EXPECT_TRUE(defaults->nodes("crash").empty());
  EXPECT_FALSE(defaults->flag("fast"));
  EXPECT_EQ(defaults->word("network"), "bag");
  EXPECT_FALSE(defaults->given("nodes"));
  EXPECT_FALSE(defaults->bug("forgets"));

  const Result<Arguments> given = suite.arguments(
      subject, {{"nodes", "5"}, {"crash", "1,2"}, {"fast", ""}, {"network", "ordered"}}, "forgets");
  ASSERT_TRUE(given) << given.error().message;
  EXPECT_EQ(given->number("nodes"), 5);
  EXPECT_EQ(given->nodes("crash").size(), 2U);
  EXPECT_TRUE(given->flag("fast"));
  EXPECT_TRUE(given->given("nodes"));
  EXPECT_TRUE(given->bug("forgets"));
  EXPECT_TRUE(suite.arguments(subject, {{"crash", "none"}}, "none")->bug_name.empty());
  EXPECT_EQ(suite.find("elections"), nullptr);
}

TEST(Suites, WhatArgumentsSayCanBeGivenBack) {
  const Suite suite = sample_suite();
  const Subject& subject = *suite.find("election");
  for (const std::map<std::string, std::string>& given :
       {std::map<std::string, std::string>{}, {{"fast", ""}, {"crash", "none"}, {"nodes", "9"}}}) {
    const Result<Arguments> once = suite.arguments(subject, given, "");
    ASSERT_TRUE(once);
    const Result<Arguments> twice = suite.arguments(subject, once->values, "");
    ASSERT_TRUE(twice) << twice.error().message;
    EXPECT_EQ(twice->values, once->values);
  }
}

struct Idle {
  struct State {
    int n = 0;
  };
  enum class Action { kNone };
  std::vector<State> initial() const { return {State{}}; }
  void actions(const State&, std::vector<Action>&) const {}
  std::optional<State> next(const State& s, const Action&) const { return s; }
};

TEST(Suites, ABuilderThatAsksForWhatIsNotDeclaredIsRefused) {
  const auto refusal = [](Builder build) {
    Suite suite;
    suite.add({.name = "typos",
               .what = "asks for something else",
               .parameters = {{"nodes", "2", "how many", 1, 9}},
               .bugs = {{"late-vote", "votes late", "one leader"}},
               .build = std::move(build)});
    const auto chosen = choose(suite, {"typos"});
    return chosen.ok() ? std::string() : chosen.error().message;
  };
  const auto ask = [](const auto& question) {
    return [question](const Arguments& args) {
      question(args);
      return System();
    };
  };
  EXPECT_EQ(
      refusal(ask([](const Arguments& args) { args.number("nods"); })),
      "the builder of 'typos' fails: it asks for a parameter 'nods' that is not declared (did "
      "you mean 'nodes'?); there is nodes");
  EXPECT_EQ(refusal(ask([](const Arguments& args) { args.bug("latevote"); })),
            "the builder of 'typos' fails: it asks for a planted bug 'latevote' that is not "
            "declared (did you mean 'late-vote'?); there is late-vote");
}

TEST(Suites, ABuilderReturnsASystemAModelAPointerOrAnError) {
  const Arguments none;
  EXPECT_FALSE(Builder());
  EXPECT_TRUE(Builder([](const Arguments&) { return System(); })(none));
  EXPECT_TRUE(Builder([](const Arguments&) { return Model<Idle>(); })(none));
  EXPECT_TRUE(Builder([](const Arguments&) { return std::make_unique<System>(); })(none));
  const Builder refuses = [](const Arguments&) -> Result<System> { return Error{"no"}; };
  const Builder::Built refused = refuses(none);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "no");
}

TEST(Suites, RefuseWhatIsWrongAndSuggestWhatIsRight) {
  EXPECT_TRUE(
      has(argument_error({{"nodes", "1"}}), "--nodes 1: out of range; give a whole number"));
  EXPECT_TRUE(has(argument_error({{"nodes", "x"}}), "--nodes x: that is no whole number"));
  EXPECT_TRUE(has(argument_error({{"nodes", "9999999999999999999999"}}), "out of range"));
  EXPECT_TRUE(
      has(argument_error({{"node", "3"}}), "no parameter '--node' (did you mean '--nodes'?)"));
  EXPECT_TRUE(has(argument_error({{"crash", "1;2"}}), "that is no list of nodes"));
  EXPECT_TRUE(has(argument_error({{"crash", "1,"}}), "that is no list of nodes"));
  EXPECT_TRUE(has(argument_error({{"crash", "1,1"}}), "node 1 is named twice"));
  EXPECT_TRUE(has(argument_error({{"fast", "maybe"}}), "neither yes nor no"));
  EXPECT_TRUE(has(argument_error({{"network", "bga"}}), "(did you mean 'bag'?); it is one of bag"));
  EXPECT_TRUE(has(argument_error({}, "forget"), "(did you mean 'forgets'?); it has forgets"));
}

}  // namespace
}  // namespace ordeal::cli
