// What is said of specifications and configurations that are wrong, word by word: for each text in
// tests/data/tla/errors the specification of that name, or of the part before '_', with the
// configuration of that name where there is one.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "language/tla/model/space.h"
#include "ordeal/check.h"

namespace ordeal::tla {
namespace {

const std::string kWrong = ORDEAL_SOURCE_DIR "/tests/data/tla/errors/";

// Of texts that name files the folder is left out.
std::string without_folder(std::string text) {
  for (size_t at = 0; (at = text.find(kWrong, at)) != std::string::npos;) {
    text.erase(at, kWrong.size());
  }
  std::string folder = kWrong;
  folder.pop_back();
  for (size_t at = 0; (at = text.find(folder, at)) != std::string::npos;) {
    text.replace(at, folder.size(), ".");
  }
  return text;
}

std::string said_of(const std::string& name) {
  LoadOptions load;
  load.path = kWrong + name + ".tla";
  if (!std::filesystem::exists(load.path))
    load.path = kWrong + name.substr(0, name.find('_')) + ".tla";
  if (std::filesystem::exists(kWrong + name + ".cfg")) load.config = kWrong + name + ".cfg";
  const Result<std::shared_ptr<Specification>> loaded = Specification::load(load);
  if (!loaded) return loaded.error().message;
  Options options;
  options.threads = 1;
  options.max_states = 10000;
  const Result<Report> report = check(TlaSystem(*loaded), options);
  if (!report) return report.error().message;
  if (report->trouble) return report->trouble->message;
  return report->violations.empty() ? std::string("nothing") : report->violations[0].why;
}

TEST(TlaErrors, SayWhatIsWrongAndWhereAndWhatWouldBeRight) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kWrong)) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  ASSERT_GT(names.size(), 40U);
  for (const std::string& name : names) {
    std::ifstream in(kWrong + name + ".txt");
    std::ostringstream expected;
    expected << in.rdbuf();
    EXPECT_EQ(without_folder(said_of(name)) + "\n", expected.str()) << name;
  }
}

// How deep it goes depends on the stack; all but a few of the calls are left out.
TEST(TlaErrors, RecursionWithoutEndIsToldByTheFirstAndTheLastCalls) {
  const std::string said = without_folder(said_of("Runaway"));
  EXPECT_TRUE(
      said.starts_with("Runaway.tla:5:38: operators call each other too deeply: a "
                       "recursion that does not end?\n"
                       "  Count(n) == IF n = 0 THEN 0 ELSE 1 + Count(n - 2)\n"
                       "                                       ^^^^^^^^^^^^\n"
                       "within:\n"))
      << said;
  EXPECT_NE(said.find(" more …\n"), std::string::npos) << said;
  EXPECT_NE(said.find("  Count(n = -"), std::string::npos) << said;
  EXPECT_TRUE(said.ends_with("\n  Count, called at Runaway.tla:6:13")) << said;
  EXPECT_LT(std::count(said.begin(), said.end(), '\n'), 30) << said;
}

}  // namespace
}  // namespace ordeal::tla
