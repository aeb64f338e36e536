#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "base/rng.h"
#include "live/cluster.h"
#include "live/commands.h"
#include "live/shadow.h"
#include "ordeal/live.h"
#include "ordeal/system.h"

namespace ordeal {

class LiveRun::Impl {
 public:
  Impl(std::shared_ptr<const System> system, const detail::Declaration& declared,
       const LiveOptions& options)
      : system_(std::move(system)), options_(options), shadow_(*system_, declared, options) {}
  ~Impl() { stop("it was stopped"); }

  Result<void> start() {
    // Which initial state, where nodes choose while they start. A live object is asked itself.
    Rng rng(options_.seed);
    uint32_t initial = 0;
    std::vector<uint32_t> choices;
    if (const std::shared_ptr<StateSpace> space = system_->space()) {
      const auto states = space->initial();
      if (!states) return states.error();
      initial = static_cast<uint32_t>(rng.below(states->size()));
      choices = (*states)[initial].choices;
    }
    if (const auto started = shadow_.start(initial); !started) return started.error();
    const std::shared_ptr<const detail::Declaration> declaration(system_, &system_->declaration());
    cluster_.emplace(std::make_shared<actor::ActorSpace>(declaration, system_->properties()),
                     options_, std::move(choices));
    const auto asked = cluster_->start();
    if (!asked) return asked.error();
    follower_ = std::thread([this, asked = *asked] { follow(asked); });
    return {};
  }

  void stop(const std::string& why) {
    const std::lock_guard lock(stopping_);
    if (cluster_) {
      cluster_->halt(why);
      cluster_->join();
    }
    if (follower_.joinable()) follower_.join();
  }

  Result<std::string> command(std::string_view line) {
    Result<live::Obeyed> obeyed = live::obey(line, *cluster_);
    if (!obeyed) return obeyed.error();
    switch (obeyed->then) {
      case live::Obeyed::Then::kStatus:
        return live::show_status(status());
      case live::Obeyed::Then::kNodes:
        return live::show_nodes(status());
      case live::Obeyed::Then::kStop:
        cluster_->halt("it was stopped");
        break;
      case live::Obeyed::Then::kSay:
        break;
    }
    return std::move(obeyed->says);
  }

  LiveStatus status() const {
    LiveStatus out;
    cluster_->describe(out);
    const auto end = ended_ms_.load();
    out.seconds = static_cast<double>(end >= 0 ? end : since_start_ms()) / 1000;
    out.steps = shadow_.steps();
    out.verdicts = shadow_.verdicts();
    out.why = shadow_.why();
    return out;
  }

  const live::Shadow& shadow() const { return shadow_; }

 private:
  int64_t since_start_ms() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(live::Clock::Real::now() -
                                                                 started_)
        .count();
  }

  void follow(const std::vector<live::Asked>& asked) {
    if (!shadow_.follow_start(asked)) cluster_->halt("");
    std::vector<live::Record> records;
    while (cluster_->take(records)) {
      for (const live::Record& record : records) {
        if (!shadow_.follow(record)) cluster_->halt("");
      }
    }
    ended_ms_ = since_start_ms();
    shadow_.end(cluster_->why());
  }

  const std::shared_ptr<const System> system_;
  const LiveOptions options_;
  const live::Clock::Real::time_point started_ = live::Clock::Real::now();
  std::atomic<int64_t> ended_ms_{-1};
  live::Shadow shadow_;
  std::optional<live::Cluster> cluster_;
  std::thread follower_;
  std::mutex stopping_;
};

LiveRun::LiveRun(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LiveRun::~LiveRun() = default;

Result<std::unique_ptr<LiveRun>> LiveRun::start(const Checkable& subject,
                                                const LiveOptions& options) {
  if (!(options.unit_ms > 0)) return Error{"a unit of time must take more than 0 ms"};
  if (!(options.latency_low_ms >= 0) || !(options.latency_high_ms >= options.latency_low_ms)) {
    return Error{"a latency goes from 0 ms or more to at least as much"};
  }
  if (const auto valid = subject.validate(); !valid) return valid.error();
  Result<std::unique_ptr<Checkable>> free = subject.with_free_faults();
  if (!free) return Error{"it cannot run live: " + free.error().message};
  const auto system =
      std::dynamic_pointer_cast<const System>(std::shared_ptr<Checkable>(*std::move(free)));
  const auto* declared = dynamic_cast<const System*>(&subject);
  if (system == nullptr || declared == nullptr) {
    return Error{"it cannot run live: only systems of nodes can"};
  }
  auto impl = std::make_unique<Impl>(system, declared->declaration(), options);
  if (const auto started = impl->start(); !started) return started.error();
  return std::unique_ptr<LiveRun>(new LiveRun(std::move(impl)));
}

Result<std::string> LiveRun::command(std::string_view line) { return impl_->command(line); }
LiveNews LiveRun::poll(size_t steps_seen, size_t notes_seen, double wait_seconds) const {
  return impl_->shadow().poll(steps_seen, notes_seen, wait_seconds);
}
LiveStatus LiveRun::status() const { return impl_->status(); }
Trace LiveRun::trace() const { return impl_->shadow().trace(); }
void LiveRun::stop(const std::string& why) { impl_->stop(why); }

}  // namespace ordeal
