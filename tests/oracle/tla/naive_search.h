// What a breadth-first search of a specification must find: level by level, in the order in which
// states were reached and in which Next says their successors, with states compared value by value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/oracle/tla/naive_eval.h"
#include "tests/oracle/tla/random_specs.h"

namespace ordeal::oracle::naive {

struct SearchResult {
  bool starts = true;  // false: initial states have no value, or there are none
  uint64_t initial = 0, distinct = 0, outside = 0, transitions = 0, terminal = 0;
  uint32_t depth = 0;
  std::map<std::string, uint32_t> violated;  // by property: the length of a shortest run
  std::optional<uint32_t> trouble;           // something had no value: the length of a run
};

class SpecSearch {
 public:
  SpecSearch(Evaluator& evaluator, const RandomSpec& spec, bool keep_going);
  SearchResult run();
  // Those that were expanded.
  const std::vector<State>& states() const { return expanded_; }

 private:
  struct Entry {
    State state;
    uint32_t depth = 0;
  };
  struct Edge {
    State to;
    bool outside = false;
  };

  bool is_new(const State& state);
  bool is_inside(const State& state);
  // Whether it is within the constraint, and what stands for it: the view, or the least of the
  // renamed states.
  std::pair<bool, Val> identity(const State& state);
  void visit(const Entry& entry, std::vector<Entry>& next);
  // False: it cannot be.
  bool judge(const Entry& entry, bool deadlocked);
  std::vector<std::string> broken(const State& state, bool is_initial);
  void trouble(uint32_t depth);
  void violates(const std::string& property, uint32_t depth);

  Evaluator& naive_;
  const RandomSpec& spec_;
  const bool keep_going_;
  std::vector<std::map<std::string, std::string>> renamings_;
  struct States {
    Set inside, beyond;  // of the constraint: there a state is itself alone, whatever it looks like
  };
  static bool put(States& states, const std::pair<bool, Val>& identity);
  static bool has(const States& states, const std::pair<bool, Val>& identity);
  size_t seen() const { return seen_.inside.size() + seen_.beyond.size(); }

  States seen_, initial_;
  bool begins_inside_ = false;
  std::vector<std::string> order_;
  std::vector<State> expanded_;
  SearchResult out_;
};

}  // namespace ordeal::oracle::naive
