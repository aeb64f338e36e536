#include "history/edn.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ordeal::edn {
namespace {

// The text as one value, shown again; or what is wrong with it.
std::string read(std::string_view text) {
  Values values;
  Reader reader(text, values);
  const std::optional<Id> id = reader.value();
  if (id && !reader.at_end()) return "more: " + reader.found();
  if (!id || reader.failure()) {
    const Reader::Failure& failure = *reader.failure();
    return std::to_string(failure.at.line) + ":" + std::to_string(failure.at.column) + " " +
           failure.what;
  }
  return values.show(*id, SIZE_MAX);
}

bool equal(std::string_view a, std::string_view b) {
  Values values;
  const std::optional<Id> first = Reader(a, values).value(), second = Reader(b, values).value();
  EXPECT_TRUE(first && second) << a << " " << b;
  return first == second;
}

TEST(Edn, EveryKindOfValueIsReadAndShown) {
  for (const char* text : {"nil",
                           "true",
                           "false",
                           "0",
                           "-12",
                           "9223372036854775807",
                           "-9223372036854775808",
                           "9223372036854775808N",
                           "1.5",
                           "1.0",
                           "-2.5e-07",
                           "1.10M",
                           "##Inf",
                           "##-Inf",
                           "\"\"",
                           "\"a \\\"b\\\" \\\\ \\n\"",
                           "\"ü→😀\"",
                           ":read",
                           ":jepsen.history/op",
                           ":a?",
                           "sym",
                           "a/b",
                           "-",
                           "+x",
                           "\\a",
                           "\\newline",
                           "\\space",
                           "\\ü",
                           "[]",
                           "[1 [2 nil] \"x\"]",
                           "#{}",
                           "#{1 2 :x}",
                           "{}",
                           "{:a 1, :b {:c [2]}}",
                           "#inst \"2024-01-01\"",
                           "#foo.Bar {:x 1}"}) {
    EXPECT_EQ(read(text), text);
  }
}

TEST(Edn, BlanksCommasCommentsAndWhatIsTakenOutDoNotCount) {
  EXPECT_EQ(read(" ,\t\r\n\f[1,,2 ; three\n 4]\n;end"), "[1 2 4]");
  EXPECT_EQ(read("[1 #_2 #_ [x #_y] 3]"), "[1 3]");
  EXPECT_EQ(read("[#_ #_ a b c]"), "[c]");
  EXPECT_EQ(read("{:a #_1 2 #_:b #_3}"), "{:a 2}");
  EXPECT_EQ(read("#_x 1 #_[y]"), "1");
  EXPECT_EQ(read("\xEF\xBB\xBF 1"), "1");
}

TEST(Edn, ValuesAreEqualAsClojureHasIt) {
  EXPECT_TRUE(equal("[1 (2 3)]", "([1 2] 3)") == false);
  EXPECT_TRUE(equal("[1 (2 3)]", "(1 [2 3])"));
  EXPECT_TRUE(equal("#{1 2 3}", "#{3 1 2}"));
  EXPECT_TRUE(equal("{:a 1 :b 2}", "{:b 2, :a 1}"));
  EXPECT_TRUE(equal("1", "+1N"));
  EXPECT_TRUE(equal("1.0", "1e0"));
  EXPECT_TRUE(equal("0.0", "-0.0"));
  EXPECT_TRUE(equal("\"A\"", "\"\\u0041\""));
  EXPECT_TRUE(equal("\"😀\"", "\"\\ud83d\\ude00\""));
  EXPECT_TRUE(equal("\\A", "\\u0041"));
  EXPECT_FALSE(equal("1", "1.0"));
  EXPECT_FALSE(equal("1.0", "1.0M"));
  EXPECT_FALSE(equal("a", ":a"));
  EXPECT_FALSE(equal("\"a\"", ":a"));
  EXPECT_FALSE(equal("\"a\"", "\\a"));
  EXPECT_FALSE(equal("nil", "\"nil\""));
  EXPECT_FALSE(equal("[1 2]", "#{1 2}"));
  EXPECT_FALSE(equal("[]", "{}"));
  EXPECT_FALSE(equal("#a 1", "#b 1"));
  EXPECT_FALSE(equal("\"\\ud800\"", "\"\\ufffd\""));
}

TEST(Edn, AnErrorNamesLineAndColumnWhatIsWrongAndWhatWouldBeRight) {
  for (const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
           {"", "1:1 the text ends where a value should stand"},
           {"#_1", "1:4 the text ends where a value should stand"},
           {"[1\n #_", "2:2 \"#_\" takes out the value behind it, but the text ends"},
           {"[1 2", "1:1 what begins here is never closed by ']'"},
           {"{:a [1", "1:5 what begins here is never closed by ']'"},
           {"[1\n }", "2:2 found '}', but what begins at line 1, column 1 is closed by ']'"},
           {"]", "1:1 found ']' where a value should stand"},
           {"\n\n \"abc", "3:2 the string that begins here has no closing quote"},
           {"\"\\q\"", "1:1 the string that begins here has \"\\\\q\"; the escapes are"},
           {"\"\\u12\"", "1:1 the string that begins here has \"\\\\u\"; the escapes are"},
           {"{:a}", "1:1 in the map that begins here, :a has no value"},
           {"{:a 1 :a 2}", "1:1 the map that begins here has :a twice"},
           {"#{1 2 1N}", "1:1 the set that begins here has 1 twice"},
           {"1/2", "1:1 found \"1/2\"; ratios are not read"},
           {"0x1f", "1:1 found \"0x1f\"; a number reads 12, -3, 1.5 or 1e9"},
           {"007", "1:1 found \"007\"; a number reads"},
           {"12abc", "1:1 found \"12abc\"; a number reads"},
           {"1e", "1:1 found \"1e\"; a number reads"},
           {"1e999", "1:1 \"1e999\" is beyond what a floating point number holds; write 1e999M"},
           {"##NaN", "1:1 of \"##\" only ##Inf and ##-Inf are read"},
           {"::a", "1:1 a keyword is one colon and a name"},
           {":", "1:1 a keyword is one colon and a name"},
           {"\\", "1:1 a character should stand behind '\\'"},
           {"\\foo", "1:1 \"foo\" is no character"},
           {"#\"x\"", "1:1 \"#\\\"\" is no EDN"},
           {"#(f)", "1:1 \"#(\" is no EDN"},
           {"#:a{:b 1}", "1:1 a map with the namespace of its keys before it is not read"},
           {"#foo", "1:5 the text ends where a value should stand"},
           {"'x", "1:1 found \"'x\"; a number, a name, a string or a collection"},
           {"^x", "1:1 found \"^x\"; a number, a name"},
           {std::string("[1 \0]", 6), "1:4 byte 0x00 does not occur in EDN outside of strings"},
           {"\x7f", "1:1 byte 0x7f does not occur"},
       }) {
    EXPECT_EQ(read(text).substr(0, error.size()), error) << text;
  }
}

