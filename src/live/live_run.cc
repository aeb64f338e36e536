#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "base/rng.h"
#include "live/cluster.h"
#include "live/commands.h"
#include "live/left_behind.h"
#include "live/shadow.h"
#include "ordeal/live.h"
#include "ordeal/system.h"

namespace ordeal {

namespace live {

using Real = Clock::Real;

// What the threads of a run share. It lives as long as any of them.
struct Session {
  Session(std::shared_ptr<const System> of, const detail::Declaration& declared,
          const LiveOptions& with)
      : system(std::move(of)), options(with), shadow(*system, declared, options) {}

  int64_t since_start_ms() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Real::now() - started).count();
  }

  // The thread that follows. Returns whether it is not waited for.
  bool follow(const std::vector<Asked>& asked) {
    if (!shadow.follow_start(asked)) cluster->halt("");
    Record record;
    while (cluster->take(record)) {
      if (!shadow.follow(record)) cluster->halt("");
    }
    const Remains remains = cluster->leave();
    note_end();
    shadow.end(cluster->why(), remains);
    const std::lock_guard lock(mutex);
    followed = true;
    changed.notify_all();
    return left;
  }

  void note_end() {
    int64_t running = -1;
    ended_ms.compare_exchange_strong(running, since_start_ms());
  }

  const std::shared_ptr<const System> system;
  const LiveOptions options;
  const Real::time_point started = Real::now();
  std::atomic<int64_t> ended_ms{-1};
  Shadow shadow;
  std::shared_ptr<Cluster> cluster;

  std::mutex mutex;
  std::condition_variable changed;
  bool followed = false;  // the thread that follows is done
  bool left = false;      // … is not waited for
};

}  // namespace live

class LiveRun::Impl {
 public:
  Impl(std::shared_ptr<const System> system, const detail::Declaration& declared,
       const LiveOptions& options)
      : session_(std::make_shared<live::Session>(std::move(system), declared, options)) {}
  ~Impl() { stop("it was stopped"); }

  Result<void> start() {
    const std::shared_ptr<const System>& system = session_->system;
    // Which initial state, where nodes choose while they start. A opaque object is asked itself.
    Rng rng(session_->options.seed);
    uint32_t initial = 0;
    std::vector<uint32_t> choices;
    if (const std::shared_ptr<StateSpace> space = system->space()) {
      const auto states = space->initial();
      if (!states) return states.error();
      initial = static_cast<uint32_t>(rng.below(states->size()));
      choices = (*states)[initial].choices;
    }
    if (const auto started = session_->shadow.start(initial); !started) return started.error();
    const std::shared_ptr<const detail::Declaration> declaration(system, &system->declaration());
    session_->cluster =
        live::Cluster::make(std::make_shared<actor::ActorSpace>(declaration, system->properties()),
                            session_->options, std::move(choices));
    const auto asked = session_->cluster->start();
    if (!asked) return asked.error();
    follower_ = std::thread([session = session_, asked = *asked]() mutable {
      const bool left = session->follow(asked);
      session.reset();
      if (left) live::end_thread_left_behind();
    });
    return {};
  }

  void stop(const std::string& why) {
    if (session_->cluster == nullptr) return;
    session_->cluster->halt(why);
    const std::lock_guard lock(stopping_);
    conclude();
  }

  Result<std::string> command(std::string_view line) {
    Result<live::Obeyed> obeyed = live::obey(line, *session_->cluster);
    if (!obeyed) return obeyed.error();
    switch (obeyed->then) {
      case live::Obeyed::Then::kStatus:
        return live::show_status(status());
      case live::Obeyed::Then::kNodes:
        return live::show_nodes(status());
      case live::Obeyed::Then::kStop:
        session_->cluster->halt("it was stopped");
        break;
      case live::Obeyed::Then::kSay:
        break;
    }
    return std::move(obeyed->says);
  }

  LiveNews poll(size_t steps_seen, size_t notes_seen, double wait_seconds) {
    conclude_if_late();
    return session_->shadow.poll(steps_seen, notes_seen, wait_seconds);
  }

  LiveStatus status() {
    conclude_if_late();
    LiveStatus out;
    session_->cluster->describe(out);
    const auto end = session_->ended_ms.load();
    out.seconds = static_cast<double>(end >= 0 ? end : session_->since_start_ms()) / 1000;
    session_->shadow.describe(out);
    return out;
  }

  Trace trace() const { return session_->shadow.trace(); }

 private:
  // Nobody has to call stop(): who looks sees the end, once the grace is over.
  void conclude_if_late() {
    if (!session_->cluster->is_late()) return;
    const std::unique_lock lock(stopping_, std::try_to_lock);
    if (lock.owns_lock()) conclude();
  }

  // Waits for the thread that follows, or leaves it behind. REQUIRES: halted, and stopping_ is
  // held.
  void conclude() {
    if (!follower_.joinable()) return;
    live::Cluster& cluster = *session_->cluster;
    std::unique_lock lock(session_->mutex);
    const auto done = [&] { return session_->followed; };
    if (session_->changed.wait_until(lock, cluster.deadline(), done) || !cluster.is_following()) {
      lock.unlock();
      follower_.join();
      return;
    }
    session_->left = true;
    live::leave_thread_behind();
    lock.unlock();
    follower_.detach();
    const live::Remains remains = cluster.leave();
    session_->note_end();
    session_->shadow.abandon(cluster.why(), remains);
  }

  const std::shared_ptr<live::Session> session_;
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
  constexpr double kMostGrace = 3'600'000;  // an hour
  if (!(options.grace_ms >= 0) || !(options.grace_ms <= kMostGrace)) {
    return Error{"the grace is from 0 ms to an hour"};
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
  return impl_->poll(steps_seen, notes_seen, wait_seconds);
}
LiveStatus LiveRun::status() const { return impl_->status(); }
Trace LiveRun::trace() const { return impl_->trace(); }
void LiveRun::stop(const std::string& why) { impl_->stop(why); }

}  // namespace ordeal
