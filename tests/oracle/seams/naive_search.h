// What a breadth-first search of a table must find: level by level, in the order in which states
// were reached and of their actions, in plain containers.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ordeal/trace.h"
#include "tests/oracle/seams/table_space.h"

namespace ordeal::oracle {

struct NaiveResult {
  uint64_t distinct = 0;
  uint64_t outside = 0;
  uint64_t generated = 0;
  uint64_t transitions = 0;
  std::map<uint32_t, ShortForm> violated;  // by property: a shortest run
  struct Trouble {
    std::string message;
    bool on_step = false;
    ShortForm run;
  };
  std::optional<Trouble> trouble;
};

class NaiveSearch {
 public:
  NaiveSearch(const Table& table, bool keep_going) : table_(table), keep_going_(keep_going) {}

  NaiveResult run() {
    std::vector<Entry> level;
    for (uint32_t i = 0; i < table_.roots; ++i) {
      ++out_.generated;
      if (seen_.insert(table_.view(table_.root(i))).second)
        level.push_back({table_.root(i), {i, {}}});
    }
    while (!level.empty() && !out_.trouble && (keep_going_ || out_.violated.empty())) {
      std::vector<Entry> next;
      for (const Entry& entry : level) visit(entry, next);
      level = std::move(next);
    }
    out_.generated += out_.transitions;
    out_.distinct = seen_.size() - out_.outside;
    if (!keep_going_ && out_.violated.size() > 1) leave_the_first();
    return out_;
  }

 private:
  struct Entry {
    uint32_t state = 0;
    ShortForm run;
  };

  void visit(const Entry& entry, std::vector<Entry>& next) {
    const Table::Unknown unknown = table_.unknown(entry.state);
    if (unknown == Table::Unknown::kWithin) return trouble(entry);
    if (!table_.within(entry.state)) {
      ++out_.outside;
      if (table_.judges_outside) judge(entry.state, entry.run);
      return;
    }
    if (unknown == Table::Unknown::kNext) return trouble(entry);
    if (!judge(entry.state, entry.run)) return;
    std::vector<Table::Edge> edges;
    table_.next(entry.state, edges);
    for (uint32_t i = 0; i < edges.size(); ++i) {
      ++out_.transitions;
      const Table::Edge& edge = edges[i];
      ShortForm run = entry.run;
      run.choices.push_back(i);
      if (table_.judges_steps && edge.trouble) {
        trouble(Table::trouble_of(entry.state, edge.to), true, run);
        continue;
      }
      if (edge.outside && table_.judges_outside &&
          table_.unknown(edge.to) == Table::Unknown::kVerdict) {
        trouble(table_.trouble_of(edge.to), true, run);
        continue;
      }
      if (table_.judges_steps && edge.bad) violates(Table::kSteps, run);
      if (edge.outside && table_.judges_outside && table_.bad(edge.to)) {
        violates(Table::kStates, run);
      }
      if (edge.outside || !seen_.insert(table_.view(edge.to)).second) continue;
      next.push_back({edge.to, run});
    }
  }

  // False: it cannot be.
  bool judge(uint32_t state, const ShortForm& run) {
    if (table_.unknown(state) == Table::Unknown::kVerdict) {
      trouble(table_.trouble_of(state), false, run);
      return false;
    }
    if (table_.bad(state)) violates(Table::kStates, run);
    return true;
  }

  void trouble(const Entry& entry) { trouble(table_.trouble_of(entry.state), false, entry.run); }
  void trouble(const std::string& message, bool on_step, const ShortForm& run) {
    if (out_.trouble || (!keep_going_ && !out_.violated.empty())) return;
    out_.trouble = {message, on_step, run};
  }
  void violates(uint32_t property, const ShortForm& run) {
    if (out_.trouble && !keep_going_) return;
    const auto [known, is_new] = out_.violated.emplace(property, run);
    if (is_new) order_.push_back(property);
    if (run.choices.size() < known->second.choices.size()) known->second = run;
  }
  // The shortest, and of several that which was met first.
  void leave_the_first() {
    uint32_t first = order_[0];
    for (const uint32_t other : order_) {
      if (out_.violated[other].choices.size() < out_.violated[first].choices.size()) first = other;
    }
    out_.violated = {{first, out_.violated[first]}};
  }

  const Table& table_;
  const bool keep_going_;
  std::set<uint32_t> seen_;
  std::vector<uint32_t> order_;  // of properties
  NaiveResult out_;
};

}  // namespace ordeal::oracle
