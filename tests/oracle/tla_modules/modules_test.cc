// How modules of the library meet those of a specification, and what operators know of a run.
#include "language/tla/model/space.h"
#include "ordeal/check.h"
#include "tests/oracle/tla_modules/evaluation.h"

namespace ordeal::tla {
namespace {

TEST(TlaModules, AModuleBesideTheSpecificationTakesThePlaceOfTheLibrarys) {
  Folder folder;
  folder.write_module("Table", "Functions");
  folder.write_module("Functions", "Integers", "Range(f) == 42\nMine == 1");
  Evaluation table(folder);
  EXPECT_EQ(table("Range(<<1>>) + Mine"), "43");
  EXPECT_EQ(table("IsInjective(<<1>>)").substr(0, 2), "! ");
}

TEST(TlaModules, WhatCannotBeSaidInTlaHoldsForCopiesOfAModule) {
  Folder folder;
  folder.write_module("Table", "Json");
  folder.write_module("Json", "", "ToJson(value) == CHOOSE x \\in {1} : FALSE");
  EXPECT_EQ(Evaluation(folder)("ToJson(<<1>>)"), "\"[1]\"");
}

TEST(TlaModules, WhatTlcHasInJavaHoldsWhateverFileThereIs) {
  Folder folder;
  folder.write_module("Table", "TLCExt, Sequences");
  folder.write_module("TLCExt", "", "TLCNoOp(x) == 7");
  folder.write_module("Sequences", "", "Len(s) == 7");
  Evaluation table(folder);
  EXPECT_EQ(table("TLCNoOp(Len(<<1>>))"), "1");
  EXPECT_EQ(table("AssertError(\"Assert failed: no\", TLCNoOp(1) = 1)"), "FALSE");
}

TEST(TlaModules, AnInstanceOfAModuleWithVariablesHasItsOwn) {
  Evaluation timed("Integers", "VARIABLE clock\nT == INSTANCE RealTime WITH now <- clock");
  EXPECT_EQ(timed("T!now"), "! there is no state here for variable clock");
}

TEST(TlaModules, WhatSomebodyWroteGoesBeforeTheLibrary) {
  Folder folder;
  folder.write_module("Table", "SequencesExt, Mine");
  folder.write_module("Mine", "Integers", "Range(f) == 7\nMax(S) == 8");
  Evaluation table(folder);
  EXPECT_EQ(table("Range(<<1>>)"), "7");
  EXPECT_EQ(table("Max({1})"), "8");
  EXPECT_EQ(table("Min({3, 4})"), "3");
  Evaluation own("FiniteSetsExt", "Max(S) == 9");
  EXPECT_EQ(own("Max({1})"), "9");
}

TEST(TlaModules, LibraryModulesCanBeInstances) {
  Evaluation named("Integers", "F == INSTANCE Functions\nLOCAL INSTANCE SequencesExt");
  EXPECT_EQ(named("F!Range(<<1, 1>>)"), "{1}");
  EXPECT_EQ(named("Reverse(<<1, 2>>)"), "<<2, 1>>");
}

Report checked(const std::string& modules, const std::string& body, const std::string& config,
               const std::string& strategy = "bfs") {
  Folder folder;
  folder.write_module("Table", modules, body);
  folder.write("Table.cfg", config);
  LoadOptions load;
  load.path = folder.path("Table.tla");
  const auto loaded = Specification::load(load);
  EXPECT_TRUE(loaded) << loaded.error().message;
  if (!loaded) return {};
  Options options;
  options.strategy = strategy;
  options.max_runs = 20;
  options.max_depth = strategy == "bfs" ? 0 : 8;
  const Result<Report> report = check(TlaSystem(*loaded), options);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *report : Report{};
}

constexpr const char* kCounter =
    "VARIABLE x\n"
    "Init == x = 0 /\\ TLCGet(\"level\") = 0\n"
    "Next == x < 5 /\\ x' = x + 1 /\\ TLCGet(\"level\") = x + 1\n"
    "Level == TLCGet(\"level\")\n"
    "Counts == Level = x + 1\n"
    "Bounded == TLCGet(\"level\") < 4\n";

TEST(TlaModules, TheLevelOfAStateIsOneMoreThanTheStepsToIt) {
  const std::string config = "INIT Init\nNEXT Next\nINVARIANT Counts\nCHECK_DEADLOCK FALSE\n";
  const Report all = checked("Integers, TLC", kCounter, config);
  EXPECT_EQ(all.verdict, Verdict::kHolds);
  EXPECT_EQ(all.distinct_states, 6U);
  const Report runs = checked("Integers, TLC", kCounter, config, "random");
  EXPECT_TRUE(runs.violations.empty());
  EXPECT_FALSE(runs.trouble);
}

TEST(TlaModules, AConstraintMayBoundTheLevel) {
  const Report bounded =
      checked("Integers, TLC", kCounter,
              "INIT Init\nNEXT Next\nCONSTRAINT Bounded\nINVARIANT Counts\nCHECK_DEADLOCK FALSE\n");
  EXPECT_EQ(bounded.distinct_states, 3U);
  EXPECT_TRUE(bounded.violations.empty());
}

TEST(TlaModules, AViewMayTellStatesApartByTheirLevel) {
  const Report apart =
      checked("Integers, TLC",
              "VARIABLE x\n"
              "Init == x = 0\n"
              "Next == x' = 1 - x /\\ TLCGet(\"level\") < 4\n"
              "View == <<x, TLCGet(\"level\")>>\n"
              "Counts == TLCGet(\"level\") % 2 = 1 - x\n",
              "INIT Init\nNEXT Next\nVIEW View\nINVARIANT Counts\nCHECK_DEADLOCK FALSE\n");
  EXPECT_EQ(apart.distinct_states, 4U);
  EXPECT_EQ(apart.verdict, Verdict::kHolds);
}

TEST(TlaModules, FoldsTakeBigSetsInLittleTime) {
  Evaluation table("FiniteSetsExt, SequencesExt");
  EXPECT_EQ(table("FoldSet(+, 0, 1..100000)"), "5000050000");
  EXPECT_EQ(table("SumSet(1..100000)"), "5000050000");
  EXPECT_EQ(table("FoldLeft(+, 0, [i \\in 1..100000 |-> i])"), "5000050000");
  EXPECT_EQ(table("Len(Reverse(SetToSeq(1..100000)))"), "100000");
  EXPECT_EQ(table("Max({2 * x : x \\in 1..100000})"), "200000");
}

TEST(TlaModules, WhatWouldBeTooLargeIsRefused) {
  Evaluation table("FiniteSetsExt, SequencesExt, Bitwise, Combinatorics");
  EXPECT_EQ(table("kSubset(20, 1..40)").substr(0, 45),
            "! kSubset would have 137846528820 elements: m");
  EXPECT_EQ(table("SetToSeqs(1..20)").substr(0, 23), "! SetToSeqs would have ");
  EXPECT_EQ(table("AllSubSeqs([i \\in 1..60 |-> i])").substr(0, 24), "! AllSubSeqs would have ");
  EXPECT_EQ(table("choose(2 ^ 40, 2 ^ 30)").substr(0, 22), "! choose(1099511627776");
}

}  // namespace
}  // namespace ordeal::tla
