// Json, CSV and IOUtils: files beside the specification, read always and written where that was
// allowed.
#include <cstdlib>

#include "tests/oracle/tla_modules/evaluation.h"

namespace ordeal::tla {
namespace {

constexpr const char* kModules = "Json, CSV, IOUtils, Integers, Sequences, TLC";

struct Modules : testing::Test {
  Folder folder;
  std::string operator()(const std::string& expression, bool write_files = false) {
    folder.write_module("Table", kModules);
    return Evaluation(folder, write_files)(expression);
  }
};
using TlaFiles = Modules;

TEST_F(TlaFiles, AreWrittenOnlyWhereThatWasAllowed) {
  for (const char* const expression :
       {R"(JsonSerialize("out", <<1>>))", R"(ndJsonSerialize("out", <<1>>))",
        R"(CSVWrite("%s", <<1>>, "out"))", R"(CSVWriteRecord([a |-> 1], ",", TRUE, "out"))",
        R"(IOSerialize(1, "out", FALSE))"}) {
    const std::string said = (*this)(expression);
    EXPECT_NE(said.find("is refused: a specification may write files only where that was allowed"),
              std::string::npos)
        << said;
    EXPECT_FALSE(std::filesystem::exists(folder.path("out"))) << expression;
    EXPECT_EQ((*this)(expression, true), "TRUE");
    EXPECT_TRUE(std::filesystem::exists(folder.path("out"))) << expression;
    std::filesystem::remove(folder.path("out"));
  }
  const std::string serialize =
      R"(Serialize("text", "out", [format |-> "TXT", charset |-> "UTF-8", )"
      R"(openOptions |-> <<"WRITE", "CREATE">>]).exitValue)";
  EXPECT_EQ((*this)(serialize), "1");
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
  EXPECT_EQ((*this)(serialize, true), "0");
  EXPECT_EQ(folder.read("out"), "text");
}

TEST_F(TlaFiles, ValuesComeBackFromJsonAsTheyWere) {
  const std::string value = R"([a |-> <<1, -2, TRUE>>, b |-> [c |-> "x\"y"], n |-> 2 ^ 100])";
  EXPECT_EQ((*this)("JsonSerialize(\"out.json\", " + value + ")", true), "TRUE");
  EXPECT_EQ(folder.read("out.json"),
            R"({"a":[1,-2,true],"b":{"c":"x\"y"},"n":1267650600228229401496703205376})");
  EXPECT_EQ((*this)("JsonDeserialize(\"out.json\") = " + value), "TRUE");
  EXPECT_EQ((*this)("ndJsonSerialize(\"out.ndjson\", <<1, <<>>, [a |-> 2]>>)", true), "TRUE");
  EXPECT_EQ(folder.read("out.ndjson"), "1\n[]\n{\"a\":2}\n");
  EXPECT_EQ((*this)("ndJsonDeserialize(\"out.ndjson\")"), "<<1, <<>>, [a |-> 2]>>");
}

TEST_F(TlaFiles, WhatIsNoValueInJsonIsToldWithItsPlace) {
  folder.write("null.json", R"({"a": null})");
  folder.write("half.json", R"([1.5])");
  folder.write("broken.json", R"([1, )");
  folder.write("lines.ndjson", "1\n\n{]\n");
  folder.write("deep.json", std::string(2000, '[') + std::string(2000, ']'));
  folder.write("twice.json", R"({"a": 1, "b": 2, "a": 3})");
  const auto said = [&](const char* expression) {
    std::string text = (*this)(expression);
    const size_t at = text.find(folder.path(""));
    return at == std::string::npos ? text : text.erase(at, folder.path("").size());
  };
  EXPECT_EQ(said(R"(JsonDeserialize("null.json"))"), "! null.json: null is no value of TLA+");
  EXPECT_EQ(said(R"(JsonDeserialize("half.json"))"), "! half.json: 1.5 is no integer");
  EXPECT_EQ(said(R"(JsonDeserialize("broken.json"))"),
            "! broken.json: it is no JSON from byte 5 on");
  EXPECT_EQ(said(R"(ndJsonDeserialize("lines.ndjson"))"),
            "! lines.ndjson:3: it is no JSON from byte 2 on");
  EXPECT_EQ(said(R"(JsonDeserialize("deep.json"))"),
            "! deep.json: it is nested more than 1,000 deep");
  EXPECT_EQ(said(R"(JsonDeserialize("twice.json"))"), "[a |-> 3, b |-> 2]");
}

