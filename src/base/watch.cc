#include "base/watch.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <vector>

#include "base/guard.h"

namespace ordeal {
namespace watch {

constinit thread_local Seat seat;

namespace {

std::atomic<double> g_limit{kDefaultCallSeconds};
std::atomic<bool> g_abandon{false};
std::atomic<bool> g_sanitizer_waits{false};
std::atomic<const std::atomic<double>*> g_limit_of_other{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

constexpr double kShortestHurry = 0.05;
constexpr double kLongReport = 0.3;  // seconds
constexpr int kMostTries = 50;       // to find a thread outside of the allocator

double now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double limit_of(const Seat& of) {
  const std::atomic<double>* other = g_limit_of_other;
  const double limit = other != nullptr ? other->load() : g_limit.load();
  return of.hurry ? std::min(limit, std::max(limit / 20, kShortestHurry)) : limit;
}

// How the watching thread sees another.
struct Watchee {
  Seat* seat = nullptr;
  pthread_t thread{};
  pid_t tid = 0;
  uint64_t call = 0;  // when it was last looked at
  double at = 0;
  double cpu = 0;
  double spent = 0;
  double slept = 0;
  int tries = 0;
};

double cpu_of(const Watchee& who) {
  clockid_t clock{};
  timespec t{};
  if (pthread_getcpuclockid(who.thread, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

bool is_asleep(pid_t tid) {
  char path[64];
  char text[512];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", static_cast<int>(tid));
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t size = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (size <= 0) return false;
  text[size] = '\0';
  const char* end = std::strrchr(text, ')');
  return end != nullptr && end[1] == ' ' && (end[2] == 'S' || end[2] == 'D');
}

// Lives as long as the process: threads may end after main() has.
struct Registry {
  std::mutex mutex;
  std::vector<Watchee> all;
  bool runs = false;
};

Registry& registry() {
  static Registry* const made = new Registry;
  return *made;
}

void look_at(Watchee& who, double period) {
  const uint64_t call = who.seat->call.load(std::memory_order_relaxed);
  const double at = now();
  if ((call & 1) == 0 || call != who.call) {
    who.call = call;
    who.at = at;
    who.spent = 0;
    who.slept = 0;
    who.tries = 0;
    if ((call & 1) != 0) who.cpu = cpu_of(who);
    return;
  }
  const double cpu = cpu_of(who);
  // A thread that this one was late to look at has not slept the longer for it.
  const double passed = std::min(at - who.at, 2 * period);
  const bool sleeps = cpu - who.cpu < passed / 10 && is_asleep(who.tid);
  who.spent += cpu - who.cpu + (sleeps ? passed : 0);
  who.slept += sleeps ? passed : 0;
  who.cpu = cpu;
  who.at = at;
  const double limit = limit_of(*who.seat);
  const bool overdue = limit > 0 && who.spent >= limit;
  const bool reports = g_sanitizer_waits && sleeps && who.slept >= kLongReport;
  if (!overdue && !g_abandon && !reports) return;
  who.seat->why = overdue ? kOverdue : g_abandon ? kAbandoned : kSanitizer;
  who.seat->at_once = sleeps || ++who.tries > kMostTries;
  who.seat->wanted = call;
  pthread_kill(who.thread, kLeaveSignal);
}

double period_for(double limit) { return limit > 0 ? std::clamp(limit / 20, 0.005, 0.1) : 0.1; }

void* watch_all(void* begun) {
  sem_post(static_cast<sem_t*>(begun));
  for (;;) {
    const std::atomic<double>* other = g_limit_of_other;
    const double period = period_for(other != nullptr ? other->load() : g_limit.load());
    const timespec pause{0, static_cast<long>(period * 1e9)};
    nanosleep(&pause, nullptr);
    Registry& shared = registry();
    const std::lock_guard lock(shared.mutex);
    for (Watchee& who : shared.all) look_at(who, period);
  }
  return nullptr;
}

// REQUIRES: the registry is locked.
void start_watching() {
  // No signal that is meant for somebody else.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t unused{};
  // Whoever forks next must not do it while the thread is being made: a lock of the allocator's
  // that it holds then stays locked in the other process (AddressSanitizer's does).
  sem_t begun;
  sem_init(&begun, 0, 0);
  registry().runs = pthread_create(&unused, &attributes, watch_all, &begun) == 0;
  while (registry().runs && sem_wait(&begun) != 0) {
  }
  sem_destroy(&begun);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// A forked process has one thread, and nobody who watches it.
void before_fork() { registry().mutex.lock(); }
void after_fork_here() { registry().mutex.unlock(); }
void after_fork_there() {
  registry().all.clear();
  registry().runs = false;
  seat.registered = false;
  seat.wanted = 0;
  g_abandon = false;
  registry().mutex.unlock();
}

// Gives the seat back when its thread ends.
struct Membership {
  ~Membership() {
    Registry& shared = registry();
    const std::lock_guard lock(shared.mutex);
    std::erase_if(shared.all, [](const Watchee& who) { return who.seat == &seat; });
    seat.registered = false;
  }
};

// Where code runs that holds locks which everybody needs.
struct Range {
  uintptr_t begin;
  uintptr_t end;
  bool sanitizer;

  bool holds(const void* pc) const {
    const auto at = reinterpret_cast<uintptr_t>(pc);
    return at >= begin && at < end;
  }
};

const std::vector<Range>& runtime_ranges() {
  static const std::vector<Range>* const found = [] {
    auto* out = new std::vector<Range>;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* to) {
          const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
          const std::string_view name = path.substr(path.rfind('/') + 1);
          const auto is = [&](std::string_view known) { return name.starts_with(known); };
          const bool sanitizer = is("libasan.so") || is("libtsan.so") || is("libubsan.so") ||
                                 is("liblsan.so") || is("libclang_rt");
          if (!sanitizer && !is("libc.so") && !is("ld-linux")) return 0;
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            const ElfW(Phdr)& part = info->dlpi_phdr[i];
            if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
            const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
            static_cast<std::vector<Range>*>(to)->push_back(
                {begin, begin + part.p_memsz, sanitizer});
          }
          return 0;
        },
        out);
    return out;
  }();
  return *found;
}

}  // namespace

void take_seat() {
  static const bool prepared = [] {
    runtime_ranges();
    return pthread_atfork(before_fork, after_fork_here, after_fork_there) == 0;
  }();
  if (seat.registered || !prepared) return;
  static thread_local Membership membership;
  Registry& shared = registry();
  const std::lock_guard lock(shared.mutex);
  Watchee self;
  self.seat = &seat;
  self.thread = pthread_self();
  self.tid = gettid();
  shared.all.push_back(self);
  seat.registered = true;
  if (!shared.runs) start_watching();
}

void use_limit_of(const std::atomic<double>* seconds) { g_limit_of_other = seconds; }
double limit_here() { return limit_of(seat); }

bool may_leave(const void* pc) {
  return std::none_of(runtime_ranges().begin(), runtime_ranges().end(),
                      [&](const Range& range) { return range.holds(pc); });
}

void expect_sanitizer_to_wait() { g_sanitizer_waits = true; }
bool is_sanitizer(const void* pc) {
  return std::any_of(runtime_ranges().begin(), runtime_ranges().end(),
                     [&](const Range& range) { return range.sanitizer && range.holds(pc); });
}

}  // namespace watch

void limit_calls(double seconds) { watch::g_limit = seconds; }
double call_limit() { return watch::g_limit; }
void abandon_calls() { watch::g_abandon = true; }
bool calls_are_abandoned() { return watch::g_abandon; }

namespace {

constexpr std::string_view kOverdueWords = "did not return within ";

std::mutex g_overdue_mutex;
std::set<uint64_t> g_overdue;
std::atomic<bool> g_any_overdue{false};

}  // namespace

std::string overdue_text() {
  char number[32];
  std::snprintf(number, sizeof number, "%g", call_limit());
  return std::string(kOverdueWords) + number + " s of processor time";
}

bool is_overdue(std::string_view failure) { return failure.find(kOverdueWords) != failure.npos; }

bool any_overdue() { return g_any_overdue.load(std::memory_order_relaxed); }

bool is_remembered_overdue(uint64_t call) {
  const std::lock_guard lock(g_overdue_mutex);
  return g_overdue.contains(call);
}

void remember_overdue(uint64_t call) {
  const std::lock_guard lock(g_overdue_mutex);
  g_overdue.insert(call);
  g_any_overdue = true;
}

}  // namespace ordeal
