#include "live/left_behind.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace ordeal::live {
namespace {

std::atomic<int> count{0};

void exit_at_once(int status, void*) {
  if (count == 0) return;
  std::cout.flush();
  std::fflush(stdout);
  ::_exit(status);
}

}  // namespace

int threads_left_behind() { return count; }

void leave_thread_behind() {
  // What is static and known to a handler was made before this, and would be destroyed after it.
  [[maybe_unused]] static const int registered = ::on_exit(exit_at_once, nullptr);
  ++count;
}

void end_thread_left_behind() { --count; }

}  // namespace ordeal::live
