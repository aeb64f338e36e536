// The bugs planted in the forms of Paxos; each form has those that make sense in it.
#pragma once

#include <cstdint>

namespace ordeal::protocols::paxos {

enum class Planted : uint8_t {
  kNone,
  kIgnoreAccepted,
  kAdoptAny,
  kForgetPromise,
  kSmallQuorum,
  kReadUndecided,    // register form
  kVolatilePromise,  // register form, with recoveries
  kStaleRound,       // node form
  kSameBallot,       // contest
};

}  // namespace ordeal::protocols::paxos
