// The recorded histories of tests/data/histories, rewritten as Jepsen writes histories today, get
// the verdicts that are known of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "history/history_file.h"

namespace ordeal {
namespace {

const std::string kData = ORDEAL_SOURCE_DIR "/tests/data/histories/";

// "INFO  jepsen.util - 3 :invoke :read nil" as {:process 3, :type :invoke, :f :read, :value nil}.
// What timed out ended with :fail at times; and a process went on after :info, which gets another
// number here.
std::string as_edn(std::istream& log, bool as_vector) {
  std::string out = as_vector ? "[" : "";
  std::string line;
  std::map<int, int> number;  // of a process, by the one in the log
  int next = 1000, index = 0;
  while (std::getline(log, line)) {
    std::istringstream words(line);
    std::string info, util, dash, type, f, value;
    int process = 0;
    words >> info >> util >> dash >> process >> type >> f;
    std::getline(words >> std::ws, value);
    if (value == ":timed-out" && f == ":cas") type = ":info";
    out += fmt::format("{{:index {}, :process {}, :type {}, :f {}, :value {}}}{}", index++,
                       number.try_emplace(process, process).first->second, type, f, value,
                       as_vector ? " " : "\n");
    if (type == ":info") number[process] = next++;
  }
  return out + (as_vector ? "]" : "");
}

TEST(EtcdAsEdn, GetsTheKnownVerdictOfEveryRecordedHistory) {
  std::ifstream expected(kData + "expected.csv");
  std::string line;
  std::getline(expected, line);
  int files = 0, good = 0;
  while (std::getline(expected, line)) {
    std::istringstream fields(line);
    std::string file, model, operations, processes, answer;
    std::getline(fields, file, ',');
    std::getline(fields, model, ',');
    std::getline(fields, operations, ',');
    std::getline(fields, processes, ',');
    std::getline(fields, answer, ',');
    if (model != "etcd-register") continue;
    SCOPED_TRACE(file);
    std::ifstream log(kData + file);
    const Result<HistoryVerdict> verdict = check_history_text(file, as_edn(log, files % 2 == 0));
    ASSERT_TRUE(verdict) << verdict.error().message;
    EXPECT_EQ(verdict->format, HistoryFormat::kEdn);
    EXPECT_EQ(verdict->model, "cas-register");
    EXPECT_EQ(verdict->verdict,
              answer == "true" ? LinearVerdict::kLinearizable : LinearVerdict::kNotLinearizable);
    EXPECT_EQ(std::to_string(verdict->operations.size() + verdict->failed), operations);
    ++files;
    good += answer == "true" ? 1 : 0;
  }
  EXPECT_EQ(files, 51);
  EXPECT_GT(good, 5);
}

}  // namespace
}  // namespace ordeal