TEST_F(TlaFiles, TablesGrowLineByLineAndComeBackAsRecords) {
  Folder other;
  other.write_module("Table", kModules,
                     R"(ASSUME CSVWrite("%1$s,%s,%2$s%%", <<1, "x">>, "t.csv"))"
                     "\n"
                     R"(ASSUME CSVWrite("%s,%s,", <<TRUE, <<1, 2>>>>, "t.csv"))"
                     "\n"
                     R"(ASSUME CSVRecords("t.csv") = 2)"
                     "\n"
                     R"(ASSUME CSVWriteRecord([b |-> 2, a |-> "q"], ";", TRUE, "r.csv"))");
  Evaluation table(other, true);
  EXPECT_EQ(table("CSVRecords(\"t.csv\")"), "2");
  EXPECT_EQ(other.read("t.csv"), "1,1,\"x\"%\nTRUE,<<1, 2>>,\n");
  EXPECT_EQ(other.read("r.csv"), "a;b\n\"q\";2\n");
  EXPECT_EQ(table(R"(CSVRead(<<"x", "y">>, ";", "r.csv"))"),
            R"(<<[x |-> "a", y |-> "b"], [x |-> "\"q\"", y |-> "2"]>>)");
  EXPECT_EQ(
      table(R"(CSVRead(<<"x">>, ";", "r.csv"))"),
      "! CSVRead: line 1 of " + other.path("r.csv") + " has 2 fields, and there are 1 columns");
  EXPECT_EQ(table(R"(CSVWrite("%d", <<1>>, "t.csv"))"),
            "! the first argument of CSVWrite, \"%d\", has a % that is followed neither by s nor "
            "by a number and $s");
  EXPECT_EQ(table(R"(CSVWrite("%2$s", <<1>>, "t.csv"))"),
            "! the first argument of CSVWrite, \"%2$s\", asks for more values than the 1 that the "
            "second has");
}

TEST_F(TlaFiles, AnyValueIsKeptByIoSerialize) {
  for (const char* const value :
       {"<<1, {-2, 3}, \"a\\\"b\", TRUE>>", "[a |-> [b |-> {}], c |-> <<>>]",
        "(1 :> {} @@ 5 :> {{1}})", "{2 ^ 70}", "1..3"}) {
    EXPECT_EQ((*this)("IOSerialize(" + std::string(value) + ", \"kept\", TRUE)", true), "TRUE");
    EXPECT_EQ((*this)("IODeserialize(\"kept\", TRUE) = " + std::string(value)), "TRUE") << value;
  }
  folder.write("kept", "1 + 1");
  EXPECT_EQ((*this)("IODeserialize(\"kept\", FALSE)"),
            "! " + folder.path("kept") + " has no value in it: it has an operator in it");
}

TEST_F(TlaFiles, TextsAreReadAndAppended) {
  const std::string write =
      R"(Serialize("more\n", "t.txt", [format |-> "TXT", charset |-> "UTF-8", )"
      R"(openOptions |-> <<"APPEND">>]).exitValue)";
  EXPECT_EQ((*this)(write, true), "0");
  EXPECT_EQ((*this)(write, true), "0");
  EXPECT_EQ((*this)(R"(Deserialize("t.txt", [format |-> "TXT", charset |-> "UTF-8"]).stdout)"),
            R"("more\nmore\n")");
  EXPECT_EQ((*this)(R"(Deserialize("t.txt", [format |-> "XML", charset |-> "UTF-8"]))"),
            "! Deserialize knows the format \"TXT\", not \"XML\"");
}

TEST_F(TlaFiles, NoProgramIsRun) {
  for (const char* const expression :
       {R"(IOExec(<<"touch", "out">>))", R"(IOEnvExec([a |-> "b"], <<"touch", "out">>))",
        R"(IOExecTemplate(<<"touch", "%s">>, <<"out">>))",
        R"(IOEnvExecTemplate([a |-> "b"], <<"touch", "%s">>, <<"out">>))"}) {
    EXPECT_NE((*this)(expression, true).find("would run another program"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
}

TEST_F(TlaFiles, TheEnvironmentIsARecord) {
  ASSERT_EQ(setenv("ORDEAL_TLA_MODULES", "some = thing", 1), 0);
  EXPECT_EQ((*this)("IOEnv.ORDEAL_TLA_MODULES"), R"("some = thing")");
}

TEST_F(TlaFiles, AnSvgIsWrittenByItsNumber) {
  folder.write_module("Table", "SVG");
  const std::string serialize = R"(SVGSerialize(Circle(1, 2, 3, <<>>), "frame_", 7).exitValue)";
  EXPECT_EQ(Evaluation(folder)(serialize), "1");
  EXPECT_EQ(Evaluation(folder, true)(serialize), "0");
  EXPECT_EQ(folder.read("frame_007.svg"), "<circle cx='1' cy='2' r='3'></circle>");
}

}  // namespace
}  // namespace ordeal::tla
