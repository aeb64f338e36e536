#include "explore/explain/linear_points.h"

#include <algorithm>
#include <map>
#include <set>

namespace ordeal::explore {
namespace {

constexpr uint32_t kNever = UINT32_MAX;

// The steps of an operation's call and of its return.
struct Span {
  uint32_t call = 0;
  uint32_t ret = kNever;
};

template <class Visit>
void for_each_event(const Trace& trace, const Visit& visit) {
  for (const HistoryEvent& event : trace.initial_history) visit(event, 0);
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    for (const HistoryEvent& event : trace.steps[i].detail.history) {
      visit(event, static_cast<uint32_t>(i) + 1);
    }
  }
}

std::map<int, std::vector<Span>> spans_of(const Trace& trace) {
  std::map<int, std::vector<Span>> spans;  // of each client
  for_each_event(trace, [&](const HistoryEvent& event, uint32_t step) {
    std::vector<Span>& of_client = spans[event.client];
    if (!event.is_return) {
      of_client.push_back({step, kNever});
    } else if (!of_client.empty()) {
      of_client.back().ret = step;
    }
  });
  return spans;
}

// The causal past of a step, as far as it lies after `after`.
std::set<uint32_t> past_of(const Trace& trace, uint32_t step, uint32_t after) {
  std::set<uint32_t> past;
  std::vector<uint32_t> waiting = {step};
  while (!waiting.empty()) {
    const uint32_t next = waiting.back();
    waiting.pop_back();
    if (next <= after || !past.insert(next).second) continue;
    const std::vector<uint32_t>& causes = trace.steps[next - 1].causes;
    waiting.insert(waiting.end(), causes.begin(), causes.end());
  }
  return past;
}

// The first step that took what the client sent for the operation; the call if there is none.
uint32_t taken_at(const Trace& trace, int client, const Span& span) {
  const bool returned = span.ret != kNever;
  const uint32_t end = returned ? span.ret : static_cast<uint32_t>(trace.steps.size()) + 1;
  std::set<uint32_t> past;
  if (returned && span.ret > 0) past = past_of(trace, span.ret, span.call);
  for (uint32_t number = span.call + 1; number < end; ++number) {
    const TraceStep& step = trace.steps[number - 1];
    if (step.detail.action.from != client || (returned && past.count(number) == 0)) continue;
    const bool is_sent_since =
        std::any_of(step.causes.begin(), step.causes.end(), [&](uint32_t cause) {
          if (cause < span.call) return false;
          return cause == 0 || trace.steps[cause - 1].detail.action.node == client;
        });
    if (is_sent_since) return number;
  }
  return span.call;
}

}  // namespace

std::vector<TraceOperation> operations_of(const Trace& trace) {
  std::vector<TraceOperation> out;
  std::map<int, uint32_t> calls;
  for_each_event(trace, [&](const HistoryEvent& event, uint32_t) {
    if (!event.is_return) out.push_back({event.client, calls[event.client]++});
  });
  return out;
}

std::vector<LinearPoint> points_of(const Trace& trace, const std::vector<OpRef>& order) {
  const std::map<int, std::vector<Span>> spans = spans_of(trace);
  std::vector<LinearPoint> points;
  std::vector<uint32_t> first, last;  // where each may lie
  uint32_t now = 0;
  for (const OpRef& ref : order) {
    const auto of_client = spans.find(ref.client.value);
    // Called before the run began: nobody can see it.
    if (of_client == spans.end() || ref.index >= of_client->second.size()) continue;
    const Span& span = of_client->second[ref.index];
    now = std::max(now, span.call);
    points.push_back({ref.client.value, ref.index, taken_at(trace, ref.client.value, span)});
    first.push_back(now);
    // A return is a part of its step, and a point lies right after one.
    last.push_back(std::max(now, span.ret == kNever || span.ret == 0 ? span.ret : span.ret - 1));
  }
  for (size_t i = last.size(); i-- > 1;) last[i - 1] = std::min(last[i - 1], last[i]);
  now = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    now = std::min(std::max({now, first[i], points[i].step}), last[i]);
    points[i].step = now;
  }
  return points;
}

}  // namespace ordeal::explore
