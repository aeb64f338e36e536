// OpaqueExplorer: a system with opaque objects, in one state at a time. Everything about network,
// timers and faults is ActorExplorer's; only the handlers of opaque nodes run on the objects
// themselves, when an action is applied.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ordeal/world.h"
#include "system/actor/explorer.h"

namespace ordeal::actor {

class OpaqueExplorer : public ActorExplorer {
 public:
  // `ask` answers choose(n) of opaque objects.
  OpaqueExplorer(std::shared_ptr<ActorSpace> space, std::function<uint32_t(uint32_t)> ask);
  ~OpaqueExplorer() override;

  // New objects, started. "" or why that failed.
  std::string restart();
  // Takes an action in the current state. "" or why the subject failed.
  std::string take(const Choice& choice);

  StateRef state() const { return state_; }
  uint64_t current_fingerprint() { return fingerprint(state_); }
  // See SpaceStatistics.
  std::string collision() { return space().find_collision(); }
  uint64_t current_digest() { return space().digest(state_); }
  // What the last step sent, logged, decided.
  void add_effects(StepDetail& detail) const;
  // The events of the last step; of a start, which is none, all that is on its way.
  void last_events(std::vector<ordeal::Event>& out);
  // Changes the current state as amend() does.
  void amend_state(std::span<const Amendment> changes);
  // Whose handler ran last.
  int running_node() const { return running_node_; }
  // The identity of an enabled action; never runs a handler.
  Action live_action(const Choice& choice);

 protected:
  Ways outcomes(uint32_t part, uint32_t event) override;
  bool is_unknown(uint32_t position) const override { return live_type_[position]; }
  Taken taken(StateRef before, const Choice& choice) override;

 private:
  bool is_live(uint32_t position) const { return live_type_[position]; }
  // "" or why the factory fails.
  std::string create(uint32_t position);
  void destroy(uint32_t position);
  HandlerOutcome run_live(uint32_t part, uint32_t event);

  std::function<uint32_t(uint32_t)> ask_;
  std::vector<bool> live_type_;
  std::vector<void*> objects_;
  std::vector<uint32_t> state_;
  bool applying_ = false;  // handlers of opaque objects run for real
  HandlerOutcomes scratch_;
  StepDetail effects_;
  // The last step: what was before it and after it, and what the handler of an opaque object did.
  bool stepped_ = false;
  Choice step_;
  std::vector<uint32_t> before_;
  std::vector<uint32_t> after_;
  HandlerOutcome way_;
  HandlerEvents did_;
  int running_node_ = -1;
};

}  // namespace ordeal::actor
