// Vector clocks of runs of random systems, against what happens before what in these runs.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/export/export.h"
#include "tests/tools/export/random_run.h"
#include "tests/tools/export/shiviz.h"

namespace ordeal {
namespace {

using shiviz::Event;

bool consumes(const Action& action, const Sent& sent) {
  const bool about = action.kind == ActionKind::kDrop || action.kind == ActionKind::kDuplicate;
  return sent.kind == (about ? ActionKind::kDeliver : action.kind) && sent.from == action.from &&
         sent.to == action.node && sent.type == action.type &&
         sent.payload_digest == action.payload_digest;
}

// Finds, for every event, the event before it on its host and a sending that explains the rest of
// its clock, without looking at the causes that the trace names. Then whatever can be reached on
// these two kinds of edges, and nothing else, must be smaller by its clock.
class Judge {
 public:
  Judge(const Trace& trace, const shiviz::Log& log) : trace_(trace), log_(log) {
    starts_ = log.events.size() - trace.steps.size();
    before_.resize(log.events.size());
  }

  std::string problem() {
    for (size_t i = 0; i < log_.events.size(); ++i) {
      if (!explained(i)) return log_.events[i].text + ": nothing explains its clock";
      last_[log_.events[i].host] = i;
    }
    for (size_t i = 0; i < log_.events.size(); ++i) {
      for (size_t j = 0; j < log_.events.size(); ++j) {
        const bool earlier = log_.events[i].before(log_.events[j]);
        if (earlier != before_[j].contains(i)) {
          return log_.events[i].text + (earlier ? " is" : " is not") + " before " +
                 log_.events[j].text + " by its clock";
        }
      }
    }
    return "";
  }

  size_t messages() const { return messages_; }

 private:
  bool explained(size_t index) {
    const Event& event = log_.events[index];
    std::vector<size_t> senders;
    if (index >= starts_) {
      senders = senders_of(trace_.steps[index - starts_].detail.action, index);
    }
    const std::map<std::string, int> alone = joined(event.host, nullptr);
    if (senders.empty()) {
      if (event.clock != alone) return false;
      if (last_.contains(event.host)) follows(index, last_.at(event.host));
      return true;
    }
    ++messages_;
    for (const size_t sender : senders) {
      if (event.clock != joined(event.host, &log_.events[sender].clock)) continue;
      if (last_.contains(event.host)) follows(index, last_.at(event.host));
      follows(index, sender);
      return true;
    }
    return false;
  }

  // The events that may have sent what the action consumes.
  std::vector<size_t> senders_of(const Action& action, size_t index) const {
    std::vector<size_t> out;
    for (size_t i = 0; i < starts_; ++i) {
      if (log_.events[i].host != std::to_string(action.from)) continue;
      for (const Sent& sent : trace_.initially_sent) {
        if (sent.from == action.from && consumes(action, sent)) out.push_back(i);
      }
    }
    for (size_t i = starts_; i < index; ++i) {
      for (const Sent& sent : trace_.steps[i - starts_].detail.sent) {
        if (consumes(action, sent)) out.push_back(i);
      }
    }
    return out;
  }

  std::map<std::string, int> joined(const std::string& host,
                                    const std::map<std::string, int>* sender) const {
    std::map<std::string, int> clock;
    if (last_.contains(host)) clock = log_.events[last_.at(host)].clock;
    if (sender != nullptr) {
      for (const auto& [other, count] : *sender) clock[other] = std::max(clock[other], count);
    }
    ++clock[host];
    return clock;
  }

  void follows(size_t later, size_t earlier) {
    before_[later].insert(earlier);
    before_[later].insert(before_[earlier].begin(), before_[earlier].end());
  }

  const Trace& trace_;
  const shiviz::Log& log_;
  size_t starts_ = 0;
  std::map<std::string, size_t> last_;  // event of each host
  std::vector<std::set<size_t>> before_;
  size_t messages_ = 0;
};

TEST(ShivizOfRandomRuns, ClocksTellWhatHappensBeforeWhat) {
  size_t messages = 0;
  std::set<ActionKind> kinds;
  std::set<std::string> features;
  for (uint64_t seed = 0; seed < kSystems; ++seed) {
    const oracle::Case item = oracle::generate(seed);
    const Trace trace = random_run(item, seed);
    if (trace.steps.empty()) continue;
    const Result<std::string> text = report::to_shiviz(trace);
    ASSERT_TRUE(text.ok());
    const shiviz::Log log = shiviz::read(*text);
    ASSERT_EQ(shiviz::offence(log), "") << *text;
    ASSERT_EQ(log.labels.size(), 1U) << *text;
    ASSERT_EQ(log.lines, 1 + 2 * log.events.size()) << *text;
    Judge judge(trace, log);
    ASSERT_EQ(judge.problem(), "") << "seed " << seed << "\n" << *text;
    messages += judge.messages();
    for (const TraceStep& step : trace.steps) kinds.insert(step.detail.action.kind);
    features.insert(item.features.begin(), item.features.end());
  }
  EXPECT_GT(messages, kSystems);
  for (const ActionKind kind :
       {ActionKind::kDeliver, ActionKind::kRequest, ActionKind::kEvent, ActionKind::kTimer,
        ActionKind::kDetect, ActionKind::kRestore, ActionKind::kCrash, ActionKind::kRecover,
        ActionKind::kDrop, ActionKind::kDuplicate, ActionKind::kPartition, ActionKind::kHeal,
        ActionKind::kSuspect}) {
    EXPECT_TRUE(kinds.contains(kind)) << "never happened: " << to_string(kind);
  }
  for (const char* network : {"network bag", "network set", "network ordered"}) {
    EXPECT_TRUE(features.contains(network)) << network;
  }
}

}  // namespace
}  // namespace ordeal
