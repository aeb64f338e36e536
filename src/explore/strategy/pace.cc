#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "explore/strategy/findings.h"

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

Pace::Pace(const Options& options, std::vector<Property> properties)
    : options_(options),
      properties_(std::move(properties)),
      max_bytes_(options.max_bytes > 0 ? options.max_bytes : most_of_memory()),
      started_(now()) {}

double Pace::seconds() const { return now() - started_; }

bool Pace::interrupted() const {
  return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
}

std::optional<Bound> Pace::look(const Exploration& so_far, uint64_t queue, uint64_t bytes,
                                bool force) {
  if (interrupted()) return Bound{Bound::Kind::kInterrupted};
  if (bytes > max_bytes_) {
    return Bound{.kind = Bound::Kind::kMemory, .limit = max_bytes_, .used = bytes};
  }
  if (!force && (++calls_ & 15) != 0) return std::nullopt;
  const double elapsed = seconds();
  if (options_.max_seconds > 0 && elapsed >= options_.max_seconds) {
    return Bound{.kind = Bound::Kind::kTime, .seconds = options_.max_seconds};
  }
  if (options_.progress && elapsed - last_progress_ >= kProgressEvery) {
    last_progress_ = elapsed;
    Progress progress = progress_of(so_far);
    progress.seconds = elapsed;
    progress.queue = queue;
    progress.bytes = bytes;
    progress.doing = doing_;
    options_.progress(progress);
  }
  return std::nullopt;
}

Progress Pace::progress_of(const Exploration& so_far) const {
  Progress progress;
  progress.states = so_far.states;
  progress.distinct = so_far.distinct_states;
  progress.runs = so_far.runs;
  progress.depth = so_far.depth;
  std::vector<uint32_t> violated = so_far.violated;
  for (const Finding& finding : so_far.findings) {
    if (std::find(violated.begin(), violated.end(), finding.property) == violated.end()) {
      violated.push_back(finding.property);
    }
  }
  progress.violations = violated.size();
  for (const uint32_t property : violated) {
    if (property < properties_.size()) progress.violated.push_back(properties_[property].name);
  }
  for (size_t i = 0; i < std::min(properties_.size(), so_far.reached_depth.size()); ++i) {
    if (so_far.reached_depth[i] >= 0) progress.reached.push_back(properties_[i].name);
  }
  return progress;
}

}  // namespace ordeal::explore
