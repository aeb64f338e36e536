// Paxos as a contest of proposers that never give up: a raw model whose runs go on for ever.
//
// A request and its answer are one step. Ballots are numbers of a clock: whoever begins takes one
// above all that there are. Nothing but their order matters, so that a state keeps their ranks: it
// has finitely many forms, and two proposers that overtake each other again and again go round.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ordeal/model.h"
#include "protocols/paxos/planted.h"

namespace ordeal::protocols::paxos {

struct Duel {
  struct Acceptor {
    uint8_t promised = 0;
    uint8_t ballot = 0;  // of what it accepted; 0: nothing yet
    uint8_t value = 0;
  };
  enum class Phase : uint8_t { kIdle, kPreparing, kAccepting, kRefused, kDone };
  struct Proposer {
    Phase phase = Phase::kIdle;
    uint8_t ballot = 0;
    uint8_t found = 0;  // the highest ballot that it was told of something accepted
    uint8_t value = 0;
    uint16_t said_yes = 0;  // one bit an acceptor, bit 0 for acceptor 1
  };
  struct State {
    std::vector<Acceptor> acceptors;
    std::vector<Proposer> proposers;
    bool settled = false;  // proposer 1 is known to lead: nobody else begins
  };

  enum class Kind : uint8_t { kBegin, kAsk, kSettle };
  struct Action {
    Kind kind = Kind::kSettle;
    uint8_t proposer = 0;  // from 1, as the others; 0: none
    uint8_t acceptor = 0;
  };

  int proposers = 2;
  int acceptors = 3;
  bool settles = true;  // in the end, proposer 1 alone leads
  Planted bug = Planted::kNone;

  std::vector<State> initial() const;
  void actions(const State& state, std::vector<Action>& out) const;
  std::optional<State> next(const State& state, const Action& action) const;

 private:
  int quorum() const;
  void begin(State& state, int proposer) const;
  void ask(Proposer& proposer, Acceptor& acceptor, int bit) const;
};

// With its properties.
std::unique_ptr<Model<Duel>> duel(const Duel& protocol);

}  // namespace ordeal::protocols::paxos
