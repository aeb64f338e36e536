// Watches calls of user code (handlers, properties, factories): one that does not return is given
// up. A call costs no system call: each thread counts the beginnings and ends of its calls, and one
// thread of the process looks now and then who is still in the same one.
//
// What counts is the time that a call computes or sleeps (a mutex that nobody unlocks, a read of
// what never comes), not the time that it waits for a core.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "ordeal/limits.h"

namespace ordeal {

// From now on whoever is in user code is taken out of it. Async-signal-safe.
void abandon_calls();
bool calls_are_abandoned();

// The text of a call that was given up, and whether a failure begins with that text, or holds it.
std::string overdue_text();
bool is_overdue(std::string_view failure);

namespace watch {

// Of a thread. Its lowest bit: it is in a call.
struct Seat {
  std::atomic<uint64_t> call{0};
  uint32_t depth = 0;
  bool registered = false;
  std::atomic<bool> hurry{false};  // a call that takes long is given up early
  // What the watching thread wants of the call `wanted`.
  std::atomic<uint64_t> wanted{0};
  std::atomic<int> why{0};
  std::atomic<bool> at_once{false};  // wherever it is

  void enter() {
    ++depth;
    call.store((call.load(std::memory_order_relaxed) | 1) + 2, std::memory_order_relaxed);
  }
  // Another call begins, where the last one ends.
  void next() { call.store(call.load(std::memory_order_relaxed) + 2, std::memory_order_relaxed); }
  void leave_to(uint32_t outer) {
    depth = outer;
    const uint64_t next = (call.load(std::memory_order_relaxed) | 1) + 2;
    call.store(outer > 0 ? next : next - 1, std::memory_order_relaxed);
  }
};

extern constinit thread_local Seat seat;

// Makes this thread's calls be watched. The signal that takes it out of one is sent to it.
void take_seat();

constexpr int kOverdue = 101;  // Seat::why
constexpr int kAbandoned = 102;
constexpr int kSanitizer = 103;

// A sanitizer was left in the middle of a report: whoever has something else to report waits for
// the end of it, for ever.
void expect_sanitizer_to_wait();
bool is_sanitizer(const void* pc);

// In a worker process the other side says how long calls may take.
void use_limit_of(const std::atomic<double>* seconds);
// How long a call of this thread may take now.
double limit_here();

// Whether the calling thread may be taken out of `pc`: not of the allocator, whose locks it would
// keep.
bool may_leave(const void* pc);

}  // namespace watch

// Something that is watched, within a guarded call that is not.
class Watched {
 public:
  Watched() : outer_(watch::seat.depth) { watch::seat.enter(); }
  ~Watched() { watch::seat.leave_to(outer_); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  const uint32_t outer_;
};

// Within Watched: what follows is another call.
inline void watch_next() { watch::seat.next(); }

// The engine waits for somebody, in the middle of a call: that does not count.
class Unwatched {
 public:
  Unwatched() : outer_(watch::seat.depth) { watch::seat.leave_to(0); }
  ~Unwatched() { watch::seat.leave_to(outer_); }
  Unwatched(const Unwatched&) = delete;
  Unwatched& operator=(const Unwatched&) = delete;

 private:
  const uint32_t outer_;
};

// Calls of this thread that take long are given up early: where it is known that they do not
// return, or where nothing is claimed from it.
class Hurry {
 public:
  explicit Hurry(bool needed) : began_(needed && !watch::seat.hurry) {
    if (began_) watch::seat.hurry = true;
  }
  ~Hurry() {
    if (began_) watch::seat.hurry = false;
  }
  Hurry(const Hurry&) = delete;
  Hurry& operator=(const Hurry&) = delete;

 private:
  const bool began_;
};

// Which calls did not return, by what they are: they need not be waited for again.
void remember_overdue(uint64_t call);
bool is_remembered_overdue(uint64_t call);
bool any_overdue();
// `call()`: what it is; not asked where nothing is remembered.
template <class F>
bool is_known_overdue(const F& call) {
  return any_overdue() && is_remembered_overdue(call());
}

}  // namespace ordeal
