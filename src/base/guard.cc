#include "base/guard.h"

#include <fcntl.h>
#include <setjmp.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <memory>
#include <mutex>
#include <new>

#include "base/out_of_memory.h"
#include "base/watch.h"

// Of the runtimes of AddressSanitizer and its like, where the program has one.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace ordeal {
namespace {

constexpr std::array<int, 5> kFatal = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// How a call of user code ended, if not by returning: a signal, or one of these.
constexpr int kExited = 100;

constexpr std::string_view kAbandonedText = "interrupted in the middle of a call";

// Thrown out of a call that was abandoned, to the work around it.
struct Abandoned {};

// Of this thread, while user code runs.
struct Flight {
  sigjmp_buf* landing = nullptr;  // where to go when it fails
  bool ready = false;
  bool looking = false;  // at its stack: a signal that comes from that is no news
  int number = 0;
  Stack stack;
};
constinit thread_local Flight t_flight;

bool g_signals_kill = false;
LastWords* g_words = nullptr;

const void* pc_of(const void* context) {
  if (context == nullptr) return nullptr;
  const auto* here = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(here->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(here->uc_mcontext.pc);
#else
  static_cast<void>(here);
  return nullptr;
#endif
}

void look_where(const void* context, Stack& out) {
  out.count = 0;
  if (t_flight.looking) return;
  t_flight.looking = true;
  take_stack(pc_of(context), out);
  t_flight.looking = false;
}

[[noreturn]] void land(int ending, const void* context) {
  look_where(context, t_flight.stack);
  siglongjmp(*t_flight.landing, ending);
}

// In a worker process, which ends now.
void say_last_words(int ending, int number, const void* context) {
  if (g_words == nullptr || g_words->ending != 0) return;
  look_where(context, g_words->stack);
  g_words->number = number;
  g_words->ending = ending;
}

void on_fatal_signal(int signal, siginfo_t*, void* context) {
  if (t_flight.landing != nullptr) {
    if (t_flight.looking) {
      t_flight.looking = false;
      t_flight.stack.count = 0;
      siglongjmp(*t_flight.landing, signal);
    }
    land(signal, context);
  }
  const bool looking = t_flight.looking;
  if (!looking) say_last_words(signal, 0, context);
  // Not ours: die of it as if no handler had been there.
  struct sigaction fallback {};
  fallback.sa_handler = SIG_DFL;
  sigaction(signal, &fallback, nullptr);
  raise(signal);
}

void on_leave(int, siginfo_t*, void* context) {
  const int error = errno;
  watch::Seat& seat = watch::seat;
  const bool still = seat.wanted == seat.call.load(std::memory_order_relaxed);
  const void* const pc = pc_of(context);
  const bool reports = watch::is_sanitizer(pc);
  if (still && seat.at_once && Trusting::wounded && reports && t_flight.landing != nullptr) {
    t_flight.stack.count = 0;
    siglongjmp(*t_flight.landing, watch::kSanitizer);
  }
  if (still && seat.why != watch::kSanitizer && (seat.at_once || watch::may_leave(pc))) {
    seat.wanted = 0;  // the next signal may be on its way
    if (t_flight.landing != nullptr) land(seat.why, context);
    if (g_signals_kill) {
      say_last_words(seat.why, 0, context);
      end_process(0);
    }
  }
  errno = error;
}

void on_sanitizer_death() {
  // What the engine itself does wrong ends the process.
  if (watch::seat.depth == 0) return;
  if (t_flight.landing == nullptr) {
    if (g_signals_kill) say_last_words(watch::kSanitizer, 0, nullptr);
    return;
  }
  Trusting::wounded = true;
  watch::expect_sanitizer_to_wait();
  t_flight.stack.count = 0;
  siglongjmp(*t_flight.landing, watch::kSanitizer);
}

void install_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    prepare_stacks();
    watch_exits();
    if (__sanitizer_set_death_callback != nullptr) {
      __sanitizer_set_death_callback(on_sanitizer_death);
    }
    struct sigaction action {};
    action.sa_sigaction = on_fatal_signal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    for (int signal : kFatal) sigaction(signal, &action, nullptr);
    action.sa_sigaction = on_leave;
    action.sa_flags |= SA_RESTART;
    sigaction(kLeaveSignal, &action, nullptr);
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
  ~SpareStack() {
    sigaltstack(&before_, nullptr);
    t_flight.ready = false;
  }

 private:
  static constexpr size_t kBytes = 64 * 1024;
  std::unique_ptr<char[]> memory_ = std::make_unique<char[]>(kBytes);
  stack_t before_{};
};

void prepare_thread() {
  install_handlers();
  static thread_local SpareStack spare_stack;
  watch::take_seat();
  t_flight.ready = true;
}

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

std::string ending_text(int ending, int number, const Stack& stack) {
  switch (ending) {
    case watch::kOverdue:
      return overdue_text() + place_of(stack);
    case watch::kAbandoned:
      return std::string(kAbandonedText);
    case kExited:
      return "called exit(" + std::to_string(number) + ")" + place_of(stack);
    case watch::kSanitizer:
      return "a sanitizer reported an error (its report is on the standard error output)";
    default:
      return signal_text(ending) + place_of(stack);
  }
}

std::string run_catching(void (*body)(void*), void* argument) {
  try {
    body(argument);
    return "";
  } catch (const Abandoned&) {
    return std::string(kAbandonedText);
  } catch (const Failure& failure) {
    return failure.what();
  } catch (const std::bad_alloc&) {
    return std::string(kOutOfMemory);
  } catch (const std::exception& failure) {
    // ORDEAL_ASSERT throws too, and says so itself.
    const std::string_view what = failure.what();
    const bool assertion = what.substr(0, 16) == "assertion failed";
    return (assertion ? "" : "exception: ") + std::string(what);
  } catch (...) {
    return "exception of a type that is not a std::exception";
  }
}

// Whether a sanitizer ends a copy of this process that makes the call. What else happens to the
// copy will happen here, too.
bool kills_a_copy(void (*body)(void*), void* argument) {
  const pid_t pid = fork();
  if (pid < 0) return false;
  if (pid == 0) {
    sigjmp_buf landing;
    if (const int ending = sigsetjmp(landing, 0); ending != 0) {
      end_process(ending == watch::kSanitizer ? 1 : 0);
    }
    t_flight.landing = &landing;
    if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) {
      dup2(nowhere, STDOUT_FILENO);
      dup2(nowhere, STDERR_FILENO);
    }
    // Nobody watches it, and it may not return.
    signal(SIGALRM, SIG_DFL);
    itimerval end{};
    end.it_value.tv_sec = static_cast<time_t>(2 * watch::limit_here()) + 1;
    setitimer(ITIMER_REAL, &end, nullptr);
    run_catching(body, argument);
    end_process(0);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) != 0;
}

}  // namespace

