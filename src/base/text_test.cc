#include "base/text.h"

#include <gtest/gtest.h>

namespace ordeal {
namespace {

TEST(Text, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(valid_utf8("a\xff"
                       "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(valid_utf8("\xc0\xaf"), "\xEF\xBF\xBD\xEF\xBF\xBD");          // overlong
  EXPECT_EQ(valid_utf8("\xed\xa0\x80").size(), 9U);                       // a surrogate
  EXPECT_EQ(valid_utf8("\xe2\x86"), "\xEF\xBF\xBD\xEF\xBF\xBD");          // cut short
  EXPECT_EQ(valid_utf8("1→2 \xf0\x9f\x98\x80"), "1→2 \xf0\x9f\x98\x80");  // as it was
}

TEST(Text, NoControlCharacterReachesATerminal) {
  EXPECT_EQ(one_line("a\nb\tc\x1b[31m\x7f"), "a\\nb\\tc\\x1b[31m\\x7f");
  EXPECT_EQ(one_line("\xc2\x9b"), "\\x9b");        // the one-character escape
  EXPECT_EQ(one_line("\xe2\x80\xae"), "\\u202e");  // right to left from here
  EXPECT_EQ(one_line("\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f"),
            "\\u061c\\u200e\\u200f");  // marks of direction
  EXPECT_EQ(one_line("1→2"), "1→2");
}

TEST(Text, OfATextOfSeveralLinesOnlyLineBreaksAndTheProgramsColoursReachATerminal) {
  EXPECT_EQ(for_terminal("a\nb\n\n→\n"), "a\nb\n\n→\n");
  EXPECT_EQ(for_terminal("\n\ra\tb\x1b[2J\x9b\xc2\x9b\n"),
            "\n\\x0da\\tb\\x1b[2J\xEF\xBF\xBD\\x9b\n");
  EXPECT_EQ(for_terminal("\x1b[1;31mred\x1b[0m"), "\\x1b[1;31mred\\x1b[0m");
  EXPECT_EQ(for_terminal("\x1b[1;31mred\x1b[0m\n", true), "\x1b[1;31mred\x1b[0m\n");
  // What only begins like a colour.
  EXPECT_EQ(for_terminal("\x1b[1;31K \x1b[?25l\x1b[31", true), "\\x1b[1;31K \\x1b[?25l\\x1b[31");
  EXPECT_EQ(for_terminal(""), "");
}

TEST(Text, MarkupIsEscapedInTextAndAttributes) {
  EXPECT_EQ(escape_markup("<img onerror=\"x('&')\">"),
            "&lt;img onerror=&quot;x(&#39;&amp;&#39;)&quot;&gt;");
  EXPECT_EQ(escape_markup(std::string("\0\x01", 2)), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Text, ShellWordsAreQuotedOnlyWhereNeeded) {
  EXPECT_EQ(shell_word("out/trace-1.json"), "out/trace-1.json");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Text, CuttingAndWrappingCountCodePoints) {
  EXPECT_EQ(columns_of("1→2"), 3U);
  EXPECT_EQ(cut_to("→→→→", 3), "→→…");
  EXPECT_EQ(cut_to("→→→", 3), "→→→");
  EXPECT_EQ(wrapped("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("", 8), std::vector<std::string>{""});
  EXPECT_EQ(wrapped("incompressible x", 4), (std::vector<std::string>{"incompressible", "x"}));
}

TEST(Text, NumbersReadWell) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "step"), "1 step");
  EXPECT_EQ(counted(2000, "step"), "2,000 steps");
  EXPECT_EQ(enumeration({1, 2, 3}), "1, 2 and 3");
  EXPECT_EQ(seconds_text(0.0314), "0.031 s");
  EXPECT_EQ(seconds_text(12.34), "12.3 s");
  EXPECT_EQ(seconds_text(200), "3 min 20 s");
  EXPECT_EQ(seconds_text(7260), "2 h 1 min");
  EXPECT_EQ(bytes_text(512), "512 B");
  EXPECT_EQ(bytes_text(3 << 20), "3.0 MiB");
}

TEST(Text, TheNearestWordIsSuggestedAndAFarOneIsNot) {
  EXPECT_EQ(edit_distance("bfs", "bsf"), 1U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(nearest("stratgy", {"seed", "strategy", "threads"}), "strategy");
  EXPECT_EQ(nearest("max", {"seed", "max-depth"}), "max-depth");
  EXPECT_EQ(nearest("zzz", {"seed", "strategy"}), std::nullopt);
  EXPECT_EQ(did_you_mean("sed", {"seed"}, "--"), " (did you mean '--seed'?)");
  EXPECT_EQ(nearest(std::string(100000, 'x'), {"seed"}), std::nullopt);
}

TEST(Text, TheNearestFewBeginWithThoseThatContainTheWord) {
  const std::vector<std::string> words = {"raft-late-vote", "lease", "paxos-late", "late", "log"};
  EXPECT_EQ(nearest_few("late", words, 3),
            (std::vector<std::string>{"raft-late-vote", "paxos-late", "late"}));
  EXPECT_EQ(nearest_few("leese", words, 1), std::vector<std::string>{"lease"});
  EXPECT_EQ(nearest_few("x", words, 9).size(), words.size());
  EXPECT_EQ(nearest_few("x", {}, 3), std::vector<std::string>{});
}

TEST(Text, AShortPathIsTheFileAndItsFolder) {
  EXPECT_EQ(short_path("/home/me/raft/tests/late.cc"), "tests/late.cc");
  EXPECT_EQ(short_path("../../raft/late.cc"), "raft/late.cc");
  EXPECT_EQ(short_path("raft/late.cc"), "raft/late.cc");
  EXPECT_EQ(short_path("/late.cc"), "/late.cc");
  EXPECT_EQ(short_path("late.cc"), "late.cc");
  EXPECT_EQ(short_path(""), "");
}

}  // namespace
}  // namespace ordeal
