// What the oracle of TLA+ found, each as small as it can be.
#include <gtest/gtest.h>

#include <fstream>

#include "language/tla/model/specification.h"
#include "language/tla/syntax/parse.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::tla {
namespace {

bool holds(const std::string& formula) {
  const e2e::Folder folder;
  LoadOptions options;
  options.path = folder.path() + "/Mended.tla";
  std::ofstream(options.path) << "---- MODULE Mended ----\nEXTENDS Integers, Sequences\nASSUME "
                              << formula << "\n====\n";
  const auto loaded = Specification::load(options);
  EXPECT_TRUE(loaded) << loaded.error().message;
  return loaded && (*loaded)->assumptions.at(0).holds;
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

}  // namespace
}  // namespace ordeal::tla
