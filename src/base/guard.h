// Runs user code so that whatever it does wrong comes back as text: exceptions, failed assertions,
// the signals SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT and stack overflow raised by it, the end of
// the process that it asks for (std::exit), a report of a sanitizer, and a call that does not
// return (base/watch.h).
//
// Recovery jumps out of the call: what it had allocated is lost, and a lock that it held stays
// taken. A handler of a value node runs once per distinct (state, event), so this is rare; opaque
// nodes run in processes of their own instead (see let_signals_kill).
#pragma once

#include <signal.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/stack.h"

namespace ordeal {

// Thrown where user code has failed and it is known what failed: comes back as it is.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What is run.
enum class Guard : uint8_t {
  kWork,  // any amount of the engine's work, with calls of user code in it
  kCall,  // one call of user code, which is watched
  kLook,  // … that changes nothing: recovery is safe in worker processes, too
};

// Calls `body(argument)`. Returns "" or what went wrong. Any thread; calls may be nested. A call
// that was abandoned (abandon_calls) is no failure of its own: the work around it ends, and says
// so.
std::string run_guarded(void (*body)(void*), void* argument, Guard guard);

// Ends the work around, as if a call of this thread had been abandoned.
[[noreturn]] void abandon_work();
// Within it, this thread may make calls that change nothing without a guard of their own: the work
// around it makes them once more, with one, if they fail. For calls that are as short as a guard.
class Trusting {
 public:
  Trusting() { here = true; }
  ~Trusting() { here = false; }
  Trusting(const Trusting&) = delete;
  Trusting& operator=(const Trusting&) = delete;

  static bool is_on() { return here && !wounded.load(std::memory_order_relaxed); }

  // A sanitizer has reported something: the next report would end the process, without asking.
  static inline constinit std::atomic<bool> wounded{false};

 private:
  static inline constinit thread_local bool here = false;
};

// Whether that is what work says that was abandoned.
bool is_abandoned(std::string_view failure);

// What a process died of, as far as it could say so itself: in memory that its parent sees.
struct LastWords {
  std::atomic<int> ending{0};  // 0: nothing was said
  int number = 0;              // exit code
  Stack stack;
  std::atomic<double> limit{0};  // of calls, from the parent
};

// From now on signals end this process as usual; exceptions are still caught. For worker processes,
// whose parent sees what they die of, and hears their last words.
void let_signals_kill(LastWords* words);
// In the words of run_guarded; "": nothing was said.
std::string heard(const LastWords& words);

// Ends the process, whatever user code thinks of it. Async-signal-safe.
[[noreturn]] void end_process(int status);

// "segmentation fault (SIGSEGV)"
std::string signal_name(int signal);

// Takes a thread out of a call that does not return.
inline constexpr int kLeaveSignal = SIGVTALRM;

// User code wants to end the process: does not return if there is a call that it can be taken out
// of.
void user_code_exits(int status);
// Defined beside the functions exit(), _exit() and quick_exit() that call it, so that a program
// that links this file has those, too.
void watch_exits();

template <class F>
std::string guarded(F&& f, Guard guard = Guard::kWork) {
  using Body = std::remove_reference_t<F>;
  return run_guarded([](void* argument) { (*static_cast<Body*>(argument))(); },
                     const_cast<void*>(static_cast<const void*>(&f)), guard);
}

template <class F>
std::string guarded_call(F&& f) {
  return guarded(f, Guard::kCall);
}
template <class F>
std::string guarded_look(F&& f) {
  return guarded(f, Guard::kLook);
}

}  // namespace ordeal
