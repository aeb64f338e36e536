#include "history/history_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.h"

namespace ordeal {
namespace {

const std::string kData = ORDEAL_SOURCE_DIR "/tests/data/histories/";

TEST(Linearizable, AgreesWithTheKnownVerdictOfEveryRecordedHistory) {
  std::ifstream expected(kData + "expected.csv");
  std::string line;
  std::getline(expected, line);
  int files = 0;
  while (std::getline(expected, line)) {
    std::istringstream fields(line);
    std::string file, model, operations, processes, answer;
    std::getline(fields, file, ',');
    std::getline(fields, model, ',');
    std::getline(fields, operations, ',');
    std::getline(fields, processes, ',');
    std::getline(fields, answer, ',');
    SCOPED_TRACE(file);
    const Result<HistoryVerdict> verdict = check_history_file(kData + file);
    ASSERT_TRUE(verdict) << verdict.error().message;
    EXPECT_EQ(verdict->verdict == LinearVerdict::kLinearizable, answer == "true");
    EXPECT_NE(verdict->verdict, LinearVerdict::kUndecided);
    EXPECT_EQ(verdict->format, model == "kv" ? HistoryFormat::kEdn : HistoryFormat::kEtcd);
    EXPECT_EQ(std::to_string(verdict->operations.size()), operations);
    EXPECT_EQ(std::to_string(verdict->processes), processes);
    ++files;
  }
  EXPECT_EQ(files, 55);
}

TEST(HistoryFile, TheReportNamesTheFirstOperationThatCannotBePlacedAndTheOrderBeforeIt) {
  const Result<HistoryVerdict> verdict = check_history_file(kData + "etcd/etcd_000.log");
  ASSERT_TRUE(verdict);
  const std::string text = render(*verdict);
  EXPECT_EQ(text.find("NOT linearizable: 85 operations by 19 processes"), 0u) << text;
  EXPECT_NE(text.find("line 85: process 11: read = 2 (returned on line 86)"), std::string::npos);
  EXPECT_NE(text.find("  2. line    2  process   3  read = nil"), std::string::npos);
  EXPECT_EQ(verdict->order.size(), verdict->states.size());
}

TEST(HistoryFile, TheReportNamesTheFewOperationsThatHaveNoOrderTogether) {
  const Result<HistoryVerdict> verdict = check_history_file(kData + "etcd/etcd_000.log");
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->core_is_minimal);
  ASSERT_GT(verdict->core.size(), 1u);
  EXPECT_LT(verdict->core.size(), 20u);
  const std::string text = render(*verdict);
  const size_t begin =
      text.find(fmt::format("These {} operations have no order together, whatever "
                            "the other {} did:\n",
                            verdict->core.size(), 85 - verdict->core.size()));
  ASSERT_NE(begin, std::string::npos) << text;
  EXPECT_LT(begin, text.find("First operation that cannot be placed"));
  for (const size_t op : verdict->core) {
    EXPECT_NE(
        text.find(fmt::format("  line {}: process ", verdict->operations[op].called.line), begin),
        std::string::npos)
        << text;
  }
}

TEST(HistoryFile, ARowOfTheLongestOrderIsAtMost120ColumnsWide) {
  Result<HistoryVerdict> verdict = check_history_file(kData + "etcd/etcd_000.log");
  ASSERT_TRUE(verdict);
  verdict->states.back() = std::string(500, '1');
  std::istringstream lines(render(*verdict));
  size_t rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(". line ") == line.npos) continue;
    EXPECT_LE(columns_of(line), 120u) << line;
    ++rows;
  }
  EXPECT_EQ(rows, verdict->order.size());
}

TEST(HistoryFile, ALongOrderIsShownFromItsEnd) {
  const Result<HistoryVerdict> verdict = check_history_file(kData + "etcd/etcd_000.log");
  ASSERT_TRUE(verdict);
  const std::string text = render(*verdict, 3);
  EXPECT_NE(text.find("... 38 operations before these"), std::string::npos) << text;
}

std::string etcd(const std::vector<std::string>& events) {
  std::string out;
  for (const std::string& event : events) out += "INFO  jepsen.util - " + event + "\n";
  return out;
}

LinearVerdict verdict_of(const std::string& text) {
  const Result<HistoryVerdict> verdict = check_history_text("h", text);
  EXPECT_TRUE(verdict) << verdict.error().message;
  return verdict ? verdict->verdict : LinearVerdict::kUndecided;
}

TEST(HistoryFile, ATimedOutWriteMayTakeEffectLaterOrNever) {
  const std::vector<std::string> start = {"0 :invoke :write 1", "0 :info :write :timed-out"};
  std::vector<std::string> later = start;
  for (const char* event :
       {"1 :invoke :read nil", "1 :ok :read nil", "1 :invoke :read nil", "1 :ok :read 1"}) {
    later.emplace_back(event);
  }
  EXPECT_EQ(verdict_of(etcd(later)), LinearVerdict::kLinearizable);
  later.insert(later.end(), {"1 :invoke :read nil", "1 :ok :read nil"});
  EXPECT_EQ(verdict_of(etcd(later)), LinearVerdict::kNotLinearizable);
}

TEST(HistoryFile, AProcessMayGoOnAfterATimeOut) {
  EXPECT_EQ(
      verdict_of(etcd({"0 :invoke :write 1", "0 :info :write :timed-out", "0 :invoke :write 2",
                       "0 :ok :write 2", "0 :invoke :read nil", "0 :ok :read 1"})),
      LinearVerdict::kLinearizable);
}

TEST(HistoryFile, AReadThatTimedOutHasReturnedSomethingUnknown) {
  EXPECT_EQ(verdict_of(etcd({"0 :invoke :read nil", "0 :fail :read :timed-out",
                             "0 :invoke :read nil", "0 :ok :read nil"})),
            LinearVerdict::kLinearizable);
}

