// Small specifications, one for each part of the language and of configuration files, and what TLC
// says of them: tests/data/tla/expected.csv.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "language/tla/model/space.h"
#include "ordeal/check.h"

namespace ordeal::tla {
namespace {

const std::string kSpecifications = ORDEAL_SOURCE_DIR "/tests/data/tla/";

using Row = std::map<std::string, std::string>;

// No field of these has a comma or a quote.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line + ",");
  for (std::string field; std::getline(in, field, ',');) out.push_back(field);
  return out;
}

std::vector<Row> expected_rows() {
  std::ifstream in(kSpecifications + "expected.csv");
  std::vector<Row> out;
  std::vector<std::string> names;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> fields = fields_of(line);
    if (names.empty()) {
      names = fields;
      continue;
    }
    Row& row = out.emplace_back();
    for (size_t i = 0; i < names.size(); ++i) row[names[i]] = i < fields.size() ? fields[i] : "?";
  }
  return out;
}

Result<Report> checked(const Row& row, int threads) {
  LoadOptions load;
  load.path = kSpecifications + row.at("spec") + ".tla";
  if (!row.at("config").empty()) load.config = kSpecifications + row.at("config");
  Result<std::shared_ptr<Specification>> specification = Specification::load(load);
  if (!specification) return specification.error();
  Options options;
  options.threads = threads;
  return check(TlaSystem(*specification), options);
}

// "assumption:5" is how the table names the assumption of line 5.
bool is_violated(const Report& report, const std::string& property) {
  for (const Violation& violation : report.violations) {
    if (property.empty()) return true;
    if (violation.property == property || violation.property.starts_with(property + " (")) {
      return true;
    }
    const std::string line = property.substr(property.find(':') + 1);
    if (property.starts_with("assumption:") &&
        violation.why.find(".tla:" + line + ":") != std::string::npos) {
      return true;
    }
  }
  return false;
}

void expect_row(const Row& row, int threads) {
  SCOPED_TRACE(row.at("spec") + " " + row.at("config"));
  const Result<Report> report = checked(row, threads);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_FALSE(report->trouble) << report->trouble->message;
  EXPECT_EQ(to_string(report->verdict), row.at("verdict"));
  const auto same = [&](const char* column, uint64_t ours) {
    if (!row.at(column).empty()) {
      EXPECT_EQ(std::to_string(ours), row.at(column)) << column;
    }
  };
  same("distinct", report->distinct_states);
  same("generated", report->generated_states);
  same("depth", report->depth);
  if (row.at("verdict") != "violated") return;
  EXPECT_TRUE(is_violated(*report, row.at("property"))) << row.at("property");
  if (row.at("steps").empty()) return;
  ASSERT_FALSE(report->violations.empty());
  EXPECT_EQ(std::to_string(report->violations.front().step), row.at("steps"));
}

TEST(TlaLanguage, SmallSpecificationsHaveTheVerdictAndTheCountsOfTlc) {
  const std::vector<Row> rows = expected_rows();
  ASSERT_GT(rows.size(), 30U);
  for (const Row& row : rows) expect_row(row, 1);
}

TEST(TlaLanguage, ThreadsChangeNoVerdictAndNoCount) {
  for (const Row& row : expected_rows()) {
    if (row.at("spec") == "ModelValues" || row.at("spec") == "Configured") expect_row(row, 3);
  }
}

// A property with several parts has one name for each, those about the end of runs among them.
TEST(TlaLanguage, PartsOfAPropertyAreJudgedEachByItsName) {
  const std::map<std::string, std::set<std::string>> wanted = {
      {"Liveness_Ends.cfg", {"Ends", "Leads", "Again", "Stays", "Strong", "Implied"}},
      {"Liveness_Mixed.cfg", {"Mixed (3)"}},
      {"Refinement_fair.cfg", {"RefinesFair (3)"}},
      {"Configured_live.cfg", {"Live"}}};
  size_t seen = 0;
  for (const Row& row : expected_rows()) {
    const auto at = wanted.find(row.at("config"));
    if (at == wanted.end()) continue;
    ++seen;
    const Result<Report> report = checked(row, 1);
    ASSERT_TRUE(report) << report.error().message;
    std::set<std::string> on_runs;
    for (const PropertyResult& property : report->properties) {
      EXPECT_NE(property.verdict, Verdict::kUndecided) << property.property.name;
      if (property.property.on_runs) on_runs.insert(property.property.name);
    }
    EXPECT_EQ(on_runs, at->second) << row.at("config");
  }
  EXPECT_EQ(seen, wanted.size());
}

}  // namespace
}  // namespace ordeal::tla
