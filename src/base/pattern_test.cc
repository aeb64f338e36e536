#include "base/pattern.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "base/rng.h"

namespace ordeal {
namespace {

constexpr uint64_t kPlenty = 1'000'000'000;

std::vector<std::string> matches_of(const std::string& expression, const std::string& text) {
  const Result<Pattern> pattern = Pattern::compile(expression);
  EXPECT_TRUE(pattern.ok()) << pattern.error().message;
  std::vector<std::string> out;
  uint64_t steps = kPlenty;
  for (size_t from = 0; pattern && from <= text.size();) {
    const auto match = pattern->search(text, from, steps);
    if (!match) break;
    out.push_back(text.substr(match->begin, match->end - match->begin));
    for (const std::string_view group : match->groups) out.push_back(std::string(group));
    from = match->end > match->begin ? match->end : match->end + 1;
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(Pattern, NamedGroupsAreWhatTheyMatched) {
  EXPECT_EQ(matches_of(R"((?<host>\S*) (?<clock>{.*})\n(?<event>.*))", "a {1}\nx y\nb {2}\nz"),
            (Texts{"a {1}\nx y", "a", "{1}", "x y", "b {2}\nz", "b", "{2}", "z"}));
  EXPECT_EQ(matches_of("(?<a>x)|(?<b>y)", "y"), (Texts{"y", "", "y"}));
}

TEST(Pattern, TakesWhatJavaScriptTakes) {
  EXPECT_EQ(matches_of("a|ab", "ab"), (Texts{"a"}));
  EXPECT_EQ(matches_of("a*?b", "aab"), (Texts{"aab"}));
  EXPECT_EQ(matches_of("<.+?>", "<a><b>"), (Texts{"<a>", "<b>"}));
  EXPECT_EQ(matches_of(R"(\d{2,3})", "1 12 1234"), (Texts{"12", "123"}));
  EXPECT_EQ(matches_of("^x$", "x\nxx\nx"), (Texts{"x", "x"}));
  EXPECT_EQ(matches_of(R"(\bcat\b)", "cat concat cat"), (Texts{"cat", "cat"}));
  EXPECT_EQ(matches_of("[^a-c\\]-]+", "abxy]-z"), (Texts{"xy", "z"}));
  EXPECT_EQ(matches_of("{x}", "a{x}"), (Texts{"{x}"}));
  EXPECT_EQ(matches_of("(a*)*", "aa"), (Texts{"aa", ""}));
}

TEST(Pattern, WrongExpressionsSayWhatIsWrongAndWhere) {
  const auto problem = [](const std::string& expression) {
    const Result<Pattern> pattern = Pattern::compile(expression);
    return pattern ? "" : pattern.error().message;
  };
  EXPECT_EQ(problem("ab("), "the expression ab( is wrong at character 4: a '(' has no ')'");
  for (const char* wrong : {"(",
                            ")",
                            "a**",
                            "*",
                            "[a",
                            "[b-a]",
                            "\\",
                            "[\\",
                            "(?<>a)",
                            "(?<a b>x)",
                            "(?<a>x)(?<a>y)",
                            "(?=a)",
                            "(?!a)",
                            "(?<=a)",
                            "(?x)",
                            "\\1",
                            "\\p",
                            "a{2,1}",
                            "a{2000}",
                            "((((a{1000}){1000}){1000}){1000})"}) {
    EXPECT_NE(problem(wrong), "") << wrong;
  }
  EXPECT_NE(problem(std::string(10'000, 'a')), "");
  EXPECT_NE(problem(std::string(3'000, '(')), "");
}

TEST(Pattern, GivesUpWhenItsStepsAreUsedUp) {
  const Result<Pattern> pattern = Pattern::compile("(x+x+)+y");
  uint64_t steps = 1000;
  EXPECT_FALSE(pattern->search(std::string(10'000, 'x'), 0, steps));
  EXPECT_EQ(steps, 0U);
  steps = kPlenty;  // where others would need longer than the universe has existed
  EXPECT_FALSE(pattern->search(std::string(10'000, 'x'), 0, steps));
  EXPECT_GT(steps, 0U);
}

// Expressions over a small alphabet, without loops over what may be empty: there JavaScript and the
// standard library have rules of their own.
std::string random_expression(Rng& rng, int depth) {
  std::string out;
  for (uint64_t parts = 1 + rng.below(3); parts > 0; --parts) {
    switch (rng.below(depth > 0 ? 9 : 5)) {
      case 0:
        out += "a";
        break;
      case 1:
        out += ".";
        break;
      case 2:
        out += "[^b]";
        break;
      case 3:
        out += "b";
        break;
      case 4:
        out +=
            std::vector<std::string>{"a*", "b+", "a?", ".*?", "b{1,2}", "a+?", "\\n"}[rng.below(7)];
        break;
      case 5:
        out += "(?:" + random_expression(rng, depth - 1) + "|" + random_expression(rng, depth - 1) +
               ")";
        break;
      case 6:
        out += "(?:a" + random_expression(rng, depth - 1) + ")*";
        break;
      case 7:
        out += "(?:b" + random_expression(rng, depth - 1) + ")??";
        break;
      default:
        out += rng.below(2) == 0 ? "^" : "$";
    }
  }
  return out;
}

TEST(Pattern, MatchesAsTheStandardLibraryDoesOnRandomExpressions) {
  Rng rng(7);
  size_t found = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string expression = random_expression(rng, 2);
    std::string text;
    for (uint64_t n = rng.below(9); n > 0; --n) text += "aabb\n"[rng.below(5)];
    const Result<Pattern> pattern = Pattern::compile(expression);
    ASSERT_TRUE(pattern.ok()) << pattern.error().message;
    uint64_t steps = kPlenty;
    const auto match = pattern->search(text, 0, steps);
    std::smatch expected;
    const bool is_there = std::regex_search(
        text, expected, std::regex(expression, std::regex::ECMAScript | std::regex::multiline));
    ASSERT_EQ(match.has_value(), is_there) << expression << " in " << text;
    if (!match) continue;
    ++found;
    ASSERT_EQ(match->begin, static_cast<size_t>(expected.position(0)))
        << expression << " in " << text;
    ASSERT_EQ(match->end - match->begin, static_cast<size_t>(expected.length(0)))
        << expression << " in " << text;
  }
  EXPECT_GT(found, 5000U);
}

}  // namespace
}  // namespace ordeal