TEST(HistoryFile, AFailedCompareAndSwapFoundAnotherValue) {
  EXPECT_EQ(verdict_of(etcd({"0 :invoke :write 1", "0 :ok :write 1", "0 :invoke :cas [1 2]",
                             "0 :fail :cas [1 2]"})),
            LinearVerdict::kNotLinearizable);
  EXPECT_EQ(verdict_of(etcd({"0 :invoke :write 1", "0 :ok :write 1", "0 :invoke :cas [2 3]",
                             "0 :fail :cas [2 3]"})),
            LinearVerdict::kLinearizable);
}

struct Bad {
  std::string text;
  std::string error;  // a part of it
};

void expect_error(const Bad& bad) {
  const Result<HistoryVerdict> verdict = check_history_text("h.log", bad.text);
  ASSERT_FALSE(verdict) << bad.text;
  EXPECT_NE(verdict.error().message.find(bad.error), std::string::npos) << verdict.error().message;
}

TEST(HistoryFile, EveryParseErrorOfARegisterHistoryNamesPlaceCauseAndRemedy) {
  const std::string good = etcd({"0 :invoke :read nil"});
  for (const Bad& bad : std::vector<Bad>{
           {"", "h.log: the file is empty"},
           {" \n\n", "h.log: the file is empty"},
           {"hello\n", "h.log: neither of the known formats: it begins with \"hello\""},
           {good + "garbage\n", "h.log:2: prefix (column 1): found \"garbage\"; an event reads"},
           {good + "INFO  jepsen.util - x :ok :read nil\n",
            "h.log:2: process (column 21): found \"x\"; the number of a process"},
           {etcd({"0 :start :read nil"}), "h.log:1: kind (column 23): found \":start\"; one of"},
           {etcd({"0 :invoke :swap 1"}),
            "h.log:1: function (column 31): found \":swap\"; one of :read, :write, :cas"},
           {etcd({"0 :invoke :write"}), "value (column 37): the line ends here"},
           {etcd({"0 :invoke"}), "function (column 30): the line ends here"},
           {etcd({"0 :invoke :write 1x"}), "found \"1x\"; an integer or nil should stand here"},
           {etcd({"0 :invoke :write 99999999999999999999"}), "an integer or nil should stand here"},
           {etcd({"0 :invoke :cas [1"}), "a compare-and-swap has two values, as in \"[1 2]\""},
           {etcd({"0 :invoke :cas [1 2 3]"}), "a compare-and-swap has two values"},
           {etcd({"0 :ok :read 1"}),
            "h.log:1: :ok for process 0, which has no operation under way; an :invoke must come"},
           {good + etcd({"0 :invoke :read nil"}),
            "h.log:2: process 0 invokes an operation, but the one it invoked on line 1 has not"},
           {good + etcd({"0 :ok :write 1"}),
            ":write ends an operation that line 1 invoked as :read"},
           {etcd({"0 :invoke :write 1", "0 :ok :write 2"}),
            "h.log:2: value (column 34): process 0 returns another operation"},
           {etcd({"0 :invoke :write 1", "0 :fail :write 1"}), "a :write does not fail"},
           {good + std::string("\0\x01", 2), "h.log:2: text (column 1): byte 0x00 does not occur"},
           {good + std::string((1 << 20) + 1, 'x'), "h.log:2: the line is 1048577 bytes long"},
       }) {
    expect_error(bad);
  }
}

TEST(HistoryFile, AFileThatCannotBeReadIsNamedWithTheReason) {
  const Result<HistoryVerdict> missing = check_history_file("/no/such/history.log");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "cannot read /no/such/history.log: No such file or directory");
  const Result<HistoryVerdict> folder = check_history_file(kData);
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("Is a directory"), std::string::npos);
}

TEST(HistoryFile, AGivenFormatOverridesTheDetectedOne) {
  HistoryOptions options;
  options.format = HistoryFormat::kEdn;
  const Result<HistoryVerdict> as_edn =
      check_history_text("h.log", etcd({"0 :invoke :read nil"}), options);
  ASSERT_FALSE(as_edn);
  EXPECT_NE(as_edn.error().message.find("h.log:1: event (column 1): found \"INFO"),
            std::string::npos);
  options.format = HistoryFormat::kEtcd;
  const Result<HistoryVerdict> as_log =
      check_history_text("h.edn", "{:process 0, :type :invoke, :f :read}", options);
  ASSERT_FALSE(as_log);
  EXPECT_NE(as_log.error().message.find("h.edn:1: prefix (column 1): found \"{:process\""),
            std::string::npos);
}

TEST(HistoryFile, WhatIsAboutEdnIsRefusedForALog) {
  const auto error_with = [](const HistoryOptions& options) {
    const Result<HistoryVerdict> verdict =
        check_history_text("h.log", etcd({"0 :invoke :read nil"}), options);
    return verdict ? "no error" : verdict.error().message;
  };
  HistoryOptions options;
  options.model = "cas-register";
  EXPECT_EQ(error_with(options), "no error");
  options.model = "mutex";
  EXPECT_EQ(error_with(options),
            "h.log: a log of a register, which has no other model than cas-register");
  options = {};
  options.initial = "0";
  EXPECT_EQ(error_with(options),
            "h.log: a log of a register; --initial, --independent and --nil-unknown are for EDN");
  options = {};
  options.independent = true;
  EXPECT_NE(error_with(options), "no error");
  options = {};
  options.nil_is_unknown = true;
  EXPECT_NE(error_with(options), "no error");
}

}  // namespace
}  // namespace ordeal
