#include "cli/signals.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "base/file.h"
#include "base/guard.h"
#include "base/watch.h"

namespace ordeal::cli {
namespace {

std::atomic<bool> stop{false};
std::atomic<int> count{0};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");
const char* what_follows = "";
struct sigaction old_interrupt;
struct sigaction old_terminate;
struct sigaction old_hangup;

void say(std::string_view text) {
  // Whether it could be said does not matter any more.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

extern "C" void ordeal_stop(int) {
  const int before = count.fetch_add(1);
  stop = true;
  if (before == 0) {
    say("\nstopping: ");
    say(what_follows);
    say(" (once more: leave a handler that does not return)\n");
    return;
  }
  if (before == 1) {
    abandon_calls();
    say("\nstopping: handlers that run now are left (once more: stop at once)\n");
    return;
  }
  discard_unfinished_file();
  say("\nstopped at once\n");
  end_process(2);
}

}  // namespace

StopOnSignal::StopOnSignal(const char* words) {
  stop = false;
  count = 0;
  what_follows = words;
  struct sigaction action {};
  action.sa_handler = ordeal_stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &old_interrupt);
  sigaction(SIGTERM, &action, &old_terminate);
  // The terminal is gone: unless somebody (nohup) has said that this does not matter.
  sigaction(SIGHUP, nullptr, &old_hangup);
  if (old_hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

StopOnSignal::~StopOnSignal() {
  sigaction(SIGINT, &old_interrupt, nullptr);
  sigaction(SIGTERM, &old_terminate, nullptr);
  sigaction(SIGHUP, &old_hangup, nullptr);
}

const std::atomic<bool>& StopOnSignal::flag() const { return stop; }

}  // namespace ordeal::cli
