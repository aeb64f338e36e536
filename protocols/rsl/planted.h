// The mistakes that can be planted into RSL, one at a time.
#pragma once

#include <cstdint>

#include "protocols/planted.h"

namespace ordeal::protocols::rsl {

enum class Planted : uint8_t {
  kNone,
  kInconsistentLogs,
  kOlderBallots,
  kNamelessBallot,
  kHalfIsEnough,
  kHastyPrimary,
  kAnyNextDecree,
  kLearnsUndecided,
  kVoteNotLogged,
  kPrepareNotLogged,
};

const PlantedBugs<Planted>& planted_bugs();

}  // namespace ordeal::protocols::rsl
