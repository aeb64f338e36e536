// Threads of live runs that nobody waits for any more: each is in a handler that does not return.
// What they touch they own together with the run, so that it is there as long as they are. What is
// static is not: whoever ends the process while there are any ends it at once.
#pragma once

#include <atomic>

namespace ordeal::live {

inline std::atomic<int> g_left_behind{0};

}  // namespace ordeal::live
