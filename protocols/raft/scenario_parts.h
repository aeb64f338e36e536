// What the scenarios of Raft are made of.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ordeal/scenario.h"
#include "ordeal/suite.h"
#include "protocols/raft/server.h"

namespace ordeal::protocols::raft {

using Parameters = std::map<std::string, std::string>;

// A handler logged a line that begins so.
inline Condition logs_about(const std::string& start, Where where = Where::current()) {
  return condition(
      "logs \"" + start + " …\"",
      [start](const Event& event, const ScenarioContext&) {
        return event.kind == EventKind::kLog && event.text.compare(0, start.size(), start) == 0;
      },
      where);
}
inline Condition leads(Where where = Where::current()) { return logs_about("leads", where); }
inline Condition stands(Where where = Where::current()) { return logs_about("stands", where); }

inline bool has_entries(const Append& append) { return !append.entries.empty(); }
inline bool has_config(const Append& append) {
  for (const Entry& entry : append.entries) {
    if (entry.command.config() != nullptr) return true;
  }
  return false;
}

// The leader where it happens knows that these have all of its log.
inline Condition everything_is_with(const std::vector<NodeId>& followers,
                                    Where where = Where::current()) {
  return state_is<Server>(
      [followers](const Server& server) {
        for (NodeId id : followers) {
          const auto progress = server.followers.find(id);
          if (progress == server.followers.end()) return false;
          if (progress->second.match < server.log().last()) return false;
        }
        return true;
      },
      where);
}

// This one stands for election first of all.
inline Filter begins(int node, Where where = Where::current()) {
  return when(once(timer_set("election", where) && at(node, where), where), where)
      .then(deliver(where));
}
// Nobody stands for election unless the scenario says so.
inline Filter clocks_stand(Where where = Where::current()) {
  return when(timer_set("election", where), where).then(hold("clocks", where));
}

std::vector<SuiteScenario> published_scenarios();  // those of table 3.3
std::vector<SuiteScenario> planted_scenarios();    // for planted bugs that no quick search finds

}  // namespace ordeal::protocols::raft