void let_signals_kill(LastWords* words) {
  g_signals_kill = true;
  g_words = words;
  t_flight.landing = nullptr;
  watch::seat.leave_to(0);
  watch::use_limit_of(&words->limit);
}

std::string heard(const LastWords& words) {
  return words.ending == 0 ? "" : ending_text(words.ending, words.number, words.stack);
}

void end_process(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

void user_code_exits(int status) {
  if (t_flight.landing != nullptr) {
    t_flight.number = status;
    land(kExited, nullptr);
  }
  if (!g_signals_kill || watch::seat.depth == 0) return;
  say_last_words(kExited, status, nullptr);
  end_process(status);
}

std::string signal_name(int signal) { return signal_text(signal); }

void abandon_work() { throw Abandoned(); }

bool is_abandoned(std::string_view failure) { return failure == kAbandonedText; }

std::string run_guarded(void (*body)(void*), void* argument, Guard guard) {
  if (!t_flight.ready || !watch::seat.registered) prepare_thread();
  watch::Seat& seat = watch::seat;
  const uint32_t depth = seat.depth;
  const bool hurry = seat.hurry.load(std::memory_order_relaxed);
  if (g_signals_kill && guard != Guard::kLook) {
    if (guard == Guard::kCall) seat.enter();
    std::string failure = run_catching(body, argument);
    seat.leave_to(depth);
    return failure;
  }
  if (Trusting::wounded.load(std::memory_order_relaxed) && guard != Guard::kWork &&
      kills_a_copy(body, argument)) {
    return ending_text(watch::kSanitizer, 0, {});
  }
  sigjmp_buf landing;
  sigjmp_buf* const outer = t_flight.landing;
  // The handlers block no signal (SA_NODEFER, an empty mask): there is no mask to restore, and not
  // saving it saves a system call.
  if (const int ending = sigsetjmp(landing, 0); ending != 0) {
    t_flight.landing = outer;
    t_flight.looking = false;
    seat.leave_to(depth);
    seat.hurry = hurry;
    if (ending == watch::kAbandoned && guard != Guard::kWork && outer != nullptr) throw Abandoned();
    return ending_text(ending, t_flight.number, t_flight.stack);
  }
  t_flight.landing = &landing;
  if (guard != Guard::kWork) seat.enter();
  std::string failure = run_catching(body, argument);
  if (guard != Guard::kWork) seat.leave_to(depth);
  t_flight.landing = outer;
  return failure;
}

}  // namespace ordeal
