#include "report/draw/clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace ordeal::report {
namespace {

void join_into(Clock& clock, const Clock& other) {
  for (const auto& [host, count] : other) {
    uint32_t& known = clock[host];
    known = std::max(known, count);
  }
}

bool is_about_a_message(ActionKind kind) {
  return kind == ActionKind::kDeliver || kind == ActionKind::kEvent || kind == ActionKind::kDrop ||
         kind == ActionKind::kDuplicate;
}

}  // namespace

int host_of(const Action& action) {
  const bool by_network = action.kind == ActionKind::kDrop || action.kind == ActionKind::kDuplicate;
  return by_network || action.node < 0 ? kOutside : action.node;
}

Result<Clocks> clocks_of(const Trace& trace, size_t most) {
  std::set<int> hosts(trace.nodes.begin(), trace.nodes.end());
  for (const TraceStep& step : trace.steps) {
    const Action& action = step.detail.action;
    hosts.insert(host_of(action));
    if (is_about_a_message(action.kind)) hosts.insert(action.from);
  }
  hosts.erase(kOutside);
  if (hosts.empty()) hosts.insert(kOutside);
  Clocks out;
  out.hosts.assign(hosts.begin(), hosts.end());
  std::map<int, Clock> now;  // of each host after its last event
  for (const int host : hosts) now[host] = out.at_start[host] = {{host, 1}};

  size_t entries = hosts.size();
  for (const TraceStep& step : trace.steps) {
    const Action& action = step.detail.action;
    const int host = host_of(action);
    Clock& clock = now[host];
    for (const uint32_t cause : step.causes) {
      if (cause > out.after.size()) continue;  // a trace made by hand; files are refused
      if (cause > 0) {
        join_into(clock, out.after[cause - 1]);
      } else if (is_about_a_message(action.kind) && action.from >= 0) {
        join_into(clock, out.at_start[action.from]);  // sent while its sender started
      }
    }
    ++clock[host];
    entries += clock.size();
    if (entries > most) {
      return Error{fmt::format(
          "the vector clocks of this run would have more than {} entries: {} of {}", grouped(most),
          counted(trace.steps.size(), "step"), counted(hosts.size(), "node"))};
    }
    out.after.push_back(clock);
  }
  return out;
}

}  // namespace ordeal::report
