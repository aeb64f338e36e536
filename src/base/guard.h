// Runs user code so that whatever it does wrong comes back as text: exceptions, failed assertions,
// and the signals SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT and stack overflow raised by it.
//
// Recovery from a signal jumps out of the handler: what it had allocated is lost, and a lock that
// it held stays taken. A handler of a value node runs once per distinct (state, event), so this is
// rare; opaque nodes run in processes of their own instead (see let_signals_kill).
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

namespace ordeal {

// Thrown where user code has failed and it is known what failed: comes back as it is.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Calls `body(argument)`. Returns "" or what went wrong. Any thread; calls may be nested.
std::string run_guarded(void (*body)(void*), void* argument);

// From now on signals end this process as usual; exceptions are still caught. For worker processes,
// whose parent sees what they die of.
void let_signals_kill();

// "segmentation fault (SIGSEGV)"
std::string signal_name(int signal);

template <class F>
std::string guarded(F&& f) {
  using Body = std::remove_reference_t<F>;
  return run_guarded([](void* argument) { (*static_cast<Body*>(argument))(); },
                     const_cast<void*>(static_cast<const void*>(&f)));
}

}  // namespace ordeal
