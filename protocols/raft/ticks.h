// How long things take where time is kept, as in the setting of the published scenarios.
#pragma once

#include <cstdint>

namespace ordeal::protocols::raft {

constexpr uint32_t kElectionTicks = 10;  // at least; up to twice as long
constexpr uint32_t kHeartbeatTicks = 1;
// Shorter than the time for which those who answered a leader do not vote.
constexpr uint32_t kLeaseTicks = kElectionTicks - 1;
constexpr uint32_t kRetryTicks = 2 * kElectionTicks;  // of clients

}  // namespace ordeal::protocols::raft
