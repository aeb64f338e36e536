#include "base/guard.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>

#include <array>
#include <exception>
#include <memory>
#include <mutex>
#include <string_view>

namespace ordeal {
namespace {

constexpr std::array<int, 5> kFatal = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// Set while user code runs on this thread: where to go when it raises a fatal signal.
thread_local sigjmp_buf* t_landing = nullptr;

bool g_signals_kill = false;

void on_fatal_signal(int signal) {
  if (t_landing != nullptr) siglongjmp(*t_landing, signal);
  // Not ours: die of it as if no handler had been there.
  struct sigaction fallback {};
  fallback.sa_handler = SIG_DFL;
  sigaction(signal, &fallback, nullptr);
  raise(signal);
}

void install_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_handler = on_fatal_signal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (int signal : kFatal) sigaction(signal, &action, nullptr);
  });
}

// A stack overflow leaves no stack for the handler: each thread gets a spare one.
class SpareStack {
 public:
  SpareStack() {
    stack_t wanted{};
    wanted.ss_sp = memory_.get();
    wanted.ss_size = kBytes;
    sigaltstack(&wanted, &before_);
  }
  ~SpareStack() { sigaltstack(&before_, nullptr); }

 private:
  static constexpr size_t kBytes = 64 * 1024;
  std::unique_ptr<char[]> memory_ = std::make_unique<char[]>(kBytes);
  stack_t before_{};
};

std::string signal_text(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault (SIGSEGV)";
    case SIGBUS:
      return "bus error (SIGBUS)";
    case SIGFPE:
      return "arithmetic fault, such as a division by zero (SIGFPE)";
    case SIGILL:
      return "illegal instruction (SIGILL)";
    case SIGABRT:
      return "abort (SIGABRT)";
    default:
      return "signal " + std::to_string(signal);
  }
}

std::string run_catching(void (*body)(void*), void* argument) {
  try {
    body(argument);
    return "";
  } catch (const Failure& failure) {
    return failure.what();
  } catch (const std::exception& failure) {
    // ORDEAL_ASSERT throws too, and says so itself.
    const std::string_view what = failure.what();
    const bool assertion = what.substr(0, 16) == "assertion failed";
    return (assertion ? "" : "exception: ") + std::string(what);
  } catch (...) {
    return "exception of a type that is not a std::exception";
  }
}

}  // namespace

void let_signals_kill() {
  g_signals_kill = true;
  struct sigaction fallback {};
  fallback.sa_handler = SIG_DFL;
  for (int signal : kFatal) sigaction(signal, &fallback, nullptr);
}

std::string signal_name(int signal) { return signal_text(signal); }

std::string run_guarded(void (*body)(void*), void* argument) {
  if (g_signals_kill) return run_catching(body, argument);
  install_handlers();
  static thread_local SpareStack spare_stack;
  sigjmp_buf landing;
  sigjmp_buf* const outer = t_landing;
  // The handlers block no signal (SA_NODEFER, an empty mask): there is no mask to restore, and not
  // saving it saves a system call.
  if (const int signal = sigsetjmp(landing, 0); signal != 0) {
    t_landing = outer;
    return signal_text(signal);
  }
  t_landing = &landing;
  std::string failure = run_catching(body, argument);
  t_landing = outer;
  return failure;
}

}  // namespace ordeal