TEST(Edn, NestingIsBoundedHoweverItIsWritten) {
  const auto nested = [](const std::string& open, const std::string& close, size_t depth) {
    std::string text;
    for (size_t i = 0; i < depth; ++i) text += open;
    text += "1";
    for (size_t i = 0; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_EQ(read(nested("[", "]", 150)), nested("[", "]", 150));
  for (const auto& [open, close] : std::vector<std::pair<std::string, std::string>>{
           {"[", "]"}, {"{:a ", "}"}, {"#{", "}"}, {"#t ", ""}, {"[#_[", "]]"}, {"#_[", "]"}}) {
    EXPECT_NE(read(nested(open, close, 1'000'000)).find("nested deeper than 200 levels"),
              std::string::npos)
        << open;
  }
  // Signs on end take out one value each; none is inside of another.
  std::string signs;
  for (int i = 0; i < 100'000; ++i) signs += "#_ ";
  for (int i = 0; i < 100'000; ++i) signs += "x ";
  EXPECT_EQ(read(signs + "1"), "1");
}

TEST(Edn, WhatIsPassedOverNeedOnlyBeInBalance) {
  Values values;
  const size_t before = values.size();
  Reader reader("{:a 0x1f #object[x 0x7b \"}\"]} (1/2 \\] #\"re]x\" #'v ##NaN ^m @a) 7", values);
  ASSERT_TRUE(reader.skip());
  ASSERT_TRUE(reader.skip());
  EXPECT_EQ(values.size(), before);
  EXPECT_EQ(reader.value(), values.integer(7));
  EXPECT_TRUE(reader.at_end());

  Reader unreadable("#<Object x>", values);
  EXPECT_FALSE(unreadable.skip());
  EXPECT_NE(unreadable.failure()->what.find("nothing can read back"), std::string::npos);
  Reader open("[(]", values);
  EXPECT_FALSE(open.skip());
  Reader nothing("[1\n\\\n]", values);
  EXPECT_FALSE(nothing.skip());
  EXPECT_EQ(nothing.failure()->at.line, 2u);
}

TEST(Edn, PositionsAreThoseOfTheFileAlsoBehindStringsAndComments) {
  Values values;
  Reader reader("\"a\nb\" ; c\n  :x \"\\\n\" y", values);
  ASSERT_TRUE(reader.skip());
  EXPECT_EQ(reader.position().line, 3u);
  EXPECT_EQ(reader.position().column, 3u);
  ASSERT_TRUE(reader.value());
  ASSERT_TRUE(reader.skip());
  EXPECT_EQ(reader.position().line, 4u);
  EXPECT_EQ(reader.position().column, 3u);
}

TEST(Edn, ALongValueIsShownShortenedAndOnOneLine) {
  Values values;
  std::string text = "[";
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + " ";
  const Id id = *Reader(text + "]", values).value();
  EXPECT_EQ(values.show(id, 10), "[0 1 2 3 4 …]");
  EXPECT_EQ(values.show(values.text(Kind::kString, "a\nb\x1b\xff"), 60),
            "\"a\\nb\\u001b\xEF\xBF\xBD\"");
  EXPECT_EQ(values.show(values.text(Kind::kString, "üüüüüüüü"), 4), "\"üü…\"");
  EXPECT_EQ(values.show(values.text(Kind::kKeyword, std::string(100, 'k')), 4), ":kkk…");
}

}  // namespace
}  // namespace ordeal::edn
