// What the oracle of TLA+ found, each as small as it can be.
#include <gtest/gtest.h>

#include <fstream>

#include "language/tla/model/specification.h"
#include "language/tla/syntax/parse.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::tla {
namespace {

Result<std::shared_ptr<Specification>> loaded_with(const std::string& formula) {
  const e2e::Folder folder;
  LoadOptions options;
  options.path = folder.path() + "/Mended.tla";
  std::ofstream(options.path) << "---- MODULE Mended ----\nEXTENDS Integers, Sequences\nASSUME "
                              << formula << "\n====\n";
  return Specification::load(options);
}

bool holds(const std::string& formula, size_t assumption = 0) {
  const auto loaded = loaded_with(formula);
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded && (*loaded)->assumptions.at(assumption).holds;
}

std::string error_of(const std::string& expression) {
  Sources sources;
  const auto read = parse_expression(sources, sources.add("mended.tla", expression));
  return read ? "" : read.error().message;
}

TEST(TlaMended, NothingIsBetweenPositionsOfAnySizeInTheWrongOrder) {
  EXPECT_TRUE(holds("SubSeq(<<1, 2>>, 2^70, 3) = <<>>"));
  EXPECT_TRUE(holds("SubSeq(<<1, 2>>, 1, -(2^70)) = <<>>"));
}

TEST(TlaMended, AnInfixOperatorNeedsWhatStandsBeforeIt) {
  EXPECT_NE(error_of("x = = (1)").find("'=' stands between two expressions"), std::string::npos);
  EXPECT_NE(error_of("1 + + (2)").find("'+' stands between two expressions"), std::string::npos);
  EXPECT_EQ(error_of("+(1, 2)"), "");
}

TEST(TlaMended, TheoremsAndAssumptionsAreNamedAsDefinitionsAre) {
  const std::string named = "First == 1 < 2\nTHEOREM Second == 2 < 3\nASSUME ";
  EXPECT_TRUE(holds(named + "First!: /\\ Second!: /\\ Second!1 = 2", 1));
  EXPECT_FALSE(holds("TRUE\nTHEOREM Third == 3 < 2\nASSUME Third!:", 1));
}

TEST(TlaMended, BothSidesOfSubseteqAreEvaluated) {
  const auto loaded = loaded_with("\\A s \\in {{}} : s \\subseteq Head(<<>>)");
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("Head"), std::string::npos) << loaded.error().message;
}

}  // namespace
}  // namespace ordeal::tla
