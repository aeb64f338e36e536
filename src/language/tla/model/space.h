// A specification as a space of states: what every strategy, check and view works on.
//
// A packed state has two words per variable, a pooled Value. Its fingerprint is the sum of what its
// variables hash to, so that it is content alone; under a VIEW or SYMMETRY it is that of the view,
// or of the least of the renamed states.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "language/tla/model/specification.h"
#include "language/tla/model/temporal.h"
#include "ordeal/world.h"

namespace ordeal::tla {

class TlaSpace final : public StateSpace {
 public:
  explicit TlaSpace(std::shared_ptr<Specification> specification);

  const std::vector<Property>& properties() const override { return properties_; }
  Result<std::string> interprets() const override;
  bool judges_outside() const override { return true; }
  Result<Liveness> liveness() const override;
  Result<std::vector<Initial>> initial() override;
  std::unique_ptr<Explorer> explorer() override;
  SpaceStatistics statistics() const override;
  std::vector<StepSort> sorts() const override;
  void forget() override;

  Specification& specification() { return *specification_; }
  // By number: the names of actions; 0 is what has none.
  const std::vector<std::string>& actions() const { return actions_; }
  uint16_t action_of(const Operator* op) const;
  const std::vector<std::pair<const Operator*, uint16_t>>& numbered_actions() const {
    return numbers_;
  }
  // Property numbers: the implicit one, the invariants, what holds initially, properties of steps,
  // and that there is no deadlock.
  size_t first_initially() const { return 1 + specification_->invariants.size(); }
  size_t first_on_steps() const { return first_initially() + specification_->initially.size(); }
  // 0: it is not asked for.
  size_t deadlock() const { return deadlock_; }
  // What is said of no state: assumptions, then what is said of whole behaviours, then the
  // postcondition.
  size_t first_assumption() const { return first_assumption_; }
  size_t first_temporal() const { return first_assumption_ + specification_->assumptions.size(); }
  const Temporal& temporal() const { return temporal_; }
  // What is said of whole behaviours and can be checked; and of the rest, by the number of the
  // property, why it cannot.
  const std::vector<Liveness::Claim>& claims() const { return on_runs().claims; }
  const std::map<uint32_t, std::string>& refused() const { return on_runs().refused; }
  // Whether a cycle is one of views; and whether it is not known that states with one view behave
  // alike.
  bool closes_in_view() const {
    return specification_->view.node != nullptr && !on_runs().claims.empty();
  }
  bool trusts_view() const { return on_runs().trusts_view; }
  bool is_initial(uint64_t fingerprint) const { return initial_.contains(fingerprint); }

 private:
  struct OnRuns {
    std::vector<Liveness::Claim> claims;
    std::map<uint32_t, std::string> refused;
    bool trusts_view = false;
  };
  void read_temporal();
  const OnRuns& on_runs() const;
  // Whether all that was looked at, which may not be all, behaves alike where its view is one. An
  // Error: it does not.
  Result<bool> view_is_faithful();
  std::string assumption() const;

  std::shared_ptr<Specification> specification_;
  Temporal temporal_;
  mutable OnRuns on_runs_;
  mutable std::once_flag view_looked_at_;
  std::vector<Property> properties_;
  std::vector<std::string> actions_;
  std::vector<std::pair<const Operator*, uint16_t>> numbers_;  // sorted
  size_t deadlock_ = 0;
  size_t first_assumption_ = 0;
  std::unordered_set<uint64_t> initial_;  // fingerprints, where something is said of those states
};

class TlaSystem final : public Checkable {
 public:
  explicit TlaSystem(std::shared_ptr<Specification> specification);

  const std::vector<Property>& properties() const override { return space_->properties(); }
  std::shared_ptr<StateSpace> space() const override { return space_; }
  std::unique_ptr<World> world() const override { return run_world(space_); }
  bool constrained() const override {
    return !space_->specification().constraints.empty() ||
           !space_->specification().action_constraints.empty();
  }
  Result<void> validate() const override;
  bool has_behaviours() const override { return space_->specification().has_behaviour; }
  std::vector<Foregone> foregone() const override;
  Result<std::vector<Foregone>> afterwards(const Totals& totals) const override;
  Result<std::shared_ptr<Symmetry>> symmetry() const override;
  Steering steering() const override;

 private:
  std::shared_ptr<TlaSpace> space_;
};

// The value as it is shown in reports, traces and the viewer.
value::Tree tree_of(Value value);

}  // namespace ordeal::tla
