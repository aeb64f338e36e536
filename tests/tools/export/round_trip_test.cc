// A run that is exported for ShiViz and imported again has the same events in the same order, and
// the same happens before the same.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "report/export/export.h"
#include "tests/tools/export/random_run.h"
#include "tests/tools/export/shiviz.h"
#include "trace/import.h"

namespace ordeal {
namespace {

// For every step (from 0), the steps before it by the causes that they name.
std::vector<std::set<size_t>> pasts_of(const Trace& trace) {
  std::vector<std::set<size_t>> pasts(trace.steps.size());
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    for (const uint32_t cause : trace.steps[i].causes) {
      if (cause == 0) continue;
      pasts[i].insert(cause - 1);
      pasts[i].insert(pasts[cause - 1].begin(), pasts[cause - 1].end());
    }
  }
  return pasts;
}

std::string name_of(const Trace& trace, int node) {
  const auto named = trace.node_names.find(node);
  return named == trace.node_names.end() ? std::to_string(node) : named->second;
}

TEST(ImportOfExports, HasTheSameEventsAndTheSameHappensBefore) {
  size_t arrows = 0;
  for (uint64_t seed = 0; seed < kSystems; ++seed) {
    const oracle::Case item = oracle::generate(seed);
    const Trace trace = random_run(item, seed);
    if (trace.steps.empty()) continue;
    const Result<std::string> text = report::to_shiviz(trace);
    ASSERT_TRUE(text.ok());
    std::vector<std::string> notes;
    const Result<Trace> back = import_run(*text, {}, &notes);
    ASSERT_TRUE(back.ok()) << back.error().message << "\n" << *text;
    EXPECT_EQ(back->source, "shiviz");
    EXPECT_TRUE(notes.empty()) << notes[0];
    const shiviz::Log log = shiviz::read(*text);
    ASSERT_EQ(back->steps.size(), log.events.size());
    const std::vector<std::set<size_t>> pasts = pasts_of(*back);
    for (size_t i = 0; i < log.events.size(); ++i) {
      const Action& action = back->steps[i].detail.action;
      ASSERT_EQ(action.type, log.events[i].text);
      ASSERT_EQ(name_of(*back, action.node), log.events[i].host);
      for (size_t j = 0; j < log.events.size(); ++j) {
        ASSERT_EQ(pasts[i].contains(j), log.events[j].before(log.events[i]))
            << "seed " << seed << ": " << log.events[j].text << " and " << log.events[i].text;
      }
      arrows += back->steps[i].detail.sent.size();
    }
    // What can be read can be written and read again.
    const std::string json = to_json(*back);
    const Result<Trace> again = trace_from_json(json);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(to_json(*again), json);
  }
  EXPECT_GT(arrows, kSystems);
}

TEST(ImportOfExports, EveryArrivalHasOneSendingOfItsOwn) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const oracle::Case item = oracle::generate(seed);
    const Result<std::string> text = report::to_shiviz(random_run(item, seed));
    ASSERT_TRUE(text.ok());
    const Result<Trace> back = import_run(*text);
    if (!back) continue;
    std::set<std::tuple<int, int, std::string, uint64_t>> sent;
    for (const TraceStep& step : back->steps) {
      for (const Sent& message : step.detail.sent) {
        EXPECT_EQ(message.from, step.detail.action.node);
        EXPECT_TRUE(
            sent.emplace(message.from, message.to, message.type, message.payload_digest).second);
      }
    }
    for (const TraceStep& step : back->steps) {
      const Action& action = step.detail.action;
      if (action.kind != ActionKind::kDeliver) continue;
      EXPECT_EQ(sent.erase({action.from, action.node, action.type, action.payload_digest}), 1U);
    }
    EXPECT_TRUE(sent.empty());
  }
}

}  // namespace
}  // namespace ordeal
