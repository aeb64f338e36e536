// A specification as the model of a log.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conform/tla_log.h"
#include "conform/tla_states.h"
#include "language/tla/model/space.h"

namespace ordeal::conform {

class TlaLogModel final : public LogModel {
 public:
  TlaLogModel(std::shared_ptr<tla::Specification> specification,
              std::unique_ptr<tla::Follower> follower, std::unique_ptr<tla::Mapper> mapper,
              const ConformOptions& options, uint64_t pool_bytes);

  std::string name() const override;
  Result<Taken> start() override;
  size_t frontier() const override { return states_.size(); }
  Result<Taken> take(const Json& event, uint64_t line) override;
  Result<Taken> take_unread() override;
  void explain(Departure& out, size_t most) override;
  std::vector<std::string> notes() const override;

 private:
  // What an event says about the state after it.
  struct Asked {
    bool ignored = false;
    bool departs = false;  // no rule is about it, and every event must have one
    std::vector<AskedWay> ways;
    std::vector<const tla::Seen*> seen;
    std::vector<std::pair<size_t, std::vector<tla::Value>>> variables;  // by name
  };

  Result<Asked> read(const Json& event);
  Result<const tla::MappedRule*> rule_for();
  Result<void> read_rule(const tla::MappedRule& rule, Asked& out);
  Result<void> read_by_name(const Json& event, Asked& out);
  void note_unknown(const std::string& name);
  void read_variables(const Json& state, Asked& out);
  Result<std::vector<tla::Value>> elements_of(const tla::Term& set);
  Result<AskedStep> asked(const tla::MappedAction& action, tla::Value each);

  // The states in which a way may be gone.
  std::vector<TlaState> beginnings(const std::vector<TlaState>& states, const AskedWay& way);
  // Adds the successors of a state by a step.
  void take_step(const TlaState& from, const AskedStep& step, TlaStates& to);
  void take_hidden(TlaStates& states);
  const tla::FollowedAction* action_of(const AskedStep& step, const TlaState& at,
                                       std::string* why = nullptr);
  bool agrees(const TlaState& state, const Asked& asked);
  // Empty: they agree.
  std::vector<Difference> differences(const TlaState& state, const Asked& asked);
  std::optional<Difference> difference(const TlaState& state, const tla::Seen& seen);
  void make_room();

  // --- explain() (tla_nearest.cc) ---
  class Nearest;

  std::shared_ptr<tla::Specification> specification_;
  std::unique_ptr<tla::Follower> follower_;
  std::unique_ptr<tla::Mapper> mapper_;
  tla::EventFields fields_;
  tla::Heap checks_;
  const ConformOptions& options_;
  uint64_t pool_bytes_;
  TlaStates states_;
  std::vector<TlaState> before_;  // the states before the last line, hidden steps included
  Asked asked_;                   // by the last line
  std::string trouble_;
  std::map<std::pair<std::string, std::vector<std::string>>, std::optional<tla::FollowedAction>>
      actions_;  // none: its arguments have no place together
  std::vector<AskedStep> hidden_;
  std::map<std::string, std::pair<uint64_t, uint64_t>> unknown_;  // names: lines, the first
  uint64_t line_ = 0;
};

}  // namespace ordeal::conform
