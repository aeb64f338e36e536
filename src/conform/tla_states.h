// The states that a specification can be in, each once; and what an event asks for, with the values
// of its arguments.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "conform/log_walk.h"
#include "language/tla/mapper/mapper.h"

namespace ordeal::conform {

struct TlaState {
  std::vector<tla::Value> values;
  uint64_t fingerprint = 0;
};

class TlaStates {
 public:
  explicit TlaStates(uint64_t most) : most_(most) {}
  // False: it is there already, or there is no room for it.
  bool add(std::span<const tla::Value> values);
  void add(const TlaState& state);
  const std::vector<TlaState>& all() const { return all_; }
  std::vector<TlaState>& all() { return all_; }
  size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  bool is_cut() const { return cut_; }
  void clear();

 private:
  uint64_t most_;
  std::vector<TlaState> all_;  // in the order in which they were found
  std::unordered_set<uint64_t> known_;
  bool cut_ = false;
};

// An action with what is known of its arguments.
struct AskedStep {
  bool maybe = false;
  std::string name;
  std::vector<std::string> names;               // of the arguments that are known
  std::vector<std::vector<tla::Value>> values;  // of each, what it may be
  // Arguments that depend on the state are evaluated there.
  std::vector<std::pair<std::string, const tla::Term*>> open;
  tla::Value each;

  std::string text() const;
};
struct AskedWay {
  std::vector<AskedStep> steps;
  const tla::Term* when = nullptr;  // null: in every state

  std::string text() const;
};

}  // namespace ordeal::conform
