// Rehearsal: random runs whose handlers run twice, on the values that a search would give them and
// on objects that were kept from step to step. A search takes equal values for one; what a handler
// keeps in a field that is no part of the value, in a static or in a generator of random numbers is
// lost there, and a verdict would be about another program. Here it makes a difference.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "system/actor/explorer.h"
#include "system/actor/handler_run.h"

namespace ordeal::actor {

class Rehearsal : public ActorExplorer {
 public:
  Rehearsal(std::shared_ptr<ActorSpace> space, uint64_t seed)
      : ActorExplorer(std::move(space)), random_(seed) {}

  // Takes so many steps. "", or what differs.
  std::string run(uint64_t steps);

 private:
  void walk(const std::vector<uint32_t>& initial, uint64_t& left);
  void begin(const std::vector<uint32_t>& initial);
  void act(StateRef state, const Choice& choice);
  // Runs the handler on what was kept, holds it to the way that it went before, and keeps what it
  // leaves.
  void repeat(uint32_t part, uint32_t event, const HandlerOutcome& way);
  void keep(uint32_t position, const HandlerRun& run, size_t effects);
  std::string difference(const HandlerOutcome& now, const HandlerOutcome& before);
  std::string handler_of(uint32_t position, const Event& event);

  Rng random_;
  std::map<uint32_t, value::Any> objects_;   // by position, as the last handler left them
  std::map<uint32_t, value::Any> disks_;     // … as they were persisted
  std::map<uint32_t, value::Any> payloads_;  // by event, as the last of its kind was sent
  std::string problem_;
  bool walked_ = false;
};

}  // namespace ordeal::actor
