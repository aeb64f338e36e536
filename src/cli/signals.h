// The first SIGINT, SIGTERM or SIGHUP asks the search to stop and report; the second leaves
// handlers that run, so that it can; the third ends the process at once, without leaving a
// half-written file.
#pragma once

#include <atomic>

namespace ordeal::cli {

class StopOnSignal {
 public:
  // `words`: what the first signal says on standard error. REQUIRES: lasts as long as the program.
  explicit StopOnSignal(const char* words = "reporting what was found so far");
  ~StopOnSignal();  // the signals do again what they did before
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  const std::atomic<bool>& flag() const;
};

}  // namespace ordeal::cli
