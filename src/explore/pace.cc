#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "explore/findings.h"

namespace ordeal::explore {
namespace {

double now() {
  using std::chrono::duration;
  using std::chrono::steady_clock;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// A search that takes all memory is killed without a report: stop before.
uint64_t most_of_memory() {
  const uint64_t pages = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES));
  const uint64_t page = static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  return pages * page / 100 * 85;
}

constexpr double kProgressEvery = 0.2;  // seconds

}  // namespace

Pace::Pace(const Options& options)
    : options_(options),
      max_bytes_(options.max_bytes > 0 ? options.max_bytes : most_of_memory()),
      started_(now()) {}

double Pace::seconds() const { return now() - started_; }

std::string Pace::look(const Exploration& so_far, uint64_t queue, uint64_t bytes, bool force) {
  if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
    return "interrupted";
  }
  if (bytes > max_bytes_) {
    return "memory: " + size_text(bytes) + " of " + size_text(max_bytes_);
  }
  if (!force && (++calls_ & 15) != 0) return "";
  const double elapsed = seconds();
  if (options_.max_seconds > 0 && elapsed >= options_.max_seconds) {
    char text[64];
    std::snprintf(text, sizeof text, "time: %g seconds", options_.max_seconds);
    return text;
  }
  if (options_.progress && elapsed - last_progress_ >= kProgressEvery) {
    last_progress_ = elapsed;
    Progress progress;
    progress.seconds = elapsed;
    progress.states = so_far.states;
    progress.distinct = so_far.distinct_states;
    progress.runs = so_far.runs;
    progress.depth = so_far.depth;
    progress.queue = queue;
    progress.bytes = bytes;
    progress.violations = std::max<uint64_t>(so_far.violations, so_far.findings.size());
    options_.progress(progress);
  }
  return "";
}

std::string size_text(uint64_t bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 4) {
    value /= 1024;
    ++unit;
  }
  char text[64];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text;
}

std::string count_text(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace ordeal::explore
